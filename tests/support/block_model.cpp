// SPDX-License-Identifier: Apache-2.0
#include "support/block_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "formats/datum_size.hpp"

namespace tessera::test {

namespace {

constexpr unsigned fraction_bits = 23;

bool has_narrow_exponent(DataFormat format) {
    return format == DataFormat::Bfp8 || format == DataFormat::Bfp4 || format == DataFormat::Bfp2;
}

/// A magnitude with its leading one at bit 23; zeros and denormals are 0.
struct Parts {
    std::uint32_t magnitude = 0;
    unsigned exponent = 0;
};

Parts parts_of(float value, bool narrow) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const unsigned exponent = bits >> fraction_bits & 0xFF;
    const Parts wide = {(bits & 0x7F'FFFF) | 0x80'0000, exponent};
    if (exponent == 0) return {};
    if (!narrow) return wide;
    constexpr unsigned rebias = 127 - 15, largest = 31;
    if (exponent < rebias) return {};
    if (exponent > rebias + largest) return {0xFF'FFFF, largest};
    return {wide.magnitude, exponent - rebias};
}

std::uint32_t round_to(std::uint32_t magnitude, unsigned bits) {
    const unsigned drop = fraction_bits + 1 - bits;
    const std::uint32_t odd = magnitude >> drop & 1;
    return std::min((magnitude + (1u << (drop - 1)) - 1 + odd) >> drop, (1u << bits) - 1);
}

}  // namespace

Block to_block(const std::array<float, 16>& values, DataFormat format, std::optional<std::uint8_t> exponent) {
    const bool narrow = has_narrow_exponent(format);
    const unsigned bits = formats::datum_bits(format) - 1;
    std::array<Parts, 16> parts;
    unsigned largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        parts[i] = parts_of(values[i], narrow);
        largest = std::max(largest, parts[i].exponent);
    }
    const unsigned shared = exponent ? *exponent : largest;
    Block block;
    block.exponent = static_cast<std::uint8_t>(shared);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool beyond = parts[i].exponent > shared;
        const unsigned shift = beyond ? 0 : std::min(shared - parts[i].exponent, 31u);
        const std::uint32_t magnitude = round_to(beyond ? 0xFF'FFFF : parts[i].magnitude >> shift, bits);
        const std::uint32_t sign = magnitude && std::signbit(values[i]) ? 1u << bits : 0;
        block.datums[i] = static_cast<std::uint8_t>(sign | magnitude);
    }
    return block;
}

float from_block(std::uint8_t datum, std::uint8_t exponent, DataFormat format) {
    const bool narrow = has_narrow_exponent(format);
    const unsigned bits = formats::datum_bits(format) - 1;
    const int scale = exponent - (narrow ? 15 : 127) - static_cast<int>(bits - 1);
    // The unpackers' value for a sign without a magnitude.
    const float negative_zero = narrow ? -65536.0f : -std::numeric_limits<float>::infinity();
    const unsigned magnitude = datum & ((1u << bits) - 1);
    const bool negative = datum >> bits & 1;
    const float value = std::ldexp(static_cast<float>(magnitude), scale);
    return !negative ? value : magnitude ? -value : negative_zero;
}

}  // namespace tessera::test
