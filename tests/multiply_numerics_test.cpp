// SPDX-License-Identifier: Apache-2.0
// The arithmetic of MVMUL and ELWMUL against the reference, which is docs/internals/numerics.md one datum at a time:
// formats, fidelity phases, widths of Dst, chips, special values, on every available set of vector instructions.
//
// TESSERA_NUMERICS_CASES is the number of instructions of each kind in all; 128 results each are compared.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "formats/layouts.hpp"
#include "reference/numerics.hpp"
#include "state/state.hpp"
#include "support/each_target.hpp"
#include "support/operands.hpp"
#include "units/matrix/fidelity.hpp"
#include "units/matrix/loops/elementwise_loops.hpp"
#include "units/matrix/loops/mvmul_loops.hpp"

namespace tessera {
namespace {

using state::columns;
using state::Src;

constexpr unsigned rows = 8;

struct Mode {
    DataFormat format{};
    bool acc32 = false, wh = false;
    unsigned phase = 0;

    bool E8() const { return formats::has_wide_exponent(format); }
    std::uint32_t keep() const { return units::matrix::kept_bits(format); }
};

std::vector<Mode> modes() {
    std::vector<Mode> all;
    for (auto format :
         {DataFormat::Float16_b, DataFormat::Tf32, DataFormat::Float16, DataFormat::Bfp8_b, DataFormat::Lf8})
        for (bool acc32 : {false, true})
            for (bool wh : {false, true})
                for (unsigned phase = 0; phase < 4; ++phase) all.push_back({format, acc32, wh, phase});
    return all;
}

std::size_t instructions_in_all() {
    const char* asked = std::getenv("TESSERA_NUMERICS_CASES");
    return asked ? std::strtoull(asked, nullptr, 10) : 40000;
}

/// Eight slices of SrcA of five bits, and of SrcB of seven, whose highest is set.
struct Slices {
    std::array<int, 8> a, b;
};

/// SrcA 16x16 or 8x16, SrcB 8x16, Dst 8x16, with operands of one mode.
class Bench {
public:
    explicit Bench(const Mode& mode, std::uint64_t seed)
        : mode_(mode), operands_{std::mt19937_64{seed}, mode.E8(), mode.acc32} {
        how_.acc32 = mode.acc32;
        how_.E8 = mode.E8();
        how_.wh = mode.wh;
        how_.en = true;
        how_.phase = mode.phase;
    }

    void fill() {
        const std::uint32_t near_to = operands_.below(mode_.E8() ? 256 : 32);
        // Only where none is extreme are all of a bank multiplied as floats.
        fill(near_to, operands_.below(2));
    }
    void fill(std::uint32_t near_to, bool extremes) {
        operands_.extremes = extremes;
        for (unsigned i = 0; i < 16 * columns; ++i) put(Src::a, i, operands_.datum(near_to));
        fill_b(near_to);
        // Nor is a part of Dst added to as floats where it has one that is.
        operands_.extremes = extremes || operands_.below(2);
        // A product's exponent is the sum of two; what meets it in Dst is drawn around that.
        const auto product = static_cast<int>(2 * near_to) - (mode_.E8() ? 127 : 15);
        for (unsigned i = 0; i < rows * columns; ++i) {
            const auto around = static_cast<std::uint32_t>(product) & (mode_.E8() ? 255 : 31);
            d_[i] = operands_.below(8) ? operands_.dst(around) : 0;
        }
        put_dst();
    }
    /// Operands of one exponent each, and zeros: SrcA's columns 0, 4, 8 and 12 are nothing else. Dst's are around that of a product.
    void fill_with(std::uint32_t a, std::uint32_t b) {
        const auto datum = [&](bool zero, std::uint32_t exponent) {
            return operands_.below(2) << 18 | (zero ? 0 : exponent) << 10 | operands_.below(1024);
        };
        for (unsigned i = 0; i < 16 * columns; ++i) put(Src::a, i, datum(i % 4 == 0 || operands_.below(8) == 0, a));
        for (unsigned i = 0; i < rows * columns; ++i) put(Src::b, i, datum(operands_.below(8) == 0, b));
        for (unsigned i = 0; i < rows * columns; ++i) {
            const auto exponent = static_cast<int>(a + b) - 127 + static_cast<int>(operands_.below(9)) - 4;
            d_[i] = operands_.below(6) ? (operands_.dst(1) & 0x807FFFFF) |
                                             static_cast<std::uint32_t>(std::clamp(exponent, 0, 255)) << 23
                                       : 0;
        }
        put_dst();
    }
    /// Pairs of slices from number `first` on: of SrcA's five bits and SrcB's seven. Dst's exponent is `below` more than theirs.
    void fill_slices(unsigned first, std::uint32_t below) {
        constexpr std::uint32_t one = 127;
        for (unsigned i = 0; i < rows * columns; ++i) {
            const std::uint32_t a = (first + i) % 32, b = (first + i) / 32;
            const auto sign = [&] { return operands_.below(2) << 18; };
            put(Src::a, i, sign() | (one + 5 * (mode_.phase & 1)) << 10 | (mode_.phase & 1 ? a << 1 : a << 6 & 1023));
            put(Src::b, i, sign() | (one + 7 * (mode_.phase >> 1)) << 10 | (mode_.phase >> 1 ? b & 15 : b << 4 & 1023));
            d_[i] = operands_.below(2) << 31 | (one + below) << 23 | operands_.below(128) << 16;
        }
        put_dst();
    }
    void fill_b(std::uint32_t near_to) {
        for (unsigned i = 0; i < rows * columns; ++i) put(Src::b, i, operands_.datum(near_to));
    }
    /// A datum of SrcB, and so all of it, is too small for a float.
    void put_small_b() { put(Src::b, operands_.below(rows * columns), 1 << 10 | operands_.below(1024)); }

    /// The first group's sum is that of `slices`. Its exponent is less than that of what it meets, by `least` in column 0 and by one
    /// more in each behind it: of Dst's datum, in some rows of the other group's only product, in some of both.
    void fill_below(const Slices& slices, std::uint32_t least) {
        constexpr std::uint32_t one = 127, common = 140;
        const auto datum = [](bool negative, std::uint32_t exponent, std::uint32_t mantissa) {
            return std::uint32_t{negative} << 18 | exponent << 10 | (mantissa & 1023);
        };
        const auto any = [&](std::uint32_t exponent) {
            return datum(operands_.below(2), exponent, operands_.below(1024));
        };
        for (unsigned k = 0; k < 16; ++k)
            for (unsigned c = 0; c < columns; ++c)
                put(Src::a, k * columns + c,
                    k < 8    ? datum(slices.a[k] < 0, common - least - c,
                                     static_cast<std::uint32_t>(std::abs(slices.a[k])) << 6)
                    : k == 8 ? any(common)
                             : 0);
        for (unsigned r = 0; r < rows; ++r)
            for (unsigned k = 0; k < 16; ++k)
                put(Src::b, r * columns + k,
                    k < 8 ? datum(slices.b[k] < 0, one, static_cast<std::uint32_t>(std::abs(slices.b[k])) << 4)
                    : k == 8 && r % 4 > 1 ? any(one)
                                          : 0);
        for (unsigned i = 0; i < rows * columns; ++i)
            d_[i] = i / columns % 4 == 2 ? 0 : any(common) << 13 & (mode_.acc32 ? ~0u : 0xFFFF0000);
        put_dst();
    }

    std::uint32_t result(unsigned i) const {
        const std::uint32_t high = state_.dst.datums[i];
        if (mode_.acc32) return formats::dst_join(high, state_.dst.datums[i + 8 * columns]);
        if (mode_.E8()) return high << 16;
        const std::uint32_t x = formats::fp16_from_dst(high);
        return (x & 0x8000) << 16 | (x & 0x7FFF) << 13;
    }

    template <class Work>
    Work work() const {
        Work work;
        work.flush_b = true;
        work.renormalise_bug = mode_.wh;
        work.phase = units::matrix::slices(mode_.phase, mode_.E8(), mode_.acc32);
        work.a_keep = work.b_keep = mode_.keep();
        work.map.wide = mode_.acc32;
        return work;
    }

    /// Logical order, as the reference wants it, with the bits that the format has.
    std::uint32_t operand(Src src, unsigned i) const {
        return formats::tf32_from_src(state_.bank(src, 0).datums[i] & mode_.keep());
    }
    std::uint32_t d(unsigned i) const { return d_[i]; }
    const reference::MathMode& how() const { return how_; }
    state::State& state() { return state_; }

    /// Dst's datums again.
    void put_dst() {
        for (unsigned i = 0; i < rows * columns; ++i) {
            auto& high = state_.dst.datums[i];
            if (mode_.acc32) {
                high = static_cast<std::uint16_t>(d_[i] >> 16);
                state_.dst.datums[i + 8 * columns] = static_cast<std::uint16_t>(formats::dst_low(d_[i]));
            } else if (mode_.E8()) {
                high = static_cast<std::uint16_t>(d_[i] >> 16);
            } else {
                high =
                    static_cast<std::uint16_t>(formats::dst_from_fp16((d_[i] >> 16 & 0x8000) | (d_[i] >> 13 & 0x7FFF)));
            }
        }
        state_.dst.valid.set();
    }

private:
    void put(Src src, unsigned i, std::uint32_t logical) {
        state_.bank(src, 0).datums[i] = formats::src_from_tf32(logical);
    }

    Mode mode_;
    test::Operands operands_;
    reference::MathMode how_;
    std::array<std::uint32_t, rows * columns> d_{};
    state::State state_{Arch::blackhole};
};

template <class Body>
void in_each_mode(Body&& body) {
    const auto all = modes();
    const std::size_t targets = test::target_count();
    const std::size_t each = instructions_in_all() / all.size() / targets + 1;
    std::size_t done = 0;
    test::on_each_target([&] {
        for (const Mode& mode : all) {
            Bench bench(mode, done);
            for (std::size_t i = 0; i < each; ++i, ++done) {
                bench.fill();
                body(bench, mode);
                if (testing::Test::HasFatalFailure()) return;
            }
        }
    });
    std::printf("[          ] %zu instructions, %zu results, %zu sets of vector instructions\n", done,
                done * rows * columns, targets);
}

std::string describe(const Mode& mode, unsigned i) {
    return fmt::format("{} phase {} {}-bit Dst{}, element {}", name(mode.format), mode.phase, mode.acc32 ? 32 : 16,
                       mode.wh ? " (Wormhole)" : "", i);
}

/// The result of MVMUL with that row of SrcB for `d` in a column.
std::uint32_t mvmul(const Bench& bench, unsigned b_row, unsigned column, std::uint32_t d) {
    std::array<std::uint32_t, 16> a, b;
    for (unsigned k = 0; k < 16; ++k) {
        a[k] = bench.operand(Src::a, k * columns + column);
        b[k] = bench.operand(Src::b, b_row * columns + k);
    }
    return reference::mvmul(a, b, d, bench.how());
}

plan::MultiplyWork mvmul_work(const Bench& bench, const Mode& mode) {
    auto work = bench.work<plan::MultiplyWork>();
    work.loop = units::matrix::mvmul_loop(false, mode.acc32, mode.E8());
    return work;
}

void expect_mvmul(Bench& bench, const Mode& mode) {
    const auto work = mvmul_work(bench, mode);
    work.loop(work, bench.state());
    for (unsigned i = 0; i < rows * columns; ++i)
        ASSERT_EQ(bench.result(i), mvmul(bench, i / columns, i % columns, bench.d(i))) << describe(mode, i);
}

TEST(MultiplyNumerics, Mvmul) { in_each_mode(expect_mvmul); }

// Exponents of operands, of products and of Dst's datums at the limits of floats.
TEST(MultiplyNumerics, MvmulAtTheEndsOfFloats) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> operands;
    const auto around = [&](std::uint32_t a, std::uint32_t b, bool with_b) {
        for (std::uint32_t off = 0; off < 9; ++off) operands.emplace_back(a + off - 4, with_b ? b - off + 4 : b);
    };
    for (const std::uint32_t end : {17u, 184u}) {
        around(end, 250 - end, true);
        around(250 - end, end, true);
    }
    for (const std::uint32_t end : {26u, 39u, 220u, 241u})
        for (const std::uint32_t a : {60u, 76u, 100u, 174u, 180u})
            if (end + 127 > a + 5 && end + 127 - a < 250) around(end + 127 - a, a, false);
    test::on_each_target([&] {
        for (const Mode& mode : modes()) {
            if (!mode.E8() || mode.format == DataFormat::Bfp8_b) continue;
            Bench bench(mode, 16);
            for (const auto& [a, b] : operands) {
                bench.fill_with(a, b);
                expect_mvmul(bench, mode);
                if (testing::Test::HasFatalFailure()) return;
            }
        }
    });
}

// SrcA's operands are recomputed for either kind.
TEST(MultiplyNumerics, MvmulAsFloatsAndNotInTurn) {
    test::on_each_target([&] {
        for (const Mode& mode : modes()) {
            Bench bench(mode, 17);
            bench.fill(mode.E8() ? 120 : 15, false);
            for (unsigned i = 0; i < 4; ++i) {
                i % 2 ? bench.put_small_b() : bench.fill_b(mode.E8() ? 120 : 15);
                expect_mvmul(bench, mode);
                if (testing::Test::HasFatalFailure()) return;
                bench.put_dst();
            }
        }
    });
}

// Of rows that lie one behind the other, some can be read.
TEST(MultiplyNumerics, MvmulOntoRowsOfWhichSomeAreValid) {
    test::on_each_target([&] {
        for (const Mode& mode : modes()) {
            Bench bench(mode, 20);
            for (const unsigned valid : {0x00u, 0x0Fu, 0xF0u, 0x01u, 0x08u, 0x5Au, 0xEFu, 0xFEu}) {
                bench.fill(mode.E8() ? 120 : 15, false);
                for (unsigned r = 0; r < rows; ++r) bench.state().dst.valid[r] = valid >> r & 1;
                const auto work = mvmul_work(bench, mode);
                work.loop(work, bench.state());
                for (unsigned i = 0; i < rows * columns; ++i) {
                    const std::uint32_t d = valid >> i / columns & 1 ? bench.d(i) : 0;
                    ASSERT_EQ(bench.result(i), mvmul(bench, i / columns, i % columns, d)) << describe(mode, i);
                }
                for (unsigned r = 0; r < rows; ++r) ASSERT_TRUE(bench.state().dst.valid[r]) << r;
            }
        }
    });
}

// Rows that lie apart, some of which can be read; those between them stay as they are.
TEST(MultiplyNumerics, MvmulOfOneRowOntoEveryOther) {
    test::on_each_target([&] {
        for (const Mode& mode : modes()) {
            Bench bench(mode, 21);
            for (unsigned b_row = 0; b_row < rows; ++b_row) {
                bench.fill(mode.E8() ? 120 : 15, false);
                bench.state().dst.valid[b_row] = false;
                auto work = mvmul_work(bench, mode);
                work.b_same_row = true;
                work.b_row = static_cast<std::uint8_t>(b_row);
                work.dst_row = b_row % 2;
                work.rows = 4;
                work.row_step = 2;
                work.loop(work, bench.state());
                for (unsigned i = 0; i < rows * columns; ++i) {
                    const unsigned r = i / columns;
                    const std::uint32_t d = r == b_row ? 0 : bench.d(i);
                    if (r % 2 == b_row % 2)
                        ASSERT_EQ(bench.result(i), mvmul(bench, b_row, i % columns, d)) << describe(mode, i);
                    else
                        ASSERT_EQ(bench.result(i), bench.d(i)) << describe(mode, i);
                }
            }
        }
    });
}

std::vector<Slices> slices_of_sum(int sum, std::mt19937_64& random) {
    const auto factor = [&](int lowest) { return lowest + static_cast<int>(random() % static_cast<unsigned>(lowest)); };
    const int sign = sum < 0 ? -1 : 1;
    std::vector<Slices> found;
    for (int tries = 0; tries < 20000 && found.size() < 2; ++tries) {
        Slices s{};
        int rest = sum;
        for (unsigned k = 0; k < 7; ++k) {
            // As near to the sum as these can come.
            const bool away = std::abs(rest) < 2048 * static_cast<int>(7 - k) && random() % 2;
            s.a[k] = factor(16) * (away ? -sign : sign);
            s.b[k] = factor(64);
            rest -= s.a[k] * s.b[k];
        }
        for (int a = 16; a < 32; ++a)
            if (rest % a == 0 && std::abs(rest / a) >= 64 && std::abs(rest / a) < 128) {
                s.a[7] = rest < 0 ? -a : a;
                s.b[7] = std::abs(rest / a);
                found.push_back(s);
                break;
            }
    }
    return found;
}

// In 16-bit Dst a group's sum is rounded twice: one that is a unit or two below a half goes up, if it is 14 or 15 bits below
// what it meets.
TEST(MultiplyNumerics, SumsNearHalfOfTheLastBit) {
    std::mt19937_64 random(14);
    std::vector<Slices> sums;
    for (const int half : {512, 1536, 4096, 8192, 12288, 16384, 24576, 28672})
        for (int off = -3; off <= 3; ++off)
            for (const int sum : {half + off, -half - off})
                for (const Slices& s : slices_of_sum(sum, random)) sums.push_back(s);
    ASSERT_GT(sums.size(), 150u);
    test::on_each_target([&] {
        for (const bool acc32 : {false, true}) {
            const Mode mode{DataFormat::Float16_b, acc32};
            Bench bench(mode, 15);
            for (const Slices& s : sums) {
                bench.fill_below(s, 10);
                expect_mvmul(bench, mode);
                if (testing::Test::HasFatalFailure()) return;
            }
        }
    });
}

void expect_elwmul(Bench& bench, const Mode& mode) {
    auto work = bench.work<plan::ElementwiseWork>();
    work.accumulate = true;
    work.loop = units::matrix::elementwise_loop(
        {.product = true, .wide_dst = mode.acc32, .wide_exponent = mode.E8(), .accumulate = true});
    work.loop(work, bench.state());
    for (unsigned i = 0; i < rows * columns; ++i)
        ASSERT_EQ(bench.result(i),
                  reference::elwmul(bench.operand(Src::a, i), bench.operand(Src::b, i), bench.d(i), bench.how()))
            << describe(mode, i);
}

TEST(MultiplyNumerics, Elwmul) { in_each_mode(expect_elwmul); }

// Exponents of products and of Dst's datums at the limits of floats: products of all exponents, and values up to 20
// below.
TEST(MultiplyNumerics, ElwmulAtTheEndsOfFloats) {
    test::on_each_target([&] {
        for (const Mode& mode : modes()) {
            if (!mode.E8() || mode.acc32) continue;
            Bench bench(mode, 18);
            for (std::uint32_t a = 1; a < 255; ++a)
                for (const std::uint32_t b : {1u, 64u, 127u, 140u, 220u, 254u}) {
                    bench.fill_with(a, b);
                    expect_elwmul(bench, mode);
                    if (testing::Test::HasFatalFailure()) return;
                }
        }
    });
}

// Each product of two slices, a bit and more below what it meets in Dst: ties go up, and what is near one does not.
TEST(MultiplyNumerics, ElwmulOfEachPairOfSlices) {
    test::on_each_target([&] {
        for (unsigned phase = 0; phase < 4; ++phase) {
            const Mode mode{DataFormat::Tf32, false, false, phase};
            Bench bench(mode, 19);
            for (std::uint32_t below = 0; below < 16; ++below)
                for (std::uint32_t slices = 0; slices < 1 << 12; slices += rows * columns) {
                    bench.fill_slices(slices, below);
                    expect_elwmul(bench, mode);
                    if (testing::Test::HasFatalFailure()) return;
                }
        }
    });
}

}  // namespace
}  // namespace tessera
