// SPDX-License-Identifier: Apache-2.0
// What every vector instruction begins with: which lanes it is for, which LRegs it names.
#pragma once

#include "plan/vector_work.hpp"
#include "units/lane_config.hpp"

namespace tessera::units::vector {

inline constexpr unsigned lanes = state::LRegs::lanes, columns = state::cells::lane_config_words;

/// A bit per lane whose column has this bit of its configuration set.
std::uint32_t lanes_with(const StateView& view, LaneConfig bit);

/// LaneEnabled (VectorUnit page, Lane Predication Masks), a bit per lane.
std::uint32_t enabled_lanes(const StateView& view);

/// A vector instruction as its functional model names things: lanes and registers.
struct Vector {
    std::uint32_t executing = 0;  ///< lanes in which VD < 12 or DISABLE_BACKDOOR_LOAD
    std::uint32_t enabled = 0;    ///< those of them that are enabled too
    unsigned a = 0, b = 0, c = 0, d = 0;

    /// Whether results in VD are kept: the other registers are read-only.
    bool writes_d() const { return d < state::LRegs::writable || d == 16; }
};

/// Reads `vd`, and where it is 12 or more lets the plan record the instruction as a macro's template in the lanes that
/// do not execute it (SFPCONFIG page, InstructionTemplate).
Vector vector_of(const StateView& view, plan::Plan& plan, const isa::Operand& vd);

/// Work in the enabled lanes, with the instruction's registers.
plan::LaneWork lane_work(const Vector& vector, plan::LaneWork::Loop loop);

}  // namespace tessera::units::vector
