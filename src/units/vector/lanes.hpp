// SPDX-License-Identifier: Apache-2.0
// Shared by all vector instructions: the active lanes, and the LRegs of the operands.
#pragma once

#include "plan/vector_work.hpp"
#include "units/lane_config.hpp"

namespace tessera::units::vector {

inline constexpr unsigned lanes = state::LRegs::lanes, columns = state::cells::lane_config_words;

/// A bit per lane whose column has this configuration bit set.
std::uint32_t lanes_with(const StateView& view, LaneConfig bit);

/// LaneEnabled (VectorUnit page, Lane Predication Masks), a bit per lane.
std::uint32_t enabled_lanes(const StateView& view);

/// A vector instruction in the terms of its functional model: lanes and registers.
struct Vector {
    std::uint32_t executing = 0;  ///< lanes with VD < 12 or DISABLE_BACKDOOR_LOAD
    std::uint32_t enabled = 0;    ///< lanes that are also enabled
    unsigned a = 0, b = 0, c = 0, d = 0;

    /// Whether a result in VD is stored: the other registers are read-only.
    bool writes_d() const { return d < state::LRegs::writable || d == 16; }
};

/// Reads `vd`. If it is 12 or more, the plan records the instruction as a macro template in the lanes that do not
/// execute it (SFPCONFIG page, InstructionTemplate).
Vector vector_of(const StateView& view, plan::Plan& plan, const isa::Operand& vd);

/// Notes a write of `vd` if it is one of the constants from `first` on. From 12 on it is a macro template.
void note_constant(plan::Plan& plan, unsigned vd, unsigned first);

/// Vector::writes_d() of an instruction that does nothing but write VD. Notes a constant as VD.
bool stores_d(plan::Plan& plan, const Vector& vector);

/// Work in the enabled lanes, with the instruction's registers.
plan::LaneWork lane_work(const Vector& vector, plan::LaneWork::Loop loop);

}  // namespace tessera::units::vector
