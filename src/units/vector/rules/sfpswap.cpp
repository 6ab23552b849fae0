// SPDX-License-Identifier: Apache-2.0
// SFPSWAP (its page, Functional model): exchange, minimum and maximum, and both with the places that they came from.
// Loops: loops/sfpswap_loops.cpp; reference: reference/models/vector_shuffles.cpp.
#include <array>

#include "isa/values/vector.hpp"
#include "units/vector/dst_places.hpp"
#include "units/vector/lanes.hpp"
#include "units/vector/loops/sfpswap_loops.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

constexpr auto vc = isa::operand("SFPSWAP", "lreg_src_c");
constexpr auto vd = isa::operand("SFPSWAP", "lreg_dest");
constexpr auto mode = isa::operand("SFPSWAP", "instr_mod1");

constexpr unsigned swap_always = isa::value(isa::values::swap_modes, "swap"), first_undefined = 10;
/// VDGetsMin of the other modes; undefined modes are like the last.
constexpr std::array<std::uint32_t, 16> vd_gets_min = {0,          0xFFFFFFFF, 0x0000FFFF, 0x00FF00FF, 0xFF0000FF,
                                                       0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000, 0};

void resolve_sfpswap(const StateView& view, plan::Plan& plan) {
    Vector vector = vector_of(view, plan, vd);
    if (!view.macro_step) {
        vector.c = view[vc];
        vector.b = vector.d;
    }
    const std::uint32_t how = view[mode];
    if (how >= first_undefined) plan.note(findings::id("vector.swap-mode"), {how});
    plan::LaneWork work = lane_work(vector, swap_loop(how == swap_always));
    work.immediate = ~vd_gets_min[how] ^ lanes_with(view, LaneConfig::exchange_srcb_srcc);
    work.marked = lanes_with(view, LaneConfig::enable_dest_index) & work.lanes;
    std::uint32_t exchanged = 1u << vector.c | 1u << vector.d;
    if (work.marked) exchanged |= 1u << index_of(vector.c) | 1u << index_of(vector.d);
    work.reads = exchanged | 1u << vector.b;
    work.writes = exchanged & ((1u << state::LRegs::writable) - 1);
    if (work.lanes) plan.work = work;
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPSWAP"),
     resolve_sfpswap,
     {2, 2, {"SFPSWAP, Instruction scheduling: only SFPNOP in its second cycle"}}},
};

}  // namespace

std::span<const Behaviour> sfpswap_rules() { return behaviours; }

}  // namespace tessera::units::vector
