// SPDX-License-Identifier: Apache-2.0
// Arithmetic and conversions, one datum at a time: docs/numerics.md; UNPACR_Regular,
// Supporting definitions. What packers do is in pack_numerics.hpp.
#pragma once

#include <optional>

#include "reference/machine.hpp"

namespace tessera::reference {

// --- the matrix unit (docs/numerics.md)

/// Sign, exponent, mantissa with bit 23 worth 1.0.
struct Term {
    std::int64_t s, e, m;
};

/// docs/numerics.md 3. `D` and the result are FP32 fields, with a raw exponent in class E5.
std::uint32_t acc(const Term& t0, const Term& t1, std::uint32_t D, bool acc32, bool E8, bool wh);

/// What an ELWADD is told besides its operands.
struct Elwadd {
    bool acc32 = false, en = false, E8 = true, wh = false;
    bool flush_b = true;  ///< Zero_Flag_disabled_src is 0
    unsigned phase = 0;   ///< contradictions E4
};

/// docs/numerics.md 4. Operands in logical order: sign, 8-bit exponent, 10-bit mantissa.
std::uint32_t elwadd(std::uint32_t a, std::uint32_t b, std::uint32_t D, const Elwadd& how);

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

/// From L1's form to a source register's; nothing for a pair that the reference does not have.
std::optional<std::uint32_t> FormatConversion(std::uint32_t InDataFormat, std::uint32_t OutDataFormat,
                                              std::uint32_t DatumBits);

}  // namespace tessera::reference
