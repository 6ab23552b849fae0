// SPDX-License-Identifier: Apache-2.0
// Loops of the MAD sub-unit. `indirect`: LReg 7 names VD.
#pragma once

#include "isa/values/vector.hpp"
#include "plan/vector_work.hpp"
#include "tessera/arch.hpp"

namespace tessera::units::vector {

/// The LReg with each lane's register number.
inline constexpr unsigned index_lreg = 7;

/// Immediate of SFPMAD's work: the signs to invert, in bits that the BF16 immediate of SFPADDI and SFPMULI (the high
/// half) leaves free.
inline constexpr std::uint32_t negate_a = isa::value(isa::values::multiply_add_modes, "negate_va"),
                               negate_c = isa::value(isa::values::multiply_add_modes, "negate_vc");

/// VA * VB + VC; with `indirect_a` LReg 7 names VA. `negates`: some sign is inverted.
plan::LaneWork::Loop multiply_add_loop(Arch arch, bool negates, bool indirect_a, bool indirect);
/// immediate + VC
plan::LaneWork::Loop add_immediate_loop(Arch arch, bool indirect);
/// immediate * VC
plan::LaneWork::Loop multiply_immediate_loop(Arch arch, bool indirect);

/// The tables from which SFPLUT and SFPLUTFP32 take slope and offset.
enum class Table : std::uint8_t {
    bytes,        ///< three pairs of 8 bits
    words,        ///< three pairs of FP32
    halves,       ///< three pairs of 16 bits
    halves_to_3,  ///< six pairs of 16 bits, the last from 3.0 on
    halves_to_4,  ///< or from 4.0 on
    count
};
/// slope * |LReg 3| + offset. The immediate has the bits that the result takes from LReg 3.
plan::LaneWork::Loop table_loop(Arch arch, Table table, bool indirect);

/// SFPMUL24: one half of the product of 23 bits of VA and of VB, plus VC.
plan::LaneWork::Loop multiply_24_loop(bool upper, bool indirect_a, bool indirect);

}  // namespace tessera::units::vector
