// SPDX-License-Identifier: Apache-2.0
// The arithmetic of ELWADD and ELWSUB: the table GOLDEN_FACTS, and random operands against the reference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "formats/layouts.hpp"
#include "plan/work.hpp"
#include "reference/numerics.hpp"
#include "state/state.hpp"
#include "support/operands.hpp"
#include "units/matrix/loops/elementwise_loops.hpp"

namespace tessera {
namespace {

using test::Operands;

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
        const units::matrix::ElementwiseKind kind{
            .wide_dst = how_.acc32, .wide_exponent = how_.E8, .accumulate = work_.accumulate, .flush_b = how_.flush_b};
        units::matrix::elementwise_loop(kind)(work_, state_);
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

// Spec-notes E55: what the vendor's simulator makes of these, on both architectures.
TEST(ElementwiseNumerics, PlusZeroLessMinusZero) {
    struct Line {
        std::uint32_t d;
        bool acc32, e8;
        std::uint32_t result;
    };
    constexpr Line lines[] = {
        {0x0639E000, false, false, 0x0649E000}, {0x89692000, false, false, 0x8968E000},
        {0x04000000, true, false, 0xB0800000},  {0x06000001, true, true, 0x060FF801},
        {0x0A490FDB, true, true, 0x0A491FD3},   {0x86490000, false, true, 0x86390000},
        {0x3F800000, true, false, 0x3F800000},  {0x00800000, true, true, 0x847F8000},
    };
    constexpr std::uint32_t zero = 0, minus_zero = 0x40000;
    for (const Line& line : lines) {
        const reference::MathMode how{.acc32 = line.acc32, .en = true, .E8 = line.e8, .flush_b = false};
        EXPECT_EQ(reference::elwadd(zero, minus_zero, line.d, how), line.result);
        EXPECT_EQ(ElementwiseRunner(how).run({zero}, {minus_zero}, {line.d}, false)[0], line.result);
        EXPECT_EQ(ElementwiseRunner(how).run({zero}, {zero}, {line.d}, true)[0], line.result);
        const reference::MathMode flushing{.acc32 = line.acc32, .en = true, .E8 = line.e8};
        EXPECT_EQ(ElementwiseRunner(flushing).run({zero}, {minus_zero}, {line.d}, false)[0],
                  line.acc32 && !line.e8 ? reference::elwadd(zero, zero, line.d, flushing) : line.d);
    }
}

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
                    if (operands.below(16) == 0) {
                        a.back() &= 0x403FF;  // exponent 0
                        b.back() = operands.below(2) << 18;
                    }
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
