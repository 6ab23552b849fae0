// SPDX-License-Identifier: Apache-2.0
// Bit layouts of datums: in memory order (sign, exponent, mantissa), in SrcA/SrcB (19 bits: sign, mantissa 10, exponent
// 8) and in Dst (16 bits: sign, mantissa, exponent; 32 bits: the same for the high half, the low half as it is). Spec G;
// UNPACR_Regular, Supporting definitions; Dst, Pseudocode helpers.
#pragma once

#include <cstdint>

#include "tessera/data_format.hpp"

namespace tessera::formats {

/// TF32 in memory order (19 bits) to a source register's datum.
constexpr std::uint32_t src_from_tf32(std::uint32_t x) {
    return (x & 0x40000) | (x & 0x003FF) << 8 | (x & 0x3FC00) >> 10;
}
constexpr std::uint32_t src_from_bf16(std::uint32_t x) { return src_from_tf32(x << 3); }
constexpr std::uint32_t src_from_fp16(std::uint32_t x) { return src_from_tf32((x & 0x8000) << 3 | (x & 0x7FFF)); }

/// A source register's datum in memory order: sign at bit 18, exponent at 17..10, mantissa at 9..0.
constexpr std::uint32_t src_logical(std::uint32_t stored) {
    return (stored & 0x40000) | (stored & 0xFF) << 10 | (stored >> 8 & 0x3FF);
}

constexpr std::uint32_t dst_from_bf16(std::uint32_t x) { return (x & 0x8000) | (x & 0x007F) << 8 | (x & 0x7F80) >> 7; }
constexpr std::uint32_t dst_from_fp16(std::uint32_t x) { return (x & 0x8000) | (x & 0x03FF) << 5 | (x & 0x7C00) >> 10; }
/// FP32 and INT32 alike: the high half is permuted as BF16, the low half stays.
constexpr std::uint32_t dst_from_fp32(std::uint32_t x) { return dst_from_bf16(x >> 16) << 16 | (x & 0xFFFF); }

constexpr std::uint32_t bf16_from_dst(std::uint32_t x) { return (x & 0x8000) | (x & 0x7F00) >> 8 | (x & 0x00FF) << 7; }
constexpr std::uint32_t fp16_from_dst(std::uint32_t x) { return (x & 0x8000) | (x & 0x7FE0) >> 5 | (x & 0x001F) << 10; }
constexpr std::uint32_t fp32_from_dst(std::uint32_t x) { return bf16_from_dst(x >> 16) << 16 | (x & 0xFFFF); }

/// FP32 to FP16 by saturation and truncation: the unpackers' conversion and the packers' late one (spec-notes A47, numerics
/// 9). An exponent of exactly 0 keeps its fraction.
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

/// True for the formats whose datums have an 8-bit exponent in source registers and Dst (MOVA2D, Functional model).
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
