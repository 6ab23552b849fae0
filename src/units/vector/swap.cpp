// SPDX-License-Identifier: Apache-2.0
// SFPSWAP (its page, Functional model): exchange, minimum and maximum, and both with the places that they came from.
#include <array>
#include <utility>

#include "units/vector/lanes.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

constexpr auto vc = isa::operand("SFPSWAP", "lreg_src_c");
constexpr auto vd = isa::operand("SFPSWAP", "lreg_dest");
constexpr auto mode = isa::operand("SFPSWAP", "instr_mod1");

constexpr unsigned swap_always = 0, first_undefined = 10;
/// VDGetsMin of the other modes; those without meaning are like the last.
constexpr std::array<std::uint32_t, 16> vd_gets_min = {0,          0xFFFFFFFF, 0x0000FFFF, 0x00FF00FF, 0xFF0000FF,
                                                       0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000, 0};

constexpr unsigned with_index = 4;  // LRegs 0 to 3 have their places in the four behind them
constexpr unsigned index_of(unsigned lreg) { return with_index + lreg % with_index; }

// SignMagIsSmaller of the page.
constexpr bool is_smaller(std::uint32_t c, std::uint32_t d) {
    constexpr auto ordered = [](std::uint32_t x) { return static_cast<std::int32_t>(x >> 31 ? x ^ 0x7FFFFFFF : x); };
    return ordered(c) < ordered(d);
}

// `immediate`: lanes that swap when VC is not smaller; `marked`: lanes that swap places too.
template <bool Always>
void loop(const plan::LaneWork& work, state::State& state) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(work.lanes >> lane & 1)) continue;
        const auto at = [&](unsigned lreg) -> std::uint32_t& { return state.lregs.lane[lreg * lanes + lane]; };
        const std::uint32_t c = at(work.c), d = at(work.d);
        if (!Always && is_smaller(c, d) == (work.immediate >> lane & 1)) continue;
        const bool places = work.marked >> lane & 1;
        const unsigned limit = places ? with_index : state::LRegs::writable;
        if (work.c < limit) at(work.c) = d;
        if (work.d < limit) at(work.d) = c;
        if (places) std::swap(at(index_of(work.c)), at(index_of(work.d)));
    }
}

}  // namespace

void resolve_sfpswap(const Look& look, plan::Plan& plan) {
    Vector vector = vector_of(look, plan, vd);
    if (!look.macro_step) vector.c = look[vc];
    const std::uint32_t how = look[mode];
    if (how >= first_undefined) plan.note(findings::id("vector.swap-mode"), {how});
    plan::LaneWork work = lane_work(vector, how == swap_always ? loop<true> : loop<false>);
    work.immediate = ~vd_gets_min[how] ^ lanes_with(look, LaneConfig::exchange_srcb_srcc);
    work.marked = lanes_with(look, LaneConfig::enable_dest_index) & work.lanes;
    work.reads = 1u << vector.c | 1u << vector.d;
    if (work.marked) work.reads |= 1u << index_of(vector.c) | 1u << index_of(vector.d);
    work.writes = work.reads & ((1u << state::LRegs::writable) - 1);
    if (work.lanes) plan.work = work;
}

}  // namespace tessera::units::vector
