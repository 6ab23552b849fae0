// SPDX-License-Identifier: Apache-2.0
// Arithmetic and conversions, one datum at a time: docs/internals/numerics.md; UNPACR_Regular, Supporting
// definitions. The packers' part is in pack_numerics.hpp.
#pragma once

#include <array>
#include <optional>

#include "reference/machine.hpp"

namespace tessera::reference {

// --- the matrix unit (docs/internals/numerics.md)

/// Sign, exponent, mantissa with bit 23 as 1.0.
struct Term {
    std::int64_t s, e, m;
};

/// docs/internals/numerics.md 3. `D` and the result are FP32 fields, with a raw exponent in class E5. `Random`: the
/// number for stochastic rounding (spec-notes E56).
std::uint32_t acc(const Term& t0, const Term& t1, std::uint32_t D, bool acc32, bool E8, bool wh,
                  std::optional<std::uint32_t> Random = {});

/// Parameters of the arithmetic other than its operands.
struct MathMode {
    bool acc32 = false, en = false, E8 = true, wh = false;
    bool flush_b = true;                    ///< Zero_Flag_disabled_src is 0
    unsigned phase = 0;                     ///< of ELWADD: contradictions E4
    std::optional<std::uint32_t> Random{};  ///< the element's number for stochastic rounding
};

/// docs/internals/numerics.md 4. Operands in logical order: sign, 8-bit exponent, 10-bit mantissa.
std::uint32_t elwadd(std::uint32_t a, std::uint32_t b, std::uint32_t D, const MathMode& how);
/// Always accumulates.
std::uint32_t elwmul(std::uint32_t a, std::uint32_t b, std::uint32_t D, const MathMode& how);

/// docs/internals/numerics.md 2: sixteen lanes of A and of B. An operand with exponent 0 is zero, even without
/// `flush_b`.
std::uint32_t mvmul(const std::array<std::uint32_t, 16>& A, const std::array<std::uint32_t, 16>& B, std::uint32_t D,
                    const MathMode& how);

/// docs/internals/numerics.md 5. From the stored form; `flush`: an exponent of 0 gives 0.
std::int32_t ReadSrcInt8(std::uint32_t stored, bool flush);
/// The bits of a stored datum that a phase multiplies.
std::uint32_t SrcAInt8Bits(std::uint32_t stored, unsigned phase);
std::uint32_t SrcBInt8Bits(std::uint32_t stored, unsigned phase);
std::int32_t SaturateAddInt32(std::int32_t x, std::int32_t y);
std::int32_t ReadDstInt32(std::uint32_t stored);
std::uint32_t WriteDstInt32(std::int32_t x);

// --- bit layouts

std::uint32_t WriteSrcTF32(std::uint32_t x);
std::uint32_t WriteSrcBF16(std::uint32_t x);
std::uint32_t WriteSrcFP16(std::uint32_t x);
/// The inverse of WriteSrcTF32.
std::uint32_t ReadSrcTF32(std::uint32_t x);

std::uint32_t WriteDstBF16(std::uint32_t x);
std::uint32_t WriteDstFP16(std::uint32_t x);
std::uint32_t WriteDstFP32(std::uint32_t x);
std::uint32_t ReadDstBF16(std::uint32_t x);
std::uint32_t ReadDstFP16(std::uint32_t x);
std::uint32_t ReadDstFP32(std::uint32_t x);

// --- the unpackers

/// Contradictions A47.
std::uint32_t FP32ToFP16(std::uint32_t x);

/// Inputs of FormatConversion from configuration and chip.
struct ConversionModes {
    bool Int8MeansUnsigned = false;  ///< ALU_FORMAT_SPEC_REG0_SrcAUnsigned or SrcBUnsigned
    bool LF8_4b_exp = false;         ///< FP8 is E4M3; spec-notes A46
    bool blackhole = false;          ///< spec-notes A45
    bool UnpackToDst = false;
};

/// From L1's form to that of a source register or of Dst; none if neither the page nor a decision gives a result.
std::optional<std::uint32_t> FormatConversion(std::uint32_t InDataFormat, std::uint32_t OutDataFormat,
                                              std::uint32_t DatumBits, std::uint32_t ExpBits,
                                              const ConversionModes& modes);

bool IsBFPFormat(std::uint32_t x);

}  // namespace tessera::reference
