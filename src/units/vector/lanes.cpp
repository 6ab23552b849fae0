// SPDX-License-Identifier: Apache-2.0
#include "units/vector/lanes.hpp"

#include "plan/plan.hpp"

namespace tessera::units::vector {

namespace {

// The four lanes of a column.
constexpr std::uint32_t column_lanes = 0x01010101;

}  // namespace

std::uint32_t lanes_with(const Look& look, LaneConfig bit) {
    std::uint32_t result = 0;
    for (unsigned column = 0; column < columns; ++column)
        if (look[state::cells::lane_config_block[column]] >> static_cast<unsigned>(bit) & 1)
            result |= column_lanes << column;
    return result;
}

std::uint32_t enabled_lanes(const Look& look) {
    // Rows of a column are eight lanes apart.
    constexpr std::uint32_t rows = 15, eight_apart = 1 | 1 << 7 | 1 << 14 | 1 << 21;
    std::uint32_t masked = 0;
    for (unsigned column = 0; column < columns; ++column) {
        const std::uint32_t config = look[state::cells::lane_config_block[column]];
        const std::uint32_t mask = config >> static_cast<unsigned>(LaneConfig::row_mask) & rows;
        masked |= (mask * eight_apart & column_lanes) << column;
    }
    return (look[state::cells::cc_enable_block[0]] ? look[state::cells::cc_block[0]] : ~0u) & ~masked;
}

Vector vector_of(const Look& look, plan::Plan& plan, const isa::Operand& vd) {
    Vector v;
    v.executing = ~0u;
    if (look.macro_step) {
        v.b = look.macro_step->b;
        v.c = look.macro_step->c;
        v.d = look.macro_step->d;
    } else {
        v.d = look[vd];
        if (v.d >= state::LRegs::recorded) {
            v.executing = lanes_with(look, LaneConfig::disable_backdoor_load);
            for (unsigned column = 0; column < columns; ++column)
                if (!(v.executing >> column & 1))
                    plan.effect(state::cells::macro(column, state::Macro::template_0, v.d - state::LRegs::recorded),
                                look.instruction.word, plan::When::start);
        }
    }
    v.enabled = v.executing & enabled_lanes(look);
    return v;
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
