// SPDX-License-Identifier: Apache-2.0
// What RISC-V cores reach of the coprocessor: FIFOs of instructions, GPRs, MOP registers, configuration.
#include "support/tile_devices.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using namespace tessera::test::devices;
using tile::User;
using tile::WaitFor;

class CoprocessorWords : public TileDevicesTest {};
class CoprocessorWordsOnBlackhole : public CoprocessorWords {};  // with Auto TTSync

TEST_P(CoprocessorWords, LoadsOfConfigurationAndGprsComeAfterTheCoresStoresThere) {
    using hazards::CoreRegion;
    value(User::t1, config);
    value(User::t2, gprs);
    EXPECT_EQ(port.read_backs,
              (std::vector<std::pair<unsigned, CoreRegion>>{{2, CoreRegion::config}, {3, CoreRegion::gprs}}));
    port.stored_now = false;
    expect_wait(load(User::t1, gprs), WaitFor::own_stores);
    EXPECT_EQ(port.read_backs.size(), 2u);
}

TEST_P(CoprocessorWords, InstructionsGoToTheThreadsFifo) {
    for (unsigned thread = 0; thread < 3; ++thread) {
        done(User::b, 0xFFE4'0000 + thread * 0x1'0000, 0x0200'0000);
        EXPECT_EQ(port.asked.back(), (RecordingPort::Asked{"push expanded", 0, thread, 0, 0x0200'0000}));
        done(feeding[thread], 0xFFE4'0000, 0x0100'0000);
        EXPECT_EQ(port.asked.back(), (RecordingPort::Asked{"push", thread + 1, thread, 0, 0x0100'0000}));
        expect_fault(store(feeding[thread], 0xFFE5'0000, 0), "tile.no-access");
    }
    expect_fault(store(User::nc, 0xFFE4'0000, 0), "tile.no-access");
    expect_fault(load(User::t0, 0xFFE4'0000), "tile.no-access");
    port.room = false;
    expect_wait(store(User::t0, 0xFFE4'0000, 1), WaitFor::instruction_fifo);
}

TEST_P(CoprocessorWords, GprsAndMopRegisters) {
    for (unsigned thread = 0; thread < 3; ++thread) {
        port.state().write(state::cells::gpr(thread, 63), 0x8765'4321 + thread);
        EXPECT_EQ(value(User::b, 0xFFE0'0000 + (thread * 64 + 63) * 4), 0x8765'4321 + thread);
        EXPECT_EQ(value(feeding[thread], 0xFFE0'00FC), 0x8765'4321 + thread);
        EXPECT_EQ(value(feeding[thread], 0xFFE0'00FD, 1), 0x43u);
        EXPECT_EQ(value(feeding[thread], 0xFFE0'00FE, 2), 0x8765u);
        done(feeding[thread], 0xFFE0'0010, 7);
        EXPECT_EQ(port.asked.back(), RecordingPort::set(thread + 1, state::cells::gpr(thread, 4), 7));
        done(feeding[thread], 0xFFB8'0020, 8);
        EXPECT_EQ(port.asked.back(), (RecordingPort::Asked{"mop", thread + 1, thread, 8, 8}));
    }
    expect_fault(load(User::b, 0xFFE0'0300), "tile.not-modelled");
    expect_fault(store(User::b, 0xFFE0'0300, 7), "tile.not-modelled");
    expect_fault(store(User::t0, 0xFFE0'0010, 7, 2), "tile.store-width");
    expect_fault(load(User::t0, 0xFFB8'0000), "tile.no-access");
}

// MemoryOrdering, "Aliasing of underlying storage": "at address X and also at X + 256".
TEST_P(CoprocessorWords, GprsOfATCoreAreThereSeveralTimesOnBlackhole) {
    for (unsigned thread = 0; thread < 3; ++thread)
        for (const std::uint32_t again : {0x100u, 0x200u, 0xF00u}) {
            if (GetParam() == Arch::wormhole) {
                expect_fault(load(feeding[thread], gprs + again), "tile.not-modelled");
                expect_fault(store(feeding[thread], gprs + again, 7), "tile.not-modelled");
                continue;
            }
            port.state().write(state::cells::gpr(thread, 5), 70 + thread);
            EXPECT_EQ(value(feeding[thread], gprs + again + 4 * 5), 70u + thread);
            done(feeding[thread], gprs + again + 4 * 4, 7);
            EXPECT_EQ(port.asked.back(), RecordingPort::set(thread + 1, state::cells::gpr(thread, 4), 7));
        }
    EXPECT_STREQ(load(User::b, gprs + 0x300).why, "it is behind the GPRs, and no document says what is there");
}

// BackendConfiguration: both banks, on Blackhole the words that write both, thread configuration behind them.
TEST_P(CoprocessorWords, ConfigurationOfBothBanksAndOfThreads) {
    auto& state = port.state();
    const auto& arch = state.arch();
    const unsigned words = arch.config_words;
    for (unsigned bank = 0; bank < 2; ++bank) {
        state.write(state::cells::config(arch, bank, 12), 0x11 + bank);
        EXPECT_EQ(value(User::b, config + (bank * words + 12) * 4), 0x11 + bank);
        done(User::t0, config + (bank * words + 12) * 4, 5);
        EXPECT_EQ(port.asked.back(), RecordingPort::set(1, state::cells::config(arch, bank, 12), 5));
    }
    const bool blackhole = GetParam() == Arch::blackhole;
    if (blackhole) {
        EXPECT_EQ(value(User::b, config + (2 * words + 12) * 4), 0x11u);
        port.asked.clear();
        done(User::b, config + (2 * words + 12) * 4, 9);
        EXPECT_EQ(port.asked, (std::vector{RecordingPort::set(0, state::cells::config(arch, 0, 12), 9),
                                           RecordingPort::set(0, state::cells::config(arch, 1, 12), 9)}));
    }
    const std::uint32_t threads = config + (blackhole ? 3 : 2) * words * 4, stride = blackhole ? 4 : 16;
    state.write(state::cells::thread_config(2, 1), 0xABC);
    EXPECT_EQ(value(User::t0, threads + (2 * arch.thread_config_words + 1) * stride), 0xABCu);
    expect_fault(store(User::t0, threads, 1), "tile.no-access");
    expect_fault(load(User::t0, threads + 3 * arch.thread_config_words * stride), "tile.not-modelled");
    done(User::nc, debug + 0x58, words + 12);  // CFGREG_RD_CNTL, for who has no access
    EXPECT_EQ(value(User::nc, debug + 0x78), 0x12u);
    port.stored_now = false;
    expect_wait(load(User::b, config), WaitFor::own_stores);
}

// BackendConfiguration: the first words of each part, and what is between 16-bit values and behind all.
TEST_P(CoprocessorWords, PartsOfConfigurationFollowEachOther) {
    auto& state = port.state();
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
        port.asked.clear();
        done(User::b, config + 4 * (2 * words + word), 9);
        EXPECT_EQ(port.asked, (std::vector{RecordingPort::set(0, state::cells::config(arch, 0, word), 9),
                                           RecordingPort::set(0, state::cells::config(arch, 1, word), 9)}));
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
TEST_P(CoprocessorWords, FeaturesAreDisabledByOneKnownBit) {
    constexpr std::uint32_t features = debug + 0x68;
    EXPECT_EQ(value(User::t1, features), 0u);
    done(User::t1, features, 0x800);
    EXPECT_EQ(value(User::b, features), 0x800u);
    EXPECT_EQ(port.state()[state::cells::feature_disable], 0x800u);
    ASSERT_EQ(port.notes.size(), 1u);
    EXPECT_EQ(findings::entry(port.notes[0].id).code, "tile.upper-dst");
    done(User::t0, features, 0x808);
    ASSERT_EQ(port.notes.size(), 2u);
    EXPECT_EQ(findings::entry(port.notes[1].id).code, "tile.feature-bits");
    EXPECT_EQ(port.notes[1].values[0], 8u);
    done(User::t0, features, 0);
    EXPECT_EQ(value(User::b, features), 0u);
    EXPECT_EQ(port.notes.size(), 2u);
}

// AutoTTSync: of T cores only, and as the address says.
TEST_P(CoprocessorWords, TrackedAccessesWaitForInstructions) {
    if (GetParam() == Arch::wormhole) {
        port.ordered = false;
        done(User::t1, gprs, 1);
        done(User::t1, config, 1);
        return;
    }
    for (unsigned t = 0; t < 3; ++t) port.state().write(state::cells::thread_config(t, 56), 0x1F);
    using Asked = RecordingPort::AskedInOrder;
    done(User::t1, config + 4 * 64, 1);
    EXPECT_EQ(port.asked_in_order, (Asked{2, 1, true}));
    done(User::t0, config + 4 * (2 * 224 + 64), 1);  // the word that writes both banks
    EXPECT_EQ(port.asked_in_order, (Asked{1, 0x24, true}));
    value(User::t2, config + 4 * (224 + 112));
    EXPECT_EQ(port.asked_in_order, (Asked{3, 0x10, false}));
    value(User::t2, gprs);
    EXPECT_EQ(port.asked_in_order, (Asked{3, 0x40, false}));
    done(User::t0, 0xFFB1'1000, 1);
    EXPECT_EQ(port.asked_in_order, (Asked{1, 0x80, true}));
    port.ordered = false;
    expect_wait(store(User::t1, gprs, 1), WaitFor::own_instructions);
    expect_wait(load(User::t1, gprs), WaitFor::own_instructions);
    expect_wait(store(User::t1, config, 1), WaitFor::own_instructions);
    expect_wait(load(User::t1, config), WaitFor::own_instructions);
    expect_wait(store(User::t1, 0xFFB1'1000, 1), WaitFor::own_instructions);
    expect_wait(load(User::t1, 0xFFB1'1000), WaitFor::own_instructions);
    EXPECT_EQ(port.asked_in_order, (Asked{2, 0x80, false}));
    expect_wait(store(User::t1, gprs, 1), WaitFor::own_instructions);
    EXPECT_EQ(port.asked_in_order, (Asked{2, 0x40, true}));
    done(User::b, gprs, 1);
    done(User::b, config, 1);
    done(User::b, 0xFFB1'1000, 1);
    for (unsigned t = 0; t < 3; ++t) port.state().write(state::cells::thread_config(t, 56), 0);
    done(User::t1, gprs, 1);
}

// AutoTTSync: Config of a thread is read only, and its parts are those of the table. Resources are for one bank in three bits.
TEST_P(CoprocessorWordsOnBlackhole, LoadsOfThreadConfigurationAreTracked) {
    const auto& arch = port.state().arch();
    const std::uint32_t offset = registers::field("DEST_TARGET_REG_CFG_MATH_Offset")[arch.arch].addr32;
    constexpr unsigned unpackers = 1 | 2, remainder = 4;
    port.state().write(state::cells::thread_config(1, 56), 0x1F);
    using Asked = RecordingPort::AskedInOrder;
    value(User::t1, config + 4 * (3 * 224 + offset));
    EXPECT_EQ(port.asked_in_order, (Asked{2, unpackers | unpackers << 3, false}))
        << "thread 0's has that of both unpackers";
    for (const std::uint32_t word : {3 * 224 + offset + 1, 3 * 224 + arch.thread_config_words + offset, 2 * 224u}) {
        value(User::t1, config + 4 * word);
        EXPECT_EQ(port.asked_in_order, (Asked{2, remainder | remainder << 3, false})) << word;
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, CoprocessorWords, TileDevicesTest::all(), TileDevicesTest::text_of);
INSTANTIATE_TEST_SUITE_P(Blackhole, CoprocessorWordsOnBlackhole, testing::Values(Arch::blackhole),
                         TileDevicesTest::text_of);

}  // namespace
