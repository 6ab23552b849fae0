// SPDX-License-Identifier: Apache-2.0
// Mailboxes, PCBufs, TTSync and semaphores of a tile by their documents' rules.
#include "support/tile_devices.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using namespace tessera::test::devices;
using tile::Reply;
using tile::User;
using tile::WaitFor;

class TileFifos : public TileDevicesTest {};

// Mailboxes, "Memory map": each writes at the receiver's number, and reads at the sender's.
TEST_P(TileFifos, MailboxesGoFromEachToEach) {
    for (unsigned from = 0; from < 4; ++from)
        for (unsigned to = 0; to < 4; ++to) {
            const User writer = User(from), reader = User(to);
            EXPECT_EQ(value(reader, mailbox + from * 0x1000 + 4), 0u);
            expect_wait(load(reader, mailbox + from * 0x1000), WaitFor::mailbox_value);
            done(writer, mailbox + to * 0x1000, 10 * from + to);
            done(writer, mailbox + to * 0x1000, 77);
            EXPECT_EQ(value(reader, mailbox + from * 0x1000 + 4), 1u);
            EXPECT_EQ(value(reader, mailbox + from * 0x1000), 10 * from + to);
            EXPECT_EQ(value(reader, mailbox + from * 0x1000), 77u);
            EXPECT_EQ(value(reader, mailbox + from * 0x1000 + 4), 0u);
        }
    expect_fault(load(User::nc, mailbox), "tile.no-access");
}

TEST_P(TileFifos, MailboxesOfAWriterHoldFourTogether) {
    for (unsigned to = 0; to < 4; ++to) done(User::t1, mailbox + to * 0x1000, to);
    for (unsigned to = 0; to < 4; ++to) expect_wait(store(User::t1, mailbox + to * 0x1000, 9), WaitFor::mailbox_room);
    EXPECT_EQ(store(User::t1, mailbox, 9).waiting.index(), 0) << "the first of equal ones";
    for (unsigned i = 0; i < 4; ++i) done(User::t2, mailbox + (i == 0 ? 0x1000 : i == 1 ? 0x2000 : 0x3000), i);
    EXPECT_EQ(store(User::t2, mailbox, 9).waiting.index(), 3) << "two are for T2";
    done(User::t0, mailbox + 0x3000, 5);
    EXPECT_EQ(value(User::b, mailbox + 0x2000), 0u);
    done(User::t1, mailbox + 0x3000, 9);
}

TEST_P(TileFifos, PcBufsHoldSixteenInOrder) {
    for (unsigned thread = 0; thread < 3; ++thread) {
        const std::uint32_t side_b = pc_buf + thread * 0x1'0000;
        expect_wait(load(feeding[thread], pc_buf), WaitFor::pc_buf_value);
        for (std::uint32_t i = 0; i < 16; ++i) done(User::b, side_b + 4 * i, 100 + i);
        expect_wait(store(User::b, side_b, 1), WaitFor::pc_buf_room);
        done(feeding[thread], pc_buf, 12345);  // discarded
        for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(value(feeding[thread], pc_buf), 100 + i);
        expect_wait(load(feeding[thread], pc_buf), WaitFor::pc_buf_value);
    }
}

TEST_P(TileFifos, BsReadOfAPcBufWaitsForThreeThings) {
    const std::uint32_t side_b = pc_buf + 0x1'0000;
    expect_wait(load(User::b, side_b), WaitFor::pc_buf_done);  // T1 does not wait
    expect_wait(load(User::t1, pc_buf), WaitFor::pc_buf_value);
    port.idle_now = false;
    expect_wait(load(User::b, side_b), WaitFor::pc_buf_done);
    port.idle_now = true;
    EXPECT_EQ(value(User::b, side_b), 0u);
    done(User::b, side_b, 3);
    expect_wait(load(User::b, side_b), WaitFor::pc_buf_done);
    expect_wait(load(User::b, pc_buf), WaitFor::pc_buf_done);
}

// A core in reset waits for nothing, though it waited before.
TEST_P(TileFifos, BsReadOfAPcBufDoesNotEndForACoreInReset) {
    done(User::b, soft_reset, 0);
    expect_wait(load(User::t0, pc_buf), WaitFor::pc_buf_value);
    EXPECT_EQ(value(User::b, pc_buf), 0u);
    done(User::b, soft_reset, 1 << 12);
    expect_wait(load(User::b, pc_buf), WaitFor::pc_buf_done);
}

// Equal contents are equal in the sections "mailbox" and "pc_buf", whatever was there before.
TEST_P(TileFifos, FifosKeepNothingOfWhatWasTaken) {
    const auto& words = port.state().tile.words;
    const auto before = words;
    for (std::uint32_t i = 1; i <= 4; ++i) done(User::t2, mailbox + 0x1000, i);
    for (std::uint32_t i = 1; i <= 16; ++i) done(User::b, pc_buf + 0x1'0000, i);
    EXPECT_NE(words, before);
    for (std::uint32_t i = 1; i <= 4; ++i) EXPECT_EQ(value(User::t0, mailbox + 0x3000), i);
    for (std::uint32_t i = 1; i <= 16; ++i) EXPECT_EQ(value(User::t1, pc_buf), i);
    EXPECT_EQ(words, before);
}

// SoftReset: mailboxes that the core writes, and its PCBuf. Another core's stay.
TEST_P(TileFifos, ResetEmptiesTheFifosOfItsCoreAlone) {
    const auto& words = port.state().tile.words;
    done(User::b, soft_reset, 0);
    const auto empty = words;
    for (unsigned core = 0; core < 4; ++core) {
        for (unsigned to = 0; to < 4; ++to) done(User(core), mailbox + to * 0x1000, 5);
        for (std::uint32_t i = 1; core > 0 && i <= 16; ++i) done(User::b, pc_buf + (core - 1) * 0x1'0000, i);
        done(User::b, soft_reset, 0x800 << core);
        done(User::b, soft_reset, 0);
        EXPECT_EQ(words, empty) << core;
    }
    done(User::b, mailbox, 5);
    done(User::t2, mailbox + 0x3000, 6);
    for (unsigned thread = 0; thread < 3; ++thread) done(User::b, pc_buf + thread * 0x1'0000, 7);
    const auto filled = words;
    done(User::b, soft_reset, 1 << 18);
    done(User::b, soft_reset, 0);
    EXPECT_EQ(words, filled) << "NC has neither";
}

// The words beside those of the core are not touched either.
TEST_P(TileFifos, ResetLeavesTheFifosOfOtherCores) {
    done(User::b, soft_reset, 0);
    for (unsigned core = 0; core < 4; ++core) {
        for (unsigned from = 0; from < 4; ++from)
            for (unsigned to = 0; to < 4; ++to) done(User(from), mailbox + to * 0x1000, 10 * from + to + 1);
        for (unsigned thread = 0; thread < 3; ++thread) done(User::b, pc_buf + thread * 0x1'0000, 50 + thread);
        done(User::t0, soft_reset, 0x800 << core);
        done(User::t0, soft_reset, 0);
        for (unsigned from = 0; from < 4; ++from)
            for (unsigned to = 0; from != core && to < 4; ++to) EXPECT_EQ(value(User(to), mailbox + from * 0x1000), 10 * from + to + 1) << core;
        for (unsigned thread = 0; thread < 3; ++thread) {
            if (thread + 1 == core) continue;
            EXPECT_EQ(value(feeding[thread], pc_buf), 50 + thread) << core;
        }
    }
}

// A core may poll what another one changes, and a host what a core does.
TEST_P(TileFifos, ChangesAreToldToWhoeverWaitsForThem) {
    const auto tells = [&](auto access) {
        const unsigned before = port.raised;
        access();
        return port.raised > before;
    };
    EXPECT_TRUE(tells([&] { done(User::t0, mailbox, 1); }));
    EXPECT_FALSE(tells([&] { value(User::b, mailbox + 0x1000 + 4); }));
    EXPECT_TRUE(tells([&] { value(User::b, mailbox + 0x1000); }));
    EXPECT_TRUE(tells([&] { done(User::b, pc_buf, 1); }));
    EXPECT_TRUE(tells([&] { value(User::t0, pc_buf); }));
    EXPECT_TRUE(tells([&] { done(User::b, debug + 0x90, 1); }));
    EXPECT_FALSE(tells([&] { value(User::b, debug + 0x90); }));
    EXPECT_TRUE(tells([&] { done(User::b, debug + 0x68, 0x800); }));
    EXPECT_TRUE(tells([&] { done(User::b, 0xFFB2'0000, 1); }));
    EXPECT_TRUE(tells([&] { tile::host_reset(devices, {true}, true, 0); }));
    if (GetParam() == Arch::blackhole) {
        EXPECT_TRUE(tells([&] { done(User::b, 0xFFB1'8000, 1); }));
    }
}

TEST_P(TileFifos, OverrideLetsReadsOfPcBufsAndTtSyncPass) {
    port.idle_now = port.expanded_now = false;
    expect_wait(load(User::t2, pc_buf + 4), WaitFor::coprocessor_done);
    expect_wait(load(User::t2, pc_buf + 8), WaitFor::mops_expanded);
    done(User::nc, debug + 0x90, (1u | 0xA5u << 2) << 20);  // OverrideEn and OverrideValue of PCBuf 2
    EXPECT_EQ(value(User::t2, pc_buf), 0xA5u);
    expect_wait(load(User::t2, pc_buf + 4), WaitFor::coprocessor_done);
    done(User::nc, debug + 0x90, 3u << 20);
    EXPECT_EQ(load(User::t2, pc_buf + 4).kind, Reply::Kind::done);
    EXPECT_EQ(load(User::t2, pc_buf + 8).kind, Reply::Kind::done);
    EXPECT_EQ(value(User::b, pc_buf + 0x2'0000), 0u);
    expect_wait(load(User::t1, pc_buf + 4), WaitFor::coprocessor_done);
    port.idle_now = port.expanded_now = true;
    EXPECT_EQ(load(User::t1, pc_buf + 4).kind, Reply::Kind::done);
    EXPECT_EQ(load(User::t1, pc_buf + 8).kind, Reply::Kind::done);
}

TEST_P(TileFifos, TtSyncHasTwoRegistersAndIgnoresStores) {
    for (const User user : feeding) {
        for (std::uint32_t offset = 4; offset < 0x20; offset += 4) done(user, pc_buf + offset, 1);
        for (std::uint32_t offset = 4; offset <= 8; offset += 4) EXPECT_EQ(value(user, pc_buf + offset), 0u);
        for (std::uint32_t offset = 0xC; offset < 0x20; offset += 4) {
            const Reply reply = load(user, pc_buf + offset);
            expect_fault(reply, "tile.not-modelled");
            EXPECT_STREQ(reply.why, "it has only CoprocessorDoneCheck and MOPExpanderDoneCheck");
        }
    }
    EXPECT_TRUE(port.asked.empty());
}

TEST_P(TileFifos, SemaphoresAreReadAndBitZeroOfAStoreTakesOne) {
    for (unsigned i = 0; i < 8; ++i) {
        port.state().write(state::cells::semaphore_value(i), i + 3);
        EXPECT_EQ(value(User::t1, pc_buf + 0x20 + 4 * i), i + 3);
        done(User::t1, pc_buf + 0x20 + 4 * i, 0xFFFE);
        EXPECT_EQ(port.asked.back(), RecordingPort::stored(2, state::cells::semaphore_value(i), plan::CellOp::post, 0));
        done(User::t1, pc_buf + 0x20 + 4 * i, 3);
        EXPECT_EQ(port.asked.back(), RecordingPort::stored(2, state::cells::semaphore_value(i), plan::CellOp::get, 0));
    }
    expect_fault(load(User::t0, pc_buf + 0x40), "tile.not-modelled");
    expect_fault(store(User::t0, pc_buf + 0x40, 1), "tile.not-modelled");
    port.stored_now = false;
    expect_wait(load(User::t0, pc_buf + 0x20), WaitFor::own_stores);
}

INSTANTIATE_TEST_SUITE_P(Chips, TileFifos, TileDevicesTest::all(), TileDevicesTest::text_of);

}  // namespace
