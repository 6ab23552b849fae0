// SPDX-License-Identifier: Apache-2.0
// Tiles that reach each other and DRAM.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include "support/chip_kernels.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;

class ChipTest : public ChipKernels {
protected:
    /// Tile (0, 0) runs what `ask` writes. Its run ends with that fault of brisc, whose message has these parts.
    template <class Ask>
    void expect_fault(std::string_view code, Ask&& ask, const std::vector<std::string_view>& parts) {
        auto asks = words();
        ask(asks);
        kernel(0, 0, asks);
        const ChipRun ran = run();
        ASSERT_TRUE(ran.fault);
        EXPECT_EQ(ran.fault->code, code) << ran.fault->message;
        EXPECT_EQ(ran.fault->where.core, "brisc");
        for (const std::string_view part : parts) EXPECT_NE(ran.fault->message.find(part), std::string::npos) << ran.fault->message;
    }
    /// Those of all tiles with that code.
    static std::vector<Finding> findings_of(const ChipRun& ran, std::string_view code) {
        std::vector<Finding> found;
        for (const TileRun& tile : ran.tiles)
            std::ranges::copy_if(tile.run.findings, std::back_inserter(found), [&](const Finding& one) { return one.code == code; });
        return found;
    }
};

class ChipTestOnWormhole : public ChipTest {};  // whose registers have two addresses

constexpr std::uint32_t flag = 0x600, data = 0x2000;

TEST_P(ChipTest, ATileTellsAnotherOneByEitherNoc) {
    for (unsigned noc = 0; noc < 2; ++noc) {
        make(2, 2);
        auto sender = words();
        sender.poke(data, 0xCAFE'0000 + noc);
        sender.peek(rv::a4, data);
        sender.write(noc, place(0, 0), data, place(1, 1), flag, 4);
        sender.wait_counter(noc, noc::Counter::mst_wr_ack_received, 1);
        kernel(0, 0, sender);
        auto receiver = words();
        receiver.wait_for(flag, 0xCAFE'0000 + noc);
        kernel(1, 1, receiver);
        expect_good(run());
        EXPECT_EQ(word(1, 1, done), 1u);
    }
}

TEST_P(ChipTest, DataComeFromDramAndGoBack) {
    make(1, 1);
    const auto channel = chip->dram_channels() - 1;
    std::vector<std::byte> bytes(300);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7);
    ASSERT_TRUE(chip->write_dram(channel, 0x1'0000, bytes));
    auto copies = words();
    copies.read(0, *chip->dram_place(channel), 0x1'0000, place(0, 0), data, 300);
    copies.wait_counter(0, noc::Counter::mst_rd_resp_received, 1);
    copies.write(1, place(0, 0), data, *chip->dram_place(0), 0x4000, 300);
    copies.wait_counter(1, noc::Counter::mst_wr_ack_received, 1);
    kernel(0, 0, copies);
    expect_good(run());
    EXPECT_EQ(*chip->read_dram(0, 0x4000, 300), bytes);
    EXPECT_EQ(*(*chip->tile(0, 0))->read_l1(data, 300), bytes);
}

TEST_P(ChipTest, WithoutDoneWordsARunEndsWithItsCores) {
    make(2, 1);
    auto code = words();
    code.spend(100);
    code.code.push_back(rv::halt);
    Kernels kernels;
    kernels.arch = GetParam();
    kernels.images[0] = image_of("brisc.elf", code.code, entry);
    ASSERT_TRUE(chip->load(1, 0, kernels));
    expect_good(run());
}

TEST_P(ChipTest, AnEthernetTileIsMemory) {
    make(1, 1);
    const NocPlace ethernet = GetParam() == Arch::blackhole ? NocPlace{1, 1} : NocPlace{1, 6};
    auto copies = words();
    copies.poke(data, 0xE7);
    copies.peek(rv::a4, data);
    copies.write(0, place(0, 0), data, ethernet, 0x3000, 4);
    copies.wait_counter(0, noc::Counter::mst_wr_ack_received, 1);
    copies.read(1, ethernet, 0x3000, place(0, 0), data + 0x1000, 4);
    copies.wait_counter(1, noc::Counter::mst_rd_resp_received, 1);
    kernel(0, 0, copies);
    expect_good(run());
    EXPECT_EQ(word(0, 0, data + 0x1000), 0xE7u);
}

// Each tile waits for its turn and gives it on.
TEST_P(ChipTest, ARingOfIncrementsIsTheSameWithAnyNumberOfHostThreads) {
    constexpr unsigned columns = 3, rows = 2, tiles = columns * rows, rounds = 5;
    std::vector<std::uint64_t> cycles;
    std::vector<std::vector<PacketEvent>> packets;
    for (unsigned threads : {1u, 2u, 4u}) {
        make(columns, rows);
        for (unsigned i = 0; i < tiles; ++i) {
            const unsigned next = (i + 1) % tiles;
            auto turn = words();
            for (unsigned round = 1; round <= rounds; ++round) {
                if (i != 0 || round != 1) turn.wait_for(flag, i == 0 ? round - 1 : round);
                turn.increment(i % 2, place(i % columns, i / columns), place(next % columns, next / columns), flag, 1);
            }
            kernel(i % columns, i / columns, turn);
        }
        ChipRunOptions options;
        options.threads = threads;
        auto& seen = packets.emplace_back();
        options.on_packet = [&](const PacketEvent& packet) { seen.push_back(packet); };
        const ChipRun ran = run(options);
        expect_good(ran);
        cycles.push_back(ran.cycles);
        EXPECT_EQ(ran.packets, 2u * tiles * rounds);
        for (unsigned i = 0; i < tiles; ++i) EXPECT_EQ(word(i % columns, i / columns, flag), rounds);
    }
    EXPECT_EQ(cycles[0], cycles[1]);
    EXPECT_EQ(cycles[0], cycles[2]);
    for (std::size_t i = 0; i < packets[0].size(); ++i) {
        EXPECT_EQ(packets[0][i].arrived, packets[1][i].arrived);
        EXPECT_EQ(packets[0][i].arrived, packets[2][i].arrived);
    }
}

// A core that polls is not executed until something comes: that must not show in the cycle in which it goes on.
TEST_P(ChipTest, ACoreThatPollsGoesOnInTheCycleInWhichItWouldHave) {
    const auto cycle_after = [&](std::uint32_t rounds) {
        make(2, 1);
        auto sender = words();
        sender.poke(data, 1);
        sender.peek(rv::a4, data);
        sender.spend(rounds);
        sender.write(0, place(0, 0), data, place(1, 0), flag, 4);
        kernel(0, 0, sender);
        auto receiver = words();
        receiver.wait_for(flag, 1);
        receiver.peek(rv::a4, 0xFFB1'21F0);  // the wall clock
        receiver.keep(rv::a4, data);
        kernel(1, 0, receiver);
        expect_good(run());
        return word(1, 0, data);
    };
    std::uint32_t before = cycle_after(20), longest = 0, shortest = ~0u;
    for (std::uint32_t rounds : {21u, 22u, 23u, 24u, 25u, 26u, 27u, 28u}) {
        const std::uint32_t after = cycle_after(rounds);
        longest = std::max(longest, after - before);
        shortest = std::min(shortest, after - before);
        before = after;
    }
    // The same steps far beyond where the core sleeps.
    before = cycle_after(50'000);
    for (std::uint32_t rounds = 50'001; rounds < 50'009; ++rounds) {
        const std::uint32_t after = cycle_after(rounds);
        EXPECT_LE(after - before, longest);
        EXPECT_GE(after - before, shortest);
        before = after;
    }
}

TEST_P(ChipTest, ABroadcastReachesEveryTileOfItsRectangle) {
    make(3, 3);
    auto sender = words();
    sender.poke(data, 0x1234);
    sender.peek(rv::a4, data);
    const unsigned noc = 0;
    sender.end(noc, noc::offset::targ_addr_lo, place(0, 0), data);
    sender.end(noc, noc::offset::ret_addr_lo, place(2, 2), flag);
    const std::uint32_t first = sender.coordinates(noc, place(1, 0)), last = sender.coordinates(noc, place(2, 2));
    if (GetParam() == Arch::blackhole)
        sender.poke(KernelWords::niu(noc) + noc::offset::ret_addr_hi, last | first << 12);
    else
        sender.poke(KernelWords::niu(noc) + noc::offset::ret_addr_mid, (last | first << 12) << 4);
    sender.go(noc, noc::ctrl::write | noc::ctrl::response_marked | noc::ctrl::broadcast | noc::ctrl::path_reserve, 4);
    sender.wait_counter(noc, noc::Counter::mst_wr_ack_received, 6);
    kernel(0, 0, sender);
    expect_good(run());
    for (unsigned column = 0; column < 3; ++column)
        for (unsigned row = 0; row < 3; ++row) EXPECT_EQ(word(column, row, flag), column == 0 ? 0u : 0x1234u) << column << ", " << row;
}

TEST_P(ChipTest, WhatNobodySendsIsADeadlockOfTheTileThatWaits) {
    make(2, 1);
    auto waits = words();
    waits.wait_for(flag, 1);
    kernel(1, 0, waits);
    auto ends = words();
    ends.spend(10);
    kernel(0, 0, ends);
    const ChipRun ran = run();
    ASSERT_TRUE(ran.fault);
    EXPECT_EQ(ran.fault->code, "deadlock");
    EXPECT_NE(ran.fault->message.find("(1, 0)"), std::string::npos) << ran.fault->message;
    EXPECT_EQ(ran.fault->message.find("(0, 0)"), std::string::npos) << ran.fault->message;
    const auto tile = std::find_if(ran.tiles.begin(), ran.tiles.end(), [](const TileRun& one) { return one.column == 1; });
    ASSERT_NE(tile, ran.tiles.end());
    EXPECT_NE(tile->run.describe_blocked().find("0x600"), std::string::npos) << tile->run.describe_blocked();
}

TEST_P(ChipTest, WrongRequestsAreFaultsOfTheInstructionThatAsks) {
    const auto expect = [&](const auto& ask, std::string_view part) {
        make(2, 2, {3});
        expect_fault("tile.noc-request", ask, {"tile (0, 0)", part});
    };
    const bool blackhole = GetParam() == Arch::blackhole;
    expect([&](KernelWords& code) { code.write(0, place(0, 0), data, {7, 7}, data, 16); }, "outside of the grid");
    expect([&](KernelWords& code) { code.write(0, place(0, 0), data, blackhole ? NocPlace{3, 5} : NocPlace{2, 3}, data, 16); }, "switched off");
    expect([&](KernelWords& code) { code.write(0, place(0, 0), data, {40, 3}, data, 16); }, "no tile");
    expect([&](KernelWords& code) { code.read(0, *chip->dram_place(1), 0x1010, place(0, 0), 0x2000, 64); }, "in reads from DRAM");
    expect([&](KernelWords& code) { code.read(0, place(1, 1), 0x17'FFF0, place(0, 0), 0x2000, 64); }, "beyond the memory");
    expect([&](KernelWords& code) { code.increment(0, place(0, 0), *chip->dram_place(1), 0x100, 1); }, "atomics work on L1");
}

// Wormhole's NIU writes translated coordinates back, so software that leaves the registers as they are means the same tile.
TEST_P(ChipTest, ALinkedRequestGoesToTheTranslatedDestinationOfTheFirst) {
    for (const bool again : {true, false}) {
        make(3, 2);
        ChipOptions options;
        options.grid = ChipOptions::Size{3, 2};
        options.translation = true;
        options.reset = Reset::vendor_sim;
        chip.emplace(std::move(*Chip::make(GetParam(), options)));
        const auto bits = [](NocPlace at) { return at.x | std::uint32_t{at.y} << 6; };
        const std::uint32_t own = bits(*chip->coordinates(0, 0)), to = bits(*chip->coordinates(2, 1));
        auto code = words();
        code.poke(data, 1);
        code.poke(data + 16, 2);
        code.peek(rv::a4, data + 16);
        code.end_at(0, noc::offset::targ_addr_lo, own, data);
        code.end_at(0, noc::offset::ret_addr_lo, to, data);
        code.go(0, noc::ctrl::write | noc::ctrl::response_marked | noc::ctrl::linked, 16);
        if (again) {
            code.end_at(0, noc::offset::targ_addr_lo, own, data + 16);
            code.end_at(0, noc::offset::ret_addr_lo, to | 3u << 12, data + 16);  // reserved bits have no meaning
        } else {
            code.poke(KernelWords::niu(0) + noc::offset::targ_addr_lo, data + 16);
            code.poke(KernelWords::niu(0) + noc::offset::ret_addr_lo, data + 16);
        }
        code.go(0, noc::ctrl::write | noc::ctrl::response_marked, 16);
        code.wait_counter(0, noc::Counter::mst_wr_ack_received, 2);
        kernel(0, 0, code);
        expect_good(run());
        EXPECT_EQ(word(2, 1, data), 1u);
        EXPECT_EQ(word(2, 1, data + 16), 2u);
    }
}

// A chip may take them: they are no mistakes of the kernel.
TEST_P(ChipTest, RequestsThatTesseraDoesNotHaveAreToldAsSuch) {
    const bool blackhole = GetParam() == Arch::blackhole;
    const auto expect = [&](const auto& ask, std::string_view part) {
        make(2, 1);
        expect_fault("tile.not-modelled", ask, {part});
    };
    const NocPlace arc = blackhole ? NocPlace{8, 0} : NocPlace{0, 10};
    // NOC_NODE_ID of a DRAM tile; on Blackhole its upper bits have no meaning (NoC/MemoryMap, NIU_BASE).
    const std::uint64_t node_id = blackhole ? 0xFFFF'FFFF'FFB2'0044 : 0xF'FFB2'002C;
    expect([&](KernelWords& code) { code.read(0, arc, 0x1000, place(0, 0), data, 4); }, "the ARC tile");
    expect([&](KernelWords& code) { code.read(0, *chip->dram_place(0), node_id, place(0, 0), data, 4); }, "registers of the DRAM tile");
    expect([&](KernelWords& code) {
               code.end(0, noc::offset::targ_addr_lo, *chip->dram_place(0), node_id);
               code.go(0, noc::ctrl::write | noc::ctrl::write_inline, 0xF, 1);
           },
           "registers of the DRAM tile");
    expect([&](KernelWords& code) {
               code.poke(KernelWords::niu(0) + noc::offset::packet_tag, noc::tag::to_overlay);
               code.write(0, place(0, 0), data, place(1, 0), data, 64);
           },
           "overlay");
}

// NoC/MemoryMap: NIU_BASE of Tensix tiles is "0x0_FFB2_0000 or 0x?_FFB2_0000".
TEST_P(ChipTestOnWormhole, UpperBitsOfAWormholeNiusAddressHaveNoMeaning) {
    constexpr std::uint32_t node_id = 0xFFB2'002C, at = data + node_id % 16;
    make(2, 1);
    auto code = words();
    code.read(0, place(1, 0), 0x7'0000'0000 | node_id, place(0, 0), at, 4);
    code.wait_counter(0, noc::Counter::mst_rd_resp_received, 1);
    kernel(0, 0, code);
    expect_good(run());
    EXPECT_EQ(word(0, 0, at) & 0xFFF, place(1, 0).x | place(1, 0).y << 6);
}

// NoC/Counters, automatic request splitting: no initiator of the NIU may get a command before the long request has left.
TEST_P(ChipTest, ACommandBesideALongRequestIsTold) {
    const auto& layout = noc::layout(GetParam());
    const auto& map = noc::register_map(GetParam());
    for (const std::uint32_t packets : {1u, 3u})
        for (const bool waits : {false, true}) {
            make(2, 1);
            const std::uint32_t niu = KernelWords::niu(0), second = map.initiator_stride;
            auto code = words();
            // Both initiators have their requests before the first command.
            code.end(0, noc::offset::targ_addr_lo + second, place(0, 0), 0x8'0000);
            code.end(0, noc::offset::ret_addr_lo + second, place(1, 0), 0x8'0000);
            code.poke(niu + second + noc::offset::ctrl, noc::ctrl::write | noc::ctrl::response_marked);
            code.poke(niu + second + noc::offset::at_len_be, 64);
            code.end(0, noc::offset::targ_addr_lo, place(0, 0), 0x2'0000);
            code.end(0, noc::offset::ret_addr_lo, place(1, 0), 0x2'0000);
            code.poke(niu + noc::offset::ctrl, noc::ctrl::write | noc::ctrl::response_marked);
            code.poke(niu + noc::offset::at_len_be, packets * layout.packet_bytes);
            code.poke(niu + map.cmd_ctrl, 1);
            if (waits) code.wait_for(niu + map.cmd_ctrl, 0);
            code.poke(niu + second + map.cmd_ctrl, 1);
            code.wait_counter(0, noc::Counter::mst_wr_ack_received, packets + 1);
            kernel(0, 0, code);
            const ChipRun ran = run();
            ASSERT_FALSE(ran.fault) << ran.fault->describe();
            const auto told = findings_of(ran, "tile.noc-busy");
            EXPECT_EQ(told.size(), packets > 1 && !waits ? 1u : 0u) << packets << waits;
            for (const Finding& one : told) EXPECT_NE(one.message.find("several packets"), std::string::npos) << one.message;
        }
}

// NoC/MemoryMap: no register of an initiator may be written before NOC_CMD_CTRL is 0.
TEST_P(ChipTest, AStoreToAnInitiatorWhoseRequestWaitsIsTold) {
    const auto& map = noc::register_map(GetParam());
    const std::uint32_t bytes = 3 * noc::layout(GetParam()).packet_bytes;
    for (const bool waits : {false, true}) {
        make(2, 1);
        const std::uint32_t niu = KernelWords::niu(0);
        auto code = words();
        code.end(0, noc::offset::targ_addr_lo, place(0, 0), 0x2'0000);
        code.end(0, noc::offset::ret_addr_lo, place(1, 0), 0x2'0000);
        code.poke(niu + noc::offset::ctrl, noc::ctrl::write | noc::ctrl::response_marked);
        code.poke(niu + noc::offset::at_len_be, bytes);
        code.poke(niu + map.cmd_ctrl, 1);
        if (waits) code.wait_for(niu + map.cmd_ctrl, 0);
        code.poke(niu + noc::offset::at_len_be, bytes);
        code.wait_counter(0, noc::Counter::mst_wr_ack_received, 3);
        kernel(0, 0, code);
        const ChipRun ran = run();
        ASSERT_FALSE(ran.fault) << ran.fault->describe();
        const auto told = findings_of(ran, "tile.noc-busy");
        EXPECT_EQ(told.size(), waits ? 0u : 1u);
        for (const Finding& one : told) {
            EXPECT_NE(one.message.find("belongs to a request initiator whose request has not begun yet"), std::string::npos) << one.message;
            EXPECT_EQ(one.where.core, "brisc");
        }
    }
}

// NoC/MemoryMap, NOC_CMD_VC_LINKED: until the last request of the transaction, routers keep its virtual channels from all others.
TEST_P(ChipTest, ATransactionThatNobodyEndsIsTold) {
    for (const unsigned niu : {0u, 1u})
        for (const bool ends : {false, true}) {
            make(2, 1);
            auto code = words();
            code.end(niu, noc::offset::targ_addr_lo, place(0, 0), data);
            code.end(niu, noc::offset::ret_addr_lo, place(1, 0), data);
            for (const bool last : {false, true}) {
                const std::uint32_t linked = last && ends ? 0 : noc::ctrl::linked;
                code.go(niu, noc::ctrl::write | noc::ctrl::response_marked | linked, 16);
                code.wait_counter(niu, noc::Counter::mst_wr_ack_received, last ? 2 : 1);
            }
            kernel(0, 0, code, RiscvCore::nc);
            const ChipRun ran = run();
            ASSERT_FALSE(ran.fault) << ran.fault->describe();
            const auto told = findings_of(ran, "tile.noc-linked");
            ASSERT_EQ(told.size(), ends ? 0u : 1u) << niu;
            for (const Finding& one : told) {
                EXPECT_EQ(one.where.core, "ncrisc");
                EXPECT_NE(one.message.find(fmt::format("the last request of NIU {} when the run ends", niu)),
                          std::string::npos)
                    << one.message;
            }
        }
}

// STREAM_REMOTE_DEST_BUF_START of a stream keeps what it gets. No core of its tile has stored it.
TEST_P(ChipTest, ARegisterThatAPacketWritesIsWrittenByThePacket) {
    const std::uint32_t address = 0xFFB4'5000 + 4 * (GetParam() == Arch::blackhole ? 8 : 3);
    make(2, 1);
    auto sender = words();
    sender.end(0, noc::offset::targ_addr_lo, place(1, 0), address);
    sender.go(0, noc::ctrl::write | noc::ctrl::write_inline | noc::ctrl::response_marked, 0xF, 0x123);
    kernel(0, 0, sender);
    auto receiver = words();
    receiver.wait_for(address, 0x123);
    kernel(1, 0, receiver);
    std::vector<std::uint64_t> told;
    ChipRunOptions options;
    options.for_tile = [&](unsigned column, unsigned, RunOptions& own) {
        own.on_write = [&told, column](const Write& write) {
            if (!write.by_packet) return;
            EXPECT_EQ(column, 1u);
            EXPECT_FALSE(write.by_host);
            EXPECT_EQ(write.core, -1);
            EXPECT_EQ(write.thread, -1);
            EXPECT_EQ(write.index, -1);
            for (const StateElement& each : write.elements) told.push_back(each.value);
        };
    };
    const ChipRun ran = run(options);
    EXPECT_FALSE(ran.fault) << ran.fault->describe();
    EXPECT_EQ(told, std::vector<std::uint64_t>{0x123});
}

// The target of a request refuses it, while a kernel of its own runs there.
TEST_P(ChipTest, ARequestThatItsTargetRefusesIsAFaultOfTheInstructionThatAsked) {
    constexpr std::uint32_t no_register = 0xFFB2'0300, behind_command = 4;
    for (const unsigned threads : {1u, 2u}) {
        make(2, 1);
        auto asks = words(), waits = words();
        asks.read(0, place(1, 0), no_register, place(0, 0), 0x7000, 4);
        // go() ends with a store to NOC_CMD_CTRL and the poll of it.
        const auto store = entry + 4 * (static_cast<std::uint32_t>(asks.code.size()) - behind_command - 1);
        asks.wait_for(0x9000, 1);
        waits.wait_for(0x9000, 1);
        kernel(0, 0, asks);
        kernel(1, 0, waits);
        ChipRunOptions options;
        options.threads = threads;
        const ChipRun ran = run(options);
        ASSERT_TRUE(ran.fault);
        EXPECT_EQ(ran.fault->code, "tile.not-modelled");
        EXPECT_EQ(ran.fault->message.find("tile (0, 0)"), 0u) << ran.fault->message;
        EXPECT_NE(ran.fault->message.find("NoC loads from 0xFFB20300"), std::string::npos) << ran.fault->message;
        EXPECT_EQ(ran.fault->where.core, "brisc");
        EXPECT_EQ(ran.fault->where.pc, store);
        EXPECT_EQ(ran.fault->where.function.find("main+"), 0u) << ran.fault->where.function;
        EXPECT_EQ(ran.fault->where.instruction.find("sw "), 0u) << ran.fault->where.instruction;
        EXPECT_TRUE(ran.fault->registers.empty());
    }
}

// Core::reset(), or another core's state, takes a tile out of its chip.
TEST_P(ChipTest, ATileThatWasResetOrAssignedToIsStillAtItsPlace) {
    for (const int how : {0, 1, 2}) {
        SCOPED_TRACE(how);
        make(2, 1);
        Core& tile = **chip->tile(1, 0);
        if (how == 0) tile.reset();
        if (how == 1) tile = **chip->tile(0, 0);
        if (how == 2) tile = *Core::of_image(tile.image());
        auto sends = words(), takes = words();
        sends.poke(0x3000, 0x1234);
        sends.write(0, place(0, 0), 0x3000, place(1, 0), 0x4000, 16);
        takes.wait_for(0x4000, 0x1234);
        kernel(0, 0, sends);
        kernel(1, 0, takes);
        expect_good(run());
    }
}

// As firmware leaves them: also of the first tile, whose place is that of a core by itself.
TEST_P(ChipTest, ATileThatWasResetHasItsNiusAsBefore) {
    ChipOptions options;
    options.grid = ChipOptions::Size{2, 1};
    options.translation = true;
    options.reset = Reset::vendor_sim;
    auto fresh = Chip::make(GetParam(), options);
    ASSERT_TRUE(fresh);
    ASSERT_TRUE(fresh->tile(0, 0));
    ASSERT_TRUE(fresh->tile(1, 0));
    const auto image = fresh->image();
    Chip reset = *fresh;
    for (unsigned column : {0u, 1u}) (*reset.tile(column, 0))->reset(Reset::vendor_sim);
    EXPECT_EQ(reset.image(), image);
    Chip assigned = *fresh;
    **assigned.tile(1, 0) = **assigned.tile(0, 0);
    EXPECT_EQ(assigned.image(), image);
    Chip restored = *fresh;
    ASSERT_TRUE(restored.restore(image));
    EXPECT_EQ(restored.image(), image);
}

TEST_P(ChipTest, KernelsThatWouldExecuteNothingAreRefused) {
    make(2, 1);
    const auto fresh = chip->image();
    Kernels kernels;
    kernels.arch = GetParam();
    kernels.images[0] = image_of("brisc.elf", std::vector<std::uint32_t>{rv::halt}, entry);
    ASSERT_TRUE(chip->load(0, 0, kernels));
    ASSERT_TRUE(chip->load(1, 0, kernels));
    expect_good(run());
    const auto again = chip->run();
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, "kernels.not-loaded");
    ASSERT_TRUE(chip->load(1, 0, kernels));
    EXPECT_TRUE(chip->run()) << "a tile has something to do";
    ASSERT_TRUE(chip->restore(fresh));
    const auto without = chip->run();
    ASSERT_FALSE(without);
    EXPECT_EQ(without.error().code, "kernels.not-loaded");
    EXPECT_NE(without.error().message.find("tile (0, 0)"), std::string::npos) << without.error().message;
}

TEST_P(ChipTest, ALimitOfOneTileIsTheRunsCycle) {
    make(1, 1);
    auto code = words();
    code.spend(1'000'000);
    kernel(0, 0, code);
    ChipRunOptions options;
    options.tile.max_cycles = 1000;
    options.for_tile = [](unsigned, unsigned, RunOptions& own) { own.max_cycles = 5000; };
    const auto ran = chip->run(options);
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->cycles, 5000u);
}

TEST_P(ChipTest, ARunIsAsLongAsItsLongestTile) {
    make(2, 1);
    auto longer = words();
    longer.spend(2000);
    kernel(0, 0, longer);
    kernel(1, 0, longer);
    ChipRunOptions options;
    options.for_tile = [](unsigned column, unsigned, RunOptions& own) {
        if (column == 0) own.max_cycles = 1000;
    };
    const auto ran = chip->run(options);
    ASSERT_TRUE(ran);
    ASSERT_EQ(ran->tiles.size(), 2u);
    EXPECT_EQ(ran->cycles, std::max(ran->tiles[0].run.cycles, ran->tiles[1].run.cycles));
}

TEST_P(ChipTest, WrongOptionsOfOneTileAreRefusedBeforeAnythingRuns) {
    const auto refused = [&](const std::function<void(RunOptions&)>& change) {
        make(2, 1);
        kernel(0, 0, words());
        kernel(1, 0, words());
        ChipRunOptions options;
        options.tile.timing = Timing::silicon;
        options.for_tile = [&](unsigned column, unsigned, RunOptions& own) {
            if (column == 1) change(own);
        };
        const auto ran = chip->run(options);
        EXPECT_NE(word(0, 0, done), 1u);
        return ran ? std::string() : ran.error().code;
    };
    for (const Timing timing : {Timing::functional, Timing::instant, Timing::documented})
        EXPECT_EQ(refused([&](RunOptions& own) { own.timing = timing; }), "chip.timing");
    EXPECT_EQ(refused([](RunOptions& own) { own.window = "MVMULL"; }), "run.window");
}

TEST(Chip, GridsThatDoNotExistAreRefused) {
    EXPECT_EQ(Chip::make(Arch::blackhole, {.grid = ChipOptions::Size{15, 1}}).error().code, "chip.grid");
    EXPECT_EQ(Chip::make(Arch::blackhole, {.grid = ChipOptions::Size{0, 1}}).error().code, "chip.grid");
    EXPECT_EQ(Chip::make(Arch::blackhole, {.harvested = {8}}).error().code, "chip.harvested");
    EXPECT_EQ(Chip::make(Arch::wormhole, {.harvested = {6}}).error().code, "chip.harvested");
    const auto refused = [](Arch arch, const ChipOptions& options) {
        const auto chip = Chip::make(arch, options);
        return chip ? std::string() : chip.error().describe();
    };
    EXPECT_THAT(refused(Arch::blackhole, {.grid = ChipOptions::Size{1, 1}, .harvested = {1, 1}}),
                testing::HasSubstr("column 1 is switched off twice"));
    EXPECT_THAT(refused(Arch::wormhole, {.harvested = {7, 5, 7}}), testing::HasSubstr("row 7 is switched off twice"));
    EXPECT_THAT(refused(Arch::blackhole, {.harvested = {8, 8}}), testing::HasSubstr("column 8 of a blackhole is no column of Tensix tiles"));
    EXPECT_THAT(refused(Arch::blackhole, {.grid = ChipOptions::Size{1, 1}, .harvested = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16}}),
                testing::HasSubstr("all columns of this blackhole are switched off"));
    EXPECT_THAT(refused(Arch::wormhole, {.harvested = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11}}),
                testing::HasSubstr("all rows of this wormhole are switched off"));
    auto blackhole = Chip::make(Arch::blackhole), wormhole = Chip::make(Arch::wormhole);
    ASSERT_TRUE(blackhole && wormhole);
    EXPECT_EQ(blackhole->columns() * blackhole->rows(), 140u);
    EXPECT_EQ(wormhole->columns() * wormhole->rows(), 80u);
    for (Timing timing : {Timing::instant, Timing::functional}) {
        ChipRunOptions options;
        options.tile.timing = timing;
        EXPECT_EQ(blackhole->run(options).error().code, "chip.timing");
    }
    EXPECT_EQ(blackhole->tile(14, 0).error().code, "chip.tile");
    EXPECT_EQ(blackhole->dram_place(8).error().code, "chip.dram");
    EXPECT_EQ(blackhole->read_dram(0, (std::uint64_t{4} << 30) - 8, 16).error().code, "dram.range");
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipTest, testing::ValuesIn(all_archs), [](const auto& chip) { return std::string(name(chip.param)); });
INSTANTIATE_TEST_SUITE_P(Wormhole, ChipTestOnWormhole, testing::Values(Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
