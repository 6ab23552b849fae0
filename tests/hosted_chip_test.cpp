// SPDX-License-Identifier: Apache-2.0
// A chip that a host drives.
#include "tessera/hosted_chip.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "host/pci_device.hpp"
#include "support/hosted_chip.hpp"
#include "tessera/gdb_server.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;

/// NCRISC has instruction memory of its own.
class HostedChipWithIramTest : public HostedChipTest {};

/// Requests over the NoC reach TDMA-RISC.
class HostedChipMoverTest : public HostedChipTest {
protected:
    static constexpr std::uint32_t tdma = 0xFFB1'1000, status = tdma + 0x14, copy = 0x9000, l1_to_registers = 1, l1_to_l1 = 3;

    /// The stores that give the command to move 64 bytes from `data`.
    static std::array<std::pair<std::uint32_t, std::uint32_t>, 5> command(std::uint32_t to, std::uint32_t direction) {
        return {{{tdma, data / 16}, {tdma + 4, to / 16}, {tdma + 8, 4}, {tdma + 0xC, direction}, {tdma + 0x10, 0x40}}};
    }
    std::optional<Finding> reported(std::string_view code) {
        for (const TileReport& report : chip->take_reports())
            if (report.finding && report.finding->code == code) return report.finding;
        return std::nullopt;
    }
};

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

TEST_P(HostedChipTest, CoresAreInResetUntilTheHostReleasesThem) {
    EXPECT_EQ(read(first, soft_reset), all_in_reset);
    auto code = words();
    code.poke(answer, 7);
    place_code(first, code);
    chip->clock(1000);
    EXPECT_EQ(read(first, answer), 0u);
    write(first, soft_reset, b_runs);
    chip->clock(1000);
    EXPECT_EQ(read(first, answer), 7u);
    EXPECT_EQ(chip->cycle(), 2000u);
    EXPECT_TRUE(chip->take_reports().empty());
}

TEST_P(HostedChipTest, CoresThatStartLatePushInstructions) {
    constexpr std::uint32_t t0_begins = 0x6000, t0_runs = all_in_reset & ~0x1000u, instruction_buffer = 0xFFE4'0000, nop = 0x0200'0000;
    auto code = words();
    code.poke(instruction_buffer, nop);
    code.peek(rv::a4, 0xFFE8'0004);  // TTSync: all instructions of T0 are executed
    code.poke(data, 7);
    place_code(first, code, t0_begins);
    for (unsigned start = 0; start < 3; ++start) {
        write(first, soft_reset, all_in_reset);
        write(first, data, 0);
        chip->clock(1000);
        write(first, soft_reset, t0_runs);
        chip->clock(1000);
        EXPECT_EQ(read(first, data), 7u) << start;
    }
}

TEST_P(HostedChipTest, ACoreThatResetsItselfGoesNoFurther) {
    auto code = words();
    code.poke(answer, 7);
    code.poke(soft_reset, all_in_reset);
    for (unsigned i = 0; i < 32; ++i) code.poke(answer, 8);
    start(first, code);
    chip->clock(1000);
    EXPECT_EQ(read(first, soft_reset), all_in_reset);
    EXPECT_EQ(read(first, answer), 7u);
    // Released again, it begins at its first instruction.
    write(first, answer, 0);
    write(first, soft_reset, b_runs);
    chip->clock(1000);
    EXPECT_EQ(read(first, answer), 7u);
}

TEST_P(HostedChipTest, ACoreThatPollsSeesWhatTheHostWrites) {
    start(first, echo(3));
    for (unsigned i = 1; i <= 3; ++i) {
        chip->clock(100'000);
        EXPECT_EQ(read(first, answer), i - 1);
        write(first, flag, i);
        unsigned waited = 0;
        while (read(first, answer) != i && ++waited < 200) chip->clock(1);
        EXPECT_GT(waited, 1u);
        EXPECT_LT(waited, 200u);
    }
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

TEST_P(HostedChipTest, TilesReachEachOtherAndDram) {
    const NocPlace dram{0, 0};
    write(dram, 0x1'0000, 0xCAFE'F00D);
    auto code = words();
    code.read(0, dram, 0x1'0000, first, data, 4);
    code.wait_counter(0, noc::Counter::mst_rd_resp_received, 1);
    code.write(1, first, data, second, data, 4);
    start(first, code);
    chip->clock(20'000);
    EXPECT_EQ(read(second, data), 0xCAFE'F00Du);
}

TEST_P(HostedChipTest, BReleasesTheOtherCores) {
    auto t0 = words();
    t0.poke(answer, 9);
    constexpr std::uint32_t t0_begins = 0x6000;
    auto code = words();
    code.poke(soft_reset, b_runs & ~(1u << 12));
    place_code(first, t0, t0_begins);
    constexpr std::uint32_t behind = 0x6010;
    static_assert(behind == answer);  // the word lies in T0's code, which has been executed by then
    start(first, code);
    chip->clock(5000);
    EXPECT_EQ(read(first, answer), 9u);
}

TEST_P(HostedChipTest, NewCodeAfterAResetIsExecuted) {
    auto code = words();
    code.poke(answer, 1);
    start(first, code);
    chip->clock(1000);
    EXPECT_EQ(read(first, answer), 1u);
    expect_restart();
}

// As firmware copies NCRISC's code: TDMA-RISC, StatusBits().
TEST_P(HostedChipTest, ACoreWaitsForTheMoverByItsStatus) {
    constexpr std::uint32_t tdma = 0xFFB1'1000, units = 64, l1_to_l1 = 3, move = 0x40, busy_at_first = answer + 4, copy = 0x9000;
    for (std::uint32_t i = 0; i < units * 16; i += 4) write(first, data + i, ~i);
    auto code = words();
    code.poke(tdma + 0x00, data / 16);
    code.poke(tdma + 0x04, copy / 16);
    code.poke(tdma + 0x08, units);
    code.poke(tdma + 0x0C, l1_to_l1);
    code.poke(tdma + 0x10, move);
    code.peek(rv::a4, tdma + 0x14);
    code.keep(rv::a4, busy_at_first);
    code.wait_for(tdma + 0x14, 0x428);  // nothing is left: queues are empty, with room for four commands
    code.peek(rv::a4, copy + units * 16 - 4);
    code.keep(rv::a4, answer);
    start(first, code);
    chip->clock(5000);
    EXPECT_EQ(read(first, busy_at_first), 0x429u);
    EXPECT_EQ(read(first, answer), ~(units * 16 - 4));
}

// The mover's command belongs to no thread: T0 has nothing to wait for after it.
TEST_P(HostedChipWithIramTest, AnotherCoresMoverCommandIsNoInstructionOfT0) {
    constexpr std::uint32_t tdma = 0xFFB1'1000, l1_to_l0 = 1, move = 0x40, t0_begins = 0x6000, done = 0x8000, ncrisc_iram = 0x4000;
    auto t0 = words();
    t0.peek(rv::a4, 0xFFE8'0004);  // TTSync: all instructions of T0 are executed
    t0.poke(done, 9);
    place_code(first, t0, t0_begins);
    auto code = words();
    code.poke(tdma + 0x00, data / 16);
    code.poke(tdma + 0x04, ncrisc_iram);
    code.poke(tdma + 0x08, 0x3B);
    code.poke(tdma + 0x0C, l1_to_l0);
    code.poke(tdma + 0x10, move);
    code.spend(500);
    code.poke(soft_reset, b_runs & ~(1u << 12));
    start(first, code);
    chip->clock(5000);
    EXPECT_EQ(read(first, done), 9u);
}

TEST_P(HostedChipTest, AFaultStopsItsCoreAlone) {
    auto code = words();
    code.peek(rv::a4, 0x8000'0000);  // nothing is there
    code.poke(answer, 1);
    start(first, code);
    start(second, echo(1));
    chip->clock(2000);
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_TRUE(reports[0].is_fault);
    EXPECT_EQ(reports[0].place, first);
    EXPECT_EQ(reports[0].what().code, "tile.unmapped");
    EXPECT_TRUE(chip->take_reports().empty());
    EXPECT_EQ(read(first, answer), 0u);
    write(second, flag, 1);
    chip->clock(1000);
    EXPECT_EQ(read(second, answer), 1u);

    expect_restart();
}

TEST_P(HostedChipTest, AnIllegalInstructionStopsItsCoreAlone) {
    auto code = words();
    code.code.push_back(0xFFFF'FFFF);
    start(first, code);
    chip->clock(2000);
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_TRUE(reports[0].is_fault);
    EXPECT_LT(reports[0].what().where.cycle, 2000u);
}

TEST_P(HostedChipTest, AFaultOfTheCoprocessorStopsItsTileUntilItIsReset) {
    auto code = words();
    code.poke(0xFFE4'0000, 0xFF00'0000);  // no instruction of thread 0
    code.spend(300);
    code.poke(answer, 1);
    start(first, code);
    chip->clock(3000);
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_TRUE(reports[0].is_fault);
    EXPECT_TRUE(reports[0].fault);
    EXPECT_EQ(read(first, answer), 0u);
    expect_restart();
}

TEST_P(HostedChipTest, ARequestThatCannotBeMadeIsLeftOut) {
    auto code = words();
    code.write(0, first, data, {0, 0}, 0xFFFF'FFF0, 64);
    code.poke(answer, 1);
    start(first, code);
    chip->clock(5000);
    const auto reports = chip->take_reports();
    ASSERT_FALSE(reports.empty());
    EXPECT_TRUE(reports[0].is_fault);
    EXPECT_EQ(reports[0].what().code, "tile.noc-request");
    start(second, echo(1));
    write(second, flag, 1);
    chip->clock(1000);
    EXPECT_EQ(read(second, answer), 1u);
}

// Tessera has Ethernet tiles without their registers.
TEST_P(HostedChipTest, ARequestThatATileWithoutCoresRefusesNamesWhoAsked) {
    const NocPlace ethernet{1, GetParam() == Arch::blackhole ? 1u : 0u};
    auto code = words();
    code.read(0, ethernet, 0xFFB3'0000, first, data, 4);
    start(first, code);
    chip->clock(5000);
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_TRUE(reports[0].is_fault);
    EXPECT_EQ(reports[0].place, ethernet);
    EXPECT_EQ(reports[0].what().code, "tile.not-modelled");
    EXPECT_EQ(reports[0].what().message.find("a request of brisc at ("), 0u) << reports[0].what().message;
    EXPECT_FALSE(reports[0].what().cure.empty());
    EXPECT_GT(reports[0].what().where.cycle, 0u);
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
    constexpr std::uint64_t all = ~std::uint64_t{0}, last = all / 2;
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

TEST_P(HostedChipTest, AHostStartsARequestByATilesRegisters) {
    const auto& map = noc::register_map(GetParam());
    constexpr std::uint32_t to = 0x8000, value = 0xABCD;
    auto nothing = words(), works = words();
    works.spend(100'000);
    const std::optional<KernelWords> kernels[] = {std::nullopt, nothing, works};
    for (const auto& kernel : kernels) {
        power_on();
        if (kernel) start(first, *kernel);
        chip->clock(500);
        const auto put = [&](std::uint32_t offset, std::uint32_t word) { write(first, KernelWords::niu(0) + offset, word); };
        const auto end = [&](std::uint32_t lo, NocPlace place, std::uint32_t address) {
            const std::uint32_t there = words().coordinates(0, place);
            put(lo, address);
            put(lo + 4, GetParam() == Arch::blackhole ? 0 : there << 4);
            if (GetParam() == Arch::blackhole) put(lo + 8, there);
        };
        write(first, data, value);
        end(noc::offset::targ_addr_lo, first, data);
        end(noc::offset::ret_addr_lo, second, to);
        put(noc::offset::packet_tag, 0);
        put(noc::offset::ctrl, noc::ctrl::write | noc::ctrl::response_marked);
        put(noc::offset::at_len_be, 4);
        put(map.cmd_ctrl, 1);
        chip->clock(1000);
        EXPECT_EQ(read(second, to), value);
        EXPECT_EQ(read(first, KernelWords::niu(0) + map.cmd_ctrl), 0u);
        EXPECT_EQ(counter(first, noc::Counter::mst_wr_ack_received), 1u);
        EXPECT_EQ(counter(first, noc::Counter::mst_reqs_outstanding_id), 0u);
        EXPECT_TRUE(chip->take_reports().empty());
    }
}

// NoC/Counters: a write has one data flit at least.
TEST_P(HostedChipTest, AWriteOfNoByteIsOneFlitOfDataForBothSides) {
    auto code = words();
    for (const std::uint32_t mask : {0u, 3u}) code.write(0, first, data, second, data, mask, noc::ctrl::byte_enable);
    start(first, code);
    chip->clock(5000);
    EXPECT_EQ(counter(first, noc::Counter::mst_nonposted_wr_data_word_sent), 2u);
    EXPECT_EQ(counter(second, noc::Counter::slv_nonposted_wr_data_word_received), 2u);
}

TEST_P(HostedChipTest, AtomicsAtTheLastAddressAreRefusedAtTheirInstruction) {
    constexpr std::uint32_t word = 0x2000;
    const std::uint64_t last = GetParam() == Arch::blackhole ? ~std::uint64_t{0} : 0xF'FFFF'FFFF;
    const std::pair<std::uint64_t, std::uint64_t> ends[] = {{last - 15, 0x800}, {word, last - 3}};
    for (const auto& [target, response] : ends) {
        power_on();
        auto code = words();
        code.end(0, noc::offset::targ_addr_lo, second, target);
        code.end(0, noc::offset::ret_addr_lo, first, response);
        code.go(0, noc::ctrl::atomic | noc::ctrl::response_marked, 1u << 12 | 31u << 2, 1);
        start(first, code);
        chip->clock(5000);
        const auto reports = chip->take_reports();
        ASSERT_EQ(reports.size(), 1u);
        EXPECT_EQ(reports[0].place, first);
        EXPECT_EQ(reports[0].what().code, "tile.noc-request");
        EXPECT_EQ(reports[0].what().where.core, "brisc");
        EXPECT_EQ(read(second, word), 0u);
    }
}

// NoC/MemoryMap: NIU_CFG_0 and ROUTER_CFG_0 to 4 are read and written in the tile's address space.
TEST_P(HostedChipTest, ARequestWritesConfigurationOfAnotherTilesNiu) {
    constexpr std::uint32_t router_cfg_2 = 0xFFB2'010C, value = 0x123;
    auto code = words();
    code.poke(data + 0xC, value);
    code.write(0, first, data + 0xC, second, router_cfg_2, 4);
    start(first, code);
    chip->clock(5000);
    EXPECT_EQ(read(second, router_cfg_2), value);
    EXPECT_TRUE(chip->take_reports().empty());
}

// The instruction that asked belongs to another tile: no place of the tile that is reached is named.
TEST_P(HostedChipTest, ReportsAboutARequestNameWhoAsked) {
    const auto report_of = [&](std::uint32_t address, std::uint32_t value) {
        power_on();
        auto sender = words(), receiver = words();
        sender.poke(data + address % 16, value);
        sender.write(0, first, data + address % 16, second, address, 4);
        receiver.spend(5000);
        start(second, receiver);
        start(first, sender);
        chip->clock(5000);
        const auto reports = chip->take_reports();
        EXPECT_EQ(reports.size(), 1u);
        return reports.empty() ? TileReport() : reports[0];
    };
    const auto expect = [](const TileReport& report, std::string_view code, std::string_view part) {
        EXPECT_EQ(report.place, second);
        EXPECT_EQ(report.what().code, code);
        EXPECT_NE(report.what().message.find(part), std::string::npos) << report.what().message;
        EXPECT_EQ(report.what().where.core, "");
        EXPECT_EQ(report.what().where.pc, -1);
        EXPECT_EQ(report.what().where.instruction, "");
    };
    const std::uint32_t initiator = 0xFFB2'0000;
    expect(report_of(initiator, 5), "tile.not-modelled", "a request of brisc at (1, 2) to the tile at (3, 4): NoC stores to 0xFFB20000");
    expect(report_of(soft_reset, b_runs | 3), "tile.reset-bits", "asked for by brisc at (1, 2)");
    power_on();
    write(second, soft_reset, all_in_reset | 3);
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 1u);
    expect(reports[0], "tile.reset-bits", "asked for by a host");
}

// No core of the tile has seen the status that a host or another tile loads.
TEST_P(HostedChipMoverTest, ARequestForTheMoversStatusOrdersNothing) {
    constexpr std::uint32_t loaded = 0x6014, idle = 0x428;
    for (const bool by_host : {true, false}) {
        SCOPED_TRACE(by_host);
        power_on();
        auto code = words(), other = words();
        for (const auto& [address, value] : command(copy, l1_to_l1)) code.poke(address, value);
        code.spend(400);
        code.poke(data, 8);
        other.spend(100);
        other.read(0, first, status, second, loaded, 4);
        if (!by_host) start(second, other);
        start(first, code);
        chip->clock(300);
        const std::uint32_t seen_by_host = by_host ? read(first, status) : 0;
        chip->clock(4000);
        EXPECT_EQ(by_host ? seen_by_host : read(second, loaded), idle);
        const auto hazard = reported("hazard.core-l1");
        ASSERT_TRUE(hazard);
        EXPECT_NE(hazard->message.find(" of brisc"), std::string::npos) << hazard->message;
    }
}

TEST_P(HostedChipMoverTest, ACommandOfAHostIsOfNoCore) {
    auto code = words();
    code.spend(400);
    code.poke(data, 8);
    start(first, code);
    chip->clock(200);
    for (const auto& [address, value] : command(copy, l1_to_l1)) write(first, address, value);
    chip->clock(4000);
    const auto hazard = reported("hazard.core-l1");
    ASSERT_TRUE(hazard);
    EXPECT_EQ(hazard->where.core, "brisc");
    EXPECT_TRUE(hazard->message.ends_with("after the mover command of a request over the NoC")) << hazard->message;
    EXPECT_EQ(hazard->cure, "let a core of this tile load RISCV_TDMA_REG_STATUS until bit 0 is 0 before this access");
}

TEST_P(HostedChipMoverTest, AFindingOfAHostsCommandNamesIt) {
    constexpr std::uint32_t behind_registers = 0x8'0000;
    for (const auto& [address, value] : command(behind_registers, l1_to_registers)) write(first, address, value);
    const auto nowhere = reported("mover.nowhere");
    ASSERT_TRUE(nowhere);
    EXPECT_TRUE(nowhere->message.ends_with(" (asked for by a host)")) << nowhere->message;
    EXPECT_EQ(nowhere->where.core, "");
}

INSTANTIATE_TEST_SUITE_P(Chips, HostedChipTest, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });
INSTANTIATE_TEST_SUITE_P(Chips, HostedChipMoverTest, testing::Values(Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });
INSTANTIATE_TEST_SUITE_P(Chips, HostedChipWithIramTest, testing::Values(Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
