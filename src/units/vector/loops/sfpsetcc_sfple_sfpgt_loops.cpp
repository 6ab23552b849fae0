// SPDX-License-Identifier: Apache-2.0
// SFPSETCC, SFPLE, SFPGT (their pages, Functional model).
// Rules: rules/sfpsetcc_sfple_sfpgt.cpp; reference: reference/models/vector_flags.cpp.
#include "units/vector/loops/sfpsetcc_sfple_sfpgt_loops.hpp"

#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/vector/loops/sfpsetcc_sfple_sfpgt_loops.cpp"
#include <hwy/foreach_target.h>

#include "units/vector/loops/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::vector::HWY_NAMESPACE {

namespace {

struct IsNegative {
    static HWY_INLINE Chosen of(Words x) { return negative(x); }
};
struct IsZero {
    static HWY_INLINE Chosen of(Words x) { return hn::Eq(x, word(0)); }
};

template <class Test>
HWY_INLINE void flag(const LaneWork& work, state::State& state, FlagUpdate update) {
    std::uint32_t found = 0;
    for_each_part(state, [&](const Part& x) HWY_ATTR { found |= x.bits_of(Test::of(x[work.c])); });
    update_flags(state, work.lanes, update, found);
}

void less_0(const LaneWork& w, state::State& s) { flag<IsNegative>(w, s, FlagUpdate::set); }
void not_equal_0(const LaneWork& w, state::State& s) { flag<IsZero>(w, s, FlagUpdate::set_complement); }
void greater_equal_0(const LaneWork& w, state::State& s) { flag<IsNegative>(w, s, FlagUpdate::set_complement); }
void equal_0(const LaneWork& w, state::State& s) { flag<IsZero>(w, s, FlagUpdate::set); }

template <bool Greater>
void order(const LaneWork& work, state::State& state) {
    std::uint32_t found = 0;
    for_each_part(state, [&](const Part& x) HWY_ATTR {
        const Chosen greater = less(ordered(x[work.c]), ordered(x[work.b]));
        const Chosen result = Greater ? greater : hn::Not(greater);
        found |= x.bits_of(result);
        if (work.writes) x.store(work.d, x.chosen(work.lanes), hn::IfThenElseZero(result, word(~0u)));
    });
    if (work.writes_flags) update_flags(state, work.lanes, FlagUpdate::set, found);
    if (work.writes_cells) {
        const auto top = state::Cell(work.first_cell);
        const std::uint32_t old = state[top], lanes = work.immediate;
        state.write(top, work.mode & change_by_or ? old | (found & lanes) : old & (found | ~lanes));
    }
}

LaneWork::Loop against_zero(AgainstZero comparison) {
    static constexpr LaneWork::Loop loops[] = {less_0, not_equal_0, greater_equal_0, equal_0};
    static_assert(std::size(loops) == static_cast<unsigned>(AgainstZero::count));
    return loops[static_cast<unsigned>(comparison)];
}
LaneWork::Loop order_of(bool greater) { return greater ? order<true> : order<false>; }

}  // namespace

}  // namespace tessera::units::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::vector {

namespace {

TESSERA_VERSIONS(against_zero);
TESSERA_VERSIONS(order_of);

}  // namespace

plan::LaneWork::Loop against_zero_loop(AgainstZero comparison) {
    return TESSERA_BEST_VERSION(against_zero)(comparison);
}
plan::LaneWork::Loop order_loop(bool greater) { return TESSERA_BEST_VERSION(order_of)(greater); }

plan::LaneWork::Loop constant_flags_loop() {
    return [](const plan::LaneWork& work, state::State& state) {
        update_flags(state, work.lanes, FlagUpdate::set, work.immediate);
    };
}

}  // namespace tessera::units::vector

#endif  // HWY_ONCE
