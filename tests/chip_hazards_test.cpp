// SPDX-License-Identifier: Apache-2.0
// Accesses of requests over the NoC that nothing orders, and what orders them: each case with and without it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "hazards/noc_knowledge.hpp"
#include "support/chip_kernels.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using noc::Counter;

constexpr std::uint32_t flag = 0x600, second_flag = 0x610, data = 0x2000, page = 0x3000, bytes = 64;
constexpr std::uint32_t vc_0 = noc::ctrl::static_vc, vc_1 = noc::ctrl::static_vc | 1u << noc::ctrl::buddy;

class ChipHazards : public ChipKernels {
protected:
    using Codes = std::set<std::string>;
    Codes codes() {
        Codes found;
        const ChipRun ran = run();
        EXPECT_FALSE(ran.fault) << ran.fault->describe();
        for (const auto& tile : ran.tiles)
            for (const auto& finding : tile.run.findings)
                if (finding.level > Level::info) found.insert(finding.code);
        return found;
    }
    static Codes only(bool wrong, const char* code) { return wrong ? Codes{code} : Codes{}; }
};

class ChipHazardsOnBlackhole : public ChipHazards {};  // with NIU_TRANS_COUNT_RTZ_SOURCE

TEST_P(ChipHazards, WhatAReadBringsIsThereAfterItsAnswer) {
    for (const bool waits : {true, false}) {
        make(1, 1);
        auto words = this->words();
        words.read(0, *chip->dram_place(0), 0, place(0, 0), data, bytes);
        if (waits) words.wait_counter(0, Counter::mst_rd_resp_received, 1);
        words.peek(rv::a4, data + 32);
        kernel(0, 0, words);
        EXPECT_EQ(codes(), only(!waits, "hazard.noc-read"));
    }
}

TEST_P(ChipHazards, WhatAReadBringsIsSentOnAfterItsAnswer) {
    for (const bool waits : {true, false}) {
        make(2, 1);
        auto words = this->words();
        words.read(0, *chip->dram_place(0), 0, place(0, 0), data, bytes);
        if (waits) words.wait_counter(0, Counter::mst_rd_resp_received, 1);
        words.write(1, place(0, 0), data + 32, place(1, 0), page, 16);
        kernel(0, 0, words);
        EXPECT_EQ(codes(), only(!waits, "hazard.noc-read"));
    }
}

TEST_P(ChipHazards, EachTransactionHasItsOwnCounter) {
    for (const unsigned id : {0u, 1u}) {
        make(1, 1);
        auto words = this->words();
        words.poke(KernelWords::niu(0) + noc::offset::packet_tag, 0);
        words.read(0, *chip->dram_place(0), 0, place(0, 0), data, bytes);
        words.wait_counter(0, Counter(static_cast<unsigned>(Counter::mst_reqs_outstanding_id) + id), 0);
        words.peek(rv::a4, data);
        kernel(0, 0, words);
        EXPECT_EQ(codes(), only(id == 1, "hazard.noc-read"));
    }
}

// The counter of the other NoC says nothing.
TEST_P(ChipHazards, EachNocHasItsOwnCounters) {
    for (const unsigned by : {0u, 1u})
        for (const unsigned asked : {0u, 1u}) {
            make(1, 1);
            auto words = this->words();
            words.read(by, *chip->dram_place(0), 0, place(0, 0), data, bytes);
            if (asked == by) {
                words.wait_counter(by, Counter::mst_rd_resp_received, 1);
            } else {
                words.wait_counter(asked, Counter::mst_rd_resp_received, 0);
                words.spend(2000);
            }
            words.peek(rv::a4, data);
            kernel(0, 0, words);
            EXPECT_EQ(codes(), only(asked != by, "hazard.noc-read")) << by << asked;
        }
}

TEST_P(ChipHazards, OnlyTheBytesOfARequestMatter) {
    for (const std::uint32_t touched : {data - 4, data, data + bytes - 4, data + bytes}) {
        make(1, 1);
        auto words = this->words();
        words.read(0, *chip->dram_place(0), 0, place(0, 0), data, bytes);
        words.peek(rv::a4, touched);
        kernel(0, 0, words);
        EXPECT_EQ(codes(), only(touched >= data && touched < data + bytes, "hazard.noc-read")) << touched - data;
    }
}

// What a read fills may not be written either; what a write sends may be read.
TEST_P(ChipHazards, ReadsAndWritesOfWhatARequestUses) {
    for (const bool fills : {true, false})
        for (const bool pokes : {true, false}) {
            make(2, 1);
            auto words = this->words();
            if (fills)
                words.read(0, *chip->dram_place(0), 0, place(0, 0), data, bytes);
            else
                words.write(0, place(0, 0), data, place(1, 0), page, bytes);
            if (pokes)
                words.poke(data, 1);
            else
                words.peek(rv::a4, data);
            kernel(0, 0, words);
            EXPECT_EQ(codes(), fills ? Codes{"hazard.noc-read"} : only(pokes, "hazard.noc-sent")) << fills << pokes;
        }
}

// Of a write, the counter of its transaction's outgoing writes tells that its data have left, and no other one.
TEST_P(ChipHazards, EachTransactionHasItsOwnCounterOfOutgoingWrites) {
    for (const unsigned id : {2u, 3u}) {
        make(2, 1);
        auto words = this->words();
        words.poke(KernelWords::niu(0) + noc::offset::packet_tag, 2u << noc::tag::transaction);
        words.write(0, place(0, 0), data, place(1, 0), page, bytes);
        words.wait_counter(0, Counter(static_cast<unsigned>(Counter::mst_write_reqs_outgoing_id) + id), 0);
        words.poke(data, 2);
        kernel(0, 0, words);
        EXPECT_EQ(codes(), only(id != 2, "hazard.noc-sent")) << id;
    }
}

// An acknowledgement says more than that the data have left; the counter of reads says nothing of writes.
TEST_P(ChipHazards, CountersOfOtherKindsSayNothing) {
    for (const bool of_writes : {true, false}) {
        make(2, 1);
        auto words = this->words();
        words.write(0, place(0, 0), data, place(1, 0), page, bytes);
        words.wait_counter(0, Counter::mst_wr_ack_received, 1);
        words.read(0, *chip->dram_place(0), 0, place(0, 0), page, bytes);
        words.spend(2000);
        words.wait_counter(0, of_writes ? Counter::mst_wr_ack_received : Counter::mst_rd_resp_received, 1);
        words.poke(data, 2);
        words.peek(rv::a4, page);
        kernel(0, 0, words);
        EXPECT_EQ(codes(), only(of_writes, "hazard.noc-read"));
    }
}

// Sixteen bytes are a flag, which needs no order itself; more are data.
TEST_P(ChipHazards, AShortWriteIsAFlag) {
    for (const std::uint32_t length : {4u, 16u, 32u}) {
        make(2, 1);
        auto sender = words();
        sender.write(0, place(0, 0), data, place(1, 0), page, length);
        kernel(0, 0, sender);
        auto receiver = words();
        receiver.spend(2000);
        receiver.peek(rv::a4, page + length - 4);
        kernel(1, 0, receiver);
        EXPECT_EQ(codes(), only(length > 16, "hazard.noc-arrival")) << length;
    }
}

// A flag of several words tells by each of them.
TEST_P(ChipHazards, EachWordOfAFlagTells) {
    for (std::uint32_t word = 0; word < 16; word += 4) {
        make(2, 1);
        auto sender = words();
        for (std::uint32_t at = 0; at < 16; at += 4) sender.poke(flag + at, 1);
        sender.peek(rv::a4, flag);
        sender.write(0, place(0, 0), data, place(1, 0), page, bytes, vc_0);
        sender.write(0, place(0, 0), flag, place(1, 0), flag, 16, vc_0);
        kernel(0, 0, sender);
        auto receiver = words();
        receiver.wait_for(flag + word, 1);
        receiver.peek(rv::a4, page);
        kernel(1, 0, receiver);
        EXPECT_EQ(codes(), Codes{}) << word;
    }
}

TEST_P(ChipHazards, WhatIsSentMayChangeAfterItHasLeft) {
    for (const bool waits : {true, false}) {
        make(2, 1);
        auto words = this->words();
        words.poke(data, 1);
        words.peek(rv::a4, data);
        words.write(1, place(0, 0), data, place(1, 0), page, bytes);
        if (waits) words.wait_counter(1, Counter::mst_nonposted_wr_req_sent, 1);
        words.poke(data, 2);
        kernel(0, 0, words);
        EXPECT_EQ(codes(), only(!waits, "hazard.noc-sent"));
    }
}

// With byte enables a whole flit leaves, whichever of its bytes the mask names.
TEST_P(ChipHazards, AWriteWithByteEnablesSendsAFlit) {
    const std::uint32_t flit = GetParam() == Arch::blackhole ? 64 : 32;
    for (const std::uint32_t changed : {data - 4, data, data + flit - 4, data + flit}) {
        make(2, 1);
        auto words = this->words();
        words.poke(changed, 1);
        words.peek(rv::a4, changed);
        words.write(1, place(0, 0), data, place(1, 0), page, 0xFF, noc::ctrl::byte_enable);
        words.poke(changed, 2);
        kernel(0, 0, words);
        EXPECT_EQ(codes(), only(changed >= data && changed < data + flit, "hazard.noc-sent")) << changed - data;
    }
}

// Two writes by one virtual channel to one place stay in order (spec-notes N11); by two channels an acknowledgement is needed.
TEST_P(ChipHazards, AFlagBehindTheDataTellsThatTheyAreThere) {
    enum class Way { same_channel, other_channel, acknowledged, no_flag_awaited };
    for (const Way way : {Way::same_channel, Way::other_channel, Way::acknowledged, Way::no_flag_awaited}) {
        make(2, 1);
        auto sender = words();
        sender.write(0, place(0, 0), data, place(1, 0), page, bytes, vc_0);
        if (way == Way::acknowledged) sender.wait_counter(0, Counter::mst_wr_ack_received, 1);
        sender.increment(0, place(0, 0), place(1, 0), flag, 1, way == Way::same_channel ? vc_0 : vc_1);
        kernel(0, 0, sender);
        auto receiver = words();
        if (way == Way::no_flag_awaited)
            receiver.spend(2000);
        else
            receiver.wait_for(flag, 1);
        receiver.peek(rv::a4, page + bytes - 4);
        kernel(1, 0, receiver);
        EXPECT_EQ(codes(), only(way == Way::other_channel || way == Way::no_flag_awaited, "hazard.noc-arrival")) << static_cast<int>(way);
    }
}

// Other reports of a grid name tiles by column and row, and instructions with their line.
TEST_P(ChipHazards, ARequestOfAnotherTileIsNamedWithItsTileAndLine) {
    for (const bool in_dram : {false, true}) {
        make(2, 1);
        const NocPlace to = in_dram ? *chip->dram_place(0) : place(1, 0);
        auto sender = words();
        sender.write(0, place(0, 0), data, to, page, bytes);
        // Four words behind the command look whether it has left.
        const std::size_t line = sender.code.size() - 4;
        const std::uint32_t pc = entry + 4 * static_cast<std::uint32_t>(line - 1);
        kernel(0, 0, sender);
        auto receiver = words();
        receiver.spend(2000);
        if (in_dram)
            receiver.read(0, to, page, place(1, 0), data, bytes);
        else
            receiver.peek(rv::a4, page);
        kernel(1, 0, receiver);
        const std::string by = fmt::format("after {}0x{:X} of brisc on tile (0, 0) (kernel.cpp:{})",
                                           in_dram ? "" : "the arrival of what ", pc, line);
        unsigned told = 0;
        for (const auto& tile : run().tiles)
            for (const auto& finding : tile.run.findings) {
                if (finding.code != (in_dram ? "hazard.noc-dram" : "hazard.noc-arrival")) continue;
                ++told;
                EXPECT_NE(finding.message.find(by), std::string::npos) << finding.message;
            }
        EXPECT_EQ(told, 1u);
    }
}

TEST_P(ChipHazards, AFlagTellsWhatItsSenderHasHeardFromOthers) {
    for (const bool acknowledged : {true, false}) {
        make(3, 1);
        auto first = words();
        first.write(0, place(0, 0), data, place(2, 0), page, bytes);
        if (acknowledged) first.wait_counter(0, Counter::mst_wr_ack_received, 1);
        first.increment(0, place(0, 0), place(1, 0), flag, 1);
        kernel(0, 0, first);
        auto second = words();
        second.wait_for(flag, 1);
        second.spend(500);
        second.increment(1, place(1, 0), place(2, 0), second_flag, 1);
        kernel(1, 0, second);
        auto third = words();
        third.wait_for(second_flag, 1);
        third.peek(rv::a4, page);
        kernel(2, 0, third);
        EXPECT_EQ(codes(), only(!acknowledged, "hazard.noc-arrival"));
    }
}

TEST_P(ChipHazards, APageMayBeWrittenAgainWhenItsTileSaysSo) {
    for (const bool waits : {true, false}) {
        make(2, 1);
        auto sender = words();
        sender.write(0, place(0, 0), data, place(1, 0), page, bytes, vc_0);
        sender.increment(0, place(0, 0), place(1, 0), flag, 1, vc_0);
        if (waits)
            sender.wait_for(flag, 1);
        else
            sender.spend(2000);
        sender.write(0, place(0, 0), data, place(1, 0), page, bytes, vc_0);
        kernel(0, 0, sender);
        auto receiver = words();
        receiver.wait_for(flag, 1);
        receiver.peek(rv::a4, page);
        receiver.increment(0, place(1, 0), place(0, 0), flag, 1);
        kernel(1, 0, receiver);
        EXPECT_EQ(codes(), only(!waits, "hazard.noc-overwrite"));
    }
}

TEST_P(ChipHazards, APageThatIsFetchedStaysUntilItsReaderSaysSo) {
    for (const bool waits : {true, false}) {
        make(2, 1);
        auto owner = words();
        owner.poke(page, 7);
        owner.peek(rv::a4, page);
        owner.increment(0, place(0, 0), place(1, 0), flag, 1);
        if (waits)
            owner.wait_for(second_flag, 1);
        else
            owner.spend(2000);
        owner.poke(page, 8);
        kernel(0, 0, owner);
        auto reader = words();
        reader.wait_for(flag, 1);
        reader.read(0, place(0, 0), page, place(1, 0), data, bytes);
        reader.wait_counter(0, Counter::mst_rd_resp_received, 1);
        reader.increment(0, place(1, 0), place(0, 0), second_flag, 1);
        kernel(1, 0, reader);
        EXPECT_EQ(codes(), only(!waits, "hazard.noc-taken"));
    }
}

// 64 bytes from 0x3000 end with 0x303F: the request's own range is told, whichever byte of it was met.
TEST_P(ChipHazards, TheBytesOfTheRequestAreTold) {
    for (const bool writes : {true, false})
        for (const std::uint32_t touched : {page, page + 32, page + bytes - 4}) {
            make(2, 1);
            auto sender = words();
            sender.write(0, place(0, 0), data, place(1, 0), page, bytes, vc_0);
            sender.increment(0, place(0, 0), place(1, 0), flag, 1, vc_0);
            sender.spend(2000);
            sender.write(0, place(0, 0), data, place(1, 0), page, bytes, vc_0);
            kernel(0, 0, sender);
            auto receiver = words();
            receiver.wait_for(flag, 1);
            if (writes)
                receiver.poke(touched, 5);
            else
                receiver.peek(rv::a4, touched);
            kernel(1, 0, receiver);
            const ChipRun ran = run();
            unsigned told = 0;
            for (const auto& tile : ran.tiles)
                for (const auto& finding : tile.run.findings) {
                    if (finding.code != "hazard.noc-overwrite") continue;
                    ++told;
                    ASSERT_GE(finding.values.size(), 2u);
                    EXPECT_EQ(finding.values[0].value, page);
                    EXPECT_EQ(finding.values[1].value, page + bytes - 1);
                    EXPECT_NE(finding.message.find("L1 0x3000 to 0x303F"), std::string::npos) << finding.message;
                }
            EXPECT_EQ(told, 1u);
        }
}

TEST_P(ChipHazards, WhatMeetsInDramHasTheLevelOfTheTileThatAsked) {
    make(1, 1);
    auto code = words();
    code.write(0, place(0, 0), data, *chip->dram_place(0), 0x1000, bytes);
    code.read(1, *chip->dram_place(0), 0x1000, place(0, 0), page, bytes);
    code.wait_counter(0, Counter::mst_wr_ack_received, 1);
    code.wait_counter(1, Counter::mst_rd_resp_received, 1);
    kernel(0, 0, code);
    for (const Level level : {Level::off, Level::info, Level::warning}) {
        ChipRunOptions options;
        options.for_tile = [level](unsigned, unsigned, RunOptions& own) { own.levels["hazard.noc-dram"] = level; };
        Chip one = *chip;
        const auto ran = one.run(options);
        ASSERT_TRUE(ran);
        const auto& findings = ran->tiles.at(0).run.findings;
        ASSERT_EQ(findings.size(), level == Level::off ? 0u : 1u);
        for (const Finding& finding : findings) EXPECT_EQ(finding.level, level);
    }
}

TEST_P(ChipHazards, WhatIsInDramMayBeReadAfterItsAcknowledgement) {
    for (const bool acknowledged : {true, false}) {
        make(2, 1);
        auto writer = words();
        writer.write(0, place(0, 0), data, *chip->dram_place(1), 0x100, bytes);
        if (acknowledged) writer.wait_counter(0, Counter::mst_wr_ack_received, 1);
        writer.increment(0, place(0, 0), place(1, 0), flag, 1);
        kernel(0, 0, writer);
        auto reader = words();
        reader.wait_for(flag, 1);
        reader.spend(2000);
        reader.read(1, *chip->dram_place(1), 0x120, place(1, 0), page + 0x20, 32);
        reader.wait_counter(1, Counter::mst_rd_resp_received, 1);
        kernel(1, 0, reader);
        EXPECT_EQ(codes(), only(!acknowledged, "hazard.noc-dram"));
    }
}

// The flag is in the tile that sets it, and the other one polls it by reads.
TEST_P(ChipHazards, AReadOfAFlagBringsWhatItsTileKnows) {
    make(2, 1);
    auto owner = words();
    owner.poke(page, 7);
    owner.poke(flag, 1);
    owner.peek(rv::a4, flag);
    kernel(0, 0, owner);
    auto reader = words();
    reader.spend(500);
    reader.read(0, place(0, 0), flag, place(1, 0), second_flag, 4);
    reader.wait_counter(0, Counter::mst_rd_resp_received, 1);
    reader.wait_for(second_flag, 1);
    reader.read(0, place(0, 0), page, place(1, 0), data, bytes);
    reader.wait_counter(0, Counter::mst_rd_resp_received, 2);
    kernel(1, 0, reader);
    EXPECT_EQ(codes(), Codes{});
}

// Also of requests to other tiles, for whose end the owner waited before it stored the flag.
TEST_P(ChipHazards, AReadOfAFlagBringsWhatItsOwnerAskedFor) {
    for (const bool reads : {true, false}) {
        make(3, 1);
        auto owner = words();
        owner.write(0, place(0, 0), data, place(2, 0), page, bytes);
        owner.wait_counter(0, Counter::mst_wr_ack_received, 1);
        owner.poke(flag, 1);
        owner.peek(rv::a4, flag);
        kernel(0, 0, owner);
        auto reader = words();
        reader.spend(5000);
        if (reads) {
            reader.read(0, place(0, 0), flag, place(1, 0), second_flag, 4);
            reader.wait_counter(0, Counter::mst_rd_resp_received, 1);
            reader.wait_for(second_flag, 1);
        }
        reader.write(0, place(1, 0), data, place(2, 0), page, bytes);
        kernel(1, 0, reader);
        EXPECT_EQ(codes(), only(!reads, "hazard.noc-overwrite")) << reads;
    }
}

// A lock by compare-and-swap: whoever takes it knows what was known by the one that freed it (NoC/Atomics: software uses the result).
TEST_P(ChipHazards, AnAtomicsResultBringsWhatIsKnownOfItsWord) {
    constexpr std::uint32_t lock = 0x5000, result = 0x5010;
    for (const bool in_dram : {false, true})
        for (const bool frees : {true, false}) {
            make(3, 1);
            const NocPlace to = in_dram ? *chip->dram_place(0) : place(2, 0);
            const auto swap = [&](KernelWords& words, unsigned column, std::uint32_t from, std::uint32_t value) {
                words.end(0, noc::offset::targ_addr_lo, place(2, 0), lock);
                words.end(0, noc::offset::ret_addr_lo, place(column, 0), result);
                words.go(0, noc::ctrl::atomic | noc::ctrl::response_marked, 4u << 12 | from << 2 | value << 6);
            };
            const auto critical = [&](KernelWords& words, unsigned column) {
                swap(words, column, 0, 1);
                words.wait_counter(0, Counter::mst_atomic_resp_received, 1);
                words.wait_for(result, 0);
                words.write(0, place(column, 0), data, to, page, bytes);
                words.wait_counter(0, Counter::mst_wr_ack_received, 1);
            };
            auto first = words();
            critical(first, 0);
            if (frees) swap(first, 0, 1, 0);
            kernel(0, 0, first);
            auto second = words();
            second.spend(5000);
            if (frees) critical(second, 1);
            if (!frees) second.write(0, place(1, 0), data, to, page, bytes);
            kernel(1, 0, second);
            EXPECT_EQ(codes(), only(!frees, in_dram ? "hazard.noc-dram" : "hazard.noc-overwrite")) << in_dram;
        }
}

// A ticket that was taken before the others tells nothing of them.
TEST_P(ChipHazards, ATicketTellsOfEarlierTicketsOnly) {
    constexpr std::uint32_t tickets = 0x5000;
    for (const bool first_in_line : {true, false}) {
        make(3, 1);
        auto writes = words();
        if (!first_in_line) writes.spend(2000);
        writes.write(0, place(0, 0), data, place(2, 0), page, bytes);
        writes.wait_counter(0, Counter::mst_wr_ack_received, 1);
        if (first_in_line) writes.increment(0, place(0, 0), place(2, 0), tickets, 1);
        kernel(0, 0, writes);
        auto later = words();
        later.spend(first_in_line ? 2000 : 0x10);
        later.increment(0, place(1, 0), place(2, 0), tickets, 1);
        later.wait_counter(0, Counter::mst_atomic_resp_received, 1);
        later.peek(rv::a4, 0x800);  // where increment() has its result
        if (!first_in_line) later.spend(4000);
        later.write(0, place(1, 0), data, place(2, 0), page, bytes);
        kernel(1, 0, later);
        EXPECT_EQ(codes(), only(!first_in_line, "hazard.noc-overwrite"));
    }
}

// tt-metal signals by the space that a stream has available: a write to the update register changes the register that cores poll.
class ChipStreamHazards : public ChipHazards {
protected:
    static constexpr std::uint32_t stream = 0xFFB4'5000, space = 3;
    static std::uint32_t update() { return stream + 4 * (GetParam() == Arch::blackhole ? 270 : 34); }
    static std::uint32_t available() { return stream + 4 * (GetParam() == Arch::blackhole ? 297 : 64); }
};

TEST_P(ChipStreamHazards, ARegisterOfAStreamIsAFlag) {
    for (const bool acknowledged : {true, false}) {
        make(2, 1);
        auto sender = words();
        sender.write(0, place(0, 0), data, place(1, 0), page, bytes);
        if (acknowledged) sender.wait_counter(0, Counter::mst_wr_ack_received, 1);
        sender.end(0, noc::offset::targ_addr_lo, place(1, 0), update());
        sender.go(0, noc::ctrl::write | noc::ctrl::write_inline | noc::ctrl::response_marked, 0xF, space << 6);
        kernel(0, 0, sender);
        auto receiver = words();
        receiver.wait_for(available(), space);
        receiver.peek(rv::a4, page);
        kernel(1, 0, receiver);
        EXPECT_EQ(codes(), only(!acknowledged, "hazard.noc-arrival"));
    }
}

// The register of another stream tells nothing.
TEST_P(ChipStreamHazards, EachStreamIsAFlagOfItsOwn) {
    make(2, 1);
    auto sender = words();
    sender.write(0, place(0, 0), data, place(1, 0), page, bytes);
    sender.wait_counter(0, Counter::mst_wr_ack_received, 1);
    sender.end(0, noc::offset::targ_addr_lo, place(1, 0), update());
    sender.go(0, noc::ctrl::write | noc::ctrl::write_inline | noc::ctrl::response_marked, 0xF, space << 6);
    kernel(0, 0, sender);
    auto receiver = words();
    receiver.spend(3000);
    receiver.peek(rv::a4, available() + 0x1000);
    receiver.peek(rv::a4, page);
    kernel(1, 0, receiver);
    EXPECT_EQ(codes(), Codes{"hazard.noc-arrival"});
}

TEST_P(ChipStreamHazards, AReadOfARegisterBringsWhatItsTileKnows) {
    make(2, 1);
    auto owner = words();
    owner.poke(page, 7);
    owner.peek(rv::a4, page);
    owner.poke(update(), space << 6);
    kernel(0, 0, owner);
    auto reader = words();
    reader.spend(3000);
    reader.read(0, place(0, 0), available(), place(1, 0), second_flag + available() % 16, 4);
    reader.wait_counter(0, Counter::mst_rd_resp_received, 1);
    reader.wait_for(second_flag + available() % 16, space);
    reader.read(0, place(0, 0), page, place(1, 0), data, bytes);
    reader.wait_counter(0, Counter::mst_rd_resp_received, 2);
    kernel(1, 0, reader);
    EXPECT_EQ(codes(), Codes{});
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipStreamHazards, testing::ValuesIn(all_archs), [](const auto& chip) { return std::string(name(chip.param)); });

// NIU_TRANS_COUNT_RTZ_SOURCE has a bit for each transaction whose counter has returned to 0, NIU_TRANS_COUNT_RTZ_NUM the first that is enabled.
TEST_P(ChipHazardsOnBlackhole, ACounterThatHasReturnedToZeroIsASign) {
    constexpr std::uint32_t niu = KernelWords::niu(0);
    for (const std::uint32_t sign : {noc::offset::rtz_source, noc::offset::rtz_num, 0u})
        for (const unsigned id : {2u, 3u}) {
            make(1, 1);
            auto words = this->words();
            words.poke(niu + noc::offset::rtz_cfg, 1u << 2 | 1u << 3);
            words.poke(niu + noc::offset::packet_tag, id << noc::tag::transaction);
            words.read(0, *chip->dram_place(0), 0, place(0, 0), data, bytes);
            words.spend(3000);
            if (sign) words.peek(rv::a4, niu + sign);
            words.peek(rv::a4, data);
            kernel(0, 0, words);
            EXPECT_EQ(codes(), only(!sign, "hazard.noc-read")) << sign << ' ' << id;
        }
}

// Bits 12 to 23 of a unicast's place have no meaning: both writes go the same way.
TEST_P(ChipHazards, ReservedBitsOfAPlaceChangeNoOrder) {
    make(2, 1);
    auto sender = words();
    sender.end(0, noc::offset::targ_addr_lo, place(0, 0), data);
    sender.end_at(0, noc::offset::ret_addr_lo, sender.coordinates(0, place(1, 0)) | 5u << 12, page);
    sender.go(0, noc::ctrl::write | noc::ctrl::response_marked | vc_0, bytes);
    sender.increment(0, place(0, 0), place(1, 0), flag, 1, vc_0);
    kernel(0, 0, sender);
    auto receiver = words();
    receiver.wait_for(flag, 1);
    receiver.peek(rv::a4, page);
    kernel(1, 0, receiver);
    EXPECT_EQ(codes(), Codes{});
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipHazards, testing::ValuesIn(all_archs), [](const auto& chip) { return std::string(name(chip.param)); });
INSTANTIATE_TEST_SUITE_P(Blackhole, ChipHazardsOnBlackhole, testing::Values(Arch::blackhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

// Held against plain sets.
TEST(NocKnowledge, SetsOfRequestsAreSets) {
    std::mt19937 random(5);
    for (int round = 0; round < 500; ++round) {
        std::array<hazards::RequestSet, 2> sets;
        std::array<std::set<std::uint32_t>, 2> plain;
        for (int i = 0; i < 60; ++i) {
            const std::size_t which = random() % 2;
            const std::uint32_t number = 1 + random() % 120;
            if (random() % 8 == 0) {
                const auto before = plain[which];
                plain[which].insert(plain[1 - which].begin(), plain[1 - which].end());
                EXPECT_NE(sets[1 - which].news(sets[which]).here, plain[which] == before);
                sets[which].join(sets[1 - which]);
            } else {
                sets[which].add(number);
                plain[which].insert(number);
            }
            for (std::uint32_t n = 1; n <= 130; ++n) ASSERT_EQ(sets[which].has(n), plain[which].contains(n)) << n;
        }
    }
}

}  // namespace
