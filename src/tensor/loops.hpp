// SPDX-License-Identifier: Apache-2.0
// The datums of a format and values, whole arrays at a time: loops that are chosen once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tessera/tensor.hpp"

namespace tessera::tensor {

using DecodeFloats = void (*)(const std::byte* datums, std::size_t n, float* values);

/// Of a format whose datums stand alone. Values of an integer format are rounded; it has no `decode`, the others have no
/// loops with integers.
struct ScalarLoops {
    void (*encode)(const float* values, std::size_t n, std::byte* datums) = nullptr;
    DecodeFloats decode = nullptr;
    void (*encode_integers)(const std::int64_t* integers, std::size_t n, std::byte* datums) = nullptr;
    void (*decode_integers)(const std::byte* datums, std::size_t n, float* values, std::int64_t* integers) = nullptr;
};

/// Of a block format. A shared exponent that is given is that of all blocks; then nothing is written to `exponents`, or read.
struct BlockLoops {
    using Shared = std::optional<std::uint8_t>;

    void (*encode)(const float* values, std::size_t blocks, Shared shared, std::byte* datums,
                   std::byte* exponents) = nullptr;
    void (*decode)(const std::byte* datums, const std::byte* exponents, std::size_t blocks, Shared shared,
                   float* values) = nullptr;
};

/// No loops for block formats and codes that name no format, nor, as the device rounds, for what packers do not make of FP32.
ScalarLoops scalar_loops(DataFormat format, Rounding rounding);

/// No loops for all but block formats. As the device rounds, no exponent can be given.
BlockLoops block_loops(DataFormat format, Rounding rounding);

/// Of from_ieee_half().
DecodeFloats ieee_half_loop();

}  // namespace tessera::tensor
