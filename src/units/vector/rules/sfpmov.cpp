// SPDX-License-Identifier: Apache-2.0
// SFPMOV (its page, Functional model).
// Loops: loops/bitwise_loops.cpp, loops/rounding_loops.cpp; reference: reference/models/vector_config.cpp.
#include "isa/values/vector.hpp"
#include "units/vector/loops/bitwise_loops.hpp"
#include "units/vector/loops/rounding_loops.hpp"
#include "units/vector/named.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

constexpr std::uint32_t misc = 8, random_number = 9, lane_config = 15;

// VD is a cell of each lane's column.
void cells_to_lanes(const plan::LaneWork& work, state::State& state) {
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (work.lanes >> lane & 1)
            state.lregs.lane[work.d * lanes + lane] =
                state[state::Cell(work.first_cell + lane % columns * work.cell_stride)];
}

void read_cells(plan::Plan& plan, const Vector& v, state::Cell first, state::Cell second) {
    plan::LaneWork work = writing_d(v, cells_to_lanes, 0);
    work.first_cell = static_cast<std::uint16_t>(state::index(first));
    work.cells = columns;
    work.cell_stride = static_cast<std::uint8_t>(state::index(second) - state::index(first));
    plan.work = work;
}

void from_special(plan::Plan& plan, const Vector& v) {
    using state::cells::macro;
    if (v.c == random_number) {
        plan::LaneWork work = lane_work(v, random_loop());
        work.random = true;
        if (v.writes_d()) work.writes = lreg_set({v.d});
        plan.work = work;
        return;
    }
    if (!stores_d(plan, v)) return;
    if (v.c <= misc)
        return read_cells(plan, v, macro(0, state::Macro::template_0, v.c), macro(1, state::Macro::template_0, v.c));
    if (v.c == lane_config)
        return read_cells(plan, v, state::cells::lane_config_block[0], state::cells::lane_config_block[1]);
    plan.work = writing_d(v, constant_loop(), 0);
}

void resolve_sfpmov(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = simple_operands("SFPMOV");
    using isa::value, isa::values::move_modes;
    constexpr std::uint32_t negate = value(move_modes, "negate"), all_lanes = value(move_modes, "all_lanes_enabled"),
                            reserved = 4, special = value(move_modes, "from_special");
    Vector v = named_by(view, plan, operands.vd, operands.vc);
    const std::uint32_t given = view[operands.mode], mode = acting(plan, given, given & ~reserved);
    if (mode == all_lanes) v.enabled = v.executing;
    if (mode & special) return from_special(plan, v);
    if (stores_d(plan, v))
        plan.work = writing_d(v, bits_loop(mode & negate ? Bits::negate : Bits::copy), lreg_set({v.c}));
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPMOV"), resolve_sfpmov, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> sfpmov_rules() { return behaviours; }

}  // namespace tessera::units::vector
