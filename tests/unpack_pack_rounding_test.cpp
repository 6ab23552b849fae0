// SPDX-License-Identifier: Apache-2.0
// Random tiles through an unpacker and a packer: the rounding error of a pair of formats stays within the formats'
// definitions. Exact pairs are in unpack_pack_test.cpp.
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

/// Bound of an error.
struct Most {
    double units;   ///< of the format's last place, which for block floats is that of the shared exponent
    bool included;  ///< else it stays below
};
constexpr Most to_nearest{0.5, true}, cut{1, false};
/// So many bits are there to be cut off, and no others.
constexpr Most cut_off(unsigned bits) { return {1 - 1.0 / (1u << bits), true}; }

struct Pair {
    F in, unpacked;
    Way way;
    PackFrom from;
    F out;
    Most most;
    bool on_wormhole = true;

    std::string describe() const {
        return fmt::format("{} as {} {}, packed from {}{}{} to {}", name(in), name(unpacked),
                           way == Way::dst ? "in Dst" : "in SrcA", name(from.intermediate),
                           from.read_32b ? " of 32 bits" : "", from.raw ? " raw" : "", name(out));
    }
};

constexpr PackFrom fp32{F::Float32, true}, tf32{F::Tf32, true}, bf16_of_32{F::Float16_b, true};
constexpr PackFrom bf16_of_32_raw{F::Float16_b, true, true}, e8m6_of_32{F::Bfp8_b, true};
constexpr PackFrom wide_fp16{F::Float16, true, false, true}, bf16{F::Float16_b}, e8m6{F::Bfp8_b}, fp16{F::Float16};

/// Block floats of FP32 or of FP16 are cut, for the datum with the largest exponent by less than half a unit of 8 bits, and
/// then rounded by up to another half.
constexpr Most cut_and_rounded{1, false};
/// E8M6 is cut and rounded up by at most half a unit where the exponent is the largest, which is exact then, and by at most
/// a quarter below, with half a unit to follow.
constexpr Most rounded_twice{0.75, true};

constexpr Pair pairs[] = {
    {F::Float32, F::Float32, Way::dst, bf16_of_32, F::Float16_b, to_nearest},
    {F::Float32, F::Float32, Way::dst, bf16_of_32_raw, F::Float16_b, cut},
    {F::Float32, F::Float32, Way::dst, fp32, F::Float16_b, cut},
    {F::Float32, F::Float16_b, Way::dst, bf16, F::Float16_b, cut},
    {F::Float32, F::Float16_b, Way::src_a, bf16, F::Float16_b, cut},
    {F::Float16, F::Float16, Way::dst, fp16, F::Float16_b, cut_off(3)},
    {F::Float32, F::Float32, Way::dst, tf32, F::Tf32, to_nearest},
    {F::Float32, F::Tf32, Way::src_a, tf32, F::Tf32, cut},
    {F::Float32, F::Float32, Way::dst, fp32, F::Float16, cut},
    {F::Float32, F::Float32, Way::dst, wide_fp16, F::Float16, to_nearest, false},  // TF32 has FP16's mantissa
    {F::Float32, F::Float16, Way::dst, fp16, F::Float16, cut},
    {F::Float32, F::Float16, Way::src_a, fp16, F::Float16, cut},
    {F::Float32, F::Float32, Way::dst, fp32, F::Lf8, cut},
    {F::Float16_b, F::Float16_b, Way::dst, bf16, F::Lf8, cut_off(5)},
    {F::Float16, F::Float16, Way::dst, fp16, F::Lf8, cut_off(8)},
    {F::Float32, F::Float32, Way::dst, wide_fp16, F::Fp8_e4m3, cut, false},
    {F::Float16, F::Float16, Way::dst, fp16, F::Fp8_e4m3, cut_off(7), false},
    {F::Float32, F::Float32, Way::dst, fp32, F::Bfp8_b, cut_and_rounded},
    {F::Float32, F::Float32, Way::dst, e8m6_of_32, F::Bfp8_b, rounded_twice},
    {F::Float32, F::Float16_b, Way::dst, e8m6, F::Bfp8_b, rounded_twice},
    {F::Float16_b, F::Float16_b, Way::dst, bf16, F::Bfp8_b, to_nearest},
    {F::Float16_b, F::Float16_b, Way::src_a, bf16, F::Bfp8_b, to_nearest},
    // Truncation after rounding to 8 bits, together with that rounding, stays below a unit.
    {F::Float32, F::Float32, Way::dst, fp32, F::Bfp4_b, cut},
    {F::Float32, F::Float32, Way::dst, fp32, F::Bfp2_b, cut},
    {F::Bfp8_b, F::Bfp8_b, Way::dst, bf16, F::Bfp4_b, cut_off(4)},
    {F::Bfp8_b, F::Bfp8_b, Way::dst, bf16, F::Bfp2_b, cut_off(6)},
    {F::Bfp4_b, F::Bfp4_b, Way::src_a, bf16, F::Bfp2_b, cut_off(2)},
    {F::Float32, F::Float32, Way::dst, fp32, F::Bfp8, cut_and_rounded},
    {F::Float16, F::Float16, Way::dst, fp16, F::Bfp8, cut_and_rounded},
    {F::Float32, F::Float32, Way::dst, fp32, F::Bfp4, cut},
    {F::Float32, F::Float32, Way::dst, fp32, F::Bfp2, cut},
    {F::Bfp8, F::Bfp8, Way::dst, fp16, F::Bfp4, cut_off(4)},
    {F::Bfp8, F::Bfp8, Way::src_a, fp16, F::Bfp2, cut_off(6)},
};

/// Bits of mantissa, and the least exponent of a normal number.
std::pair<int, int> widths(F format) {
    switch (format) {
        case F::Float16: return {10, -14};
        case F::Tf32: return {10, -126};
        case F::Float16_b: return {7, -126};
        case F::Lf8: return {2, -14};
        default: return {3, -6};
    }
}

class UnpackPackRounding : public testing::TestWithParam<Arch> {
protected:
    /// Numbers that are normal in every format.
    Matrix random_values() {
        Matrix matrix{32, 32, std::vector<float>(TileMachine::datums)};
        for (float& value : matrix.values) {
            const float mantissa = 1.0f + static_cast<float>(random_() % 0x800000) / 0x800000;
            value = std::ldexp(random_() & 1 ? mantissa : -mantissa, static_cast<int>(random_() % 8) - 3);
        }
        return matrix;
    }

    /// The largest error of some tiles, in units.
    double largest_error(const Pair& pair) {
        double largest = 0;
        for (unsigned n = 0; n < 60; ++n) {
            const auto in = to_bytes(random_values(), pair.in, Layout::tiles).value();
            const auto values = from_bytes(in, 32, 32, pair.in, Layout::tiles).value().values;
            machine_.write(input, in);
            machine_.unpack(input, pair.in, Layout::tiles, pair.unpacked, pair.way);
            machine_.pack(output, pair.out, Layout::tiles, pair.from);
            const auto out = machine_.read(output, tensor_bytes(32, 32, pair.out, Layout::tiles).value());
            const auto back = from_bytes(out, 32, 32, pair.out, Layout::tiles).value().values;
            for (std::size_t i = 0; i < TileMachine::datums; ++i) {
                if (values[i] == 0) continue;  // block float inputs that became zero
                const double error = std::abs(static_cast<double>(values[i]) - static_cast<double>(back[i]));
                largest = std::max(largest, error / unit(pair.out, static_cast<double>(values[i]), out, i));
            }
        }
        return largest;
    }

private:
    static double unit(F format, double value, const std::vector<std::byte>& tile, std::size_t i) {
        if (!formats::is_block_format(format)) {
            const auto [mantissa, least] = widths(format);
            return std::ldexp(1.0, std::max(std::ilogb(value), least) - mantissa);
        }
        const std::size_t row = i / 32, column = i % 32;
        const auto exponent = std::to_integer<int>(tile[(row / 16 * 2 + column / 16) * 16 + row % 16]);
        const bool narrow = format == F::Bfp8 || format == F::Bfp4 || format == F::Bfp2;
        return std::ldexp(1.0, exponent - (narrow ? 15 : 127) - static_cast<int>(formats::datum_bits(format) - 2));
    }

    std::mt19937 random_{static_cast<unsigned>(GetParam()) + 1};
    TileMachine machine_{GetParam()};
};

TEST_P(UnpackPackRounding, ErrorsAreWithinTheFormats) {
    for (const Pair& pair : pairs) {
        if (!pair.on_wormhole && GetParam() == Arch::wormhole) continue;
        const double largest = largest_error(pair);
        const auto what = fmt::format("{}: {} units", pair.describe(), largest);
        EXPECT_TRUE(largest < pair.most.units || (pair.most.included && largest <= pair.most.units)) << what;
        EXPECT_GT(largest, 0.9 * pair.most.units) << what << "; is the unit too large?";
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, UnpackPackRounding, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
