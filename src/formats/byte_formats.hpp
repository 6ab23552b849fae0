// SPDX-License-Identifier: Apache-2.0
// Datums of one byte, converted to FP16 as unpackers do.
#pragma once

#include <cstdint>

namespace tessera::formats {

/// FP8 E5M2 is the upper half of an FP16.
constexpr std::uint32_t fp16_from_e5m2(std::uint32_t x) { return x << 8; }
/// The same if all seven low bits set mean the largest magnitude (spec-notes A45).
constexpr std::uint32_t fp16_from_saturated_e5m2(std::uint32_t x) { return x << 8 | ((x & 0x7F) == 0x7F ? 0xFF : 0); }
/// FP8 E4M3: exponent rebiased by 8 unless it is 0; all seven low bits set are padded with ones (spec-notes A45).
constexpr std::uint32_t fp16_from_e4m3(std::uint32_t x) {
    const std::uint32_t rebias = x & 0x78 ? 8 << 10 : 0, pad = (x & 0x7F) == 0x7F ? 0x7F : 0;
    return (x & 0x80) << 8 | (((x & 0x7F) << 7) + rebias) | pad;
}

/// INT8 is a magnitude in the mantissa, with exponent 16 unless it is 0 (UNPACR_Regular, FormatConversion).
constexpr std::uint32_t fp16_from_uint8(std::uint32_t x) { return x ? x | 16 << 10 : 0; }
/// The same with a sign at bit 7.
constexpr std::uint32_t fp16_from_int8(std::uint32_t x) { return (x & 0x80) << 8 | fp16_from_uint8(x & 0x7F); }

}  // namespace tessera::formats
