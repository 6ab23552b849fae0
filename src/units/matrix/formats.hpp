// SPDX-License-Identifier: Apache-2.0
// The matrix unit's view of its operands: used bits of a source datum, exponent class, addressing of Dst. It depends
// on configuration and, on Blackhole, on the formats of the data in the banks.
#pragma once

#include <cstdint>

#include "plan/dst_rows.hpp"
#include "state/cells.hpp"
#include "tessera/data_format.hpp"

namespace tessera::units {
class StateView;
}

namespace tessera::units::matrix {

struct Formats {
    DataFormat src_a{}, src_b{};
    bool force_fp16 = false;  ///< FP16A_FORCE
    bool int8_math = false;   ///< ALU_ACC_CTRL_INT8_math_enabled
    bool fp32_dst = false;    ///< ALU_ACC_CTRL_Fp32_enabled
    bool flush = false;       ///< zero exponents read as zero (Zero_Flag_disabled_src is 0)
    bool stochastic = false;  ///< ALU_ROUNDING_MODE_Fpu_srnd_en
    bool remap = false, swizzle = false, upper = false;

    /// Whether exponents have 8 bits (class E8 of docs/internals/numerics.md); otherwise 5.
    bool wide_exponent() const;
    plan::DstMap dst_map(bool wide) const { return {wide, remap, swizzle, upper}; }
    /// The type of the datums that a write through this map leaves in Dst: floats in SrcA's format, or integers of 32
    /// bits.
    plan::DstDatums dst_datums(const plan::DstMap& map, bool integers) const;
};

/// The bits of a source datum that are used for an operand of that format (docs/internals/numerics.md 1).
std::uint32_t kept_bits(DataFormat format);

/// The bank that implies SrcA's format on Blackhole, and the DISABLE_IMPLIED bit that turns this off.
enum class ImpliesA : std::uint8_t {
    bank_a,        ///< SrcA's bank, SrcA's bit
    bank_b,        ///< SrcB's bank, SrcA's bit: MOVB2D (spec-notes E1)
    bank_b_bit_b,  ///< SrcB's bank, SrcB's bit: MOVD2B (spec-notes E9)
};

/// Formats for an instruction that reads bank `a_bank` of SrcA and bank `b_bank` of SrcB.
Formats look_at_formats(const StateView& view, unsigned a_bank, unsigned b_bank, ImpliesA implies_a = ImpliesA::bank_a);

}  // namespace tessera::units::matrix
