// SPDX-License-Identifier: Apache-2.0
// Random tiles through an unpacker and a packer: exact pairs of formats give the tile back bit for bit, compressed or
// not, through SrcA or not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "formats/datum_size.hpp"
#include "support/tile_machine.hpp"

namespace tessera::test {
namespace {

using F = DataFormat;

constexpr std::size_t input = 0x10000, output = 0x40000;

/// Bits of a tile that the pair below preserves.
enum class Domain : std::uint8_t {
    any,            ///< any bits of datums
    normal,         ///< those with exponents neither of all zeros nor of all ones
    top19,          ///< normal, of a Float32 the bits that a source register has
    no_sign_alone,  ///< any but a sign with nothing below it
    magnitudes,     ///< any with an exponent that is not 0
    blocks          ///< block floats of which one datum has the leading one
};

/// A format that comes back as it is: to Dst by a way, and from there by one of the packers' settings.
struct Pair {
    F format, unpacked;
    Way way;
    PackFrom from;
    Domain domain;
    bool on_wormhole = true;

    std::string describe() const {
        return fmt::format("{} as {} by {}, packed from {}{}{}", name(format), name(unpacked),
                           way == Way::dst     ? "Dst"
                           : way == Way::src_a ? "SrcA"
                                               : "SrcA and ELWADD",
                           name(from.intermediate), from.read_32b ? " of 32 bits" : "", from.raw ? " raw" : "");
    }
};

constexpr PackFrom fp32{F::Float32, true}, fp32_raw{F::Float32, true, true}, tf32{F::Tf32, true}, int32{F::Int32, true};
constexpr PackFrom bf16{F::Float16_b}, bf16_raw{F::Float16_b, false, true}, e8m6{F::Bfp8_b};
constexpr PackFrom fp16{F::Float16}, fp16_raw{F::Float16, false, true}, e5m7{F::Bfp8, false, true}, e5m6{F::Bfp8};
constexpr PackFrom fp8{F::Lf8, false, true}, int16{F::UInt16}, int8{F::Int8, true};

constexpr Pair pairs[] = {
    {F::Float32, F::Float32, Way::dst, fp32, Domain::any},
    {F::Float32, F::Float32, Way::dst, fp32_raw, Domain::any},
    {F::Float32, F::Tf32, Way::dst, fp32, Domain::any},  // to Dst that means Float32
    {F::Float32, F::Tf32, Way::src_a, fp32, Domain::top19},
    {F::Tf32, F::Tf32, Way::dst, tf32, Domain::top19},
    {F::Tf32, F::Tf32, Way::src_a, tf32, Domain::top19},
    {F::Int32, F::Int32, Way::dst, int32, Domain::any},
    {F::UInt32, F::UInt32, Way::dst, int32, Domain::any},
    {F::Float16_b, F::Float16_b, Way::dst, bf16, Domain::normal},
    {F::Float16_b, F::Float16_b, Way::dst, bf16_raw, Domain::any},
    {F::Float16_b, F::Float16_b, Way::src_a, bf16, Domain::normal},
    {F::Float16_b, F::Float16_b, Way::src_a, bf16_raw, Domain::any},
    {F::Float16, F::Float16, Way::dst, fp16, Domain::magnitudes},
    {F::Float16, F::Float16, Way::dst, fp16_raw, Domain::any},
    {F::Float16, F::Float16, Way::src_a, fp16_raw, Domain::any},
    {F::UInt16, F::UInt16, Way::dst, int16, Domain::any},
    {F::UInt16, F::UInt16, Way::src_a, int16, Domain::any},
    {F::Int8, F::Int8, Way::plus_zero, int8, Domain::no_sign_alone},
    {F::UInt8, F::Int8, Way::plus_zero, int8, Domain::any},
    {F::Lf8, F::Lf8, Way::dst, fp8, Domain::any},
    {F::Lf8, F::Lf8, Way::dst, fp16, Domain::magnitudes},
    {F::Lf8, F::Lf8, Way::src_a, fp8, Domain::any},
    {F::Fp8_e4m3, F::Lf8, Way::dst, fp16, Domain::magnitudes, false},
    {F::Fp8_e4m3, F::Lf8, Way::src_a, fp16, Domain::magnitudes, false},
    {F::Bfp8_b, F::Bfp8_b, Way::dst, e8m6, Domain::blocks},
    {F::Bfp8_b, F::Bfp8_b, Way::dst, bf16, Domain::blocks},
    {F::Bfp8_b, F::Bfp8_b, Way::src_a, bf16, Domain::blocks},
    {F::Bfp4_b, F::Bfp4_b, Way::dst, e8m6, Domain::blocks},
    {F::Bfp4_b, F::Bfp4_b, Way::src_a, bf16, Domain::blocks},
    {F::Bfp2_b, F::Bfp2_b, Way::dst, e8m6, Domain::blocks},
    {F::Bfp2_b, F::Bfp2_b, Way::src_a, bf16, Domain::blocks},
    {F::Bfp8, F::Bfp8, Way::dst, e5m6, Domain::blocks},
    {F::Bfp8, F::Bfp8, Way::dst, e5m7, Domain::blocks},
    {F::Bfp8, F::Bfp8, Way::src_a, fp16, Domain::blocks},
    {F::Bfp4, F::Bfp4, Way::dst, e5m6, Domain::blocks},
    {F::Bfp4, F::Bfp4, Way::src_a, fp16, Domain::blocks},
    {F::Bfp2, F::Bfp2, Way::dst, e5m6, Domain::blocks},
    {F::Bfp2, F::Bfp2, Way::src_a, fp16, Domain::blocks},
};

class UnpackPack : public testing::TestWithParam<Arch> {
protected:
    std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }
    /// Exponent bits, and how many lie below them.
    static std::pair<unsigned, unsigned> exponent_of(F format) {
        switch (format) {
            case F::Float16: return {5, 10};
            case F::Float16_b: return {8, 7};
            case F::Lf8: return {5, 2};
            case F::Fp8_e4m3: return {4, 3};
            default: return {8, 23};
        }
    }
    std::uint32_t datum(F format, Domain domain) {
        const unsigned size = formats::datum_bits(hardware_format(format));
        const auto [exponent_bits, below] = exponent_of(format);
        const std::uint32_t all = size == 32 ? ~0u : (1u << size) - 1, ones = (1u << exponent_bits) - 1;
        for (;;) {
            std::uint32_t x = bits() & all;
            if (domain == Domain::top19) x &= 0xFFFFE000;
            const std::uint32_t exponent = x >> below & ones;
            if (domain == Domain::no_sign_alone && x != 1u << (size - 1)) return x;
            if (domain == Domain::any || (exponent != 0 && (domain == Domain::magnitudes || exponent != ones)))
                return x;
        }
    }
    /// 16 datums and their exponent; the first has the leading one, none is a sign alone. Above 10 no datum of any size is
    /// a denormal, and below 31 all are numbers.
    void block(F format, std::byte* datums, std::byte& exponent) {
        const unsigned size = formats::datum_bits(format);
        const std::uint32_t sign = 1u << (size - 1);
        exponent = static_cast<std::byte>(10 + bits() % 20);
        for (unsigned i = 0; i < 16; ++i) {
            std::uint32_t x = bits() & (2 * sign - 1);
            if (i == 0) x |= sign >> 1;
            if (x == sign) x = 0;
            datums[i * size / 8] |= static_cast<std::byte>(x << i * size % 8);
        }
    }
    /// A tile in the order of L1, without header.
    std::vector<std::byte> tile(F format, Domain domain) {
        const unsigned size = formats::datum_bits(hardware_format(format));
        std::vector<std::byte> bytes(tensor_bytes(32, 32, format, Layout::tiles).value());
        for (unsigned i = 0; i < TileMachine::datums; i += domain == Domain::blocks ? 16 : 1) {
            if (domain == Domain::blocks) {
                block(format, bytes.data() + 64 + i * size / 8, bytes[i / 16]);
            } else {
                const std::uint32_t x = datum(format, domain);
                for (unsigned b = 0; b < size / 8; ++b) bytes[i * size / 8 + b] = static_cast<std::byte>(x >> 8 * b);
            }
        }
        return bytes;
    }
    /// Values that tiles of the format can hold, `zeros` of 16 of them +0. Block floats are multiples of one unit, so that
    /// they are exact beside any others.
    Matrix sparse(F format, Domain domain, unsigned zeros) {
        const unsigned magnitude_bits = formats::datum_bits(format) - 1;
        Matrix matrix{32, 32, std::vector<float>(TileMachine::datums)};
        if (domain == Domain::blocks) {
            const int exponent = static_cast<int>(bits() % 8) - 4;
            for (float& value : matrix.values) {
                const auto magnitude = static_cast<float>(1 + bits() % ((1u << magnitude_bits) - 1));
                value = std::ldexp(bits() & 1 ? magnitude : -magnitude, exponent);
            }
        } else {
            matrix = from_bytes(tile(format, domain), 32, 32, format, Layout::tiles).value();
        }
        for (std::size_t i = 0; i < matrix.values.size(); ++i)
            if (bits() % 16 < zeros) {
                matrix.values[i] = 0;
                if (!matrix.integers.empty()) matrix.integers[i] = 0;
            }
        return matrix;
    }
    bool has(const Pair& pair) const { return pair.on_wormhole || GetParam() == Arch::blackhole; }

    std::mt19937 random_{static_cast<unsigned>(GetParam()) + 1};
    TileMachine machine_{GetParam()};
};

TEST_P(UnpackPack, WhatAPairKeepsComesBack) {
    for (const Pair& pair : pairs)
        for (unsigned n = 0; n < 20 && has(pair); ++n) {
            const auto bytes = tile(pair.format, pair.domain);
            machine_.write(input, bytes);
            machine_.unpack(input, pair.format, Layout::tiles, pair.unpacked, pair.way);
            machine_.pack(output, pair.format, Layout::tiles, pair.from);
            const auto back = machine_.read(output, bytes.size());
            for (std::size_t i = 0; i < bytes.size(); ++i)
                ASSERT_EQ(back[i], bytes[i]) << pair.describe() << ", byte " << i << " of tile " << n;
        }
}

// Every pattern of 8 and 16 bits, where all of them come back.
TEST_P(UnpackPack, EveryPatternComesBack) {
    unsigned tiles = 0;
    for (const Pair& pair : pairs) {
        const unsigned bytes = formats::datum_bits(hardware_format(pair.format)) / 8;
        if (pair.domain != Domain::any || bytes > 2) continue;
        for (unsigned first = 0; first < 1u << 8 * bytes; first += TileMachine::datums, ++tiles) {
            std::vector<std::byte> tile(TileMachine::datums * bytes);
            for (unsigned i = 0; i < tile.size(); ++i)
                tile[i] = static_cast<std::byte>((first + i / bytes) >> i % bytes * 8);
            machine_.write(input, tile);
            machine_.unpack(input, pair.format, Layout::tiles, pair.unpacked, pair.way);
            machine_.pack(output, pair.format, Layout::tiles, pair.from);
            ASSERT_EQ(machine_.read(output, tile.size()), tile) << pair.describe() << " from " << first;
        }
    }
    EXPECT_EQ(tiles, 6u * 64 + 3);
}

/// Rows of 16 datums to the whole tile, with and without headers.
std::vector<TensorForm> compressed_forms() {
    std::vector<TensorForm> forms;
    for (const std::uint32_t row : {16u, 64u, 256u, 1024u})
        for (const int digest : {-1, 0, 3}) {
            TensorForm form;
            form.compressed = true;
            form.row_datums = row;
            if (digest >= 0) form.digest_size = static_cast<std::uint8_t>(digest);
            forms.push_back(form);
        }
    return forms;
}

// A compressed tile of tensor/ is what UNPACR reads, and what PACR makes of the same datums.
TEST_P(UnpackPack, CompressedTilesComeBack) {
    for (const Pair& pair : pairs) {
        if (!has(pair) || formats::datum_bits(hardware_format(pair.format)) == 2) continue;
        for (const TensorForm& form : compressed_forms())
            for (const unsigned zeros : {0u, 4u, 12u, 15u, 16u}) {
                SCOPED_TRACE(fmt::format("{}, rows of {}, {} of 16 are zero", pair.describe(), form.row_datums, zeros));
                const Matrix values = sparse(pair.format, pair.domain, zeros);
                const auto plain = to_bytes(values, pair.format, Layout::tiles).value();
                const auto compressed = to_bytes(values, pair.format, form).value();
                machine_.write(input, compressed);
                machine_.unpack(input, pair.format, form, pair.unpacked, pair.way);
                // The places may lie on each other: the tile is in Dst.
                machine_.pack(output, pair.format, Layout::tiles, pair.from);
                ASSERT_EQ(machine_.read(output, plain.size()), plain);
                machine_.write(output, std::vector<std::byte>(compressed.size()));
                machine_.pack(output, pair.format, form, pair.from);
                const std::size_t header = form.digest_size ? 16u + 16u * *form.digest_size : 0;
                auto packed = machine_.read(output, compressed.size());
                std::copy_n(compressed.begin(), header, packed.begin());
                ASSERT_EQ(packed, compressed);
                // The values need not be written as they are: a NaN, a sign of nothing.
                ASSERT_EQ(to_bytes(from_bytes(packed, 32, 32, pair.format, form).value(), pair.format, Layout::tiles),
                          plain);
            }
    }
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Archs, UnpackPack, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace tessera::test
