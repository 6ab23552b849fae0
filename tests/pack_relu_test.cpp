// SPDX-License-Identifier: Apache-2.0
// The packers' ReLU, and the late conversion of its threshold: the loops against the reference, and against the rule as
// numbers (Packers, ReLU; numerics 9; spec-notes E16, E21, E29), over all modes, types, output formats and kinds of
// threshold.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/numerics.hpp"
#include "support/pack_cases.hpp"

namespace tessera {
namespace {

using formats::PackType;
using test::PackCase;

/// Widths of a number's exponent and mantissa.
struct Shape {
    unsigned exponent, mantissa;
    bool wide() const { return exponent == 8; }
};

struct Number {
    bool negative = false;
    unsigned exponent = 0;   ///< as stored
    double fraction = 0;     ///< of the mantissa, below 1
    bool normal() const { return exponent != 0; }
    /// Grows with the pattern of bits, NaN and infinity included.
    double magnitude() const { return normal() ? exponent + fraction : fraction; }
};

constexpr std::uint32_t low(unsigned bits) { return (1u << bits) - 1; }

Number number(std::uint32_t x, Shape shape) {
    return {(x >> (shape.exponent + shape.mantissa) & 1) != 0, x >> shape.mantissa & low(shape.exponent),
            std::ldexp(x & low(shape.mantissa), -static_cast<int>(shape.mantissa))};
}
std::uint32_t bits(const Number& n, Shape shape) {
    const auto mantissa = static_cast<std::uint32_t>(std::ldexp(n.fraction, static_cast<int>(shape.mantissa)));
    return (std::uint32_t{n.negative} << shape.exponent | n.exponent) << shape.mantissa | mantissa;
}
double cut(double fraction, unsigned bits) {
    return std::ldexp(std::floor(std::ldexp(fraction, static_cast<int>(bits))), -static_cast<int>(bits));
}

/// How the units hold a type between the conversions, and how many bits of mantissa it has.
struct Held {
    Shape shape;
    unsigned mantissa;
};
std::optional<Held> held(PackType type) {
    switch (type) {
        case PackType::fp32: return Held{{8, 23}, 23};
        case PackType::tf32: return Held{{8, 23}, 10};
        case PackType::wide_fp16: return Held{{8, 23}, 10};
        case PackType::bf16: return Held{{8, 7}, 7};
        case PackType::fp16: return Held{{5, 10}, 10};
        case PackType::e5m7: return Held{{5, 10}, 7};
        case PackType::fp8: return Held{{5, 10}, 2};
        default: return std::nullopt;
    }
}

Number relu(const Number& x, Held type, unsigned mode, std::uint32_t threshold) {
    const Number limit = number(threshold, type.shape.wide() ? Shape{8, 7} : Shape{5, 10});
    if (x.negative) return {};
    if (mode == 1) return x;
    if (mode == 2) return x.magnitude() <= limit.magnitude() ? Number{} : x;
    // Of what is held as an FP32 only ten bits of mantissa are compared.
    const double compared = x.normal() ? x.exponent + cut(x.fraction, 10) : cut(x.fraction, 10);
    if (compared <= limit.magnitude()) return x;
    return {false, limit.exponent, cut(limit.fraction, std::min(type.mantissa, 10u))};
}

/// The output's shape; of block floats that of the datums before they share an exponent.
std::optional<Shape> shape_of(DataFormat format) {
    switch (format) {
        case DataFormat::Float32: return Shape{8, 23};
        case DataFormat::Tf32: return Shape{8, 10};
        case DataFormat::Float16_b:
        case DataFormat::Bfp8_b:
        case DataFormat::Bfp4_b:
        case DataFormat::Bfp2_b: return Shape{8, 7};
        case DataFormat::Float16: return Shape{5, 10};
        case DataFormat::Lf8: return Shape{5, 2};
        case DataFormat::Bfp8:
        case DataFormat::Bfp4:
        case DataFormat::Bfp2: return Shape{5, 7};
        default: return std::nullopt;
    }
}

Number late(Number x, Held type, Shape to) {
    const bool denormal = !x.normal();
    if (type.shape.wide() && !to.wide()) {
        if (x.exponent < 112) return {x.negative};
        if (x.exponent > 112 + 31) return {x.negative, 31, cut(0.9999999, to.mantissa)};
        x.exponent -= 112;
    } else if (!type.shape.wide() && to.wide()) {
        if (denormal && to.mantissa == 7) return {};
        if (!denormal) x.exponent += 112;
    } else if (denormal && to.mantissa < type.mantissa) {
        return {};
    }
    x.fraction = cut(x.fraction, to.mantissa);
    return x;
}

// As a word of L1, or what the assembly of a block takes.
std::uint32_t word(const Number& x, Shape to, DataFormat format) {
    return format == DataFormat::Tf32 ? bits(x, to) << 13
           : formats::is_block_float(format) && !to.wide()
               ? (bits(x, to) & 0xFFF) | (std::uint32_t{x.negative} << 15)
               : bits(x, to);
}

// Every denormal, and each exponent with mantissas at the ends, in the middle and beside what narrower types keep.
std::vector<std::uint32_t> thresholds(bool wide) {
    const unsigned mantissa = wide ? 7 : 10;
    std::vector<std::uint32_t> all;
    for (std::uint32_t m = 0; m < 1u << mantissa; ++m) all.push_back(m);
    for (std::uint32_t e = 1; e < 1u << (15 - mantissa); ++e)
        for (const std::uint32_t m : {0u, 1u, 7u, 8u, 15u, 16u, 1u << (mantissa - 1), (1u << mantissa) - 1})
            all.push_back(e << mantissa | m);
    return all;
}

// Datums of Dst, as it stores them, at and beside a threshold, at the ends of the range, and negative.
std::vector<std::uint32_t> datums(std::uint32_t threshold, const PackCase& c, bool wide_exponent) {
    std::vector<std::uint32_t> all;
    const auto add = [&](std::uint32_t x) {
        all.push_back(c.early.read_32b ? reference::WriteDstFP32(x)
                      : wide_exponent  ? reference::WriteDstBF16(x)
                                       : reference::WriteDstFP16(x));
    };
    const std::uint32_t at = c.early.read_32b ? threshold << 16 : threshold, most = c.early.read_32b ? ~0u >> 1 : 0x7FFF;
    for (const std::uint32_t step : {0u, 1u, 8u, 16u, 0x80u, 0x100u, 0x1FFFu, 0x2000u, 0x10000u}) {
        if (step > most) continue;
        add((at + step) & most);
        add((at - step) & most);
    }
    add(0);
    add(most);
    add((most + 1) | at);
    return all;
}

struct Sweep {
    unsigned conversions = 0, clamped_denormals = 0;

    void run(const PackCase& c, Held type, Shape to) {
        ++conversions;
        const auto loops = test::pack_loops(c);
        auto how = c.reference();
        for (unsigned mode = 1; mode < 4; ++mode)
            for (const std::uint32_t threshold : thresholds(type.shape.wide())) {
                how.ApplyRelu = mode;
                how.ReluThreshold = threshold;
                const auto relu_loop = formats::pack_relu(loops->early.type, c.early.is_unsigned, mode, threshold);
                ASSERT_TRUE(relu_loop);
                for (const std::uint32_t stored : datums(threshold, c, type.shape.wide())) {
                    const std::uint32_t in = test::plain_datum(stored, c.early.read_32b);
                    std::uint32_t datum;
                    loops->early.convert(&in, &datum, 1, 0);
                    const Number x = relu(number(datum, type.shape), type, mode, threshold);
                    relu_loop->apply(&datum, 1, relu_loop->threshold);
                    std::uint8_t bytes[4];
                    loops->late.convert(&datum, bytes, 1);
                    const std::uint32_t got = test::from_bytes(bytes, loops->late.word_bytes);
                    const auto expected = word(late(x, type, to), to, c.early.late_to);
                    ASSERT_EQ(got, expected) << fmt::format("{:08x} with {}, mode {}, threshold {:04x}", datum,
                                                            c.describe(), mode, threshold);
                    ASSERT_EQ(got, by_reference(how, stored)) << c.describe();
                    clamped_denormals += mode == 3 && !x.normal() && x.fraction != 0;
                }
            }
    }

private:
    static std::uint32_t by_reference(const reference::Conversions& how, std::uint32_t stored) {
        const auto x = reference::ReLUStage(how, *reference::EarlyFormatConversion(how, stored));
        return *reference::LateFormatConversion(how, *x);
    }
};

TEST(PackRelu, AllModesThresholdsAndFormatsAsTheRuleAndTheReference) {
    Sweep sweep;
    for (PackCase c : test::relu_cases)
        for (unsigned code = 0; code < 16; ++code) {
            const auto to = static_cast<DataFormat>(code);
            c.early.late_to = to;
            const auto loops = test::pack_loops(c);
            if (!loops) continue;
            const auto type = held(loops->early.type);
            const auto shape = shape_of(to);
            if (!type) continue;  // integers have no threshold
            ASSERT_TRUE(shape) << c.describe();
            sweep.run(c, *type, *shape);
            if (HasFatalFailure()) return;
        }
    EXPECT_GT(sweep.conversions, 60u);
    EXPECT_GT(sweep.clamped_denormals, 10000u);
}

}  // namespace
}  // namespace tessera
