// SPDX-License-Identifier: Apache-2.0
// Conversions of the unpackers: every pattern of 16 bits, special and random ones of 32, against the reference;
// GOLDEN_FACTS as it stands; the arithmetic of ELWADD on random operands. The packers' are in pack_formats_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "formats/layouts.hpp"
#include "plan/dst_rows.hpp"
#include "plan/work.hpp"
#include "reference/dst.hpp"
#include "reference/numerics.hpp"
#include "state/state.hpp"
#include "support/unpack_patterns.hpp"
#include "units/matrix/elementwise_loops.hpp"

namespace tessera {
namespace {

using F = DataFormat;
using test::patterns16;
using test::patterns32;
using test::unpack_to_src;

// --- plain and stored order

TEST(Layouts, StoredOrderAsReference) {
    for (std::uint32_t x = 0; x < 1u << 19; ++x) {
        ASSERT_EQ(formats::src_to_stored(formats::src_from_tf32(x)), reference::WriteSrcTF32(x));
        ASSERT_EQ(formats::src_from_stored(reference::WriteSrcTF32(x)), x << 13);
        ASSERT_EQ(formats::tf32_from_src(formats::src_from_tf32(x)), x);
    }
    for (std::uint32_t x : patterns16()) {
        ASSERT_EQ(formats::dst_to_stored(x), reference::WriteDstBF16(x));
        ASSERT_EQ(formats::dst_from_stored(reference::WriteDstBF16(x)), x);
        ASSERT_EQ(formats::dst_to_stored(formats::dst_from_fp16(x)), reference::WriteDstFP16(x));
        ASSERT_EQ(formats::fp16_from_dst(formats::dst_from_fp16(x)), x);
        ASSERT_EQ(formats::src_to_stored(formats::src_from_bf16(x)), reference::WriteSrcBF16(x));
        ASSERT_EQ(formats::src_to_stored(formats::src_from_fp16(x)), reference::WriteSrcFP16(x));
    }
}

// --- Dst

std::uint32_t dst_from_stored(std::uint32_t x, bool wide) {
    return wide ? formats::dst_join(formats::dst_from_stored(x >> 16), formats::dst_low(x))
                : formats::dst_from_stored(x);
}
std::uint32_t dst32_to_stored(std::uint32_t x) { return formats::dst_to_stored(x >> 16) << 16 | (x & 0xFFFF); }

// --- GOLDEN_FACTS, "Conversions L1 -> registers"

TEST(GoldenFacts, Float32ToRegisters) {
    struct Line {
        std::uint32_t in, tf32, bf16, fp16, dst32;
    };
    constexpr Line lines[] = {
        {0x3F800000, 0x0007F, 0x0007F, 0x0000F, 0x007F0000}, {0xBF800000, 0x4007F, 0x4007F, 0x4000F, 0x807F0000},
        {0x40490FDB, 0x24880, 0x24880, 0x24810, 0x49800FDB}, {0x00400000, 0x20000, 0x00000, 0x00000, 0x40000000},
        {0x7F800000, 0x000FF, 0x000FF, 0x3FF1F, 0x00FF0000}, {0x7FC00000, 0x200FF, 0x200FF, 0x3FF1F, 0x40FF0000},
    };
    for (const Line& line : lines) {
        SCOPED_TRACE(fmt::format("{:08x}", line.in));
        EXPECT_EQ(unpack_to_src(F::Float32, F::Tf32, {line.in})[0], line.tf32);
        EXPECT_EQ(unpack_to_src(F::Float32, F::Float16_b, {line.in})[0], line.bf16);
        EXPECT_EQ(unpack_to_src(F::Float32, F::Float16, {line.in})[0], line.fp16);
        EXPECT_EQ(dst32_to_stored(line.in), line.dst32);
        EXPECT_EQ(dst_from_stored(line.dst32, true), line.in);
        EXPECT_EQ(reference::FormatConversion(reference::FP32, reference::TF32, line.in, 0, {}), line.tf32);
        EXPECT_EQ(reference::FormatConversion(reference::FP32, reference::BF16, line.in, 0, {}), line.bf16);
        EXPECT_EQ(reference::FormatConversion(reference::FP32, reference::FP16, line.in, 0, {}), line.fp16);
        EXPECT_EQ(reference::WriteDstFP32(line.in), line.dst32);
    }
}

TEST(GoldenFacts, HalvesToRegisters) {
    struct Line {
        F format;
        std::uint32_t in, src, dst16;
    };
    constexpr Line lines[] = {
        {F::Float16_b, 0x3F80, 0x0007F, 0x007F}, {F::Float16_b, 0xC049, 0x64880, 0xC980},
        {F::Float16_b, 0x0001, 0x00800, 0x0100}, {F::Float16, 0x3C00, 0x0000F, 0x000F},
        {F::Float16, 0x7BFF, 0x3FF1E, 0x7FFE},   {F::Float16, 0x7FFF, 0x3FF1F, 0x7FFF},
        {F::Float16, 0x8001, 0x40100, 0x8020},
    };
    for (const Line& line : lines) {
        SCOPED_TRACE(fmt::format("{} {:04x}", name(line.format), line.in));
        const bool fp16 = line.format == F::Float16;
        EXPECT_EQ(unpack_to_src(line.format, line.format, {line.in})[0], line.src);
        const std::uint32_t dst = formats::dst_from_stored(line.dst16);
        EXPECT_EQ(fp16 ? formats::dst_from_fp16(line.in) : line.in, dst);
        EXPECT_EQ(fp16 ? formats::fp16_from_dst(dst) : dst, line.in);
        EXPECT_EQ(fp16 ? reference::WriteSrcFP16(line.in) : reference::WriteSrcBF16(line.in), line.src);
        EXPECT_EQ(fp16 ? reference::WriteDstFP16(line.in) : reference::WriteDstBF16(line.in), line.dst16);
    }
}

TEST(GoldenFacts, Float32ToFloat16) {
    constexpr std::uint32_t lines[][2] = {{0x38800000, 0x0400}, {0x38000000, 0x0000}, {0x37800000, 0x0000},
                                          {0x477FE000, 0x7BFF}, {0x47800000, 0x7C00}, {0x48000000, 0x7FFF},
                                          {0xFF800000, 0xFFFF}, {0x387FFFFF, 0x03FF}};
    for (const auto& [in, out] : lines) {
        SCOPED_TRACE(fmt::format("{:08x}", in));
        EXPECT_EQ(formats::fp16_from_fp32(in), out);
        EXPECT_EQ(reference::FP32ToFP16(in), out);
        EXPECT_EQ(unpack_to_src(F::Float32, F::Float16, {in})[0], reference::WriteSrcFP16(out));
    }
}

// --- GOLDEN_FACTS, "Row mapping"

struct RowLine {
    unsigned row, physical;
};
constexpr RowLine plain_rows[] = {{0, 0},     {1, 1},      {7, 7},     {8, 16},      {9, 17},
                                  {15, 23},   {16, 32},    {64, 128},  {100, 196},   {255, 503},
                                  {256, 512}, {511, 1015}, {512, 512}, {1023, 1015}, {768, 512}};
constexpr RowLine swizzled_rows[] = {{0, 0},     {1, 1},     {7, 19},    {8, 64},    {9, 65},
                                     {15, 83},   {16, 4},    {64, 128},  {100, 160}, {255, 487},
                                     {256, 512}, {511, 999}, {512, 512}, {1023, 999}};
constexpr RowLine remapped_rows[] = {{0, 0},   {1, 1},    {7, 7},     {8, 32},    {9, 33},    {15, 39},   {16, 8},
                                     {64, 64}, {100, 84}, {255, 255}, {256, 256}, {511, 511}, {512, 512}, {1023, 1023}};

TEST(GoldenFacts, RowMapping) {
    for (const auto& [row, physical] : plain_rows) EXPECT_EQ((plan::DstMap{true, false, false}.row(row)), physical);
    for (const auto& [row, physical] : swizzled_rows) EXPECT_EQ((plan::DstMap{true, true, true}.row(row)), physical);
    for (const auto& [row, physical] : remapped_rows) EXPECT_EQ((plan::DstMap{false, true, false}.row(row)), physical);
    for (unsigned row = 0; row < 1024; ++row) EXPECT_EQ((plan::DstMap{false, false, true}.row(row)), row);
}

TEST(RowMapping, AsReferenceInEveryMode) {
    constexpr auto remap = registers::field("DEST_ACCESS_CFG_remap_addrs");
    constexpr auto swizzle = registers::field("DEST_ACCESS_CFG_swizzle_32b");
    state::State state(Arch::blackhole);
    for (unsigned mode = 0; mode < 4; ++mode) {
        const auto& at = remap[Arch::blackhole];
        const auto cell = state::cells::config(state.arch(), 0, at.addr32);
        state.write(cell, swizzle[Arch::blackhole].insert(at.insert(0, mode & 1), mode >> 1));
        const reference::Machine machine(state, 0, 0);
        const reference::DstView view(machine);
        for (unsigned row = 0; row < 1024; ++row) {
            const bool r = mode & 1, s = mode & 2;
            ASSERT_EQ((plan::DstMap{false, r, s}.row(row)), view.Adj16(row));
            ASSERT_EQ((plan::DstMap{true, r, s}.row(row)), view.Adj32(row));
            ASSERT_EQ(plan::DstMap::low_half(view.Adj32(row)), view.Adj32(row) + 8);
        }
    }
}

// --- ELWADD

/// Lets the units' loop add many pairs, 128 at a time.
class ElementwiseRunner {
public:
    explicit ElementwiseRunner(const reference::MathMode& how) : how_(how) {
        work_.map.wide = how.acc32;
        work_.accumulate = how.en;
        work_.renormalise_bug = how.wh;
        work_.flush_b = how.flush_b;
        const int divided = (how.phase & 1 ? 5 : 0) + (how.phase & 2 ? 7 : 0);
        const bool rebias = how.acc32 && !how.E8;
        work_.sum_exponent = static_cast<std::int16_t>((rebias ? 112 : 0) - divided);
        work_.sum_zero_exponent = static_cast<std::int16_t>((rebias ? 97 : 0) - divided);
        work_.a_keep = work_.b_keep = ~0u;
    }

    static constexpr std::size_t batch = 128;

    /// Operands in logical order and Dst as FP32 fields, as in GOLDEN_FACTS; results alike.
    std::vector<std::uint32_t> run(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                                   const std::vector<std::uint32_t>& d, bool subtract) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            state_.bank(state::Src::a, 0).datums[i] = formats::src_from_tf32(a[i]);
            state_.bank(state::Src::b, 0).datums[i] = formats::src_from_tf32(b[i]);
            const std::size_t high = i / 16 * 16 + i % 16, low = high + 8 * 16;
            if (how_.acc32) {
                state_.dst.datums[high] = static_cast<std::uint16_t>(d[i] >> 16);
                state_.dst.datums[low] = static_cast<std::uint16_t>(formats::dst_low(d[i]));
            } else {
                state_.dst.datums[high] = static_cast<std::uint16_t>(
                    how_.E8 ? d[i] >> 16 : formats::dst_from_fp16(d[i] >> 31 << 15 | (d[i] >> 13 & 0x7FFF)));
            }
        }
        work_.subtract = subtract;
        units::matrix::elementwise_loop(false, false, how_.acc32, how_.E8)(work_, state_);
        std::vector<std::uint32_t> result;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const std::uint32_t high = state_.dst.datums[i], low = state_.dst.datums[i + 8 * 16];
            if (how_.acc32) {
                result.push_back(formats::dst_join(high, low));
            } else if (how_.E8) {
                result.push_back(high << 16);
            } else {
                const std::uint32_t x = formats::fp16_from_dst(high);
                result.push_back(x >> 15 << 31 | (x & 0x7FFF) << 13);
            }
        }
        return result;
    }

private:
    reference::MathMode how_;
    plan::ElementwiseWork work_;
    state::State state_{Arch::blackhole};
};

TEST(GoldenFacts, Elwadd) {
    struct Line {
        std::string_view what;
        std::uint32_t a, b, d;
        bool acc32, accum, e8;
        std::uint32_t blackhole, wormhole;
    };
    constexpr Line lines[] = {
        {"1+1", 0x1FC00, 0x1FC00, 0, true, false, true, 0x40000000, 0x40000000},
        {"1-1", 0x1FC00, 0x5FC00, 0, true, false, true, 0x00000000, 0x00000000},
        {"1+2^-8 bf16dst", 0x1FC00, 0x1DC00, 0, false, false, true, 0x3F810000, 0x3F810000},
        {"1+2^-9 bf16dst", 0x1FC00, 0x1D800, 0, false, false, true, 0x3F800000, 0x3F800000},
        {"1+3*2^-9", 0x1FC00, 0x1DE00, 0, false, false, true, 0x3F810000, 0x3F810000},
        {"-1+ -2^-8 bf16dst", 0x5FC00, 0x5DC00, 0, false, false, true, 0xBF810000, 0xBF810000},
        {"-1+2^-9 bf16", 0x5FC00, 0x1D800, 0, false, false, true, 0xBF800000, 0xBF800000},
        {"1+2^-11 acc32", 0x1FC00, 0x1D000, 0, true, false, true, 0x3F802000, 0x3F802000},
        {"1+2^-12 acc32", 0x1FC00, 0x1CC00, 0, true, false, true, 0x3F800000, 0x3F800000},
        {"1+1 += 1", 0x1FC00, 0x1FC00, 0x3F800000, true, true, true, 0x40400000, 0x40400000},
        {"fp16 1+1", 0x03C00, 0x03C00, 0, false, false, false, 0x08000000, 0x08000000},
        {"fp16 1+1 acc32", 0x03C00, 0x03C00, 0, true, false, false, 0x40000000, 0x40000000},
        {"man==1: Wormhole's leading-sign bug", 0x1FC00, 0x5FC00, 0xB4000000, true, true, true, 0xB4000000, 0xC1800000},
        {"neg one ulp", 0x1FC00, 0x5FC01, 0, true, false, true, 0xBA800000, 0xBA800000},
        {"neg one lsb", 0x1FC00, 0x5FC01, 0x3A7FFFFF, true, true, true, 0x00000000, 0x00000000},
    };
    for (const Line& line : lines)
        for (bool wh : {false, true}) {
            SCOPED_TRACE(fmt::format("{}{}", line.what, wh ? " (Wormhole)" : ""));
            reference::MathMode how;
            how.acc32 = line.acc32;
            how.en = line.accum;
            how.E8 = line.e8;
            how.wh = wh;
            const std::uint32_t expected = wh ? line.wormhole : line.blackhole;
            EXPECT_EQ(reference::elwadd(line.a, line.b, line.d, how), expected);
            ElementwiseRunner runner(how);
            EXPECT_EQ(runner.run({line.a}, {line.b}, {line.d}, false)[0], expected);
        }
}

// Operands whose exponents meet or stand at the extremes; Dst at and around the exponent of the sum.
struct Operands {
    std::mt19937_64 random;
    bool E8, acc32;

    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); }
    std::uint32_t exponent(std::uint32_t near_to) {
        const std::uint32_t mask = E8 ? 255 : 31;
        switch (below(12)) {
            case 0: return 0;
            case 1: return mask - below(2);
            case 2: return below(mask + 1);
            case 3: return 1 + below(3);
            default: return (near_to + below(15) - 7) & mask;
        }
    }
    std::uint32_t datum(std::uint32_t near_to) {
        const std::uint32_t mantissas[] = {below(1024), below(1024), 0, 1023, 512, 1u << below(10)};
        return below(2) << 18 | exponent(near_to) << 10 | mantissas[below(6)];
    }
    std::uint32_t dst(std::uint32_t near_to) {
        // The sum of two operands with 5-bit exponents has a rebiased exponent in a 32-bit Dst.
        const std::uint32_t e = acc32 && !E8 ? (exponent(near_to) + 112) & 255 : exponent(near_to);
        std::uint32_t fraction = static_cast<std::uint32_t>(random()) & 0x7FFFFF;
        if (below(4) == 0) fraction &= 0x7F << 16;
        if (below(8) == 0) fraction = 0;
        if (!acc32) fraction &= E8 ? 0x7F0000 : 0x7FE000;
        return below(2) << 31 | e << 23 | fraction;
    }
};

struct ElwaddMode {
    bool acc32, en, E8, wh, subtract;
};

class ElwaddNumerics : public testing::TestWithParam<ElwaddMode> {};

TEST_P(ElwaddNumerics, AsReferenceOn200000Pairs) {
    const auto& mode = GetParam();
    for (bool flush_b : {true, false})
        for (unsigned phase : {0u, 1u, 2u, 3u}) {
            reference::MathMode how;
            how.acc32 = mode.acc32;
            how.en = mode.en;
            how.E8 = mode.E8;
            how.wh = mode.wh;
            how.flush_b = flush_b;
            how.phase = phase;
            Operands operands{std::mt19937_64{phase * 2 + flush_b}, mode.E8, mode.acc32};
            ElementwiseRunner runner(how);
            // Most pairs in the mode that software uses.
            const std::size_t pairs = flush_b && phase == 0 ? 200000 : 20000;
            for (std::size_t done = 0; done < pairs; done += ElementwiseRunner::batch) {
                std::vector<std::uint32_t> a, b, d;
                for (std::size_t i = 0; i < ElementwiseRunner::batch; ++i) {
                    const std::uint32_t near_to = operands.below(mode.E8 ? 256 : 32);
                    a.push_back(operands.datum(near_to));
                    b.push_back(operands.below(8) ? operands.datum(near_to) : a.back() ^ operands.below(2) << 18);
                    d.push_back(operands.dst(near_to));
                }
                const auto result = runner.run(a, b, d, mode.subtract);
                for (std::size_t i = 0; i < a.size(); ++i)
                    ASSERT_EQ(result[i], reference::elwadd(a[i], b[i] ^ (mode.subtract ? 1u << 18 : 0), d[i], how))
                        << fmt::format("a {:05x} b {:05x} d {:08x} flush_b {} phase {}", a[i], b[i], d[i], flush_b,
                                       phase);
            }
        }
}

std::vector<ElwaddMode> elwadd_modes() {
    std::vector<ElwaddMode> modes;
    for (unsigned i = 0; i < 32; ++i)
        modes.push_back({(i & 1) != 0, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0, (i & 16) != 0});
    return modes;
}

INSTANTIATE_TEST_SUITE_P(Modes, ElwaddNumerics, testing::ValuesIn(elwadd_modes()), [](const auto& mode) {
    const ElwaddMode& m = mode.param;
    return fmt::format("{}_{}_{}_{}_{}", m.wh ? "wormhole" : "blackhole", m.E8 ? "E8" : "E5",
                       m.acc32 ? "Dst32" : "Dst16", m.subtract ? "subtract" : "add", m.en ? "accumulate" : "assign");
});

}  // namespace
}  // namespace tessera
