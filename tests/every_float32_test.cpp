// SPDX-License-Identifier: Apache-2.0
// Conversions of FP32 against the reference on evenly spread patterns; scripts/every_float32 runs all 2^32.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "formats/layouts.hpp"
#include "formats/pack_convert.hpp"
#include "formats/unpack_convert.hpp"
#include "reference/numerics.hpp"
#include "reference/pack_numerics.hpp"

namespace tessera {
namespace {

using F = DataFormat;

constexpr std::uint64_t all_patterns = std::uint64_t{1} << 32;
constexpr std::uint32_t row = 16;

/// Calls f with the first of each row of patterns: every row, or one in 9973 of them.
template <class Visit>
void for_each_row(Visit&& visit) {
    const std::uint64_t step = std::getenv("TESSERA_EVERY_FLOAT32") ? row : row * 9973;
    for (std::uint64_t first = 0; first < all_patterns && !testing::Test::HasFatalFailure(); first += step)
        visit(static_cast<std::uint32_t>(first));
}

struct Unpack {
    F out;
    bool to_dst;
};

class EveryFloat32Unpacked : public testing::TestWithParam<Unpack> {};

TEST_P(EveryFloat32Unpacked, AsReference) {
    const auto [out, to_dst] = GetParam();
    const formats::UnpackConversion conversion{.in = F::Float32, .out = out};
    const auto loop = to_dst ? formats::unpack_to_dst(conversion) : formats::unpack_to_src(conversion);
    ASSERT_TRUE(loop);
    for_each_row([&, out = out, to_dst = to_dst](std::uint32_t first) {
        std::array<std::uint32_t, row> patterns, got;
        for (std::uint32_t i = 0; i < row; ++i) patterns[i] = first + i;
        std::array<std::uint8_t, row * 4> bytes;
        std::memcpy(bytes.data(), patterns.data(), bytes.size());
        loop({bytes.data(), nullptr, 0}, 0, got.data(), row);
        for (std::uint32_t i = 0; i < row; ++i) {
            const std::uint32_t stored =
                to_dst ? formats::dst_to_stored(got[i] >> 16) << 16 | formats::dst_to_stored(got[i] & 0xFFFF)
                       : formats::src_to_stored(got[i]);
            const auto expected = reference::FormatConversion(reference::FP32, static_cast<std::uint32_t>(out),
                                                              patterns[i], 0, {false, false, false, to_dst});
            ASSERT_EQ(stored, *expected) << fmt::format("{:08x}", patterns[i]);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(, EveryFloat32Unpacked,
                         testing::Values(Unpack{F::Tf32, false}, Unpack{F::Float16_b, false}, Unpack{F::Float16, false},
                                         Unpack{F::Float32, true}, Unpack{F::Float16_b, true},
                                         Unpack{F::Float16, true}),
                         [](const auto& instance) {
                             return fmt::format("{}In{}", name(instance.param.out),
                                                instance.param.to_dst ? "Dst" : "Src");
                         });

struct Pack {
    F intermediate, out;
    bool e4m3 = false;
};

class EveryFloat32Packed : public testing::TestWithParam<Pack> {};

TEST_P(EveryFloat32Packed, AsReference) {
    const auto [intermediate, out, e4m3] = GetParam();
    const bool fp16 = intermediate == F::Float16;  // Blackhole rounds FP32 to 10 bits of mantissa on its way there
    const formats::EarlyConversion how{.read_32b = true,
                                       .round_10b = fp16,
                                       .wide_to_fp16 = fp16,
                                       .intermediate = intermediate,
                                       .late_from = intermediate,
                                       .late_to = out};
    const auto early = formats::pack_early(how);
    ASSERT_TRUE(early);
    const auto late = formats::pack_late(early->type, out, e4m3);
    ASSERT_TRUE(late);
    reference::Conversions literal;
    literal.Read_32b_data = true;
    literal.IntermediateFormat = literal.LateFromFormat = static_cast<std::uint32_t>(intermediate);
    literal.LateToFormat = static_cast<std::uint32_t>(out);
    literal.Pac_LF8_4b_exp = e4m3;
    literal.Blackhole = literal.Round_10b_mant = fp16;
    for_each_row([&](std::uint32_t first) {
        std::array<std::uint32_t, row> patterns, middle;
        std::array<std::uint8_t, row * 4> bytes;
        for (std::uint32_t i = 0; i < row; ++i) patterns[i] = first + i;
        early->convert(patterns.data(), middle.data(), row, 0);
        late->convert(middle.data(), bytes.data(), row);
        for (std::uint32_t i = 0; i < row; ++i) {
            std::uint32_t got = 0;
            std::memcpy(&got, &bytes[i * late->word_bytes], late->word_bytes);
            const auto expected = reference::LateFormatConversion(
                literal, *reference::EarlyFormatConversion(literal, reference::WriteDstFP32(patterns[i])));
            ASSERT_EQ(got, *expected) << fmt::format("{:08x}", patterns[i]);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(, EveryFloat32Packed,
                         testing::Values(Pack{F::Float32, F::Float32}, Pack{F::Float32, F::Float16_b},
                                         Pack{F::Float32, F::Float16}, Pack{F::Float32, F::Lf8},
                                         Pack{F::Float16, F::Lf8, true}, Pack{F::Float32, F::Bfp8_b},
                                         Pack{F::Float32, F::Bfp8}, Pack{F::Tf32, F::Tf32},
                                         Pack{F::Float16_b, F::Float16_b}),
                         [](const auto& instance) {
                             return fmt::format("{}To{}{}", name(instance.param.intermediate), name(instance.param.out),
                                                instance.param.e4m3 ? "E4m3" : "");
                         });

}  // namespace
}  // namespace tessera
