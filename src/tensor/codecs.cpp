// SPDX-License-Identifier: Apache-2.0
#include "tensor/codecs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "tensor/block_formats.hpp"
#include "tensor/integer_formats.hpp"
#include "tensor/scalar_formats.hpp"

namespace tessera::tensor {

namespace {

std::uint32_t to_float32(float value) { return std::bit_cast<std::uint32_t>(value); }
float from_float32(std::uint32_t bits) { return std::bit_cast<float>(bits); }

template <class Integer>
constexpr ScalarCodec plain_integer(DataFormat format) {
    return {format, nullptr, nullptr, to_plain_integer<Integer>, from_plain_integer<Integer>};
}

constexpr ScalarCodec scalar_codecs[] = {
    {DataFormat::Float32, to_float32, from_float32},
    {DataFormat::Tf32, to_tf32, from_float32},
    {DataFormat::Float16, to_float16, from_float16},
    {DataFormat::Float16_b, to_float16_b, from_float16_b},
    {DataFormat::Lf8, to_small_float<5, 2>, from_small_float<5, 2>},
    {DataFormat::Fp8_e4m3, to_small_float<4, 3>, from_small_float<4, 3>},
    {DataFormat::Int8, nullptr, nullptr, to_sign_magnitude, from_sign_magnitude},
    plain_integer<std::uint8_t>(DataFormat::UInt8),
    plain_integer<std::uint16_t>(DataFormat::UInt16),
    plain_integer<std::int32_t>(DataFormat::Int32),
    plain_integer<std::uint32_t>(DataFormat::UInt32),
};

void store(std::byte* target, unsigned bytes, std::uint32_t bits) {
    for (unsigned i = 0; i < bytes; ++i) target[i] = static_cast<std::byte>(bits >> 8 * i & 0xFF);
}

}  // namespace

std::optional<Codec> Codec::find(DataFormat format, Rounding rounding, std::optional<std::uint8_t> shared_exponent) {
    Codec codec;
    codec.format_ = format;
    codec.bits_ = formats::datum_bits(hardware_format(format));
    codec.shared_exponent_ = shared_exponent;
    const auto* const found = std::find_if(std::begin(scalar_codecs), std::end(scalar_codecs),
                                           [&](const ScalarCodec& scalar) { return scalar.format == format; });
    if (found != std::end(scalar_codecs))
        codec.scalar_ = found;
    else if (!formats::is_block_format(format))
        return std::nullopt;
    if (rounding == Rounding::device) {
        const bool e4m3 = format == DataFormat::Fp8_e4m3;
        codec.late_ = formats::pack_late(formats::PackType::fp32, hardware_format(format), e4m3);
        if (!codec.late_) return std::nullopt;
    }
    return codec;
}

std::int64_t Codec::integer(const Values& values, std::size_t i) const {
    return values.integers.empty() ? to_integer(values.values[i]) : values.integers[i];
}

bool Codec::is_zero(const Values& values, std::size_t i) const {
    return is_integer() ? integer(values, i) == 0 : std::bit_cast<std::uint32_t>(values.values[i]) == 0;
}

std::uint8_t Codec::encode(const Values& values, std::span<const std::size_t> which, std::byte* datums) const {
    if (!scalar_) return encode_block(values, which, datums);
    const unsigned bytes = bits_ / 8;
    for (std::size_t k = 0; k < which.size(); ++k) {
        std::byte* const target = datums + k * bytes;
        if (late_) {
            const std::uint32_t fp32 = to_float32(values.values[which[k]]);
            std::uint8_t word[4];
            late_->convert(&fp32, word, 1);
            std::memcpy(target, word, bytes);
        } else if (scalar_->encode) {
            store(target, bytes, scalar_->encode(values.values[which[k]]));
        } else {
            store(target, bytes, scalar_->encode_integer(integer(values, which[k])));
        }
    }
    return 0;
}

std::uint8_t Codec::encode_block(const Values& values, std::span<const std::size_t> which, std::byte* datums) const {
    std::array<float, formats::block_datums> block_values{};
    for (std::size_t k = 0; k < which.size(); ++k) block_values[k] = values.values[which[k]];
    const std::size_t bytes = (which.size() * bits_ + 7) / 8;
    if (late_) {
        std::array<std::uint32_t, formats::block_datums> fp32{};
        std::transform(block_values.begin(), block_values.end(), fp32.begin(), to_float32);
        std::array<std::uint16_t, formats::block_datums> group{};
        late_->convert(fp32.data(), reinterpret_cast<std::uint8_t*>(group.data()), group.size());
        std::array<std::uint8_t, formats::block_datums> packed{};
        const std::uint8_t exponent = late_->block(group.data(), packed.data());
        std::memcpy(datums, packed.data(), bytes);
        return exponent;
    }
    const Block block = to_block(block_values, format_, shared_exponent_);
    const unsigned per_byte = 8 / bits_;
    std::fill_n(datums, bytes, std::byte{0});
    for (std::size_t k = 0; k < which.size(); ++k)
        datums[k / per_byte] |= static_cast<std::byte>(block.datums[k] << k % per_byte * bits_);
    return block.exponent;
}

std::uint32_t Codec::datum(const std::byte* datums, std::size_t index) const {
    if (bits_ < 8) {
        const std::size_t per_byte = 8 / bits_;
        return std::to_integer<std::uint32_t>(datums[index / per_byte]) >> index % per_byte * bits_ &
               ((1u << bits_) - 1);
    }
    const unsigned bytes = bits_ / 8;
    std::uint32_t bits = 0;
    for (unsigned i = bytes; i-- > 0;) bits = bits << 8 | std::to_integer<std::uint32_t>(datums[index * bytes + i]);
    return bits;
}

float Codec::decode(std::uint32_t datum, std::uint8_t exponent) const {
    if (scalar_) return scalar_->decode(datum);
    return from_block(static_cast<std::uint8_t>(datum), shared_exponent_.value_or(exponent), format_);
}

}  // namespace tessera::tensor
