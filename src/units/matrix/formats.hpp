// SPDX-License-Identifier: Apache-2.0
// How the matrix unit reads its operands: which bits of a source datum count, which exponent class they are of, how Dst
// is addressed. Decided by configuration and, on Blackhole, by the formats that the banks were unpacked with.
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

    /// Exponents of 8 bits (class E8 of docs/internals/numerics.md), else of 5.
    bool wide_exponent() const;
    plan::DstMap dst_map(bool wide) const { return {wide, remap, swizzle, upper}; }
    /// What is left in Dst under that map: floats as SrcA's format has them, or integers of 32 bits.
    plan::DstDatums dst_datums(const plan::DstMap& map, bool integers) const;
};

/// The bits of a source datum that an operand of that format has (docs/internals/numerics.md 1).
std::uint32_t kept_bits(DataFormat format);

/// What implies the format of SrcA on Blackhole, and whose DISABLE_IMPLIED bit turns that off.
enum class ImpliesA : std::uint8_t {
    bank_a,        ///< SrcA's bank, SrcA's bit
    bank_b,        ///< SrcB's bank, SrcA's bit: MOVB2D (spec-notes E1)
    bank_b_bit_b,  ///< SrcB's bank, SrcB's bit: MOVD2B (spec-notes E9)
};

/// Formats for an instruction that reads SrcA's bank `a` and SrcB's bank `b`.
Formats look_at_formats(const StateView& view, unsigned a_bank, unsigned b_bank, ImpliesA implies_a = ImpliesA::bank_a);

}  // namespace tessera::units::matrix
