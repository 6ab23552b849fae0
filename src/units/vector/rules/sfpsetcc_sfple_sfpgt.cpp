// SPDX-License-Identifier: Apache-2.0
// SFPSETCC, SFPLE, SFPGT (their pages, Functional model).
// Loops: loops/sfpsetcc_sfple_sfpgt_loops.cpp; reference: reference/models/vector_flags.cpp.
#include <algorithm>

#include "isa/values/vector.hpp"
#include "units/vector/loops/sfpsetcc_sfple_sfpgt_loops.hpp"
#include "units/vector/named.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

plan::LaneWork flag_work(const Vector& v, plan::LaneWork::Loop loop, std::uint32_t reads, std::uint32_t immediate) {
    plan::LaneWork work = lane_work(v, loop);
    work.reads = reads;
    work.immediate = immediate;
    flag(work, FlagUpdate::set);
    return work;
}

void order(const StateView& view, plan::Plan& plan, const SimpleOperands& operands, bool greater) {
    const Vector v = named_by(view, plan, operands.vd, operands.vc);
    const std::uint32_t mode = view[operands.mode];
    plan::LaneWork work = lane_work(v, order_loop(greater));
    work.reads = lreg_set({v.b, v.c});
    work.mode = static_cast<std::uint8_t>(mode);
    work.immediate = v.executing;
    if (mode & set_register && v.writes_d()) work.writes = lreg_set({v.d});
    work.reads_flags = work.writes_flags = mode & set_flags;
    if (mode & change_stack)
        if (const std::uint32_t entries = view[state::cells::cc_stack_size_block[0]]) {
            const unsigned top = std::min<unsigned>(entries, state::cells::cc_stack_depth) - 1;
            work.first_cell = state::index(state::cells::cc_stack_block[2 * top]);
            work.cells = 1;
            work.writes_cells = true;
            work.across = work.lanes != v.executing;
        }
    if (work.writes || work.writes_flags || work.writes_cells) plan.work = work;
}

void resolve_sfpsetcc(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPSETCC");
    static constexpr auto immediate = isa::operand("SFPSETCC", "imm12_math");
    using isa::value, isa::values::setcc_modes;
    constexpr std::uint32_t by_immediate = value(setcc_modes, "imm_bit0"), clear = value(setcc_modes, "clear");
    const Vector v = named_by(view, plan, operands.vd, operands.vc);
    const std::uint32_t mode = view[operands.mode];
    if (!view[state::cells::cc_enable_block[0]] || mode & clear)
        plan.work = flag_work(v, constant_flags_loop(), 0, 0);
    else if (mode & by_immediate)
        plan.work = flag_work(v, constant_flags_loop(), 0, view[immediate] ? ~0u : 0);
    else
        plan.work = flag_work(v, against_zero_loop(AgainstZero(mode / 2)), lreg_set({v.c}), 0);
}

void resolve_sfple(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPLE");
    order(view, plan, operands, false);
}

void resolve_sfpgt(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPGT");
    order(view, plan, operands, true);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPSETCC"), resolve_sfpsetcc, {1, 1, unit_page}},
    {isa::mnemonic("SFPLE"), resolve_sfple, {1, 1, unit_page}},
    {isa::mnemonic("SFPGT"), resolve_sfpgt, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> sfpsetcc_sfple_sfpgt_rules() { return behaviours; }

}  // namespace tessera::units::vector
