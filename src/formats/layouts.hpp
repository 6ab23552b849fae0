// SPDX-License-Identifier: Apache-2.0
// Bit layouts of datums. Tessera keeps SrcA, SrcB and Dst in plain order, the bit order of FP32 and BF16
// (docs/internals/layout.md). Hardware keeps them in stored order, mantissa before exponent (spec-notes G; SrcASrcB,
// "Data type bit layout"; Dst, Pseudocode helpers). Dumps, cases and raw accesses use stored order.
//
//   SrcA, SrcB   plain: the upper 19 bits of an FP32: sign, exponent 8, mantissa 10; the rest 0
//                stored: 19 bits: sign, mantissa 10, exponent 8
//   Dst, 16 bits plain: a BF16: sign, exponent 8, mantissa 7
//                stored: sign, mantissa 7, exponent 8; an FP16 there: sign, mantissa 10, exponent 5
//   Dst, 32 bits in two rows: the upper half of an FP32 or integer in plain order; the lower half as it is, taken for
//                stored order, since a row does not know what it holds
#pragma once

#include <cstdint>

#include "tessera/data_format.hpp"

namespace tessera::formats {

/// The bits of an FP32 that a datum of SrcA or SrcB has.
inline constexpr std::uint32_t src_bits = 0xFFFFE000;

constexpr std::uint32_t src_from_tf32(std::uint32_t x) { return x << 13; }
constexpr std::uint32_t src_from_bf16(std::uint32_t x) { return x << 16; }
/// The 5 bits of exponent go to the low end of the 8.
constexpr std::uint32_t src_from_fp16(std::uint32_t x) { return (x & 0x8000) << 16 | (x & 0x7FFF) << 13; }

/// The inverse, where the upper 3 bits of exponent are 0.
constexpr std::uint32_t fp16_from_src(std::uint32_t x) { return (x >> 16 & 0x8000) | (x >> 13 & 0x7FFF); }

/// 16 opaque bits: sign and seven bits of mantissa from the high byte, the exponent from the low one (UNPACR_Regular,
/// FormatConversion, in stored order; spec-notes A51).
constexpr std::uint32_t src_from_int16(std::uint32_t x) {
    return (x & 0x8000) << 16 | (x & 0x7F00) << 8 | (x & 0x00FF) << 23;
}

/// Sign at bit 18, exponent at 17..10, mantissa at 9..0.
constexpr std::uint32_t tf32_from_src(std::uint32_t x) { return x >> 13; }

/// Written by clears to minus infinity: all 19 bits (spec-notes A62).
inline constexpr std::uint32_t src_negative_infinity = 0xFFFFE000;

constexpr std::uint32_t src_from_stored(std::uint32_t x) {
    return (x & 0x40000) << 13 | (x & 0xFF) << 23 | (x >> 8 & 0x3FF) << 13;
}
constexpr std::uint32_t src_to_stored(std::uint32_t x) {
    return (x >> 13 & 0x40000) | (x >> 23 & 0xFF) | (x >> 13 & 0x3FF) << 8;
}

constexpr std::uint32_t dst_from_stored(std::uint32_t x) {
    return (x & 0x8000) | (x & 0x7F00) >> 8 | (x & 0x00FF) << 7;
}
constexpr std::uint32_t dst_to_stored(std::uint32_t x) { return (x & 0x8000) | (x & 0x007F) << 8 | (x & 0x7F80) >> 7; }

/// The value of the 32-bit view, from a datum and the one eight rows below it.
constexpr std::uint32_t dst_join(std::uint32_t high, std::uint32_t low) { return high << 16 | dst_to_stored(low); }
/// The low half of a value of the 32-bit view, in the form of its own row.
constexpr std::uint32_t dst_low(std::uint32_t x) { return dst_from_stored(x & 0xFFFF); }

/// In plain order an FP16's fields are apart, since stored order puts its ten mantissa bits before the exponent.
constexpr std::uint32_t dst_from_fp16(std::uint32_t x) {
    return (x & 0x8000) | (x & 0x7C00) >> 3 | (x & 0x0007) << 12 | (x & 0x03F8) >> 3;
}
constexpr std::uint32_t fp16_from_dst(std::uint32_t x) {
    return (x & 0x8000) | (x & 0x0F80) << 3 | (x & 0x7000) >> 12 | (x & 0x007F) << 3;
}

/// FP32 to FP16 by saturation and truncation: the unpackers' conversion and the packers' late one (spec-notes A47,
/// numerics 9). An exponent of exactly 0 keeps its fraction.
constexpr std::uint32_t fp16_from_fp32(std::uint32_t x) {
    const std::uint32_t sign = x >> 16 & 0x8000;
    const int exponent = static_cast<int>(x >> 23 & 0xFF) - 112;
    if (exponent < 0) return sign;
    if (exponent > 31) return sign | 0x7FFF;
    return sign | static_cast<std::uint32_t>(exponent) << 10 | (x >> 13 & 0x3FF);
}

/// FP16 to FP32 as the packers widen: an exponent of 0 is widened without rebias.
constexpr std::uint32_t fp32_from_fp16(std::uint32_t x) {
    const std::uint32_t exponent = x >> 10 & 0x1F;
    return (x & 0x8000) << 16 | (exponent ? exponent + 112 : 0) << 23 | (x & 0x3FF) << 13;
}

/// FP32 to BF16 by truncation, denormals to a zero of the same sign: the unpackers' conversion (spec-notes A48).
constexpr std::uint32_t bf16_from_fp32_truncated(std::uint32_t x) {
    return (x & 0x7F800000 ? x : x & 0x80000000) >> 16;
}

/// Whether a format's datums have an 8-bit exponent in source registers and Dst (MOVA2D, Functional model).
constexpr bool has_wide_exponent(DataFormat format) {
    switch (format) {
        case DataFormat::Float32:
        case DataFormat::Tf32:
        case DataFormat::Float16_b:
        case DataFormat::Bfp8_b:
        case DataFormat::Bfp4_b:
        case DataFormat::Bfp2_b:
        case DataFormat::Int32:
        case DataFormat::UInt16: return true;
        default: return false;
    }
}

}  // namespace tessera::formats
