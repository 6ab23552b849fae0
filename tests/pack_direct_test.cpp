// SPDX-License-Identifier: Apache-2.0
// The packers' direct loops against the stages one by one. Each conversion with a loop: every 16-bit pattern, special
// and random 32-bit ones. Every layout of groups and rows, validity, maps and streams. On each set of vector
// instructions.
#include <gtest/gtest.h>

#include <random>

#include "formats/layouts.hpp"
#include "formats/pack_stages.hpp"
#include "plan/work.hpp"
#include "state/state.hpp"
#include "support/each_target.hpp"
#include "support/patterns.hpp"
#include "units/packer/direct_loops.hpp"
#include "units/packer/output.hpp"

namespace tessera {
namespace {

using plan::PackWork;
using state::Packer;
using state::State;
using units::packer::DirectLoops;
using units::packer::nth;
using F = DataFormat;

constexpr unsigned rows = state::Dst::rows, columns = state::columns;

struct Case {
    const char* name;
    formats::EarlyConversion early;
};
constexpr Case cases[] = {
    {"BF16", {.intermediate = F::Float16_b, .late_from = F::Float16_b, .late_to = F::Float16_b}},
    {"raw BF16", {.raw = true, .intermediate = F::Float16_b, .late_from = F::Float16_b, .late_to = F::Float16_b}},
    {"BF16 to BFP8", {.intermediate = F::Float16_b, .late_from = F::Float16_b, .late_to = F::Bfp8_b}},
    {"raw to BFP8", {.raw = true, .intermediate = F::Float16_b, .late_from = F::Float16_b, .late_to = F::Bfp8_b}},
    {"BF16 to BFP4", {.intermediate = F::Float16_b, .late_from = F::Float16_b, .late_to = F::Bfp4_b}},
    {"raw to BFP4", {.raw = true, .intermediate = F::Float16_b, .late_from = F::Float16_b, .late_to = F::Bfp4_b}},
    {"FP16", {.intermediate = F::Float16, .late_from = F::Float16, .late_to = F::Float16}},
    {"raw FP16", {.raw = true, .intermediate = F::Float16, .late_from = F::Float16, .late_to = F::Float16}},
    {"FP32", {.read_32b = true, .intermediate = F::Float32, .late_from = F::Float32, .late_to = F::Float32}},
    {"INT32", {.read_32b = true, .intermediate = F::Int32, .late_from = F::Int32, .late_to = F::Int32}},
    {"FP32 to BF16",
     {.read_32b = true, .intermediate = F::Float16_b, .late_from = F::Float16_b, .late_to = F::Float16_b}},
    {"FP32 to BFP8", {.read_32b = true, .intermediate = F::Float16_b, .late_from = F::Float16_b, .late_to = F::Bfp8_b}},
    {"FP32 to BFP4", {.read_32b = true, .intermediate = F::Float16_b, .late_from = F::Float16_b, .late_to = F::Bfp4_b}},
    {"upper halves",
     {.read_32b = true, .raw = true, .intermediate = F::Float16_b, .late_from = F::Float16_b, .late_to = F::Float16_b}},
};

// A stream of the conversion, and its loops as the present set of instructions has them.
class Packing {
public:
    explicit Packing(const formats::EarlyConversion& how) {
        const auto early = formats::pack_early(how);
        const auto late = formats::pack_late(early->type, how.late_to, false);
        loops = units::packer::direct_loops(*early, *late);
        work.map.wide = how.read_32b;
        work.streams = 1;
        auto& conversion = stream().conversion;
        conversion.early = early->convert;
        conversion.exponents = formats::pack_exponents(early->type);
        conversion.late = late->convert;
        conversion.block = late->block;
        conversion.word_bytes = late->word_bytes;
        conversion.datum_bits = late->datum_bits;
        stream().exponents.address = 0x1000;
        stream().data.address = 0x4000;
    }
    PackWork::Stream& stream() { return work.stream[0]; }
    void segment(unsigned row, unsigned count) {
        stream().segment[stream().segments++] = {static_cast<std::uint16_t>(row * columns), count * columns, {}};
    }
    bool choose() {
        units::packer::choose_direct(loops, work.map, stream());
        return stream().direct != nullptr;
    }

    DirectLoops loops;
    PackWork work;
};

// Two states that were the same, and what they are.
class Pair {
public:
    explicit Pair(unsigned seed) {
        std::mt19937 random(seed);
        for (auto& byte : one.l1.open().first(0x20000)) byte = static_cast<std::uint8_t>(random());
        for (auto& datum : one.dst.datums) datum = static_cast<std::uint16_t>(random());
        for (unsigned w = 0; w < 4; ++w) one.write(nth(0, Packer::exp_0, w), static_cast<std::uint32_t>(random()));
        for (Packer item : {Packer::tile_size, Packer::acc_tile_size_t0})
            one.write(nth(0, item, 0), static_cast<std::uint32_t>(random()));
        one.dst.valid.set();
        other = one;
    }
    void run(PackWork work) {
        plan::run(work, one);
        work.stream[0].direct = nullptr;
        plan::run(work, other);
    }
    void expect_same() {
        ASSERT_EQ(one.l1.bytes == other.l1.bytes, true);
        ASSERT_EQ(one.l1.written(), other.l1.written());
        for (unsigned i = 0; i < state::cells::total; ++i)
            ASSERT_EQ(one[state::Cell(i)], other[state::Cell(i)]) << "cell " << i;
    }

    State one{Arch::blackhole}, other{Arch::blackhole};
};

// All of Dst, by groups or as one run of rows.
void expect_same_of_dst(const Case& c, Pair& pair, bool by_groups) {
    const unsigned view = c.early.read_32b ? rows / 2 : rows, step = by_groups ? units::packer::group_rows : view;
    for (unsigned row = 0; row < view; row += step) {
        Packing packing(c.early);
        packing.segment(row, step);
        packing.stream().flush = true;
        packing.stream().exponents.address += row / units::packer::group_rows * 16;
        packing.stream().data.address += row * columns * 4;
        ASSERT_TRUE(packing.choose());
        ASSERT_EQ(packing.stream().direct == packing.loops.group, by_groups);
        pair.run(packing.work);
    }
    pair.expect_same();
}

TEST(PackDirect, EveryPatternOf16BitsAsStageByStage) {
    Pair pair(1);
    test::on_each_target([&] {
        for (const Case& c : cases) {
            if (c.early.read_32b) continue;
            SCOPED_TRACE(c.name);
            for (unsigned first = 0; first < 0x10000; first += rows * columns)
                for (const unsigned stride : {1u, 4097u}) {
                    for (unsigned i = 0; i < rows * columns; ++i)
                        pair.one.dst.datums[i] = pair.other.dst.datums[i] =
                            static_cast<std::uint16_t>((first + i) * stride);
                    expect_same_of_dst(c, pair, stride == 1);
                    if (HasFatalFailure()) return;
                }
        }
    });
}

TEST(PackDirect, PatternsOf32BitsAsStageByStage) {
    const auto patterns = test::patterns32();
    Pair pair(2);
    test::on_each_target([&] {
        for (const Case& c : cases) {
            if (!c.early.read_32b) continue;
            SCOPED_TRACE(c.name);
            bool by_groups = false;
            for (std::size_t at = 0; at < patterns.size(); by_groups = !by_groups) {
                for (unsigned i = 0; i < rows / 2 * columns; ++i, ++at) {
                    const std::uint32_t x = patterns[at % patterns.size()];
                    const unsigned high = plan::DstMap{.wide = true}.row(i / columns) * columns + i % columns;
                    const unsigned low = (high + 8 * columns) % (rows * columns);
                    pair.one.dst.datums[high] = pair.other.dst.datums[high] = static_cast<std::uint16_t>(x >> 16);
                    pair.one.dst.datums[low] = pair.other.dst.datums[low] =
                        static_cast<std::uint16_t>(formats::dst_low(x));
                }
                expect_same_of_dst(c, pair, by_groups);
                if (HasFatalFailure()) return;
            }
        }
    });
}

// Blocks whose exponents lie near each other, as those of real data do, and in any order.
TEST(PackDirect, BlocksOfNeighbouringExponentsAsStageByStage) {
    Pair pair(3);
    std::mt19937 random(3);
    test::on_each_target([&] {
        for (const Case& c : cases)
            for (unsigned round = 0; round < 8; ++round) {
                SCOPED_TRACE(c.name);
                for (unsigned i = 0; i < rows * columns; ++i) {
                    const unsigned exponent = (i / columns * 7 + random() % (2 * round + 2)) & 0xFF;
                    const auto x = static_cast<std::uint16_t>((random() & 0x807F) | exponent << 7);
                    pair.one.dst.datums[i] = pair.other.dst.datums[i] = x;
                }
                expect_same_of_dst(c, pair, true);
                if (HasFatalFailure()) return;
            }
    });
}

// Random places of rows, validity, held bytes and ends.
TEST(PackDirect, AnyRowsAndStreamsAsStageByStage) {
    Pair pair(4);
    test::on_each_target([&] {
        std::mt19937 random(4);
        const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
        unsigned groups = 0, others = 0, not_direct = 0;
        for (unsigned i = 0; i < 4000; ++i) {
            const Case& c = cases[below(std::size(cases))];
            SCOPED_TRACE(c.name);
            Packing packing(c.early);
            auto& stream = packing.stream();
            packing.work.map.remap = below(2);
            packing.work.map.swizzle = below(2);
            packing.work.map.upper = below(4) == 0;
            stream.flush = below(2);
            stream.last = stream.flush && below(2);
            stream.header = below(2);
            stream.thread = static_cast<std::uint8_t>(below(3));
            stream.data.address = 0x2000 + 16 * below(1024);
            stream.exponents.address = below(8) ? 0x1000 : stream.data.address + 16 * below(8);
            if (stream.conversion.block) stream.exponents.filled = static_cast<std::uint8_t>(below(16));
            const unsigned first = below(2) ? 4 * below(rows / 4) : below(rows), count = below(4) ? 1 : 1 + below(20);
            const unsigned step = below(3) ? count : 16;
            for (unsigned s = 0, n = below(4) ? 4 : 1 + below(4); s < n; ++s)
                packing.segment((first + s * step) % rows, count);
            for (unsigned k = 0; k < 8; ++k) {
                const unsigned row = below(rows);
                pair.one.dst.valid[row] = pair.other.dst.valid[row] = below(8) != 0;
            }
            if (below(20) == 0) {
                constexpr std::uint32_t largest[] = {0, 7, 30, 31, 32, 127, 254, 255, 256, 0x7FFFFFFF, 0x80000000, ~0u};
                const std::uint32_t before = largest[below(std::size(largest))];
                pair.one.write(nth(0, Packer::exp_histogram_max, 0), before);
                pair.other.write(nth(0, Packer::exp_histogram_max, 0), before);
            }
            if (!packing.choose()) {
                ++not_direct;
                continue;
            }
            ++(stream.direct == packing.loops.group ? groups : others);
            pair.run(packing.work);
            pair.expect_same();
            if (HasFatalFailure()) return;
        }
        EXPECT_GT(groups, 300u);
        EXPECT_GT(others, 1000u);
        EXPECT_GT(not_direct, 50u);
    });
}

// This allows changes without State::write().
TEST(PackDirect, PackersCellsAreInNoGroupAndKeepAllBits) {
    for (const Arch arch : all_archs)
        for (unsigned i = 0; i < state::cells::packer_block.count; ++i) {
            const unsigned cell = state::index(state::cells::packer_block[i]);
            ASSERT_EQ(state::cell_groups(arch).of[cell], state::group_counter(state::Group::none, 0));
            ASSERT_EQ(state::cell_masks(arch).of[cell], ~0u);
        }
}

TEST(PackDirect, WhatIsMoreThanConversionsIsNotDirect) {
    const auto direct = [](auto&& change) {
        Packing packing(cases[2].early);
        packing.segment(8, 4);
        change(packing.stream());
        return packing.choose();
    };
    using Stream = PackWork::Stream;
    EXPECT_TRUE(direct([](Stream&) {}));
    EXPECT_FALSE(direct([](Stream& s) { s.source = PackWork::Source::zeros; }));
    EXPECT_FALSE(direct([](Stream& s) { s.source = PackWork::Source::l1; }));
    EXPECT_FALSE(direct([](Stream& s) { s.compressed = true; }));
    EXPECT_FALSE(direct([](Stream& s) { s.histogram = true; }));
    EXPECT_FALSE(direct([](Stream& s) { s.keep = 0x5555; }));
    EXPECT_FALSE(direct([](Stream& s) { s.padding = PackWork::Padding::end; }));
    EXPECT_FALSE(direct([](Stream& s) { s.data.filled = 8; }));
    EXPECT_FALSE(direct([](Stream& s) { s.grouped = 3; }));
    EXPECT_FALSE(direct([](Stream& s) { s.segment[0].datum += 1; }));
    EXPECT_FALSE(direct([](Stream& s) { s.segment[0].count -= 1; }));
    EXPECT_FALSE(direct([](Stream& s) { s.segments = 0; }));
    EXPECT_FALSE(direct([](Stream& s) {
        s.flush = true;
        s.exponents.address = s.data.address;
    }));
    PackWork::Conversion conversion;
    conversion.exponents = formats::pack_exponents(formats::PackType::bf16);
    EXPECT_TRUE(units::packer::only_converts(conversion, {}));
    conversion.relu = formats::pack_relu(formats::PackType::bf16, false, 1, 0)->apply;
    EXPECT_FALSE(units::packer::only_converts(conversion, {}));
    PackWork::Edges edges;
    edges.masked = true;
    conversion.relu = nullptr;
    EXPECT_FALSE(units::packer::only_converts(conversion, edges));
}

}  // namespace
}  // namespace tessera
