// SPDX-License-Identifier: Apache-2.0
#include "tensor/codecs.hpp"

#include <algorithm>
#include <bit>

#include "tensor/integer_formats.hpp"

namespace tessera::tensor {

Codec::Codec(DataFormat format, Rounding rounding, std::optional<std::uint8_t> shared_exponent)
    : bits_(formats::datum_bits(hardware_format(format))),
      scalar_(scalar_loops(format, rounding)),
      blocks_(block_loops(format, rounding)),
      shared_exponent_(shared_exponent) {}

std::optional<Codec> Codec::find(DataFormat format, Rounding rounding, std::optional<std::uint8_t> shared_exponent) {
    const Codec codec(format, rounding, shared_exponent);
    if (!codec.scalar_.encode && !codec.blocks_.encode) return std::nullopt;
    return codec;
}

std::vector<std::uint8_t> Codec::zeros(std::span<const float> values) const {
    std::vector<std::uint8_t> zeros(values.size());
    if (is_integer())
        std::ranges::transform(values, zeros.begin(), [](float value) { return to_integer(value) == 0; });
    else
        std::ranges::transform(values, zeros.begin(),
                               [](float value) { return std::bit_cast<std::uint32_t>(value) == 0; });
    return zeros;
}

std::vector<std::uint8_t> Codec::zeros(std::span<const std::int64_t> integers) const {
    std::vector<std::uint8_t> zeros(integers.size());
    std::ranges::transform(integers, zeros.begin(), [](std::int64_t integer) { return integer == 0; });
    return zeros;
}

void Codec::encode(std::span<const float> values, std::byte* datums, std::byte* exponents) const {
    if (is_block())
        blocks_.encode(values.data(), values.size() / formats::block_datums, shared_exponent_, datums, exponents);
    else
        scalar_.encode(values.data(), values.size(), datums);
}

void Codec::encode(std::span<const std::int64_t> integers, std::byte* datums, std::byte*) const {
    scalar_.encode_integers(integers.data(), integers.size(), datums);
}

void Codec::decode(const std::byte* datums, const std::byte* exponents, std::span<float> values,
                   std::int64_t* integers) const {
    if (is_block())
        blocks_.decode(datums, exponents, values.size() / formats::block_datums, shared_exponent_, values.data());
    else if (is_integer())
        scalar_.decode_integers(datums, values.size(), values.data(), integers);
    else
        scalar_.decode(datums, values.size(), values.data());
}

}  // namespace tessera::tensor
