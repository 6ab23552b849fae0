// SPDX-License-Identifier: Apache-2.0
// Devices of a tile by their documents' rules.
#include <gtest/gtest.h>

#include "registers/field.hpp"
#include "support/tile_bench.hpp"
#include "tile/registers.hpp"
#include "tile/reset_pc.hpp"
#include "tile/texts.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using tile::Reply;
using tile::User;
using tile::WaitFor;

constexpr std::uint32_t debug = 0xFFB1'2000, pc_buf = 0xFFE8'0000, mailbox = 0xFFEC'0000, config = 0xFFEF'0000,
                        gprs = 0xFFE0'0000;
constexpr std::uint32_t soft_reset = debug + 0x1B0;
constexpr User feeding[] = {User::t0, User::t1, User::t2};

class TileDevices : public testing::TestWithParam<Arch>, protected TileBench {
public:
    TileDevices() : TileBench(GetParam()) {}
};

// Mailboxes, "Memory map": each writes at the receiver's number, and reads at the sender's.
TEST_P(TileDevices, MailboxesGoFromEachToEach) {
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

TEST_P(TileDevices, MailboxesOfAWriterHoldFourTogether) {
    for (unsigned to = 0; to < 4; ++to) done(User::t1, mailbox + to * 0x1000, to);
    for (unsigned to = 0; to < 4; ++to) expect_wait(store(User::t1, mailbox + to * 0x1000, 9), WaitFor::mailbox_room);
    EXPECT_EQ(store(User::t1, mailbox, 9).waiting.index, 0) << "the first of equal ones";
    for (unsigned i = 0; i < 4; ++i) done(User::t2, mailbox + (i == 0 ? 0x1000 : i == 1 ? 0x2000 : 0x3000), i);
    EXPECT_EQ(store(User::t2, mailbox, 9).waiting.index, 3) << "two are for T2";
    done(User::t0, mailbox + 0x3000, 5);
    EXPECT_EQ(value(User::b, mailbox + 0x2000), 0u);
    done(User::t1, mailbox + 0x3000, 9);
}

TEST_P(TileDevices, PcBufsHoldSixteenInOrder) {
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

TEST_P(TileDevices, BsReadOfAPcBufWaitsForThreeThings) {
    const std::uint32_t side_b = pc_buf + 0x1'0000;
    expect_wait(load(User::b, side_b), WaitFor::pc_buf_done);  // T1 does not wait
    expect_wait(load(User::t1, pc_buf), WaitFor::pc_buf_value);
    machine.idle_now = false;
    expect_wait(load(User::b, side_b), WaitFor::pc_buf_done);
    machine.idle_now = true;
    EXPECT_EQ(value(User::b, side_b), 0u);
    done(User::b, side_b, 3);
    expect_wait(load(User::b, side_b), WaitFor::pc_buf_done);
    expect_wait(load(User::b, pc_buf), WaitFor::pc_buf_done);
}

// A core in reset waits for nothing, though it waited before.
TEST_P(TileDevices, BsReadOfAPcBufDoesNotEndForACoreInReset) {
    done(User::b, soft_reset, 0);
    expect_wait(load(User::t0, pc_buf), WaitFor::pc_buf_value);
    EXPECT_EQ(value(User::b, pc_buf), 0u);
    done(User::b, soft_reset, 1 << 12);
    expect_wait(load(User::b, pc_buf), WaitFor::pc_buf_done);
}

// Equal contents are equal in the sections "mailbox" and "pc_buf", whatever was there before.
TEST_P(TileDevices, FifosKeepNothingOfWhatWasTaken) {
    const auto& words = machine.state().tile.words;
    const auto before = words;
    for (std::uint32_t i = 1; i <= 4; ++i) done(User::t2, mailbox + 0x1000, i);
    for (std::uint32_t i = 1; i <= 16; ++i) done(User::b, pc_buf + 0x1'0000, i);
    EXPECT_NE(words, before);
    for (std::uint32_t i = 1; i <= 4; ++i) EXPECT_EQ(value(User::t0, mailbox + 0x3000), i);
    for (std::uint32_t i = 1; i <= 16; ++i) EXPECT_EQ(value(User::t1, pc_buf), i);
    EXPECT_EQ(words, before);
}

// SoftReset: mailboxes that the core writes, and its PCBuf. Another core's stay.
TEST_P(TileDevices, ResetEmptiesTheFifosOfItsCoreAlone) {
    const auto& words = machine.state().tile.words;
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
TEST_P(TileDevices, ResetLeavesTheFifosOfOtherCores) {
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
TEST_P(TileDevices, ChangesAreToldToWhoeverWaitsForThem) {
    const auto tells = [&](auto access) {
        const unsigned before = machine.changes;
        access();
        return machine.changes > before;
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

TEST_P(TileDevices, OverrideLetsReadsOfPcBufsAndTtSyncPass) {
    machine.idle_now = machine.expanded_now = false;
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
    machine.idle_now = machine.expanded_now = true;
    EXPECT_EQ(load(User::t1, pc_buf + 4).kind, Reply::Kind::done);
    EXPECT_EQ(load(User::t1, pc_buf + 8).kind, Reply::Kind::done);
}

TEST_P(TileDevices, TtSyncHasTwoRegistersAndIgnoresStores) {
    for (const User user : feeding) {
        for (std::uint32_t offset = 4; offset < 0x20; offset += 4) done(user, pc_buf + offset, 1);
        for (std::uint32_t offset = 4; offset <= 8; offset += 4) EXPECT_EQ(value(user, pc_buf + offset), 0u);
        for (std::uint32_t offset = 0xC; offset < 0x20; offset += 4) {
            const Reply reply = load(user, pc_buf + offset);
            expect_fault(reply, "tile.not-modelled");
            EXPECT_STREQ(reply.why, "it has only CoprocessorDoneCheck and MOPExpanderDoneCheck");
        }
    }
    EXPECT_TRUE(machine.asked.empty());
}

TEST_P(TileDevices, SemaphoresAreReadAndBitZeroOfAStoreTakesOne) {
    for (unsigned i = 0; i < 8; ++i) {
        machine.state().write(state::cells::semaphore_value(i), i + 3);
        EXPECT_EQ(value(User::t1, pc_buf + 0x20 + 4 * i), i + 3);
        done(User::t1, pc_buf + 0x20 + 4 * i, 0xFFFE);
        EXPECT_EQ(machine.asked.back(), (RecordingMachine::Asked{"post", 2, i, 0, 0}));
        done(User::t1, pc_buf + 0x20 + 4 * i, 3);
        EXPECT_EQ(machine.asked.back(), (RecordingMachine::Asked{"get", 2, i, 0, 0}));
    }
    expect_fault(load(User::t0, pc_buf + 0x40), "tile.not-modelled");
    expect_fault(store(User::t0, pc_buf + 0x40, 1), "tile.not-modelled");
    machine.stored = false;
    expect_wait(load(User::t0, pc_buf + 0x20), WaitFor::own_stores);
}

TEST_P(TileDevices, LoadsOfConfigurationAndGprsComeAfterTheCoresStoresThere) {
    using hazards::CoreRegion;
    value(User::t1, config);
    value(User::t2, gprs);
    EXPECT_EQ(machine.read_backs,
              (std::vector<std::pair<unsigned, CoreRegion>>{{2, CoreRegion::config}, {3, CoreRegion::gprs}}));
    machine.stored = false;
    expect_wait(load(User::t1, gprs), WaitFor::own_stores);
    EXPECT_EQ(machine.read_backs.size(), 2u);
}

TEST_P(TileDevices, InstructionsGoToTheThreadsFifo) {
    for (unsigned thread = 0; thread < 3; ++thread) {
        done(User::b, 0xFFE4'0000 + thread * 0x1'0000, 0x0200'0000);
        EXPECT_EQ(machine.asked.back(), (RecordingMachine::Asked{"push expanded", 0, thread, 0, 0x0200'0000}));
        done(feeding[thread], 0xFFE4'0000, 0x0100'0000);
        EXPECT_EQ(machine.asked.back(), (RecordingMachine::Asked{"push", thread + 1, thread, 0, 0x0100'0000}));
        expect_fault(store(feeding[thread], 0xFFE5'0000, 0), "tile.no-access");
    }
    expect_fault(store(User::nc, 0xFFE4'0000, 0), "tile.no-access");
    expect_fault(load(User::t0, 0xFFE4'0000), "tile.no-access");
    machine.room = false;
    expect_wait(store(User::t0, 0xFFE4'0000, 1), WaitFor::instruction_fifo);
}

TEST_P(TileDevices, GprsAndMopRegisters) {
    for (unsigned thread = 0; thread < 3; ++thread) {
        machine.state().write(state::cells::gpr(thread, 63), 0x8765'4321 + thread);
        EXPECT_EQ(value(User::b, 0xFFE0'0000 + (thread * 64 + 63) * 4), 0x8765'4321 + thread);
        EXPECT_EQ(value(feeding[thread], 0xFFE0'00FC), 0x8765'4321 + thread);
        EXPECT_EQ(value(feeding[thread], 0xFFE0'00FD, 1), 0x43u);
        EXPECT_EQ(value(feeding[thread], 0xFFE0'00FE, 2), 0x8765u);
        done(feeding[thread], 0xFFE0'0010, 7);
        EXPECT_EQ(machine.asked.back(), (RecordingMachine::Asked{"gpr", thread + 1, thread, 4, 7}));
        done(feeding[thread], 0xFFB8'0020, 8);
        EXPECT_EQ(machine.asked.back(), (RecordingMachine::Asked{"mop", thread + 1, thread, 8, 8}));
    }
    expect_fault(load(User::b, 0xFFE0'0300), "tile.not-modelled");
    expect_fault(store(User::b, 0xFFE0'0300, 7), "tile.not-modelled");
    expect_fault(store(User::t0, 0xFFE0'0010, 7, 2), "tile.store-width");
    expect_fault(load(User::t0, 0xFFB8'0000), "tile.no-access");
}

// MemoryOrdering, "Aliasing of underlying storage": "at address X and also at X + 256".
TEST_P(TileDevices, GprsOfATCoreAreThereSeveralTimesOnBlackhole) {
    for (unsigned thread = 0; thread < 3; ++thread)
        for (const std::uint32_t again : {0x100u, 0x200u, 0xF00u}) {
            if (GetParam() == Arch::wormhole) {
                expect_fault(load(feeding[thread], gprs + again), "tile.not-modelled");
                expect_fault(store(feeding[thread], gprs + again, 7), "tile.not-modelled");
                continue;
            }
            machine.state().write(state::cells::gpr(thread, 5), 70 + thread);
            EXPECT_EQ(value(feeding[thread], gprs + again + 4 * 5), 70u + thread);
            done(feeding[thread], gprs + again + 4 * 4, 7);
            EXPECT_EQ(machine.asked.back(), (RecordingMachine::Asked{"gpr", thread + 1, thread, 4, 7}));
        }
    EXPECT_STREQ(load(User::b, gprs + 0x300).why, "it is behind the GPRs, and no document says what is there");
}

// BackendConfiguration: both banks, on Blackhole the words that write both, thread configuration behind them.
TEST_P(TileDevices, ConfigurationOfBothBanksAndOfThreads) {
    auto& state = machine.state();
    const auto& arch = state.arch();
    const unsigned words = arch.config_words;
    for (unsigned bank = 0; bank < 2; ++bank) {
        state.write(state::cells::config(arch, bank, 12), 0x11 + bank);
        EXPECT_EQ(value(User::b, config + (bank * words + 12) * 4), 0x11 + bank);
        done(User::t0, config + (bank * words + 12) * 4, 5);
        EXPECT_EQ(machine.asked.back(), (RecordingMachine::Asked{"config", 1, bank * words + 12, 0, 5}));
    }
    const bool blackhole = GetParam() == Arch::blackhole;
    if (blackhole) {
        EXPECT_EQ(value(User::b, config + (2 * words + 12) * 4), 0x11u);
        machine.asked.clear();
        done(User::b, config + (2 * words + 12) * 4, 9);
        EXPECT_EQ(machine.asked,
                  (std::vector<RecordingMachine::Asked>{{"config", 0, 12, 0, 9}, {"config", 0, words + 12, 0, 9}}));
    }
    const std::uint32_t threads = config + (blackhole ? 3 : 2) * words * 4, stride = blackhole ? 4 : 16;
    state.write(state::cells::thread_config(2, 1), 0xABC);
    EXPECT_EQ(value(User::t0, threads + (2 * arch.thread_config_words + 1) * stride), 0xABCu);
    expect_fault(store(User::t0, threads, 1), "tile.no-access");
    expect_fault(load(User::t0, threads + 3 * arch.thread_config_words * stride), "tile.not-modelled");
    done(User::nc, debug + 0x58, words + 12);  // CFGREG_RD_CNTL, for who has no access
    EXPECT_EQ(value(User::nc, debug + 0x78), 0x12u);
    machine.stored = false;
    expect_wait(load(User::b, config), WaitFor::own_stores);
}

// BackendConfiguration: the first words of each part, and what is between 16-bit values and behind all.
TEST_P(TileDevices, PartsOfConfigurationFollowEachOther) {
    auto& state = machine.state();
    const auto& arch = state.arch();
    const bool blackhole = GetParam() == Arch::blackhole;
    const std::uint32_t words = arch.config_words, stride = blackhole ? 1 : 4, values = arch.thread_config_words;
    const std::uint32_t threads = (blackhole ? 3 : 2) * words, end = threads + 3 * values * stride;
    for (const std::uint32_t word : {0u, 12u}) {
        for (unsigned bank = 0; bank < 2; ++bank) {
            state.write(state::cells::config(arch, bank, word), 0x70 + word + bank);
            EXPECT_EQ(value(User::b, config + 4 * (bank * words + word)), 0x70 + word + bank);
        }
        if (!blackhole) continue;
        EXPECT_EQ(value(User::b, config + 4 * (2 * words + word)), 0x70 + word);
        machine.asked.clear();
        done(User::b, config + 4 * (2 * words + word), 9);
        EXPECT_EQ(machine.asked, (std::vector<RecordingMachine::Asked>{{"config", 0, word, 0, 9}, {"config", 0, words + word, 0, 9}}));
    }
    for (const auto& [thread, i] : {std::pair(0u, 0u), std::pair(2u, values - 1)}) {
        state.write(state::cells::thread_config(thread, i), 0x41 + thread);
        const std::uint32_t at = config + 4 * (threads + (thread * values + i) * stride);
        EXPECT_EQ(value(User::b, at), 0x41 + thread);
        for (std::uint32_t padding = 1; padding < stride; ++padding) EXPECT_EQ(value(User::b, at + 4 * padding), 0u);
        expect_fault(store(User::b, at, 1), "tile.no-access");
    }
    expect_fault(load(User::b, config + 4 * end), "tile.not-modelled");
    expect_fault(store(User::b, config + 4 * end, 1), "tile.not-modelled");
    // CFGREG_RD_CNTL.
    state.write(state::cells::config(arch, 1, 13), 0x99);
    done(User::nc, debug + 0x58, words + 13);
    EXPECT_EQ(value(User::nc, debug + 0x78), 0x99u);
    done(User::nc, debug + 0x90, 1);
    EXPECT_EQ(value(User::nc, debug + 0x78), 0x99u) << "another register";
    done(User::nc, debug + 0x58, end);
    EXPECT_EQ(value(User::nc, debug + 0x78), 0u);
}

// Dst: bit 11. The other bits are undocumented.
TEST_P(TileDevices, FeaturesAreDisabledByOneKnownBit) {
    constexpr std::uint32_t features = debug + 0x68;
    EXPECT_EQ(value(User::t1, features), 0u);
    done(User::t1, features, 0x800);
    EXPECT_EQ(value(User::b, features), 0x800u);
    EXPECT_EQ(machine.state()[state::cells::feature_disable], 0x800u);
    ASSERT_EQ(machine.notes.size(), 1u);
    EXPECT_EQ(findings::entry(machine.notes[0].id).code, "tile.upper-dst");
    done(User::t0, features, 0x808);
    ASSERT_EQ(machine.notes.size(), 2u);
    EXPECT_EQ(findings::entry(machine.notes[1].id).code, "tile.feature-bits");
    EXPECT_EQ(machine.notes[1].values[0], 8u);
    done(User::t0, features, 0);
    EXPECT_EQ(value(User::b, features), 0u);
    EXPECT_EQ(machine.notes.size(), 2u);
}

// AutoTTSync: of T cores only, and as the address says.
TEST_P(TileDevices, TrackedAccessesWaitForInstructions) {
    if (GetParam() == Arch::wormhole) {
        machine.ordered = false;
        done(User::t1, gprs, 1);
        done(User::t1, config, 1);
        return;
    }
    for (unsigned t = 0; t < 3; ++t) machine.state().write(state::cells::thread_config(t, 56), 0x1F);
    using Asked = RecordingMachine::AskedInOrder;
    done(User::t1, config + 4 * 64, 1);
    EXPECT_EQ(machine.asked_in_order, (Asked{2, 1, true}));
    done(User::t0, config + 4 * (2 * 224 + 64), 1);  // the word that writes both banks
    EXPECT_EQ(machine.asked_in_order, (Asked{1, 0x24, true}));
    value(User::t2, config + 4 * (224 + 112));
    EXPECT_EQ(machine.asked_in_order, (Asked{3, 0x10, false}));
    value(User::t2, gprs);
    EXPECT_EQ(machine.asked_in_order, (Asked{3, 0x40, false}));
    done(User::t0, 0xFFB1'1000, 1);
    EXPECT_EQ(machine.asked_in_order, (Asked{1, 0x80, true}));
    machine.ordered = false;
    expect_wait(store(User::t1, gprs, 1), WaitFor::own_instructions);
    expect_wait(load(User::t1, gprs), WaitFor::own_instructions);
    expect_wait(store(User::t1, config, 1), WaitFor::own_instructions);
    expect_wait(load(User::t1, config), WaitFor::own_instructions);
    expect_wait(store(User::t1, 0xFFB1'1000, 1), WaitFor::own_instructions);
    expect_wait(load(User::t1, 0xFFB1'1000), WaitFor::own_instructions);
    EXPECT_EQ(machine.asked_in_order, (Asked{2, 0x80, false}));
    expect_wait(store(User::t1, gprs, 1), WaitFor::own_instructions);
    EXPECT_EQ(machine.asked_in_order, (Asked{2, 0x40, true}));
    done(User::b, gprs, 1);
    done(User::b, config, 1);
    done(User::b, 0xFFB1'1000, 1);
    for (unsigned t = 0; t < 3; ++t) machine.state().write(state::cells::thread_config(t, 56), 0);
    done(User::t1, gprs, 1);
}

// AutoTTSync: Config of a thread is read only, and its parts are those of the table. Resources are for one bank in three bits.
TEST_P(TileDevices, LoadsOfThreadConfigurationAreTracked) {
    if (GetParam() == Arch::wormhole) return;
    const auto& arch = machine.state().arch();
    const std::uint32_t offset = registers::field("DEST_TARGET_REG_CFG_MATH_Offset")[arch.arch].addr32;
    constexpr unsigned unpackers = 1 | 2, remainder = 4;
    machine.state().write(state::cells::thread_config(1, 56), 0x1F);
    using Asked = RecordingMachine::AskedInOrder;
    value(User::t1, config + 4 * (3 * 224 + offset));
    EXPECT_EQ(machine.asked_in_order, (Asked{2, unpackers | unpackers << 3, false})) << "thread 0's has that of both unpackers";
    for (const std::uint32_t word : {3 * 224 + offset + 1, 3 * 224 + arch.thread_config_words + offset, 2 * 224u}) {
        value(User::t1, config + 4 * word);
        EXPECT_EQ(machine.asked_in_order, (Asked{2, remainder | remainder << 3, false})) << word;
    }
}

TEST_P(TileDevices, WallClockKeepsItsHighWord) {
    const tile::Cycle at = 0x7'1234'5678;
    EXPECT_EQ(load(User::b, debug + 0x1F0, 4, at).value, 0x1234'5678u);
    EXPECT_EQ(load(User::b, debug + 0x1F8, 4, at + (tile::Cycle{1} << 32)).value, 7u);
    EXPECT_EQ(load(User::b, debug + 0x1F4, 4, at + (tile::Cycle{1} << 32)).value, 8u);
    store(User::b, debug + 0x1F0, 0, 4, tile::Cycle{9} << 32);
    EXPECT_EQ(value(User::b, debug + 0x1F8), 9u);
    EXPECT_EQ(machine.times, 5u);
}

// What a register only reports is not stored.
TEST_P(TileDevices, StoresToDebugRegistersThatOnlyReportHaveNoEffect) {
    machine.state().write(state::cells::config(machine.state().arch(), 0, 9), 0x99);
    done(User::nc, debug + 0x58, 9);  // CFGREG_RD_CNTL
    load(User::nc, debug + 0x1F0, 4, tile::Cycle{7} << 32);
    const auto words = machine.state().tile.words;
    const unsigned changes = machine.changes;
    // DBG_RD_DATA, DBG_ARRAY_RD_DATA, CFGREG_RDDATA, and both high words of WALL_CLOCK
    for (const std::uint32_t offset : {0x05Cu, 0x06Cu, 0x078u, 0x1F4u, 0x1F8u}) done(User::nc, debug + offset, 0x1234);
    EXPECT_EQ(machine.state().tile.words, words);
    EXPECT_EQ(machine.changes, changes);
    EXPECT_EQ(value(User::nc, debug + 0x78), 0x99u);
    EXPECT_EQ(value(User::nc, debug + 0x1F8), 7u);
}

TEST_P(TileDevices, SoftResetStartsAndStopsCores) {
    const bool blackhole = GetParam() == Arch::blackhole;
    EXPECT_EQ(value(User::b, soft_reset), 0x47800u);
    machine.state().riscv[2].x[5] = 99;
    machine.state().riscv[2].local[8] = 1;
    done(User::b, pc_buf + 0x1'0000, 4);
    done(User::b, soft_reset, 0x47800 & ~(1u << 13));
    ASSERT_EQ(machine.cores, (std::vector<std::pair<RiscvCore, bool>>{{RiscvCore::t1, true}}));
    const auto& t1 = machine.state().riscv[2];
    EXPECT_EQ(t1.pc, 0xA000u);
    EXPECT_TRUE(t1.running);
    EXPECT_EQ(t1.x[5], 0u);
    EXPECT_EQ(t1.local[8], blackhole ? 0 : 1);
    expect_wait(load(User::t1, pc_buf), WaitFor::pc_buf_value);  // its PCBuf has been emptied
    done(User::t1, mailbox, 6);
    done(User::b, soft_reset, 0x47800);
    EXPECT_EQ(machine.cores.back(), (std::pair{RiscvCore::t1, false}));
    EXPECT_FALSE(t1.running);
    EXPECT_EQ(value(User::b, mailbox + 0x2000 + 4), 0u);
    EXPECT_TRUE(machine.notes.empty());
    done(User::b, soft_reset, 0x47801);
    ASSERT_EQ(machine.notes.size(), 1u);
    EXPECT_EQ(machine.notes[0].values[0], 1u);
    done(User::b, soft_reset, 0x47801);
    done(User::b, soft_reset, 0);
    EXPECT_EQ(machine.notes.size(), 1u) << "the bit was there, and is cleared";
    EXPECT_EQ(machine.cores.size(), 7u);
    const std::uint32_t starts[] = {0, 0x6000, 0xA000, 0xE000, 0x12000};
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(machine.state().riscv[i].pc, starts[i]);
}

TEST_P(TileDevices, ResetPcsCanBeOverridden) {
    auto& state = machine.state();
    if (GetParam() == Arch::blackhole) {
        done(User::b, debug + 0x22C, 0x5000);  // TRISC1_RESET_PC
        done(User::b, debug + 0x234, 2);
        done(User::b, debug + 0x238, 0x7000);
        done(User::b, debug + 0x23C, 1);
        done(User::b, debug + 0x224, 4);  // T1's local data RAM is kept
    } else {
        state.write(state::cells::config(state.arch(), 0, 159), 0x5000);
        state.write(state::cells::config(state.arch(), 0, 161), 2);
        state.write(state::cells::config(state.arch(), 0, 162), 0x7000);
        state.write(state::cells::config(state.arch(), 0, 163), 1);
    }
    state.riscv[2].local[4] = 3;
    done(User::b, soft_reset, 0);
    const std::uint32_t starts[] = {0, 0x6000, 0x5000, 0xE000, 0x7000};
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(state.riscv[i].pc, starts[i]);
    EXPECT_EQ(state.riscv[2].local[4], 3);
}

// SoftReset: "No effect" from bit 24 on, on Wormhole from 23 on.
TEST_P(TileDevices, BitsOfSoftResetWithoutEffectAreNotReported) {
    const bool blackhole = GetParam() == Arch::blackhole;
    for (const unsigned bit : {22u, 23u, 24u, 31u}) {
        machine.notes.clear();
        done(User::b, soft_reset, 0x47800 | 1u << bit);
        EXPECT_EQ(machine.notes.size(), bit < (blackhole ? 24u : 23u) ? 1u : 0u) << bit;
    }
}

// SoftReset, RISCV_DEBUG_REG_DISABLE_RESET: bits 0, 2, 4 for T0 to T2, 6 for B, 8 for NC.
TEST_P(TileDevices, EachCoreHasABitThatKeepsItsLocalMemory) {
    constexpr unsigned bits[] = {6, 0, 2, 4, 8};
    for (const bool keeps : {true, false})
        for (unsigned core = 0; core < 5; ++core) {
            auto& local = machine.state().riscv[core].local;
            done(User::b, soft_reset, 0x47800);
            if (GetParam() == Arch::blackhole) done(User::b, debug + 0x224, keeps ? 1u << bits[core] : ~(1u << bits[core]));
            local.front() = local.back() = 7;
            done(User::b, soft_reset, 0);
            const unsigned left = keeps || GetParam() == Arch::wormhole ? 7 : 0;
            EXPECT_EQ(local.front(), left) << core;
            EXPECT_EQ(local.back(), left) << core;
        }
}

// SoftReset: no register has another address for RISC-V B.
TEST_P(TileDevices, BStartsAtZeroWhateverRegistersSay) {
    auto& state = machine.state();
    const auto before = state.tile.words;
    tile::set_reset_pc(state, RiscvCore::b, 0x5000);
    EXPECT_EQ(state.tile.words, before);
    if (GetParam() == Arch::blackhole)
        for (std::uint32_t offset = 0x224; offset <= 0x23C; offset += 4) done(User::t0, debug + offset, 0xFFFF'FFFC);
    done(User::t0, soft_reset, 0);
    EXPECT_EQ(state.riscv[0].pc, 0u);
}

TEST_P(TileDevices, RegistersOfTheCoprocessorAndThoseThatAreNotThere) {
    done(User::t0, 0xFFB1'1004, 6);
    EXPECT_EQ(machine.asked.back(), (RecordingMachine::Asked{"register", 1, 0xFFB1'1004, 0, 6}));
    EXPECT_EQ(value(User::b, 0xFFB4'0028), 0xFFB4'0028);
    expect_fault(load(User::b, 0xFFB1'102C), "tile.not-modelled");
    expect_fault(load(User::b, debug + 0x94), "tile.not-modelled");
    expect_fault(load(User::b, debug + 0xFFC), "tile.not-modelled");
    expect_fault(load(User::b, 0xFFB1'3000), "tile.not-modelled");
    expect_fault(load(User::b, 0xFFD0'0000), "tile.unmapped");
    expect_fault(load(User::b, 0x0100'0000), "tile.unmapped");
}

// TDMA-RISC, Memory map: "No effect".
TEST_P(TileDevices, StoresToWhatTdmaRiscOnlyReportsHaveNoEffect) {
    for (const std::uint32_t offset : {0x14u, 0x18u, 0x20u, 0x58u, 0x98u}) done(User::t1, 0xFFB1'1000 + offset, 7);
    EXPECT_TRUE(machine.asked.empty());
    done(User::t1, 0xFFB1'1010, 7);
    EXPECT_EQ(machine.asked.size(), 1u);
}

// TDMA-RISC, Memory map: sizes of three threads and the flags, at every 256 bytes for another packer. Blackhole has one packer.
TEST_P(TileDevices, EachPackerReportsSizesAndFlags) {
    const std::uint32_t packers = GetParam() == Arch::blackhole ? 1 : 4;
    for (std::uint32_t packer = 0; packer < 5; ++packer)
        for (std::uint32_t offset = 0; offset < 0x100; offset += 4) {
            const std::uint32_t address = 0xFFB1'1000 + 0x100 * packer + offset;
            const bool reports = packer < packers && (offset == 0x18 || offset == 0x58 || offset == 0x98 || offset == 0x20);
            if (address == 0xFFB1'1014 || address == 0xFFB1'102C) continue;
            machine.asked.clear();
            done(User::t1, address, 7);
            EXPECT_EQ(machine.asked.empty(), reports) << std::hex << address;
        }
}

// TDMA-RISC, CurrentThreadMovCmdBase(): a compact move takes the base of the core that gives it.
TEST_P(TileDevices, ACompactMoveTakesTheBaseOfItsCore) {
    constexpr std::uint32_t command = 0xFFB1'1010, compact = 1u << 31, move = 0x40, nothing = 0x89;
    for (const User user : {User::b, User::t1, User::t2}) done(user, command, compact | move);
    machine.state().write(state::cells::tdma(state::Tdma::mover_base), 1);
    for (const User user : {User::b, User::t1, User::t2}) {
        expect_fault(store(user, command, compact | move), "tile.not-modelled");
        done(user, command, move);
        done(user, command, compact | nothing);
        done(user, command, compact | move | 1);
        expect_fault(store(user, command + 0x1C, 5), "tile.not-modelled");
    }
    done(User::t0, command, compact | move);
    done(User::t0, command + 0x1C, 5);
    if (GetParam() == Arch::wormhole) done(User::nc, command, compact | move);
}

TEST_P(TileDevices, AFaultOfACommandKeepsItsValues) {
    const findings::Note beyond{findings::id("mover.l1-address"), {0x30'0000, 16, 0x16'E000}, "reads"};
    machine.refused = beyond;
    const Reply reply = store(User::b, 0xFFB1'1010, 0x40);
    expect_fault(reply, "mover.l1-address");
    ASSERT_NE(reply.note, nullptr);
    EXPECT_EQ(*reply.note, beyond);
    EXPECT_NE(std::string_view(reply.why).find("reads 16 bytes at L1 0x300000"), std::string_view::npos) << reply.why;
    machine.refused = findings::Note{findings::id("mmio-unmapped")};
    expect_fault(store(User::b, 0xFFB1'1034, 0), "tile.not-modelled");
}

// The kernel library's tensix.h has names and addresses.
TEST_P(TileDevices, DebugRegistersThatAreNotModelledAreNamed) {
    constexpr std::pair<std::uint32_t, const char*> registers[] = {
        {0x000, "PERF_CNT_INSTRN_THREAD0"},      {0x004, "PERF_CNT_INSTRN_THREAD1"}, {0x008, "PERF_CNT_INSTRN_THREAD2"},
        {0x00C, "PERF_CNT_TDMA_UNPACK0"},        {0x010, "PERF_CNT_TDMA_UNPACK1"}, {0x014, "PERF_CNT_TDMA_UNPACK2"},
        {0x018, "PERF_CNT_FPU0"},                {0x01C, "PERF_CNT_FPU1"},      {0x020, "PERF_CNT_FPU2"},
        {0x030, "PERF_CNT_L1_0"},                {0x034, "PERF_CNT_L1_1"},      {0x038, "PERF_CNT_L1_2"},
        {0x03C, "PERF_CNT_ALL"},                 {0x048, "DBG_L1_MEM_REG0"},    {0x04C, "DBG_L1_MEM_REG1"},
        {0x050, "DBG_L1_MEM_REG2"},
        {0x094, "DBG_INVALID_INSTRN"},           {0x0A0, "INSTRN_BUF_CTRL0"},   {0x0A4, "INSTRN_BUF_CTRL1"},
        {0x0A8, "INSTRN_BUF_STATUS"},            {0x0AC, "STOCH_RND_MASK0"},    {0x0B0, "STOCH_RND_MASK1"},
        {0x0B4, "FPU_STICKY_BITS"},              {0x0B8, "ETH_RISC_PREFETCH_CTRL"}, {0x0BC, "ETH_RISC_PREFETCH_PC"},
        {0x0F0, "PERF_CNT_TDMA_PACK0"},          {0x0F4, "PERF_CNT_TDMA_PACK1"}, {0x0F8, "PERF_CNT_TDMA_PACK2"},
        {0x100, "PERF_CNT_OUT_L_INSTRN_THREAD"}, {0x104, "PERF_CNT_OUT_H_INSTRN_THREAD"},
        {0x108, "PERF_CNT_OUT_L_TDMA_UNPACK"},   {0x10C, "PERF_CNT_OUT_H_TDMA_UNPACK"},
        {0x110, "PERF_CNT_OUT_L_TDMA_PACK"},     {0x114, "PERF_CNT_OUT_H_TDMA_PACK"},
        {0x118, "PERF_CNT_OUT_L_DBG_L1"},        {0x11C, "PERF_CNT_OUT_H_DBG_L1"},
        {0x120, "PERF_CNT_OUT_L_FPU"},           {0x124, "PERF_CNT_OUT_H_FPU"},
        {0x1D4, "ECC_STATUS"},                   {0x1E0, "WATCHDOG_TIMER"},     {0x1E4, "WDT_CNTL"},
        {0x1E8, "WDT_STATUS"},                   {0x1FC, "TIMESTAMP"},          {0x200, "TIMESTAMP_DUMP_CNTL"},
        {0x204, "TIMESTAMP_STATUS"},             {0x208, "TIMESTAMP_DUMP_BUF0_START_ADDR"},
        {0x20C, "TIMESTAMP_DUMP_BUF0_END_ADDR"}, {0x210, "TIMESTAMP_DUMP_BUF1_START_ADDR"},
        {0x214, "TIMESTAMP_DUMP_BUF1_END_ADDR"}};
    for (const auto& [offset, name] : registers) {
        const tile::Reply reply = load(User::b, 0xFFB1'2000 + offset);
        expect_fault(reply, "tile.not-modelled");
        const tile::Request request{User::b, nullptr, 0xFFB1'2000 + offset};
        EXPECT_NE(tile::fault_text(GetParam(), request, "loads from", reply.why).find(name), std::string::npos) << name;
        expect_fault(store(User::b, 0xFFB1'2000 + offset, 0), "tile.not-modelled");
    }
}

// Names and addresses as above. Those from 0x220 on are Blackhole's.
// RISC-V has the lowest byte first, also of a register that has words only.
TEST_P(TileDevices, PartsOfARegisterAreThoseOfItsWord) {
    done(User::b, debug + 0x218, 0x8765'4321);  // PERF_CNT_MUX_CTRL
    for (std::uint32_t byte = 0; byte < 4; ++byte) EXPECT_EQ(value(User::t1, debug + 0x218 + byte, 1), 0x8765'4321 >> 8 * byte & 0xFF) << byte;
    EXPECT_EQ(value(User::nc, debug + 0x218, 2), 0x4321u);
    EXPECT_EQ(value(User::nc, debug + 0x21A, 2), 0x8765u);
}

TEST_P(TileDevices, DebugRegistersThatOnlyHoldAWordHoldTheirOwn) {
    constexpr std::pair<std::uint32_t, const char*> registers[] = {
        {0x054, "DBG_BUS_CNTL_REG"}, {0x060, "DBG_ARRAY_RD_EN"},   {0x064, "DBG_ARRAY_RD_CMD"},
        {0x070, "CG_CTRL_HYST0"},    {0x074, "CG_CTRL_HYST1"},     {0x07C, "CG_CTRL_HYST2"},
        {0x090, "TRISC_PC_BUF_OVERRIDE"}, {0x1D0, "ECC_CTRL"},     {0x218, "PERF_CNT_MUX_CTRL"},
        {0x21C, "DBG_L1_READBACK_OFFSET"}, {0x220, "LFSR_HIT_MASK"}, {0x224, "DISABLE_RESET"},
        {0x228, "TRISC0_RESET_PC"},  {0x22C, "TRISC1_RESET_PC"},   {0x230, "TRISC2_RESET_PC"},
        {0x234, "TRISC_RESET_PC_OVERRIDE"}, {0x238, "NCRISC_RESET_PC"}, {0x23C, "NCRISC_RESET_PC_OVERRIDE"},
        {0x240, "DEST_CG_CTRL"},     {0x244, "CG_CTRL_EN"},        {0x248, "CG_KICK"}};
    const auto exists = [&](std::uint32_t offset) { return offset < 0x220 || GetParam() == Arch::blackhole; };
    for (const auto& [offset, name] : registers)
        if (exists(offset)) {
            EXPECT_EQ(tile::address_text(GetParam(), User::b, debug + offset), std::string("RISCV_DEBUG_REG_") + name);
            EXPECT_EQ(value(User::b, debug + offset), 0u) << name;
            done(User::b, debug + offset, 0xABCD'0000 | offset);
        }
    for (const auto& [offset, name] : registers) {
        if (exists(offset)) {
            EXPECT_EQ(value(User::t1, debug + offset), 0xABCD'0000 | offset) << name;
            continue;
        }
        expect_fault(load(User::b, debug + offset), "tile.not-modelled");
        expect_fault(store(User::b, debug + offset, 1), "tile.not-modelled");
    }
}

TEST_P(TileDevices, FaultsNameWhoAndWhat) {
    const auto text = [&](User user, std::uint32_t address, bool stores) {
        const auto reply = stores ? store(user, address, 0) : load(user, address);
        return tile::fault_text(GetParam(), {user, nullptr, address}, stores ? "stores to" : "loads from", reply.why);
    };
    EXPECT_EQ(text(User::t1, 0xFFED'0000, false),
              "trisc1 loads from 0xFFED0000: no region of its memory map has this address; the nearest region is "
              "TENSIX_MAILBOX3_BASE (0xFFEC3000 to 0xFFEC3FFF)");
    EXPECT_EQ(text(User::nc, 0xFFEF'0008, true),
              "ncrisc stores to 0xFFEF0008: configuration word 2 (TENSIX_CFG_BASE); only other cores have this access");
    EXPECT_EQ(text(User::b, 0xFFB1'2094, false),
              "brisc loads from 0xFFB12094: RISCV_DEBUG_REG_DBG_INVALID_INSTRN (RISCV_DEBUG_REGS_START_ADDR); Tessera does "
              "not model this register");
    EXPECT_EQ(tile::address_text(GetParam(), User::t0, 0x1FFB8), "L1 0x1FFB8");
    EXPECT_EQ(tile::address_text(GetParam(), User::t0, 0xFFE8'002C), "semaphore 3");
    EXPECT_EQ(text(User::t0, 0xFFB8'0004, false),
              "trisc0 loads from 0xFFB80004: TENSIX_MOP_CFG_BASE + 0x4 (TENSIX_MOP_CFG_BASE); no core can load from there");
    EXPECT_EQ(text(User::noc, 0xFFEC'1000, false),
              "NoC loads from 0xFFEC1000: mailbox trisc0 (TENSIX_MAILBOX1_BASE); only other cores have this access");
}

TEST_P(TileDevices, AddressesAreToldInWords) {
    const auto text = [](User user, std::uint32_t address) { return tile::address_text(GetParam(), user, address); };
    EXPECT_EQ(text(User::b, 0xFFB2'01FC), "NOC0_REGS_START_ADDR + 0x1FC");
    EXPECT_EQ(text(User::b, 0xFFB2'0200), "counter 0 of NIU 0");
    EXPECT_EQ(text(User::b, 0xFFB3'02FC), "counter 63 of NIU 1");
    EXPECT_EQ(text(User::b, 0xFFB3'0300), "NOC1_REGS_START_ADDR + 0x300");
    EXPECT_EQ(text(User::b, 0xFFEC'3004), "mailbox trisc2");
    EXPECT_EQ(text(User::b, 0xFFEF'000B), "configuration word 2");
    for (std::uint32_t byte = 0; byte < 4; ++byte) EXPECT_EQ(text(User::nc, debug + 0x1F0 + byte), "RISCV_DEBUG_REG_WALL_CLOCK_L");
    EXPECT_EQ(text(User::nc, debug + 0xFFC), "RISCV_DEBUG_REGS_START_ADDR + 0xFFC");
    EXPECT_EQ(text(User::t0, 0xFFB8'0004), "TENSIX_MOP_CFG_BASE + 0x4") << "for stores alone";
    EXPECT_EQ(text(User::b, 0xFFD0'0000), "0xFFD00000");
}

// NoC/MemoryMap: four request initiators for each NIU, and registers of the NIU itself.
TEST_P(TileDevices, RegistersOfEveryInitiatorAreItsOwn) {
    const std::uint32_t stride = GetParam() == Arch::blackhole ? 0x800 : 0x400;
    constexpr std::uint32_t offsets[] = {0x00, 0x0C, 0x20}, router_cfg_2 = 0x10C;  // low addresses, and the length
    const auto each = [&](auto act) {
        for (std::uint32_t noc = 0; noc < 2; ++noc)
            for (std::uint32_t i = 0; i < 4; ++i)
                for (const std::uint32_t offset : offsets)
                    act(0xFFB2'0000 + 0x1'0000 * noc + i * stride + offset, 0x1000 * noc + 0x100 * i + offset + 1);
    };
    for (std::uint32_t noc = 0; noc < 2; ++noc) done(User::b, 0xFFB2'0000 + 0x1'0000 * noc + router_cfg_2, 0x50 + noc);
    each([&](std::uint32_t address, std::uint32_t own) { done(User::b, address, own); });
    each([&](std::uint32_t address, std::uint32_t own) { EXPECT_EQ(value(User::b, address), own) << std::hex << address; });
    for (std::uint32_t noc = 0; noc < 2; ++noc) {
        EXPECT_EQ(value(User::b, 0xFFB2'0000 + 0x1'0000 * noc + router_cfg_2), 0x50 + noc);
        for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(value(User::b, 0xFFB2'0200 + 0x1'0000 * noc + 4 * i), 0u) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, TileDevices, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

TEST(TileWindows, LocalRamsOfOtherCoresAndTheirPcs) {
    TileBench bench(Arch::blackhole);
    constexpr std::uint32_t base[] = {0xFFB1'4000, 0xFFB1'8000, 0xFFB1'A000, 0xFFB1'C000, 0xFFB1'6000};
    constexpr std::uint32_t snapshot[] = {0xFFB1'3138, 0xFFB1'3140, 0xFFB1'3144, 0xFFB1'3148, 0xFFB1'313C};
    for (unsigned core = 0; core < 5; ++core) {
        auto& riscv = bench.machine.state().riscv[core];
        bench.done(User::b, base[core] + 0xFFC, 0x4433'2211 + core);
        EXPECT_EQ(riscv.local[0xFFC], 0x11 + core);
        bench.store(User::nc, base[core] + 0xFFD, 0xEE, 1);
        EXPECT_EQ(bench.value(User::t0, base[core] + 0xFFC, 2), 0xEE11u + core);
        riscv.pc = 0x4000 + 4 * core;
        EXPECT_EQ(bench.value(User::t2, snapshot[core]), 0x4000 + 4 * core);
    }
    EXPECT_EQ(bench.value(User::b, 0xFFB1'9FFC, 2), 0xEE12u);
    expect_fault(bench.store(User::b, snapshot[0], 0), "tile.no-access");
    TileBench wormhole(Arch::wormhole);
    expect_fault(wormhole.load(User::b, 0xFFB1'4000), "tile.unmapped");
}

}  // namespace
