// SPDX-License-Identifier: Apache-2.0
// A host's calls to a chip: its options, accesses, places, the clock, and windows of PCI Express.
#include "tessera/hosted_chip.hpp"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "host/pci_device.hpp"
#include "support/hosted_chip.hpp"
#include "tessera/gdb_server.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;

/// The first window of BAR0 reaches that place. Returns the address that does.
std::uint64_t set_window(host::PciDevice& device, Arch arch, const host::Reached& to) {
    const bool blackhole = arch == Arch::blackhole;
    const unsigned window_bits = blackhole ? 21 : 20, address_bits = (blackhole ? 64 : 36) - window_bits, noc_bits = blackhole ? 2 : 1;
    constexpr std::uint64_t bar0 = 0x1'0000'0000, windows = 0x1FC0'0000;
    std::vector<std::uint32_t> entry(blackhole ? 3 : 2);
    unsigned at = 0;
    const auto put = [&](unsigned bits, std::uint64_t value) {
        for (unsigned i = 0; i < bits; ++i, ++at) entry[at / 32] |= static_cast<std::uint32_t>(value >> i & 1) << at % 32;
    };
    put(address_bits, to.address >> window_bits);
    for (const unsigned coordinate : {to.x, to.y, to.first_x, to.first_y}) put(6, coordinate);
    put(noc_bits, to.noc);
    put(1, to.multicast);
    EXPECT_TRUE(device.write(bar0 + windows, std::as_bytes(std::span(entry))));
    return bar0 + (to.address & ((std::uint64_t{1} << window_bits) - 1));
}

// However often a host says that time goes on, what happens when stays the same.
TEST_P(HostedChipTest, StepsOfTheClockChangeNothing) {
    const auto cycle_of_answer = [&](unsigned step) {
        power_on();
        auto sender = words();
        sender.wait_for(flag, 1);
        sender.write(0, first, flag, second, flag, 4);
        start(first, sender);
        start(second, echo(1));
        for (std::uint64_t passed = 0; passed < 1200; passed += step) chip->clock(step);
        write(first, flag, 1);
        const auto from = chip->cycle();
        while (read(second, answer) != 1 && chip->cycle() < from + 5000) chip->clock(1);
        return chip->cycle();
    };
    const auto one = cycle_of_answer(1);
    EXPECT_LT(one, 3000u);
    EXPECT_EQ(cycle_of_answer(400), one);
    EXPECT_EQ(cycle_of_answer(1200), one);
}

TEST_P(HostedChipTest, WrongAccessesAreRefused) {
    std::array<std::byte, 8> bytes{};
    const auto code_of = [&](NocPlace place, std::uint64_t address, std::size_t size) {
        const auto got = chip->read(place, address, std::span(bytes).first(size));
        const auto put = chip->write(place, address, std::span(bytes).first(size));
        EXPECT_FALSE(got);
        EXPECT_FALSE(put);
        if (got || put) return std::string();
        EXPECT_EQ(got.error().code, put.error().code);
        return got.error().code;
    };
    const auto& layout = noc::layout(GetParam());
    EXPECT_EQ(code_of({40, 0}, 0, 4), "host.tile");
    EXPECT_EQ(code_of({GetParam() == Arch::blackhole ? 8u : 0u, GetParam() == Arch::blackhole ? 0u : 10u}, 0, 4), "host.tile");
    EXPECT_EQ(code_of(first, layout.l1_bytes - 4, 8), "host.range");
    EXPECT_EQ(code_of({0, 0}, layout.dram_bytes - 4, 8), "host.range");
    EXPECT_EQ(code_of({1, GetParam() == Arch::blackhole ? 1u : 0u}, layout.ethernet_l1_bytes, 4), "host.range");
    EXPECT_EQ(code_of(first, soft_reset + 1, 4), "host.register");
    EXPECT_EQ(code_of(first, soft_reset, 3), "host.register");
    EXPECT_EQ(code_of(first, 0xFFC0'0000, 4), "host.register");
}

TEST_P(HostedChipTest, CoordinatesMeanPlaces) {
    HostedChipOptions options;
    options.chip.translation = true;
    auto made = HostedChip::make(GetParam(), options);
    ASSERT_TRUE(made) << made.error().describe();
    const NocPlace tensix = GetParam() == Arch::blackhole ? NocPlace{16, 11} : NocPlace{9, 11};
    const NocPlace as_told = GetParam() == Arch::blackhole ? NocPlace{16, 11} : NocPlace{25, 27};
    EXPECT_EQ(made->place(0, as_told.x, as_told.y), tensix);
    EXPECT_EQ(made->place(1, as_told.x, as_told.y), tensix);
    EXPECT_EQ(chip->place(0, 3, 2), (NocPlace{3, 2}));
    const auto& layout = noc::layout(GetParam());
    EXPECT_EQ(chip->place(1, 3, 2), (NocPlace{layout.width - 4u, layout.height - 3u}));
    const NocPlace dram = GetParam() == Arch::blackhole ? NocPlace{17, 12} : NocPlace{17, 0};
    EXPECT_EQ(made->place(0, dram.x, dram.y), (NocPlace{GetParam() == Arch::blackhole ? 9u : 5u, 0}));
}

TEST_P(HostedChipTest, CoordinatesOutsideOfTheNocStayOutside) {
    const NocPlace given[] = {{65, 66}, {40, 2}, {1, 32}, {0xFFFF'FFC1, 0xFFFF'FFC2}, {0xFFFF'FFFF, 2}};
    for (const NocPlace at : given)
        for (const NocPlace place : {at, chip->place(0, at.x, at.y), chip->place(1, at.x, at.y)}) {
            std::array<std::byte, 4> bytes{};
            const auto got = chip->read(place, data, bytes);
            ASSERT_FALSE(got);
            EXPECT_EQ(got.error().code, "host.tile");
            EXPECT_EQ(got.error().message.find("(" + std::to_string(at.x) + ", " + std::to_string(at.y) + ") is outside"), 0u)
                << got.error().message;
        }
}

TEST_P(HostedChipTest, TheClockHasALastCycle) {
    constexpr std::uint64_t all = ~std::uint64_t{0}, last = (std::uint64_t{1} << 60) - 1;
    chip->clock(1000);
    for (const std::uint64_t cycles : {all, all, std::uint64_t{1}}) {
        chip->clock(cycles);
        EXPECT_EQ(chip->cycle(), last);
    }
}

TEST_P(HostedChipTest, HalfAMemoryOfTheHostIsRefused) {
    HostedChipOptions one, other;
    one.host_memory.read = [](std::uint64_t, std::span<std::byte>) {};
    other.host_memory.write = [](std::uint64_t, std::span<const std::byte>) {};
    for (const auto& options : {one, other}) {
        const auto made = HostedChip::make(GetParam(), options);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().code, "host.call");
    }
}

TEST_P(HostedChipTest, ADebuggersServerNeedsAChipForItself) {
    EXPECT_EQ(HostedGdbServer::listen(*chip, {.port = 0}).error().code, "gdb.listen");
    HostedChipOptions options;
    options.debugger = true;
    power_on(options);
    {
        const auto server = HostedGdbServer::listen(*chip, {.port = 0});
        ASSERT_TRUE(server) << server.error().describe();
        const auto second = HostedGdbServer::listen(*chip, {.port = 0});
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, "gdb.listen");
    }
    EXPECT_TRUE(HostedGdbServer::listen(*chip, {.port = 0}));
    GdbOptions behind_nul;
    behind_nul.port = 0;
    behind_nul.address += std::string("\0more", 5);
    const auto cut_off = HostedGdbServer::listen(*chip, behind_nul);
    ASSERT_FALSE(cut_off);
    EXPECT_EQ(cut_off.error().code, "gdb.listen");
}

// The first write of each of four tiles throws.
TEST_P(HostedChipTest, AnExceptionOfAnObserverReachesTheHost) {
    const auto answers = [&](unsigned threads) {
        HostedChipOptions options;
        options.threads = threads;
        options.for_tile = [](unsigned column, unsigned row, RunOptions& own) {
            own.on_write = [=, throws = true](const Write&) mutable {
                if (std::exchange(throws, false)) throw std::runtime_error(std::to_string(column) + "," + std::to_string(row));
            };
        };
        power_on(options);
        for (unsigned x = 1; x <= 4; ++x) {
            auto code = words();
            code.poke(data, 1);
            code.spend(100);
            code.poke(answer, 2);
            start({x, 2}, code);
        }
        std::vector<std::string> all;
        while (chip->cycle() < 10'000) try {
                chip->clock(1000);
            } catch (const std::runtime_error& thrown) {
                all.push_back(thrown.what());
            }
        EXPECT_FALSE(all.empty());
        for (unsigned x = 1; x <= 4; ++x) all.push_back(std::to_string(read({x, 2}, data)) + " " + std::to_string(read({x, 2}, answer)));
        return all;
    };
    const auto alone = answers(1);
    EXPECT_EQ(answers(4), alone);
    EXPECT_EQ(answers(200), alone);
}

TEST(HostedChip, AReportOfNothingHasNoText) { EXPECT_EQ(TileReport{}.what().code, ""); }

TEST_P(HostedChipTest, AMulticastReachesTheTensixTilesOfARectangle) {
    const std::uint32_t value = 0x1234'5678;
    const auto& layout = noc::layout(GetParam());
    // From the last two columns around to the second one.
    EXPECT_TRUE(chip->multicast({layout.width - 2u, 2}, {1, 3}, data, std::as_bytes(std::span(&value, 1))));
    unsigned written = 0;
    for (const noc::Place at : noc::tensix_tiles(GetParam())) {
        const bool inside = (at.y == 2 || at.y == 3) && (at.x >= layout.width - 2u || at.x <= 1);
        EXPECT_EQ(read({at.x, at.y}, data), inside ? value : 0u) << noc::describe(at);
        written += inside;
    }
    EXPECT_GT(written, 3u);
}

// NoC/Coordinates: software swaps start and end on NoC 1, whose data flow the other way.
TEST_P(HostedChipTest, AMulticastWindowReachesTheSameRectangleByEitherNoc) {
    const bool blackhole = GetParam() == Arch::blackhole;
    const auto& layout = noc::layout(GetParam());
    for (const bool translated : {false, true})
        for (const unsigned noc : {0u, 1u}) {
            HostedChipOptions options;
            options.chip.translation = translated;
            auto made = HostedChip::make(GetParam(), options);
            ASSERT_TRUE(made);
            host::SystemMemory memory(GetParam(), {});
            host::PciDevice device(std::move(*made), memory);
            const auto seen = [&](noc::Place place) -> NocPlace {
                if (translated) return blackhole ? NocPlace{place.x, place.y} : NocPlace{place.x + 17u, place.y + 17u};
                const noc::Place there = layout.seen_by(noc, place);
                return {there.x, there.y};
            };
            const noc::Place low{1, 2}, high{2, 3};
            const NocPlace start = seen(noc ? high : low), end = seen(noc ? low : high);
            const std::uint32_t value = 0x1234'5678;
            const auto address = set_window(device, GetParam(), {noc, end.x, end.y, true, start.x, start.y, data});
            EXPECT_TRUE(device.write(address, std::as_bytes(std::span(&value, 1))));
            for (const noc::Place at : noc::tensix_tiles(GetParam())) {
                std::uint32_t got = 0;
                EXPECT_TRUE(device.chip().read({at.x, at.y}, data, std::as_writable_bytes(std::span(&got, 1))));
                const bool inside = at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y;
                EXPECT_EQ(got, inside ? value : 0u) << noc::describe(at) << " by NoC " << noc << (translated ? ", translated" : "");
            }
        }
}

TEST_P(HostedChipTest, OnlyACommandToATilesDebuggerTakesTime) {
    constexpr std::uint64_t debug_control = 0xFFB1'2080;
    host::SystemMemory memory(GetParam(), {});
    host::PciDevice device(std::move(*chip), memory);
    const auto cycles = [&](NocPlace place, std::uint64_t address) {
        const std::uint32_t value = 0;
        const auto from = device.chip().cycle();
        (void)device.write(set_window(device, GetParam(), {0, place.x, place.y, false, 0, 0, address}), std::as_bytes(std::span(&value, 1)));
        return device.chip().cycle() - from;
    };
    EXPECT_EQ(cycles(first, debug_control), 1000u);
    EXPECT_EQ(cycles(first, debug_control + 4), 0u);
    // DRAM has a word there on Blackhole, and nothing on Wormhole.
    EXPECT_EQ(cycles({0, 0}, debug_control), 0u);
}

// ARCTile/ResetUnit, REFCLK_COUNTER_LOW: by BAR0 and by the NoC.
TEST_P(HostedChipTest, WormholesReferenceClockCountsWithTheClock) {
    if (GetParam() == Arch::blackhole) return;
    host::SystemMemory memory(GetParam(), {});
    host::PciDevice device(std::move(*chip), memory);
    std::uint32_t count = ~0u;
    const auto bytes = std::as_writable_bytes(std::span(&count, 1));
    EXPECT_TRUE(device.read(0x1'1FF3'00E0, bytes));
    EXPECT_EQ(count, 0u);
    device.chip().clock(1000);
    EXPECT_TRUE(device.read(0x1'1FF3'00E0, bytes));
    EXPECT_EQ(count, 27u);
    device.chip().clock(1000);
    EXPECT_TRUE(device.read_tile({0, 10}, 0x8'8003'00E0, bytes));
    EXPECT_EQ(count, 54u);
}

INSTANTIATE_TEST_SUITE_P(Chips, HostedChipTest, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
