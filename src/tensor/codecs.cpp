// SPDX-License-Identifier: Apache-2.0
#include "tensor/codecs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "tensor/integer_formats.hpp"

namespace tessera::tensor {

std::optional<Codec> Codec::find(DataFormat format, Rounding rounding, std::optional<std::uint8_t> shared_exponent) {
    Codec codec;
    codec.bits_ = formats::datum_bits(hardware_format(format));
    codec.shared_exponent_ = shared_exponent;
    codec.scalar_ = scalar_loops(format);
    codec.blocks_ = block_loops(format);
    if (!codec.scalar_.encode && !codec.blocks_.encode) return std::nullopt;
    if (rounding == Rounding::device) {
        const bool e4m3 = format == DataFormat::Fp8_e4m3;
        codec.late_ = formats::pack_late(formats::PackType::fp32, hardware_format(format), e4m3);
        if (!codec.late_) return std::nullopt;
    }
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
    if (late_)
        encode_late(values, datums, exponents);
    else if (is_block())
        blocks_.encode(values.data(), values.size() / formats::block_datums, shared_exponent_, datums, exponents);
    else
        scalar_.encode(values.data(), values.size(), datums);
}

void Codec::encode(std::span<const std::int64_t> integers, std::byte* datums, std::byte*) const {
    scalar_.encode_integers(integers.data(), integers.size(), datums);
}

void Codec::encode_late(std::span<const float> values, std::byte* datums, std::byte* exponents) const {
    constexpr std::size_t together = 1024;
    std::array<std::uint32_t, together> fp32;
    std::array<std::uint16_t, together> groups;
    auto* out = reinterpret_cast<std::uint8_t*>(datums);
    for (std::size_t n; !values.empty(); values = values.subspan(n)) {
        n = std::min(values.size(), together);
        std::memcpy(fp32.data(), values.data(), n * sizeof(float));
        if (!late_->block) {
            late_->convert(fp32.data(), out, n);
        } else {
            late_->convert(fp32.data(), reinterpret_cast<std::uint8_t*>(groups.data()), n);
            for (std::size_t i = 0; i < n; i += formats::block_datums)
                *exponents++ = std::byte{late_->block(&groups[i], out + i * bits_ / 8)};
        }
        out += n * bits_ / 8;
    }
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
