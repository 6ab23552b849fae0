// SPDX-License-Identifier: Apache-2.0
// Reports about requests of several tiles to one.
#include <algorithm>

#include "support/hosted_chip.hpp"

namespace tessera::test {
namespace {

class RequestAskers : public HostedChipTest {};

// The same instruction of three tiles, in a row and in a column: each is told once.
TEST_P(RequestAskers, EachTileIsToldApart) {
    constexpr NocPlace senders[] = {first, {2, 2}, {1, 3}};
    auto receiver = words();
    receiver.spend(100'000);
    start(second, receiver);
    std::uint32_t bits = 0;
    for (const NocPlace sender : senders) {
        bits = bits << 1 | 1;
        auto code = words();
        code.poke(data, b_runs | bits);
        code.write(0, sender, data, second, soft_reset, 4);
        start(sender, code);
        chip->clock(3000);
    }
    write(second, soft_reset, b_runs | 0xF);
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 4u);
    const auto told = [&](const std::string& who) {
        return std::ranges::count_if(
            reports, [&](const TileReport& report) { return report.what().message.find("asked for by " + who) != std::string::npos; });
    };
    EXPECT_EQ(told("brisc at (1, 2)"), 1);
    EXPECT_EQ(told("brisc at (2, 2)"), 1);
    EXPECT_EQ(told("brisc at (1, 3)"), 1);
    EXPECT_EQ(told("a host"), 1);
}

// Different cores of neighbours at the same address.
TEST_P(RequestAskers, CoresOfDifferentTilesAreToldApart) {
    constexpr std::uint32_t t0_begins = 0x6000, code_data = 0x9000;
    constexpr NocPlace neighbour{2, 2};
    auto receiver = words();
    receiver.spend(100'000);
    start(second, receiver);
    std::uint32_t bits = 0;
    for (const NocPlace sender : {first, neighbour}) {
        bits = bits << 1 | 1;
        auto code = words();
        code.poke(code_data, b_runs | bits);
        code.write(0, sender, code_data, second, soft_reset, 4);
        place_code(sender, code, t0_begins);
        const std::uint32_t jump = rv::jal(rv::zero, t0_begins);  // of B, which begins at 0
        EXPECT_TRUE(chip->write(sender, 0, std::as_bytes(std::span(&jump, 1))));
        write(sender, soft_reset, sender == first ? all_in_reset & ~0x1000u : b_runs);
        chip->clock(5000);
    }
    const auto reports = chip->take_reports();
    ASSERT_EQ(reports.size(), 2u);
    EXPECT_NE(reports[0].what().message.find("asked for by trisc0 at (1, 2)"), std::string::npos);
    EXPECT_NE(reports[1].what().message.find("asked for by brisc at (2, 2)"), std::string::npos);
}

TEST_P(RequestAskers, AnErrorOfAHostsAccessNamesItsRegister) {
    const auto error_of = [&](std::uint64_t address) {
        std::uint32_t value = 0;
        const auto got = chip->read(first, address, std::as_writable_bytes(std::span(&value, 1)));
        EXPECT_FALSE(got);
        return got ? std::string() : got.error().message;
    };
    const auto expect = [&](std::uint64_t address, std::string_view part) {
        EXPECT_NE(error_of(address).find(part), std::string::npos) << error_of(address);
    };
    expect(0xFFB1'2094, "RISCV_DEBUG_REG_DBG_INVALID_INSTRN: Tessera does not model this register");
    expect(0xFFEF'0000, "configuration word 0: only RISC-V cores have this access");
    expect(0xFFD0'0000, "NoC loads from 0xFFD00000: no region of its memory map has this address; the nearest region is "
                        "NOC_OVERLAY_START_ADDR");
}

/// Requests over the NoC reach TDMA-RISC.
class RequestAskersOfTheMover : public HostedChipTest {};

// A chip would keep some commands. Tessera says that it does not take the second one.
TEST_P(RequestAskersOfTheMover, ACommandToABusyMoverIsRefused) {
    constexpr std::uint32_t tdma = 0xFFB1'1000, l1_to_l1 = 3, move = 0x40;
    const auto go = [&] {
        const std::uint32_t value = move;
        return chip->write(second, tdma + 0x10, std::as_bytes(std::span(&value, 1)));
    };
    std::uint32_t offset = 0;
    for (const std::uint32_t parameter : {0x1000u, 0x4000u, 0x1000u, l1_to_l1}) {
        write(second, tdma + offset, parameter);
        offset += 4;
    }
    EXPECT_TRUE(go());
    chip->clock(100);
    const auto again = go();
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("the target is busy, and"), std::string::npos) << again.error().message;
    // The same from another tile.
    auto code = words();
    code.poke(data, move);
    code.write(0, first, data, second, tdma + 0x10, 4);
    start(first, code);
    chip->clock(1000);
    const auto reports = chip->take_reports();
    const auto fault = std::ranges::find_if(reports, [](const TileReport& report) { return report.is_fault; });
    ASSERT_NE(fault, reports.end());
    EXPECT_EQ(fault->what().code, "tile.not-modelled");
    EXPECT_NE(fault->what().message.find("the target is busy, and"), std::string::npos) << fault->what().message;
}

INSTANTIATE_TEST_SUITE_P(Chips, RequestAskersOfTheMover, testing::Values(Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });
INSTANTIATE_TEST_SUITE_P(Chips, RequestAskers, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
}  // namespace tessera::test
