// SPDX-License-Identifier: Apache-2.0
// Memory, L0, CSRs and turns of a RISC-V core.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/riscv_machine.hpp"
#include "support/riscv_words.hpp"

namespace {

using namespace tessera;
using namespace tessera::test::rv;
using riscv::Op;
using test::RiscvMachine;
using Why = riscv::Stop::Why;

constexpr std::uint32_t data = 0x8000;

unsigned count(const RiscvMachine& machine, std::string_view what) {
    return static_cast<unsigned>(std::ranges::count(machine.bus.reported, what, &test::RecordingBus::Told::what));
}

TEST(RiscvMemory, MisalignedAccessesAreTold) {
    for (Arch arch : all_archs) {
        RiscvMachine machine(arch);
        machine.put(data, {0x44332211});
        machine.put(machine.code,
                    {i(Op::lw, a0, s0, 3), i(Op::lhu, a1, s0, 3), store(Op::sh, a0, 5, s0), i(Op::lw, a2, t0, 2)});
        machine.state.x[s0] = data;
        machine.state.x[t0] = state::Riscv::local_base;
        machine.state.local[1] = 9;
        machine.run(4);
        EXPECT_EQ(machine.state.x[a0], 0x44332211u);
        EXPECT_EQ(machine.state.x[a1], 0x4433u);
        EXPECT_EQ(machine.word(data + 4), arch == Arch::wormhole ? 0x2211u : 0x112200u);
        EXPECT_EQ(machine.state.x[a2], 0x900u);
        EXPECT_EQ(count(machine, "riscv.misaligned"), 4u);
    }
}

// As tt-exalens measures it on chips (test_l1_mem_access.py, test_word_unaligned_writes and its twin for half words).
TEST(RiscvMemory, AMisalignedValueIsStoredLaneByLaneOnBlackhole) {
    for (unsigned bytes : {2u, 4u})
        for (unsigned which = 0; which < 32; ++which) {
            const Arch arch = which < 16 ? Arch::wormhole : Arch::blackhole;
            const unsigned offset = which % 16;
            RiscvMachine machine(arch);
            machine.put(data, {0x1111'1111, 0x1111'1111, 0x1111'1111, 0x1111'1111, 0x1111'1111, 0x1111'1111});
            machine.put(machine.code, {store(bytes == 4 ? Op::sw : Op::sh, a0, static_cast<int>(offset), s0)});
            machine.state.x[s0] = data;
            machine.state.x[a0] = 0xDDCC'BBAA;
            machine.run(1);
            std::array<std::uint8_t, 24> expected;
            expected.fill(0x11);
            const std::uint8_t lanes[] = {0xAA, 0xBB, 0xCC, 0xDD};
            const unsigned first = arch == Arch::wormhole ? offset / bytes * bytes : offset;
            for (unsigned at = first; at < first + bytes && at < 16; ++at) expected[at] = lanes[at % bytes];
            EXPECT_TRUE(std::ranges::equal(expected, std::span(machine.l1.bytes).subspan(data, expected.size()))) << name(arch) << " " << offset;
        }
}

TEST(RiscvMemory, StoresToL1AreMarkedAndChangeIsCountedWhenBytesDiffer) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {store(Op::sw, a0, 0, s0), store(Op::sw, a0, 0, s0), store(Op::sb, zero, 1, s0)});
    machine.state.x[s0] = data;
    machine.state.x[a0] = 0x12340078;
    machine.run(3);
    EXPECT_TRUE(machine.l1.all_written(data, 4));
    EXPECT_FALSE(machine.l1.all_written(data + 16, 4));
    EXPECT_EQ(machine.change, 1u);
}

TEST(RiscvMemory, WatchedStoresAreTold) {
    RiscvMachine machine(Arch::blackhole);
    machine.hart.watch(data + 4, data + 8);
    machine.put(machine.code, {store(Op::sw, a0, 0, s0), store(Op::sb, a0, 7, s0), store(Op::sw, a0, 8, s0),
                               r(Op::amoadd, zero, a1, a0)});
    machine.state.x[s0] = data;
    machine.state.x[a1] = data + 4;
    machine.run(4);
    ASSERT_EQ(machine.bus.reported.size(), 2u);
    EXPECT_EQ(machine.bus.reported[0].address, data + 7);
    EXPECT_EQ(machine.bus.reported[1].address, data + 4);
}

TEST(RiscvMemory, AtomicsAreOfL1Only) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {r(Op::amoadd, a0, t0, a1)});
    machine.state.x[t0] = state::Riscv::local_base;
    EXPECT_EQ(machine.run(1).why, Why::illegal);
    EXPECT_EQ(findings::entry(machine.hart.fault().id).code, "riscv.atomic-address");
}

TEST(RiscvMemory, NarrowAccessesOfTheBusAreExtended) {
    RiscvMachine machine(Arch::blackhole);
    machine.bus.response.value = 0xABCD80F0;
    machine.put(machine.code,
                {i(Op::lb, a0, s0, 0), i(Op::lhu, a1, s0, 0), i(Op::lw, a2, s0, 0), store(Op::sb, a2, 0, s0)});
    machine.state.x[s0] = 0xFFE80000;
    machine.run(4);
    EXPECT_EQ(machine.state.x[a0], 0xFFFFFFF0u);
    EXPECT_EQ(machine.state.x[a1], 0x80F0u);
    EXPECT_EQ(machine.state.x[a2], 0xABCD80F0u);
    EXPECT_EQ(machine.bus.reported.back().values[0], 0xF0u);
}

// --- L0

TEST(RiscvL0, HitsKeepWhatTheyHadAndTellThatL1Differs) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {i(Op::lw, a0, s0, 0), i(Op::lw, a1, s0, 0), fence, i(Op::lw, a2, s0, 0)});
    machine.state.x[s0] = data;
    machine.put(data, {1});
    machine.run(1);
    machine.put(data, {2});
    machine.run(1);
    EXPECT_EQ(machine.state.x[a1], 1u);
    ASSERT_EQ(count(machine, "riscv.stale-l0"), 1u);
    EXPECT_EQ(machine.bus.reported[0].values, (std::vector<std::uint32_t>{data, 1, 2, 0}));
    machine.run(2);
    EXPECT_EQ(machine.state.x[a2], 2u);
}

TEST(RiscvL0, WormholeHasNone) {
    RiscvMachine machine(Arch::wormhole);
    machine.put(machine.code, {i(Op::lw, a0, s0, 0), i(Op::lw, a1, s0, 0)});
    machine.state.x[s0] = data;
    machine.run(1);
    machine.put(data, {2});
    machine.run(1);
    EXPECT_EQ(machine.state.x[a1], 2u);
}

// A load, something in between, L1 changes, and the load again.
std::uint32_t value_after(std::uint32_t between, std::uint32_t cfg0 = 16u << 13) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {csr(Op::csrrw, zero, 0x7C0, a2), i(Op::lw, a0, s0, 0), between, i(Op::lw, a1, s0, 0)});
    machine.state.x[s0] = data;
    machine.state.x[a2] = cfg0;
    machine.state.x[a3] = data + 0x100;
    machine.run(2);
    machine.put(data, {2});
    machine.run(2);
    return machine.state.x[a1];
}

TEST(RiscvL0, IsFlushedByFencesAtomicsAndStoresToTheLine) {
    EXPECT_EQ(value_after(nop), 0u);
    EXPECT_EQ(value_after(fence), 2u);
    EXPECT_EQ(value_after(r(Op::amoadd, zero, a3, zero)), 2u);
    EXPECT_EQ(value_after(store(Op::sb, zero, 9, s0)), 2u);
    EXPECT_EQ(value_after(store(Op::sb, zero, 16, s0)), 0u);
    EXPECT_EQ(value_after(nop, 1u << 3), 2u);  // DisLowCash
}

TEST(RiscvL0, EveryHundredAndTwentyFifthHitFlushesIt) {
    for (bool off : {false, true}) {
        RiscvMachine machine(Arch::blackhole);
        machine.put(machine.code, {csr(Op::csrrw, zero, 0x7C0, a2), i(Op::lw, a0, s0, 0), jal(zero, -4)});
        machine.state.x[s0] = data;
        machine.state.x[a2] = off ? 1u << 24 : 0;
        machine.run(2);
        machine.put(data, {2});
        machine.run(2 * 125);
        EXPECT_EQ(machine.state.x[a0], 0u);
        machine.run(2);
        EXPECT_EQ(machine.state.x[a0], off ? 0u : 2u);
    }
}

TEST(RiscvL0, HasFourLines) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code,
                {i(Op::lw, a0, s0, 0), i(Op::lw, a0, s0, 16), i(Op::lw, a0, s0, 32), i(Op::lw, a0, s0, 48),
                 i(Op::lw, a0, s0, 64), i(Op::lw, a1, s0, 16), i(Op::lw, a2, s0, 0)});
    machine.state.x[s0] = data;
    machine.run(5);
    machine.put(data, {2});
    machine.put(data + 16, {2});
    machine.run(2);
    EXPECT_EQ(machine.state.x[a1], 0u);
    EXPECT_EQ(machine.state.x[a2], 2u);
}

// --- CSRs

TEST(RiscvCsrs, HaveTheirResetValuesAndWritableBits) {
    for (const auto& row : riscv::csrs) {
        if (row.kind != riscv::Csr::Kind::stored) continue;
        RiscvMachine machine(Arch::blackhole);
        machine.put(machine.code, {csr(Op::csrrs, a0, row.number, zero), csr(Op::csrrw, a1, row.number, a3),
                                   csr(Op::csrrc, a2, row.number, zero)});
        machine.state.x[a3] = 0xFFFFFFFF;
        machine.run(3);
        EXPECT_EQ(machine.state.x[a0], row.reset) << row.name;
        EXPECT_EQ(machine.state.x[a1], row.reset) << row.name;
        EXPECT_EQ(machine.state.x[a2], row.reset | row.writable) << row.name;
    }
}

TEST(RiscvCsrs, SetAndClearBits) {
    RiscvMachine machine(Arch::blackhole);
    constexpr std::uint32_t cfg1 = 0x7C3;
    machine.put(machine.code, {csr(Op::csrrwi, a0, cfg1, 0b10101), csr(Op::csrrsi, a1, cfg1, 0b00010),
                               csr(Op::csrrci, a2, cfg1, 0b00001), csr(Op::csrrs, a3, cfg1, zero)});
    machine.run(4);
    EXPECT_EQ(machine.state.x[a1], 0b10101u);
    EXPECT_EQ(machine.state.x[a2], 0b10111u);
    EXPECT_EQ(machine.state.x[a3], 0b10110u);
}

TEST(RiscvCsrs, CountersCount) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {nop, csr(Op::csrrs, a0, 0xB00, zero), csr(Op::csrrs, a1, 0xC00, zero),
                               csr(Op::csrrs, a2, 0xC02, zero)});
    machine.run(4, ~0ull, 1000);
    EXPECT_EQ(machine.state.x[a0], 1u);
    EXPECT_EQ(machine.state.x[a1], 3u);
    EXPECT_EQ(machine.state.x[a2], 3u);
    EXPECT_EQ(machine.state.cycles, 7u);
    EXPECT_EQ(machine.state.retired, 4u);
}

TEST(RiscvCsrs, CountersCanBeWritten) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {csr(Op::csrrwi, zero, 0xC80, 5), csr(Op::csrrwi, zero, 0xB02, 20),
                               csr(Op::csrrs, a0, 0xB80, zero), csr(Op::csrrs, a1, 0xC02, zero)});
    machine.run(4);
    EXPECT_EQ(machine.state.x[a0], 5u);
    EXPECT_EQ(machine.state.x[a1], 21u);
}

// Zicsr, CSR Access Ordering: "the value written to instret by one instruction will be the value read by the following instruction".
TEST(RiscvCsrs, AWrittenMinstretIsReadByTheNextInstruction) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code,
                {csr(Op::csrrwi, zero, 0xB02, 7), csr(Op::csrrs, a0, 0xB02, zero), csr(Op::csrrwi, zero, 0xB82, 1),
                 csr(Op::csrrs, a1, 0xC02, zero), csr(Op::csrrs, a2, 0xC82, zero)});
    machine.run(5);
    EXPECT_EQ(machine.state.x[a0], 7u);
    EXPECT_EQ(machine.state.x[a1], 9u) << "the lower half counts its upper half's write";
    EXPECT_EQ(machine.state.x[a2], 1u);
}

// F, "fcsr": bits 31 to 8 are reserved. V: vxsat has one bit, vxrm two.
TEST(RiscvCsrs, BitsThatDoNotExistStayZero) {
    RiscvMachine machine(Arch::blackhole);
    const std::pair<std::uint32_t, std::uint32_t> bits[] = {{0x003, 0xFF}, {0x009, 1}, {0x00A, 3}};
    for (const auto& [number, exist] : bits) {
        machine.state.pc = machine.code;
        machine.put(machine.code, {csr(Op::csrrw, zero, number, a3), csr(Op::csrrs, a0, number, zero)});
        machine.state.x[a3] = ~0u;
        machine.run(2);
        EXPECT_EQ(machine.state.x[a0], exist) << number;
    }
}

// CSRs, cfg0.DisTTStatusReg: frozen are the values that they have then, read before or not.
TEST(RiscvCsrs, StatusIsTheBusesUntilItIsFrozen) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code,
                {csr(Op::csrrs, a0, 0xBC1, zero), csr(Op::csrrs, zero, 0x7C0, a2), csr(Op::csrrs, a1, 0xBC1, zero),
                 csr(Op::csrrs, a3, 0xBC0, zero), csr(Op::csrrs, zero, 0x7C0, a2), csr(Op::csrrs, a4, 0xBC0, zero)});
    machine.state.x[a2] = 1u << 29;
    machine.bus.response.value = 77;
    machine.run(1);
    machine.bus.response.value = 78;
    machine.run(1);
    machine.bus.response.value = 79;
    machine.run(4);
    EXPECT_EQ(machine.state.x[a0], 77u);
    EXPECT_EQ(machine.state.x[a1], 78u);
    EXPECT_EQ(machine.state.x[a3], 78u);
    EXPECT_EQ(machine.state.x[a4], 78u);
    EXPECT_EQ(count(machine, "status"), 3u) << "one read, and both at the freeze";
}

// CSRs: on the T cores tt_cfg_sstatus shows a register of "some NoC Overlay stream".
TEST(RiscvCsrs, StreamRegistersAreScratchOnBAndNcAndNotModelledOnTCores) {
    for (const std::uint32_t number : {0xBC2u, 0xBC9u})
        for (unsigned core = 0; core < riscv_cores; ++core) {
            RiscvMachine machine(Arch::blackhole, static_cast<RiscvCore>(core));
            machine.put(machine.code, {csr(Op::csrrw, zero, number, a3), csr(Op::csrrs, a0, number, zero)});
            machine.state.x[a3] = 9;
            const bool scratch = core == 0 || core + 1 == riscv_cores;
            EXPECT_EQ(machine.run(1).why, Why::instructions) << "a write alone reads nothing";
            EXPECT_EQ(machine.run(1).why, scratch ? Why::instructions : Why::illegal);
            EXPECT_EQ(machine.state.x[a0], scratch ? 9u : 0u);
            EXPECT_EQ(count(machine, "status"), 0u);
            if (scratch) continue;
            EXPECT_EQ(findings::entry(machine.hart.fault().id).code, "tile.not-modelled");
        }
}

// CSRs, cfg0.DisTTStatusReg: the hardware no longer changes them, CSR instructions do.
TEST(RiscvCsrs, AFrozenStreamRegisterKeepsWhatIsWritten) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {csr(Op::csrrs, zero, 0x7C0, a2), csr(Op::csrrw, zero, 0xBC2, a3), csr(Op::csrrs, a0, 0xBC2, zero)});
    machine.state.x[a2] = 1u << 29;
    machine.state.x[a3] = 9;
    EXPECT_EQ(machine.run(3).why, Why::instructions);
    EXPECT_EQ(machine.state.x[a0], 9u);
}

// --- turns

TEST(RiscvTurns, NothingSharedIsTouchedBeyondTheLimit) {
    for (std::uint32_t word :
         {i(Op::lw, a0, s0, 0), store(Op::sw, a1, 0, s0), i(Op::lw, a0, a2, 0), store(Op::sw, a1, 0, a2), ttinsn(5),
          r(Op::amoswap, a0, s0, a1), csr(Op::csrrs, a0, 0xBC0, zero)}) {
        RiscvMachine machine(Arch::blackhole);
        machine.put(machine.code, {nop, nop, nop, word, nop});
        machine.state.x[s0] = data;
        machine.state.x[a1] = 99;
        machine.state.x[a2] = 0xFFE80000;
        machine.bus.response.value = 5;
        const auto stop = machine.run(10, 2);
        EXPECT_EQ(stop.why, Why::limit);
        EXPECT_EQ(stop.time, 3u);
        EXPECT_EQ(machine.state.pc, machine.code + 12);
        EXPECT_EQ(machine.word(data), 0u);
        EXPECT_TRUE(machine.bus.reported.empty());
        EXPECT_EQ(machine.run(1, 3, 3).why, Why::instructions);
        EXPECT_EQ(machine.state.pc, machine.code + 16);
    }
}

// A core that is ahead does not end the run before others have come to that cycle.
TEST(RiscvTurns, NoFaultComesBeyondTheLimit) {
    constexpr std::uint32_t jump = i(Op::jalr, zero, a2, 0);
    for (std::uint32_t word : {0xFFFF'FFFFu, csr(Op::csrrs, a0, 0x123, zero), r(Op::amoswap, a0, a2, a1), jump}) {
        RiscvMachine machine(Arch::blackhole);
        machine.put(machine.code, {nop, nop, nop, word});
        machine.state.x[a2] = 0xFFE80000;
        const auto early = machine.run(10, 2);
        EXPECT_EQ(early.why, Why::limit);
        EXPECT_GE(early.time, 3u);
        const auto fault = machine.run(1, early.time, early.time);
        EXPECT_EQ(fault.why, word == jump ? Why::fetch : Why::illegal);
        EXPECT_EQ(fault.time, early.time);
    }
}

TEST(RiscvTurns, OwnThingsMayRunAhead) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {i(Op::addi, a0, a0, 1), store(Op::sw, a0, 0, t0), jal(zero, -8)});
    machine.state.x[t0] = state::Riscv::local_base;
    EXPECT_EQ(machine.run(3000, 0).why, Why::instructions);
    EXPECT_EQ(machine.state.x[a0], 1000u);
}

TEST(RiscvTurns, TheBusMayShortenATurn) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {store(Op::sw, a1, 0, a2), store(Op::sw, a1, 0, a2)});
    machine.state.x[a2] = 0xFFE80000;
    machine.bus.before = [&] { machine.turn.limit = 0; };
    EXPECT_EQ(machine.run(10).why, Why::limit);
    EXPECT_EQ(machine.state.pc, machine.code + 4);
}

TEST(RiscvTurns, WhatHasToWaitIsTriedAgain) {
    for (std::uint32_t word : {i(Op::lw, a0, a2, 0), store(Op::sw, a1, 0, a2), ttinsn(5)}) {
        RiscvMachine machine(Arch::blackhole);
        machine.put(machine.code, {word, ebreak});
        machine.state.x[a2] = 0xFFE80000;
        machine.bus.response.kind = riscv::Response::Kind::wait;
        EXPECT_EQ(machine.run(10).why, Why::wait);
        EXPECT_EQ(machine.state.pc, machine.code);
        EXPECT_EQ(machine.state.retired, 0u);
        machine.bus.response.kind = riscv::Response::Kind::done;
        EXPECT_EQ(machine.run(10, ~0ull, 50).why, Why::breakpoint);
        EXPECT_EQ(machine.bus.reported.back().at, 50u);
        machine.bus.response.kind = riscv::Response::Kind::stop;
        machine.state.pc = machine.code;
        EXPECT_EQ(machine.run(10).why, Why::stop);
    }
}

TEST(RiscvTurns, PausesAndJumpsToThemselvesEnd) {
    for (Arch arch : all_archs) {
        RiscvMachine machine(arch);
        machine.put(machine.code, {ebreak, jal(zero, 0)});
        EXPECT_EQ(machine.run(10).why, Why::breakpoint);
        EXPECT_TRUE(machine.state.paused);
        EXPECT_EQ(machine.state.pc, machine.code + 4);
        EXPECT_EQ(machine.run(10).why, Why::self_loop);
    }
}

// Turns of any length come to the same as one.
TEST(RiscvTurns, LengthChangesNothing) {
    const auto after = [](std::uint32_t instructions) {
        RiscvMachine machine(Arch::blackhole);
        machine.put(machine.code,
                    {i(Op::lw, a0, s0, 0), r(Op::mul, a1, a0, a1), r(Op::amoadd, a2, s0, a1), i(Op::addi, a3, a3, 1),
                     store(Op::sw, a1, 64, s0), nop, nop, nop, nop, nop, jal(zero, -40)});
        machine.state.x[s0] = data;
        machine.state.x[a1] = 3;
        riscv::Cycle time = 0;
        for (std::uint32_t done = 0; done < 5040; done += instructions)
            time = machine.run(instructions, ~0ull, time).time;
        return std::tuple(time, machine.state.x, machine.state.cycles, machine.state.retired, machine.word(data + 64));
    };
    const auto whole = after(5040);
    for (std::uint32_t instructions : {1u, 2u, 7u, 9u, 16u}) EXPECT_EQ(after(instructions), whole) << instructions;
}

// --- repetition

constexpr std::uint32_t enough = 40000;

TEST(RiscvRepetition, APollingLoopRepeats) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {fence, i(Op::lw, a0, s0, 0), branch(Op::beq, a0, zero, -8)});
    machine.state.x[s0] = data;
    machine.run(300);
    EXPECT_FALSE(machine.hart.repeats(machine.change));
    machine.run(enough);
    EXPECT_TRUE(machine.hart.repeats(machine.change));
    EXPECT_FALSE(machine.hart.repeats(machine.change + 1));
    const auto polls = machine.hart.polled();
    ASSERT_EQ(polls.all().size(), 1u);
    EXPECT_EQ(polls.all()[0], (riscv::Poll{machine.code + 4, data, 0}));
}

// Wherever in its round the loop stands, and if not all of its places are kept, too.
TEST(RiscvRepetition, APollingLoopHasPlaces) {
    for (const int places : {2, 4, 6}) {
        RiscvMachine machine(Arch::blackhole);
        std::vector<std::uint32_t> code{fence};
        for (int place = 0; place < places; ++place) code.push_back(i(Op::lw, a0, s0, 4 * place));
        code.push_back(branch(Op::beq, zero, zero, -4 * (places + 1)));
        for (std::size_t n = 0; n < code.size(); ++n)
            machine.put(machine.code + 4 * static_cast<std::uint32_t>(n), {code[n]});
        machine.state.x[s0] = data;
        machine.run(enough);
        ASSERT_TRUE(machine.hart.repeats(machine.change));
        for (int more = 0; more < 2 * places; ++more) {
            machine.run(1);
            const auto polled = machine.hart.polled();
            ASSERT_EQ(polled.all().size(), std::min<std::size_t>(static_cast<std::size_t>(places), 4)) << more;
            EXPECT_EQ(polled.has_more(), places > 4);
            for (std::size_t n = 0; n < polled.all().size(); ++n) EXPECT_EQ(polled.all()[n].address, data + 4 * n);
        }
    }
}

TEST(RiscvRepetition, WhatIsNoticeableBreaksIt) {
    struct Case {
        const char* what;
        std::uint32_t word;
        bool repeats;
    };
    for (const Case& each :
         {Case{"counts", i(Op::addi, a1, a1, 1), false}, Case{"stores to the bus", store(Op::sw, a0, 0, a2), false},
          Case{"pushes", ttinsn(2), false}, Case{"writes a CSR", csr(Op::csrrw, zero, 0x7C3, zero), false},
          Case{"reads the time", csr(Op::csrrs, a1, 0xB00, zero), false},
          Case{"stores the same", store(Op::sw, a0, 4, s0), true},
          Case{"stores the same locally", store(Op::sw, s0, 0, t0), true}, Case{"loads", i(Op::lw, a0, a2, 0), true},
          Case{"nothing", nop, true}}) {
        RiscvMachine machine(Arch::blackhole);
        machine.put(machine.code, {each.word, jal(zero, -4)});
        machine.state.x[s0] = data;
        machine.state.x[t0] = state::Riscv::local_base;
        machine.state.x[a2] = 0xFFE80000;
        machine.run(enough);
        EXPECT_EQ(machine.hart.repeats(machine.change), each.repeats) << each.what;
    }
}

TEST(RiscvRepetition, ACounterInLocalMemoryBreaksIt) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code,
                {i(Op::lw, a0, t0, 0), i(Op::addi, a0, a0, 1), store(Op::sw, a0, 0, t0), li(a0, 0), jal(zero, -16)});
    machine.state.x[t0] = state::Riscv::local_base;
    machine.run(10 * enough);
    EXPECT_FALSE(machine.hart.repeats(machine.change));
}

TEST(RiscvRepetition, AStaleLineBreaksIt) {
    RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {i(Op::lw, a0, s0, 0), branch(Op::beq, a0, zero, -4)});
    machine.state.x[s0] = data;
    machine.run(enough);
    ASSERT_TRUE(machine.hart.repeats(machine.change));
    machine.put(data, {1});
    EXPECT_FALSE(machine.hart.repeats(machine.change));
}

}  // namespace
