// SPDX-License-Identifier: Apache-2.0
// SFPCONFIG (its page, Functional model): constants, lane configuration, and SFPLOADMACRO's configuration, for each
// of the eight lane columns.
//
// Reference: reference/models/vector_config.cpp.
#include <array>

#include "isa/values/vector.hpp"
#include "units/vector/lanes.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

using plan::ColumnConfigWork;

constexpr auto immediate = isa::operand("SFPCONFIG", "imm16_math");
constexpr auto dest = isa::operand("SFPCONFIG", "config_dest");
constexpr auto mode = isa::operand("SFPCONFIG", "instr_mod1");
using isa::value, isa::values::config_destinations, isa::values::config_modes;
constexpr std::uint32_t immediate_is_value = value(config_modes, "imm16_is_value"),
                        immediate_is_lane_mask = value(config_modes, "imm16_is_lane_mask");

constexpr unsigned first_sequence = value(config_destinations, "sequence0"), misc = value(config_destinations, "misc"),
                   first_constant = value(config_destinations, "L11"),
                   lane_config = value(config_destinations, "lane_config");
// FP32 of LRegs 11 to 14 (spec-notes V30).
constexpr std::array<std::uint32_t, 4> defaults = {0xBF800000, 0x3B000000, 0xBF2CC4C7, 0xBEB08FF9};

// Row masks are ignored here.
std::uint8_t columns_of(const StateView& view) {
    std::uint32_t taking_part = view[state::cells::cc_enable_block[0]] ? view[state::cells::cc_block[0]] & 0xFF : 0xFF;
    if (view[mode] & immediate_is_lane_mask)
        for (unsigned column = 0; column < columns; ++column)
            if (!(view[immediate] >> 2 * column & 1)) taking_part &= ~(1u << column);
    return static_cast<std::uint8_t>(taking_part);
}

std::uint32_t combine(ColumnConfigWork::Op op, std::uint32_t old, std::uint32_t value) {
    switch (op) {
        case ColumnConfigWork::Op::set: return value;
        case ColumnConfigWork::Op::bit_or: return old | value;
        case ColumnConfigWork::Op::bit_and: return old & value;
        case ColumnConfigWork::Op::bit_xor: break;
    }
    return old ^ value;
}

// Writes LReg 0 to the cell of each column, or the immediate, which leaves higher bits unchanged.
void configure(const StateView& view, plan::Plan& plan, ColumnConfigWork work, bool from_immediate) {
    if (!from_immediate) {
        if (work.columns) plan.work = work;
        return;
    }
    constexpr std::uint32_t reach = 0xFFFF;
    for (unsigned column = 0; column < columns; ++column) {
        if (!(work.columns >> column & 1)) continue;
        const auto cell = state::Cell(index(work.first) + column * work.stride);
        std::uint32_t value = view[immediate];
        if (work.op != ColumnConfigWork::Op::set) value = combine(work.op, view[cell], value);
        if (cell == state::cells::lane_config_block[column]) value |= view[cell] & ~reach;
        plan.effect(cell, value, plan::When::start);
    }
}

void set_constant(const StateView& view, plan::Plan& plan, unsigned lreg, std::uint8_t in_columns) {
    const std::uint32_t in_lanes = in_columns * 0x01010101u;
    if (view[mode] & immediate_is_value) {
        plan.work = plan::ImmediateWork{in_lanes, defaults[lreg - first_constant], 0, static_cast<std::uint8_t>(lreg)};
        return;
    }
    Vector vector;
    vector.enabled = in_lanes;
    vector.d = lreg;
    plan::LaneWork work = lane_work(vector, [](const plan::LaneWork& w, state::State& state) {
        for (unsigned lane = 0; lane < lanes; ++lane)
            if (w.lanes >> lane & 1) state.lregs.lane[w.d * lanes + lane] = state.lregs.lane[lane % columns];
    });
    work.across = true;
    work.reads = 1;
    work.writes = 1u << lreg;
    plan.work = work;
}

void resolve_sfpconfig(const StateView& view, plan::Plan& plan) {
    const unsigned to = view.macro_step ? view.macro_step->d : view[dest];
    const bool value_given = view[mode] & immediate_is_value;
    if (value_given && view[mode] & immediate_is_lane_mask) plan.note(findings::id("vector.config-two-uses"));
    ColumnConfigWork work;
    work.columns = columns_of(view);
    work.op = ColumnConfigWork::Op(view[mode] >> 1 & 3);
    work.stride = state::cells::size<state::Macro>;
    if (to < first_sequence) {
        work.op = ColumnConfigWork::Op::set;
        work.first = state::cells::macro(0, state::Macro::template_0, to);
        configure(view, plan, work, false);
    } else if (to < misc) {
        work.op = ColumnConfigWork::Op::set;
        work.first = state::cells::macro(0, state::Macro::sequence_0, to - first_sequence);
        configure(view, plan, work, value_given);
    } else if (to == misc) {
        work.first = state::cells::macro(0, state::Macro::misc);
        configure(view, plan, work, value_given);
    } else if (to == lane_config) {
        work.first = state::cells::lane_config_block[0];
        work.stride = 1;
        configure(view, plan, work, value_given);
    } else if (to >= first_constant && to < lane_config) {
        set_constant(view, plan, to, work.columns);
    } else {
        plan.note(findings::id("vector.config-nowhere"), {to});
    }
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPCONFIG"), resolve_sfpconfig, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> sfpconfig_rules() { return behaviours; }

}  // namespace tessera::units::vector

namespace tessera::plan {

namespace {

state::Cell cell_of(const ColumnConfigWork& work, unsigned column) {
    return state::Cell(index(work.first) + column * work.stride);
}

template <class F>
void for_each_column(const ColumnConfigWork& work, F&& f) {
    for (unsigned column = 0; column < units::vector::columns; ++column)
        if (work.columns >> column & 1) f(column);
}

}  // namespace

void run(const ColumnConfigWork& work, state::State& state) {
    for_each_column(work, [&](unsigned column) {
        const state::Cell cell = cell_of(work, column);
        state.write(cell, units::vector::combine(work.op, state[cell], state.lregs.lane[column]));
    });
}

void footprint(const ColumnConfigWork& work, Footprint& out) {
    for_each_column(work, [&](unsigned column) {
        out.read(Storage::lreg, column);
        if (work.op != ColumnConfigWork::Op::set) out.read(cell_of(work, column));
        out.write(cell_of(work, column));
    });
}

void explain(const ColumnConfigWork& work, Lines& lines) {
    std::string list;
    for_each_column(work, [&](unsigned column) { list += (list.empty() ? "" : ", ") + std::to_string(column); });
    lines.emplace_back("from", "LReg 0, lanes 0 to 7");
    lines.emplace_back("lane columns", list);
}

}  // namespace tessera::plan
