// SPDX-License-Identifier: Apache-2.0
// Cycles of the RISC-V cores, row by row from their pages.

#include <gtest/gtest.h>

#include "support/riscv_machine.hpp"
#include "support/riscv_words.hpp"

namespace {

using namespace tessera;
using namespace tessera::test::rv;
using riscv::Op;
using Why = riscv::Stop::Why;

constexpr std::uint32_t data = 0x8000;

// Cycles of the words, from the first one's entry until the one behind them can enter.
riscv::Cycle cycles(test::RiscvMachine& machine, std::initializer_list<std::uint32_t> words) {
    machine.put(machine.code, words);
    machine.state.x[s0] = data;
    machine.state.x[t0] = riscv::Cycle{} + state::Riscv::local_base;
    return machine.run(static_cast<std::uint32_t>(words.size())).time;
}
riscv::Cycle cycles(Arch arch, std::initializer_list<std::uint32_t> words) {
    test::RiscvMachine machine(arch);
    return cycles(machine, words);
}

constexpr std::uint32_t use = r(Op::add, a2, a0, a0);  // of a0

TEST(RiscvTiming, OneInstructionPerCycle) {
    for (Arch arch : all_archs) EXPECT_EQ(cycles(arch, {li(a0, 1), use, r(Op::sub, a1, a2, a0)}), 3u);
}

TEST(RiscvTiming, LocalLoadsHaveLatencyTwo) {
    for (Arch arch : all_archs) {
        EXPECT_EQ(cycles(arch, {i(Op::lw, a0, t0, 0), use}), 2u + 1);
        EXPECT_EQ(cycles(arch, {i(Op::lw, a0, t0, 0), nop, use}), 2u + 1);
    }
}

TEST(RiscvTiming, L1LoadsHaveLatencyEight) {
    for (Arch arch : all_archs) {
        EXPECT_EQ(cycles(arch, {i(Op::lw, a0, s0, 0), use}), 8u + 1);
        EXPECT_EQ(cycles(arch, {i(Op::lw, a0, s0, 0), nop, nop, nop, nop, nop, nop, nop, use}), 8u + 1);
    }
}

TEST(RiscvTiming, L0HitsHaveLatencyTwoOnBlackhole) {
    EXPECT_EQ(cycles(Arch::blackhole, {i(Op::lw, a1, s0, 0), i(Op::lw, a0, s0, 12), use}), 1u + 2 + 1);
    EXPECT_EQ(cycles(Arch::blackhole, {i(Op::lw, a1, s0, 0), i(Op::lw, a0, s0, 16), use}), 1u + 8 + 1);
    EXPECT_EQ(cycles(Arch::wormhole, {i(Op::lw, a1, s0, 0), i(Op::lw, a0, s0, 12), use}), 1u + 8 + 1);
}

TEST(RiscvTiming, AtomicsHaveLatencyTwelve) {
    EXPECT_EQ(cycles(Arch::blackhole, {r(Op::amoadd, a0, s0, zero), use}), 12u + 1);
}

TEST(RiscvTiming, LatencyOfOtherLoadsIsTheBuss) {
    for (Arch arch : all_archs)
        for (std::uint16_t latency : {3, 4, 7}) {
            test::RiscvMachine machine(arch);
            machine.bus.response.latency = latency;
            EXPECT_EQ(cycles(machine, {lui(a1, 0xFFE80), i(Op::lw, a0, a1, 0), use}), 1u + latency + 1);
        }
}

TEST(RiscvTiming, MultiplicationsTakeTwoCycles) {
    EXPECT_EQ(cycles(Arch::blackhole, {r(Op::mul, a0, s0, s0), use}), 2u + 1);
    EXPECT_EQ(cycles(Arch::blackhole, {r(Op::mul, a0, s0, s0), nop, use}), 3u);
    EXPECT_EQ(cycles(Arch::wormhole, {r(Op::mul, a0, s0, s0), nop}), 2u + 1);
}

TEST(RiscvTiming, DivisionsTakeTwoCyclesOrSixToThirtyThree) {
    const auto divide = [](Op op, std::uint32_t a, std::uint32_t b) {
        test::RiscvMachine machine(Arch::blackhole);
        machine.state.x[a1] = a;
        machine.state.x[a2] = b;
        return cycles(machine, {r(op, a0, a1, a2)});
    };
    EXPECT_EQ(divide(Op::div, 100, 0), 2u);
    EXPECT_EQ(divide(Op::remu, 100, 1), 2u);
    EXPECT_EQ(divide(Op::div, 0x80000000, 0xFFFFFFFF), 2u);
    EXPECT_EQ(divide(Op::divu, 0, 3), 6u);
    EXPECT_EQ(divide(Op::divu, 0xFFFFFFFF, 3), 33u);
    EXPECT_EQ(divide(Op::div, 0xFFFFFFFF, 3), 6u);
}

TEST(RiscvTiming, MispredictedBranchesCostABubble) {
    // Forward and taken: here predicted as not taken.
    EXPECT_EQ(cycles(Arch::blackhole, {branch(Op::beq, zero, zero, 4)}), 5u);
    EXPECT_EQ(cycles(Arch::wormhole, {branch(Op::beq, zero, zero, 4)}), 3u);
    EXPECT_EQ(cycles(Arch::blackhole, {branch(Op::bne, zero, zero, 4)}), 1u);
    EXPECT_EQ(cycles(Arch::blackhole, {jal(zero, 4)}), 1u);
}

TEST(RiscvTiming, AllTakenBranchesCostItWithoutPredictor) {
    test::RiscvMachine machine(Arch::blackhole);
    machine.state.x[a0] = 1 << 1;
    EXPECT_EQ(cycles(machine, {csr(Op::csrrs, zero, 0x7C0, a0), jal(zero, 4)}), 2u + 5);
}

// BackendConfiguration, DISABLE_RISC_BP: on Wormhole, too.
TEST(RiscvTiming, ConfigurationSwitchesThePredictorOffAndOn) {
    for (const Arch arch : all_archs) {
        test::RiscvMachine machine(arch);
        const auto jump = [&] {
            machine.hart.reset(machine.code);
            return cycles(machine, {jal(zero, 4)});
        };
        EXPECT_EQ(jump(), 1u);
        machine.hart.let_predict(false);
        EXPECT_EQ(jump(), arch == Arch::blackhole ? 5u : 3u) << "a reset of the core leaves configuration alone";
        machine.hart.let_predict(true);
        EXPECT_EQ(jump(), 1u);
    }
}

TEST(RiscvTiming, StoresToL1AreFiveCyclesApart) {
    const auto time = [](Arch arch, int step, unsigned count) {
        test::RiscvMachine machine(arch);
        // for (; a1; --a1, s0 += step) *s0 = a1
        machine.put(machine.code, {store(Op::sw, a1, 0, s0), i(Op::addi, s0, s0, step), i(Op::addi, a1, a1, -1),
                                   branch(Op::bne, a1, zero, -12), ebreak});
        machine.state.x[s0] = data;
        machine.state.x[a1] = count;
        return machine.run(100000).time;
    };
    const auto per_store = [&](Arch arch, int step) { return (time(arch, step, 500) - time(arch, step, 100)) / 400; };
    EXPECT_EQ(per_store(Arch::wormhole, 4), 5u);
    EXPECT_EQ(per_store(Arch::blackhole, 64), 5u);
    EXPECT_EQ(per_store(Arch::blackhole, 4), 4u);  // they coalesce, and the loop has four instructions
}

TEST(RiscvTiming, StoresThatFillABlockOfSixteenBytesTakeACycleEach) {
    const auto time = [](bool merges) {
        test::RiscvMachine machine(Arch::blackhole);
        machine.put(machine.code,
                    {store(Op::sw, a1, 0, s0), store(Op::sw, a1, 4, s0), store(Op::sw, a1, 8, s0),
                     store(Op::sw, a1, 12, s0), i(Op::addi, a1, a1, -1), branch(Op::bne, a1, zero, -20), ebreak});
        machine.state.x[s0] = data;
        machine.state.x[a1] = 100;
        if (!merges) machine.state.csr[riscv::csr("cfg0")] = 1u << 12, machine.state.x[a2] = 0;
        if (!merges) {
            machine.put(machine.code - 4, {csr(Op::csrrw, zero, 0x7C0, a3)});
            machine.state.x[a3] = 1u << 12;
            machine.state.pc = machine.code - 4;
        }
        return machine.run(100000).time;
    };
    EXPECT_LT(time(true), 620u);
    EXPECT_GT(time(false), 1900u);
}

TEST(RiscvTiming, TheRetireQueueHoldsEight) {
    // A load of latency 30, and instructions that do not need it: seven follow it, the eighth waits.
    for (Arch arch : all_archs) {
        test::RiscvMachine machine(arch);
        machine.bus.response.latency = 30;
        EXPECT_EQ(cycles(machine, {lui(a1, 0xFFE80), i(Op::lw, a0, a1, 0), nop, nop, nop, nop, nop, nop, nop}), 9u);
        EXPECT_EQ(machine.run(0, ~0ull).time, 9u);
        machine.put(machine.state.pc, {nop});
        EXPECT_EQ(machine.run(1).time, 1u + 30 + 1);
    }
}

TEST(RiscvTiming, WormholeHasFourLongLoadsInFlight) {
    EXPECT_EQ(cycles(Arch::wormhole, {i(Op::lw, a0, s0, 0), i(Op::lw, a1, s0, 32), i(Op::lw, a2, s0, 64),
                                      i(Op::lw, a3, s0, 96), i(Op::lw, a4, s0, 128)}),
              7u + 1);
    EXPECT_EQ(cycles(Arch::blackhole, {i(Op::lw, a0, s0, 0), i(Op::lw, a1, s0, 32), i(Op::lw, a2, s0, 64),
                                       i(Op::lw, a3, s0, 96), i(Op::lw, a4, s0, 128)}),
              5u);
}

// BabyRISCV (Wormhole), table of load latencies: four in flight "in aggregate across all of these regions", which are all but local memory;
// "four such loads every N - 1 cycles". Misaligned ones take the general path.
TEST(RiscvTiming, WormholeHasFourLoadsOfDevicesInFlight) {
    const auto time = [](Arch arch, std::uint16_t latency, int misaligned) {
        test::RiscvMachine machine(arch);
        machine.bus.response.latency = latency;
        machine.put(machine.code, {lui(a1, 0xFFB20)});
        constexpr std::uint32_t loads = 16;
        for (std::uint32_t n = 0; n < loads; ++n) machine.put(machine.code + 4 + 4 * n, {i(Op::lw, zero, a1, misaligned)});
        return machine.run(1 + loads).time;
    };
    for (const int misaligned : {0, 2}) {
        EXPECT_EQ(time(Arch::wormhole, 7, misaligned), 1u + 3 * 6 + 4);
        EXPECT_EQ(time(Arch::blackhole, 7, misaligned), 1u + 16);
        for (const std::uint16_t latency : {3, 4}) EXPECT_EQ(time(Arch::wormhole, latency, misaligned), 1u + 16);
    }
}

TEST(RiscvTiming, WormholeCountsLoadsOfDevicesAndOfL1Together) {
    test::RiscvMachine first_devices(Arch::wormhole), first_l1(Arch::wormhole);
    first_devices.bus.response.latency = 7;
    const std::uint32_t of_device = i(Op::lw, zero, a1, 0), of_l1 = i(Op::lw, zero, s0, 0);
    EXPECT_EQ(cycles(first_devices, {lui(a1, 0xFFB20), of_device, of_device, of_device, of_device, of_l1}), 1u + 6 + 1);
    EXPECT_EQ(cycles(first_l1, {lui(a1, 0xFFB20), of_l1, of_l1, of_l1, of_l1, of_device}), 1u + 7 + 1);
}

TEST(RiscvTiming, FencesWaitForLoadsAndStoresOnBlackhole) {
    EXPECT_EQ(cycles(Arch::blackhole, {i(Op::lw, a0, s0, 0), fence}), 8u + 2);
    EXPECT_EQ(cycles(Arch::blackhole, {store(Op::sw, a0, 0, s0), fence}), 5u + 2);
    EXPECT_EQ(cycles(Arch::wormhole, {i(Op::lw, a0, s0, 0), fence}), 2u);
}

TEST(RiscvTiming, FourTtinsnAreOnePushOnThreads) {
    const auto words = {ttinsn(1), ttinsn(2), ttinsn(3), ttinsn(4), ttinsn(5), nop};
    test::RiscvMachine thread(Arch::blackhole, RiscvCore::t1);
    thread.put(thread.code, words);
    EXPECT_EQ(thread.run(3).time, 3u);
    ASSERT_EQ(thread.bus.reported.size(), 2u);
    EXPECT_EQ(thread.bus.reported[0].values, (std::vector<std::uint32_t>{1, 2, 3, 4}));
    EXPECT_EQ(thread.bus.reported[1].values, (std::vector<std::uint32_t>{5}));
    EXPECT_EQ(thread.bus.reported[1].at, 1u);
    EXPECT_EQ(thread.state.pc, thread.code + 24);

    for (auto [arch, core] : {std::pair{Arch::blackhole, RiscvCore::b}, std::pair{Arch::wormhole, RiscvCore::t1}}) {
        test::RiscvMachine machine(arch, core);
        machine.put(machine.code, words);
        machine.run(5);
        EXPECT_EQ(machine.bus.reported.size(), 5u);
    }
}

TEST(RiscvTiming, DisTriscCacheEndsFusing) {
    test::RiscvMachine machine(Arch::blackhole);
    machine.put(machine.code, {csr(Op::csrrw, zero, 0x7C0, a0), ttinsn(1), ttinsn(2), ttinsn(3)});
    machine.state.x[a0] = 1u << 18;
    machine.run(4);
    EXPECT_EQ(machine.bus.reported.size(), 3u);
}

}  // namespace
