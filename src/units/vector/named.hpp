// SPDX-License-Identifier: Apache-2.0
// The operand registers of a vector instruction, and their use by its work.
#pragma once

#include <initializer_list>

#include "units/vector/flag_update.hpp"
#include "units/vector/lanes.hpp"

namespace tessera::units::vector {

/// Operands of instructions with VC, VD and a mode.
struct SimpleOperands {
    isa::Operand vd, vc, mode;
};
consteval SimpleOperands simple_operands(std::string_view name) {
    return {isa::operand(name, "lreg_dest"), isa::operand(name, "lreg_c"), isa::operand(name, "instr_mod1")};
}

/// VC as encoded and VB = VD; or both as SFPLOADMACRO has set them.
Vector named_by(const StateView& view, plan::Plan& plan, const isa::Operand& vd, const isa::Operand& vc);

constexpr std::uint32_t lreg_set(std::initializer_list<unsigned> lregs) {
    std::uint32_t set = 0;
    for (const unsigned lreg : lregs) set |= 1u << lreg;
    return set;
}

/// A signed immediate of 12 bits.
constexpr std::uint32_t signed_12_bits(std::uint32_t x) { return x & 0x800 ? x | 0xFFFFF000 : x; }

/// Work that writes VD, which must be writable, and reads `reads`, a bit per LReg.
plan::LaneWork writing_d(const Vector& vector, plan::LaneWork::Loop loop, std::uint32_t reads);

/// Makes the work update the lane flags.
void flag(plan::LaneWork& work, FlagUpdate update);
/// From bits of a mode.
constexpr FlagUpdate flag_update(bool set, bool complement) {
    if (set) return complement ? FlagUpdate::set_complement : FlagUpdate::set;
    return complement ? FlagUpdate::complement : FlagUpdate::none;
}

/// Returns `acts_as`; adds a finding if `mode` differs (spec-notes V46).
std::uint32_t acting(plan::Plan& plan, std::uint32_t mode, std::uint32_t acts_as, std::string_view what = "mode");

}  // namespace tessera::units::vector
