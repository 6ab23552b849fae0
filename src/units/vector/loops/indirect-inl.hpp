// SPDX-License-Identifier: Apache-2.0
// Stores results of the MAD sub-unit: in the instruction's register, or in each lane in the register that the low
// four bits of LReg 7 name. Included once per target.
#if defined(TESSERA_UNITS_VECTOR_INDIRECT_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_UNITS_VECTOR_INDIRECT_INL_HPP_
#undef TESSERA_UNITS_VECTOR_INDIRECT_INL_HPP_
#else
#define TESSERA_UNITS_VECTOR_INDIRECT_INL_HPP_
#endif

#include "units/vector/loops/lanes-inl.hpp"
#include "units/vector/loops/multiply_add_loops.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

/// VD = Operation, with VD named by LReg 7. Read-only registers stay unchanged.
template <class Operation>
void compute_indirect(const LaneWork& work, state::State& state) {
    for_each_part(state, [&](const Part& part) HWY_ATTR {
        const Words x = Operation::value(work, part), named = hn::And(part[index_lreg], word(15));
        const Chosen lanes = part.chosen(work.lanes);
        for (unsigned lreg = 0; lreg < state::LRegs::writable; ++lreg)
            part.store(lreg, hn::And(lanes, hn::Eq(named, word(lreg))), x);
    });
}

template <class Operation>
constexpr LaneWork::Loop loop_for(bool indirect) {
    return indirect ? compute_indirect<Operation> : compute<Operation>;
}

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_UNITS_VECTOR_INDIRECT_INL_HPP_
