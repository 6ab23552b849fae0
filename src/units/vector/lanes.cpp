// SPDX-License-Identifier: Apache-2.0
#include "units/vector/lanes.hpp"

#include "plan/plan.hpp"

namespace tessera::units::vector {

namespace {

// The four lanes of a column.
constexpr std::uint32_t column_lanes = 0x01010101;

}  // namespace

std::uint32_t lanes_with(const StateView& view, LaneConfig bit) {
    const std::span<const std::uint32_t> lane_config = view[state::cells::lane_config_block];
    if (!(state::in_any_column(lane_config) >> static_cast<unsigned>(bit) & 1)) return 0;
    std::uint32_t result = 0;
    for (unsigned column = 0; column < columns; ++column)
        result |= (lane_config[column] >> static_cast<unsigned>(bit) & 1) * column_lanes << column;
    return result;
}

std::uint32_t enabled_lanes(const StateView& view) { return state::enabled_lanes(view); }

Vector vector_of(const StateView& view, plan::Plan& plan, const isa::Operand& vd) {
    Vector v;
    v.executing = ~0u;
    if (view.macro_step) {
        v.b = view.macro_step->b;
        v.c = view.macro_step->c;
        v.d = view.macro_step->d;
    } else {
        v.d = view[vd];
        if (v.d >= state::LRegs::recorded) {
            v.executing = lanes_with(view, LaneConfig::disable_backdoor_load);
            for (unsigned column = 0; column < columns; ++column)
                if (!(v.executing >> column & 1))
                    plan.effect(state::cells::macro(column, state::Macro::template_0, v.d - state::LRegs::recorded),
                                view.instruction.word, plan::When::start);
        }
    }
    v.enabled = v.executing & enabled_lanes(view);
    return v;
}

bool stores_d(plan::Plan& plan, const Vector& vector) {
    note_constant(plan, vector.d, state::LRegs::writable);
    return vector.writes_d();
}

void note_constant(plan::Plan& plan, unsigned vd, unsigned first) {
    if (vd >= first && vd < state::LRegs::recorded) plan.note(findings::id("vector.load-nowhere"), {vd});
}

plan::LaneWork lane_work(const Vector& vector, plan::LaneWork::Loop loop) {
    plan::LaneWork work;
    work.loop = loop;
    work.lanes = vector.enabled;
    work.a = static_cast<std::uint8_t>(vector.a);
    work.b = static_cast<std::uint8_t>(vector.b);
    work.c = static_cast<std::uint8_t>(vector.c);
    work.d = static_cast<std::uint8_t>(vector.d);
    return work;
}

}  // namespace tessera::units::vector
