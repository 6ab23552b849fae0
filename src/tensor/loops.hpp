// SPDX-License-Identifier: Apache-2.0
// Conversion loops between values and datums. The loop for a format is chosen once per array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tessera/tensor.hpp"

namespace tessera::tensor {

using DecodeFloats = void (*)(const std::byte* datums, std::size_t n, float* values);

/// Loops of a format with independent datums. An integer format rounds floats and has no `decode`; other formats have
/// no integer loops.
struct ScalarLoops {
    void (*encode)(const float* values, std::size_t n, std::byte* datums) = nullptr;
    DecodeFloats decode = nullptr;
    void (*encode_integers)(const std::int64_t* integers, std::size_t n, std::byte* datums) = nullptr;
    void (*decode_integers)(const std::byte* datums, std::size_t n, float* values, std::int64_t* integers) = nullptr;
};

/// Loops of a block format. A given shared exponent applies to all blocks; `exponents` is then neither read nor
/// written.
struct BlockLoops {
    using Shared = std::optional<std::uint8_t>;

    void (*encode)(const float* values, std::size_t blocks, Shared shared, std::byte* datums,
                   std::byte* exponents) = nullptr;
    void (*decode)(const std::byte* datums, const std::byte* exponents, std::size_t blocks, Shared shared,
                   float* values) = nullptr;
};

/// Empty for block formats, for codes without a format, and for device rounding to a format that packers cannot make
/// from FP32.
ScalarLoops scalar_loops(DataFormat format, Rounding rounding);

/// Empty except for block formats. Device rounding allows no given exponent.
BlockLoops block_loops(DataFormat format, Rounding rounding);

/// The loop of from_ieee_half().
DecodeFloats ieee_half_loop();

}  // namespace tessera::tensor
