// SPDX-License-Identifier: Apache-2.0
// Requests over the NoC on a chip that a host drives: what they reach, and reports about them.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/hosted_chip.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;

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

// What follows it leaves.
TEST_P(HostedChipTest, ARequestWhoseDataCannotBeReadIsLeftOut) {
    constexpr std::uint32_t not_modelled = 0xFFB1'2000;
    auto code = words();
    code.poke(0x2000, 0x1234);
    code.write(0, first, not_modelled, second, 0x3000, 4);
    code.write(0, first, 0x2000, second, 0x3000, 16);
    code.wait_counter(0, noc::Counter::mst_wr_ack_received, 1);
    code.poke(answer, 1);
    start(first, code);
    chip->clock(10'000);
    EXPECT_EQ(read(first, answer), 1u);
    EXPECT_EQ(read(second, 0x3000), 0x1234u);
    EXPECT_EQ(read(first, KernelWords::niu(0) + noc::register_map(GetParam()).cmd_ctrl), 0u);
    EXPECT_EQ(counter(first, noc::Counter::mst_reqs_outstanding_id), 0u);
    EXPECT_EQ(chip->take_reports().size(), 1u);
}

TEST_P(HostedChipTest, APacketArrivesWhateverAFunctionDoes) {
    HostedChipOptions options;
    bool throws = true;
    options.on_packet = [&](const PacketEvent&) {
        if (std::exchange(throws, false)) throw std::runtime_error("of the user");
    };
    power_on(options);
    auto code = words();
    code.poke(0x2000, 0x1234);
    code.write(0, first, 0x2000, second, 0x3000, 16);
    code.wait_counter(0, noc::Counter::mst_wr_ack_received, 1);
    code.poke(answer, 1);
    start(first, code);
    EXPECT_THROW(chip->clock(10'000), std::runtime_error);
    chip->clock(10'000);
    EXPECT_EQ(read(second, 0x3000), 0x1234u);
    EXPECT_EQ(read(first, answer), 1u);
}

// In the middle of a cycle.
TEST_P(HostedChipTest, AFunctionOfTheChipReadsMemoriesAlone) {
    for (const std::uint64_t lag : {std::uint64_t{0}, std::uint64_t{100'000}}) {
        SCOPED_TRACE(lag);
        HostedChipOptions options;
        options.lag = lag;
        unsigned calls = 0;
        options.tile.on_write = [&](const Write&) {
            ++calls;
            std::uint32_t word = 0;
            const auto bytes = std::as_writable_bytes(std::span(&word, 1));
            EXPECT_TRUE(chip->read(second, 0x3000, bytes));
            EXPECT_TRUE(chip->waiting(second));
            const auto loaded = chip->read(first, soft_reset, bytes);
            ASSERT_FALSE(loaded);
            EXPECT_EQ(loaded.error().code, "host.call");
            const auto written = chip->write(second, 0x3000, bytes);
            ASSERT_FALSE(written);
            EXPECT_EQ(written.error().code, "host.call");
        };
        power_on(options);
        auto code = words();
        code.poke(answer, 1);
        start(first, code);
        chip->clock(1000);
        chip->catch_up();
        EXPECT_EQ(read(first, answer), 1u);
        EXPECT_GT(calls, 0u);
    }
}

TEST_P(HostedChipTest, TimeEndsBeforeItWrapsAround) {
    chip->clock(~std::uint64_t{0});
    EXPECT_EQ(chip->cycle(), (std::uint64_t{1} << 60) - 1);
    auto code = words();
    code.poke(answer, 1);
    start(first, code);
    chip->clock(1000);
    EXPECT_EQ(chip->cycle(), (std::uint64_t{1} << 60) - 1);
}

TEST_P(HostedChipTest, OptionsOfOneTileEndItNoSooner) {
    HostedChipOptions options;
    options.for_tile = [](unsigned, unsigned, RunOptions& own) { own.max_cycles = 10; };
    power_on(options);
    auto code = words();
    code.spend(1000);
    code.poke(answer, 1);
    start(first, code);
    chip->clock(100'000);
    EXPECT_EQ(read(first, answer), 1u);
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

// A reset of cores is none of the NIU, so no request is lost: neither the tile's own, nor another one's to it.
TEST_P(HostedChipTest, RequestsOutliveTheResetBehindAFaultOfTheCoprocessor) {
    const NocPlace dram{0, 0};
    write(dram, 0x1'0000, 0xCAFE'F00D);
    auto code = words();
    code.read(0, dram, 0x1'0000, first, data, 4);
    code.poke(0xFFE4'0000, 0xFF00'0000);  // no instruction of thread 0
    start(first, code);
    chip->clock(3000);
    ASSERT_EQ(chip->take_reports().size(), 1u);
    EXPECT_EQ(counter(first, noc::Counter::mst_reqs_outstanding_id), 1u);
    auto sends = words();
    sends.poke(data, 77);
    sends.write(0, second, data, first, data + 0x40, 4);
    sends.wait_counter(0, noc::Counter::mst_wr_ack_received, 1);
    sends.poke(answer, 1);
    start(second, sends);
    chip->clock(3000);
    EXPECT_EQ(read(second, answer), 0u);

    write(first, soft_reset, all_in_reset);
    auto waits = words();
    waits.wait_counter(0, noc::Counter::mst_rd_resp_received, 1);
    waits.poke(answer, 1);
    start(first, waits);
    const std::uint64_t released = chip->cycle();
    chip->clock(3000);
    EXPECT_EQ(read(first, answer), 1u);
    EXPECT_EQ(read(first, data), 0xCAFE'F00Du);
    EXPECT_EQ(counter(first, noc::Counter::mst_reqs_outstanding_id), 0u);
    EXPECT_EQ(read(second, answer), 1u);
    EXPECT_EQ(read(first, data + 0x40), 77u);
    EXPECT_EQ(chip->cycle(), released + 3000);
    EXPECT_TRUE(chip->take_reports().empty());
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

INSTANTIATE_TEST_SUITE_P(Chips, HostedChipMoverTest, testing::Values(Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
