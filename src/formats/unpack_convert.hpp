// SPDX-License-Identifier: Apache-2.0
// The unpackers' conversions from L1 to a source register or to Dst: one loop per pair of formats.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tessera/data_format.hpp"

namespace tessera::formats {

/// The place of a transfer's datums.
struct UnpackSource {
    const std::uint8_t* datums = nullptr;     ///< the byte where datum 0 begins
    const std::uint8_t* exponents = nullptr;  ///< the exponent of datums 0 to 15; only for block formats
    std::uint8_t shared_exponent = 0;         ///< used instead of those if forced
};

/// Converts datums `at` to `at + n - 1`, each to a word. For a source register that is the plain form. For Dst the
/// low half has a datum of the 16-bit view; a datum of the 32-bit view also has its upper half above that. Each half
/// is in the form of its own row.
using UnpackLoop = void (*)(const UnpackSource& from, std::size_t at, std::uint32_t* out, std::size_t n);

/// The inputs that choose a conversion.
struct UnpackConversion {
    DataFormat in = DataFormat::Float32;   ///< in L1
    DataFormat out = DataFormat::Float32;  ///< matters only if `in` is FP32 (spec-notes A68)
    bool fp8_e4m3 = false;                 ///< FP8 has 4 bits of exponent
    bool fp8_saturated = false;            ///< E5M2 with all seven low bits set is the largest FP16 (spec-notes A45)
    bool int8_unsigned = false;            ///< INT8 has no sign
    bool forced_exponent = false;          ///< block formats take the shared exponent
};

/// The loop, or null when FP32 cannot become `out`. FP32 as output is TF32 (spec-notes A52).
UnpackLoop unpack_to_src(const UnpackConversion& conversion);
/// The same for Dst, where TF32 is FP32 (UNPACR_Regular, FormatConversion).
UnpackLoop unpack_to_dst(const UnpackConversion& conversion);

}  // namespace tessera::formats
