// SPDX-License-Identifier: Apache-2.0
// What hosts read of the ARC and ask it, by the addresses and codes of CHIP_FACTS 4.3.
#include "host/arc.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tessera::test {
namespace {

constexpr std::uint32_t reset_unit = 0x8003'0000, misc_control = reset_unit + 0x100, interrupt = 1 << 16, scratch_ram = reset_unit + 0x400;

class ArcTest : public testing::TestWithParam<Arch> {
protected:
    std::uint32_t get(std::uint32_t address) const {
        std::uint32_t word = 0xDEAD'BEEF;
        EXPECT_TRUE(arc.read(address, std::as_writable_bytes(std::span(&word, 1)))) << address;
        return word;
    }
    void put(std::uint32_t address, std::uint32_t word) { EXPECT_TRUE(arc.write(address, std::as_bytes(std::span(&word, 1)))) << address; }

    host::Arc arc{GetParam()};
};
class WormholeArc : public ArcTest {
protected:
    /// tt-umd's code has 0xAA in its upper byte.
    std::uint32_t ask(std::uint32_t code) {
        put(reset_unit + 0x74, 0xAA00 | code);
        put(misc_control, get(misc_control) | interrupt);
        EXPECT_EQ(get(misc_control) & interrupt, 0u);
        return get(reset_unit + 0x74);
    }
};
class BlackholeArc : public ArcTest {};

TEST_P(ArcTest, TelemetryHasTheTagsThatHostsLookUp) {
    const bool blackhole = GetParam() == Arch::blackhole;
    const std::uint32_t table = get(blackhole ? scratch_ram + 4 * 13 : reset_unit + 0x1D0);
    const std::uint32_t values = get(blackhole ? scratch_ram + 4 * 12 : reset_unit + 0x1D4);
    EXPECT_EQ(get(table), 1u);
    std::map<std::uint32_t, std::uint32_t> found;
    for (std::uint32_t i = 0; i < get(table + 4); ++i) {
        const std::uint32_t entry = get(table + 8 + 4 * i);
        found[entry & 0xFFFF] = get(values + 4 * (entry >> 16));
    }
    EXPECT_EQ(found[14], 1000u);
    EXPECT_EQ(found[4], 0u);
    EXPECT_EQ(found[11] >> 16, 40u);
    EXPECT_EQ(found[22], blackhole ? 0x5555u : 0x555u);
    for (std::uint32_t tag : {1u, 2u, 3u, 13u, 15u, 16u, 21u, 28u, 32u, 52u}) EXPECT_TRUE(found.contains(tag)) << tag;
    EXPECT_EQ(found.contains(35), blackhole);
}

TEST_P(ArcTest, MemoryKeepsBytes) {
    const std::uint64_t value = 0x1122'3344'5566'7788;
    EXPECT_TRUE(arc.write(0x1004'0003, std::as_bytes(std::span(&value, 1))));
    std::uint64_t got = 0;
    EXPECT_TRUE(arc.read(0x1004'0003, std::as_writable_bytes(std::span(&got, 1))));
    EXPECT_EQ(got, value);
    EXPECT_EQ(get(0x1004'0004), 0x4455'6677u);
}

TEST_P(ArcTest, WhatIsNotThereIsRefused) {
    std::array<std::byte, 8> bytes{};
    for (const auto& [address, size] : {std::pair(0x1007'FFFCu, 8u), {0x8003'0FFCu, 4u}, {misc_control, 8u}, {misc_control + 1, 4u}, {0u, 4u}}) {
        EXPECT_FALSE(arc.read(address, std::span(bytes).first(size))) << address;
        EXPECT_FALSE(arc.write(address, std::span(bytes).first(size))) << address;
    }
}

TEST_P(WormholeArc, AnswersMessages) {
    EXPECT_EQ(get(reset_unit + 0x60), 0xC0DE'0001u);
    EXPECT_EQ(ask(0x2C), 0x2Cu);
    EXPECT_EQ(get(0x1000'0000 + get(reset_unit + 0x6C) + 4 * 49), 0x1204'0000u);
    EXPECT_EQ(ask(0x34), 0x34u);
    EXPECT_EQ(get(reset_unit + 0x6C), 1000u);
    EXPECT_EQ(ask(0xEE), 0xFFFF'FFFFu);
}

// ARCTile/ResetUnit: a counter of 64 bits at 27 MHz. Tiles have the 1000 MHz of the telemetry.
TEST_P(WormholeArc, ItsReferenceClockCountsOn) {
    for (const auto& [cycle, count] : {std::pair(0ull, 0ull),
                                       {37, 0},
                                       {38, 1},
                                       {1'000, 27},
                                       {1'000'999, 27'026},
                                       {1ull << 60, 31'128'880'624'384'868ull}}) {
        arc.pass_to(cycle);
        EXPECT_EQ(get(reset_unit + 0xE0), static_cast<std::uint32_t>(count)) << cycle;
        EXPECT_EQ(get(reset_unit + 0xE4), static_cast<std::uint32_t>(count >> 32)) << cycle;
    }
}

TEST_P(BlackholeArc, AnswersMessagesOfAQueue) {
    EXPECT_EQ(get(scratch_ram + 8), 5u);
    const std::uint32_t block = get(scratch_ram + 4 * 11), entries = get(block + 4) & 0xFF;
    EXPECT_EQ(get(block + 4) >> 8, 4u);
    const std::uint32_t queue = get(block) + 2 * (32 + 64 * entries);  // the third
    // More messages than a queue has entries, one after the other, so that it goes round.
    for (std::uint32_t i = 0; i < 3 * entries; ++i) {
        put(queue + 32 + i % entries * 32, i % 2 ? 0x90 : 0xEE);
        put(queue, (i + 1) % (2 * entries));
        put(0x800B'0000, 0);
        EXPECT_EQ(get(queue + 16), (i + 1) % (2 * entries));
        EXPECT_EQ(get(queue + 20), (i + 1) % (2 * entries));
        EXPECT_EQ(get(queue + 32 + (entries + i % entries) * 32) & 0xFF, i % 2 ? 0u : 0xFFu);
    }
}

const auto name_of = [](const auto& one) { return std::string(name(one.param)); };
INSTANTIATE_TEST_SUITE_P(Chips, ArcTest, testing::Values(Arch::blackhole, Arch::wormhole), name_of);
INSTANTIATE_TEST_SUITE_P(Chips, WormholeArc, testing::Values(Arch::wormhole), name_of);
INSTANTIATE_TEST_SUITE_P(Chips, BlackholeArc, testing::Values(Arch::blackhole), name_of);

}  // namespace
}  // namespace tessera::test
