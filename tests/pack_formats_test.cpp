// SPDX-License-Identifier: Apache-2.0
// Conversions of the packers: they exist exactly where the reference has them. Every 16-bit pattern, special and random
// 32-bit ones against the reference; block floats on random groups; the table GOLDEN_FACTS.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "formats/layouts.hpp"
#include "formats/pack_convert.hpp"
#include "reference/numerics.hpp"
#include "reference/pack_numerics.hpp"
#include "support/pack_cases.hpp"
#include "support/patterns.hpp"

namespace tessera {
namespace {

using test::PackCase;
using test::from_bytes;
using test::pack_loops;
using test::patterns16;
using test::patterns32;
using test::plain_datum;
using test::relu_cases;
using F = DataFormat;

// All combinations of modes and format codes.
template <class Visit>
void for_each_case(Visit&& visit) {
    for (unsigned modes = 0; modes < 64; ++modes)
        for (unsigned intermediate = 0; intermediate < 16; ++intermediate)
            for (unsigned from = 0; from < 16; ++from)
                for (unsigned to = 0; to < 16; ++to)
                    visit(PackCase{{(modes & 1) != 0, (modes & 2) != 0, (modes & 4) != 0, (modes & 8) != 0,
                                    (modes & 16) != 0, F(intermediate), F(from), F(to)},
                                   (modes & 32) != 0});
}

bool reference_has(const PackCase& c) {
    const auto early = reference::EarlyFormatConversion(c.reference(), 0);
    return early && reference::LateFormatConversion(c.reference(), *early);
}

TEST(PackFormats, ExistWhereTheReferenceHasThem) {
    unsigned found = 0;
    for_each_case([&](const PackCase& c) {
        const bool exists = pack_loops(c).has_value();
        found += exists;
        if (exists != reference_has(c))
            ADD_FAILURE() << c.describe() << (exists ? ": only the units" : ": only the reference");
    });
    EXPECT_GT(found, 1000u);
}

// `stored` through both, datum by datum; the units a row of 16 at a time.
void expect_as_reference(const PackCase& c, const std::vector<std::uint32_t>& stored, unsigned shift = 0) {
    const auto loops = pack_loops(c);
    ASSERT_TRUE(loops) << c.describe();
    auto how = c.reference();
    how.ShiftAmount = shift;
    constexpr std::size_t row = 16;
    for (std::size_t at = 0; at < stored.size(); at += row) {
        const std::size_t n = std::min(row, stored.size() - at);
        std::uint32_t in[row], intermediate[row];
        std::uint8_t bytes[4 * row];
        for (std::size_t i = 0; i < n; ++i) in[i] = plain_datum(stored[at + i], c.early.read_32b);
        loops->early.convert(in, intermediate, n, shift);
        loops->late.convert(intermediate, bytes, n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t got = from_bytes(bytes + i * loops->late.word_bytes, loops->late.word_bytes);
            const auto expected =
                reference::LateFormatConversion(how, *reference::EarlyFormatConversion(how, stored[at + i]));
            ASSERT_EQ(got, *expected) << fmt::format("stored {:08x} with {}, shift {}", stored[at + i], c.describe(),
                                                     shift);
        }
    }
}

// Every pair of an early and a late conversion once.
void expect_all_as_reference(bool wide, const std::vector<std::uint32_t>& stored) {
    std::set<std::pair<formats::PackEarly, formats::PackLate>> seen;
    for_each_case([&](const PackCase& c) {
        if (c.early.read_32b != wide || testing::Test::HasFatalFailure()) return;
        const auto loops = pack_loops(c);
        if (loops && seen.insert({loops->early.convert, loops->late.convert}).second) expect_as_reference(c, stored);
    });
    EXPECT_GT(seen.size(), 30u);
}

TEST(PackFormats, EveryPatternOf16BitsAsReference) { expect_all_as_reference(false, patterns16()); }

TEST(PackFormats, PatternsOf32BitsAsReference) {
    auto stored = patterns32();
    for (auto& x : stored) x = reference::WriteDstFP32(x);
    expect_all_as_reference(true, stored);
}

TEST(PackFormats, ShiftedIntegersAsReference) {
    std::vector<std::uint32_t> stored;
    std::mt19937 random(8);
    for (std::uint32_t sign = 0; sign < 2; ++sign)
        for (unsigned bit = 0; bit < 31; ++bit)
            for (std::uint32_t near : {0u, 1u, 2u, ~0u})
                stored.push_back(sign << 31 | (((1u << bit) + near) & 0x7FFFFFFF));
    for (unsigned i = 0; i < 4096; ++i) stored.push_back(static_cast<std::uint32_t>(random() >> random() % 32));
    for (auto& x : stored) x = reference::WriteDstFP32(x);
    for (bool is_unsigned : {false, true})
        for (unsigned shift = 0; shift < 32; ++shift)
            expect_as_reference({{true, false, is_unsigned, false, false, F::Int8, F::Int8, F::Int8}, false}, stored,
                                shift);
}

// --- ReLU

void expect_relu_as_reference(const PackCase& c, unsigned mode, std::uint32_t threshold,
                              const std::vector<std::uint32_t>& stored) {
    const auto loops = pack_loops(c);
    ASSERT_TRUE(loops);
    auto how = c.reference();
    how.ApplyRelu = mode;
    how.ReluThreshold = threshold;
    const auto relu = formats::pack_relu(loops->early.type, c.early.is_unsigned, mode, threshold);
    ASSERT_EQ(relu.has_value(), reference::ReLUStage(how, *reference::EarlyFormatConversion(how, 0)).has_value());
    if (!relu) return;
    for (const std::uint32_t x : stored) {
        const std::uint32_t in = plain_datum(x, c.early.read_32b);
        std::uint32_t datum;
        std::uint8_t bytes[4];
        loops->early.convert(&in, &datum, 1, 0);
        relu->apply(&datum, 1, relu->threshold);
        loops->late.convert(&datum, bytes, 1);
        const auto expected =
            reference::LateFormatConversion(how, *reference::ReLUStage(how, *reference::EarlyFormatConversion(how, x)));
        ASSERT_EQ(from_bytes(bytes, loops->late.word_bytes), *expected)
            << fmt::format("stored {:08x} with {}, mode {}, threshold {:04x}", x, c.describe(), mode, threshold);
    }
}

TEST(PackFormats, ReluAsReference) {
    std::mt19937 random(3);
    std::vector<std::uint32_t> stored32(20000);
    for (auto& x : stored32) x = static_cast<std::uint32_t>(random());
    for (const PackCase& c : relu_cases)
        for (unsigned mode = 1; mode < 4; ++mode)
            for (std::uint32_t threshold : {0u, 1u, 0x3F80u, 0x3C07u, 0x4049u, 0x7F80u, 0x7FFFu, 0x8000u, 0xBF80u}) {
                // Datums around the threshold, besides any.
                auto stored = c.early.read_32b ? stored32 : patterns16();
                for (std::uint32_t near = 0; near < 0x30000 && c.early.read_32b; near += 0x7FF)
                    stored.push_back(reference::WriteDstFP32((threshold << 16) - 0x18000 + near));
                expect_relu_as_reference(c, mode, threshold, stored);
                if (HasFatalFailure()) return;
            }
}

// --- block floats

constexpr F block_formats[] = {F::Bfp8, F::Bfp4, F::Bfp2, F::Bfp8_b, F::Bfp4_b, F::Bfp2_b};

formats::Late block_of(F format) {
    const auto late = formats::pack_late(formats::PackType::bf16, format, false);
    if (!late || !late->block) throw std::runtime_error("no block float");
    return *late;
}

void expect_block_as_reference(F format, const std::array<std::uint16_t, 16>& in) {
    const auto late = block_of(format);
    const unsigned bits = late.datum_bits;
    std::array<std::uint32_t, 16> words{};
    std::copy(in.begin(), in.end(), words.begin());
    const auto expected = reference::AssembleBFP(words, bits);
    std::uint8_t bytes[16] = {};
    ASSERT_EQ(late.block(in.data(), bytes), expected.Exponent) << name(format);
    for (unsigned i = 0; i < 16; ++i)
        ASSERT_EQ(bytes[i * bits / 8] >> i * bits % 8 & ((1u << bits) - 1), expected.Datums[i])
            << fmt::format("{} datum {}: {:04x} below exponent {}", name(format), i, in[i], expected.Exponent);
}

TEST(BlockFloats, RandomGroupsAsReference) {
    std::mt19937 random(16);
    for (unsigned n = 0; n < 200000; ++n) {
        // Exponents near each other, or at the ends; now and then any bits.
        const std::uint32_t top = random() % 4 ? random() % 256 : (random() & 1) * 255;
        const unsigned spread = 1 + random() % 12;
        std::array<std::uint16_t, 16> in{};
        for (auto& x : in) {
            const std::uint32_t exponent = top - std::min<std::uint32_t>(top, random() % spread);
            x = static_cast<std::uint16_t>(random() % 16 ? (random() & 0x807F) | exponent << 7 : random());
            if (random() % 16 == 0) x &= 0x8000;
        }
        expect_block_as_reference(block_formats[n % std::size(block_formats)], in);
        if (HasFatalFailure()) return;
    }
}

// A magnitude next to every larger exponent, at every mantissa.
TEST(BlockFloats, EveryMantissaAtEveryDistanceAsReference) {
    for (F format : block_formats)
        for (std::uint32_t distance = 0; distance < 16; ++distance)
            for (std::uint32_t exponent : {0u, 1u, 100u}) {
                std::array<std::uint16_t, 16> in{};
                for (std::uint32_t mantissa = 0; mantissa < 256; mantissa += 15) {
                    in[0] = static_cast<std::uint16_t>((exponent + distance) << 7);
                    for (unsigned i = 1; i < 16; ++i) {
                        const std::uint32_t m = (mantissa + i - 1) % 256;
                        in[i] = static_cast<std::uint16_t>((m & 0x80) << 8 | exponent << 7 | (m & 0x7F));
                    }
                    expect_block_as_reference(format, in);
                    if (HasFatalFailure()) return;
                }
            }
}

// --- GOLDEN_FACTS

// "BFP pack of 16 BF16 values"
TEST(GoldenFacts, BlockOf16Bfloats) {
    constexpr std::uint16_t in[16] = {0x3F80, 0x4000, 0x4040, 0xBF80, 0x3F00, 0x3E80, 0x0000, 0x8000,
                                      0x40FF, 0x3B80, 0xC0A0, 0x3FC0, 0x3F81, 0x4049, 0xC049, 0x3DCC};
    const std::vector<std::uint8_t> bfp8 = {0x10, 0x20, 0x30, 0x90, 0x08, 0x04, 0x00, 0x00,
                                            0x7F, 0x00, 0xD0, 0x18, 0x10, 0x32, 0xB2, 0x02};
    const std::vector<std::uint8_t> bfp4 = {0x21, 0x93, 0x00, 0x00, 0x07, 0x1D, 0x31, 0x0B};
    const std::vector<std::uint8_t> bfp2 = {0x00, 0x00, 0x31, 0x00};
    const std::pair<F, std::vector<std::uint8_t>> lines[] = {{F::Bfp8_b, bfp8}, {F::Bfp4_b, bfp4}, {F::Bfp2_b, bfp2}};
    for (const auto& [format, data] : lines) {
        SCOPED_TRACE(name(format));
        std::vector<std::uint8_t> out(data.size());
        EXPECT_EQ(block_of(format).block(in, out.data()), 0x81);
        EXPECT_EQ(out, data);
    }
}

// Conversions of one datum, with Dst's datum in the order of its own type.
struct PackLine {
    PackCase how;
    std::uint32_t in, out;
};

std::uint32_t packed(const PackLine& line) {
    const auto loops = pack_loops(line.how);
    if (!loops) throw std::runtime_error("no such conversion");
    const bool fp16 = line.how.early.intermediate == F::Float16 || line.how.early.intermediate == F::Bfp8;
    const std::uint32_t in = fp16 && !line.how.early.read_32b ? formats::dst_from_fp16(line.in) : line.in;
    std::uint32_t intermediate;
    std::uint8_t bytes[4];
    loops->early.convert(&in, &intermediate, 1, 0);
    loops->late.convert(&intermediate, bytes, 1);
    return from_bytes(bytes, loops->late.word_bytes);
}

// Spec-notes E22: 1 + 2^-11 is a tie, which TF32 rounds up, with and without Read_int8.
TEST(PackFormats, Fp16OfFp32IsRoundedWhateverReadInt8Is) {
    for (const bool raw : {false, true}) {
        EXPECT_EQ(packed({{{true, raw, false, true, true, F::Float16, F::Float16, F::Float16}, false}, 0x3F801000, 0}), 0x3C01u);
        EXPECT_EQ(packed({{{true, raw, false, true, true, F::Float16, F::Float16, F::Lf8}, true}, 0x3F801000, 0}), 0x38u);
    }
    EXPECT_FALSE(formats::pack_early({true, true, false, true, false, F::Float16, F::Float16, F::Float16})) << "Wormhole";
}

TEST(GoldenFacts, PackedDatums) {
    constexpr PackCase fp32_to_fp16{{true, false, false, false, false, F::Float32, F::Float32, F::Float16}, false};
    constexpr PackCase fp32_to_bf16{{true, false, false, false, false, F::Float16_b, F::Float16_b, F::Float16_b}, false};
    constexpr PackCase bf16_to_e8m6{{false, false, false, false, false, F::Bfp8_b, F::Bfp8_b, F::Float16_b}, false};
    constexpr PackCase fp16_to_e5m6{{false, false, false, false, false, F::Bfp8, F::Bfp8, F::Float16}, false};
    constexpr PackCase fp16_to_e4m3{{false, false, false, false, true, F::Float16, F::Float16, F::Lf8}, true};
    constexpr PackLine lines[] = {{fp32_to_fp16, 0x38800000, 0x0400},
                                  {fp32_to_fp16, 0x38000000, 0x0000},
                                  {fp32_to_fp16, 0x37800000, 0x0000},
                                  {fp32_to_fp16, 0x477FE000, 0x7BFF},
                                  {fp32_to_fp16, 0x47800000, 0x7C00},
                                  {fp32_to_fp16, 0x48000000, 0x7FFF},
                                  {fp32_to_fp16, 0xFF800000, 0xFFFF},
                                  {fp32_to_fp16, 0x387FFFFF, 0x03FF},
                                  // "Packed bf16 rounding ties"
                                  {fp32_to_bf16, 0x3F808000, 0x3F81},
                                  {fp32_to_bf16, 0x3F818000, 0x3F82},
                                  // "BF16 -> BFP8 intermediate", "Early FP16->BFP8a"
                                  {bf16_to_e8m6, 0x3F81, 0x3F82},
                                  {bf16_to_e8m6, 0x3F7F, 0x3F80},
                                  {fp16_to_e5m6, 0x7FFF, 0x7FF0},
                                  {fp16_to_e5m6, 0x3C07, 0x3C00},
                                  {fp16_to_e5m6, 0x3C08, 0x3C10},
                                  // "pack E4M3 (BH)"
                                  {fp16_to_e4m3, 0x3C00, 0x38},
                                  {fp16_to_e4m3, 0x7BFF, 0x7F},
                                  {fp16_to_e4m3, 0x2000, 0x00},
                                  {fp16_to_e4m3, 0x2400, 0x08},
                                  {fp16_to_e4m3, 0xBC40, 0xB8},
                                  {fp16_to_e4m3, 0x5FFF, 0x7F},
                                  {fp16_to_e4m3, 0x6000, 0x7F}};
    for (const auto& line : lines)
        EXPECT_EQ(packed(line), line.out) << fmt::format("{:08x} with {}", line.in, line.how.describe());
}

}  // namespace
}  // namespace tessera
