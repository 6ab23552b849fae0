// SPDX-License-Identifier: Apache-2.0
// Instructions that take a number from the generator of each lane. Included once per target.
#if defined(TESSERA_UNITS_VECTOR_RANDOM_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_VECTOR_RANDOM_INL_HPP_
#undef TESSERA_UNITS_VECTOR_RANDOM_INL_HPP_
#else
#define TESSERA_UNITS_VECTOR_RANDOM_INL_HPP_
#endif

#include "units/vector/loops/lanes-inl.hpp"
#include "util/shift_register.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

/// VD = Operation of each lane's random bits. The generators of active lanes step even if VD cannot be written.
template <class Operation>
void compute_with_random(const LaneWork& work, state::State& state) {
    alignas(64) std::array<std::uint32_t, state::LRegs::lanes> random;
    for (unsigned lane = 0; lane < random.size(); ++lane) random[lane] = state[state::cells::prng_block[lane]];
    if (work.writes)
        for_each_part(state, [&](const Part& part) HWY_ATTR {
            const Words bits = hn::LoadU(Lanes(), random.data() + part.first());
            part.store(work.d, part.chosen(work.lanes), Operation::value(work, part, bits));
        });
    for (unsigned lane = 0; lane < random.size(); ++lane)
        if (work.lanes >> lane & 1) state.write(state::cells::prng_block[lane], next_random(random[lane]));
}

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_VECTOR_RANDOM_INL_HPP_
