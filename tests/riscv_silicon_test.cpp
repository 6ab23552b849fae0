// SPDX-License-Identifier: Apache-2.0
// Cycles of the RISC-V cores under Timing::silicon: loops as mesham/tt-sim's riscvbench ran them on chips, each with the cycles
// of a round that it published. A round has two instructions of the loop's own: a counter and a branch.
#include <gtest/gtest.h>

#include "support/riscv_machine.hpp"
#include "support/riscv_words.hpp"

namespace {

using namespace tessera;
using namespace tessera::test::rv;
using riscv::Op;

constexpr std::uint32_t data = 0x8000;

struct Loop {
    Arch arch;
    RiscvCore core;
    Timing timing = Timing::silicon;
    std::vector<std::uint32_t> body{};
    std::uint32_t cfg0 = 0;  ///< Blackhole: bits to set beforehand
    std::uint32_t code = 0x10000;

    Loop& repeat(unsigned count, std::initializer_list<std::uint32_t> words) {
        for (unsigned i = 0; i < count; ++i) body.insert(body.end(), words);
        return *this;
    }

    /// Of a round, once the caches and the predictor have seen the loop.
    riscv::Cycle cycles() const {
        const auto after = [&](std::uint32_t rounds) { return time(rounds); };
        return (after(20) - after(10)) / 10;
    }

private:
    riscv::Cycle time(std::uint32_t rounds) const {
        test::RiscvMachine machine(arch, core, timing);
        machine.bus.response.latency = 2;
        std::uint32_t at = code - 4;
        const auto put = [&](std::uint32_t word) { machine.put(at, {word}), at += 4; };
        put(cfg0 ? csr(Op::csrrs, zero, 0x7C0, t2) : nop);
        for (std::uint32_t word : body) put(word);
        put(i(Op::addi, a7, a7, -1));
        const int back = -static_cast<int>(at - code);
        if (back > -4096) {
            put(branch(Op::bne, a7, zero, back));
        } else {  // too far for a branch
            put(branch(Op::beq, a7, zero, 8));
            put(jal(zero, back - 4));
        }
        put(ebreak);
        machine.state.pc = code - 4;
        machine.state.x[t2] = cfg0;
        machine.state.x[a7] = rounds;
        machine.state.x[s0] = data;
        machine.state.x[a4] = dividend;
        machine.state.x[a5] = 3;
        return machine.run(10'000'000).time;
    }

public:
    std::uint32_t dividend = 0x12345678;
};

constexpr std::uint32_t add = i(Op::addi, a0, a0, 1), flip = i(Op::xori, a6, a6, 1);
constexpr std::uint32_t not_taken = branch(Op::bne, a0, a0, 4), taken = branch(Op::beq, a0, a0, 4);
constexpr std::uint32_t alternating = branch(Op::beq, a6, zero, 4);

TEST(RiscvSilicon, AShortLoopHasNoPenalty) {
    // 65.8 and 65.9 of 64 instructions; 18 of 16.
    for (Arch arch : all_archs)
        for (RiscvCore core : {RiscvCore::t0, RiscvCore::t1}) {
            EXPECT_EQ(Loop({arch, core}).repeat(64, {add}).cycles(), 66u);
            EXPECT_EQ(Loop({arch, core}).repeat(16, {add}).cycles(), 18u);
        }
}

// Published: 67.8, 195.6, 195.6, 131.7, 259.3 and 195.3 cycles.
TEST(RiscvSilicon, ManyBranchesInARoundAreMispredictedOnWormhole) {
    const auto cycles = [](std::initializer_list<std::uint32_t> words) {
        return Loop{Arch::wormhole, RiscvCore::t0}.repeat(64, words).cycles();
    };
    EXPECT_EQ(cycles({not_taken}), 64u + 4) << "only the loop's own branch";
    EXPECT_EQ(cycles({taken}), 64 * 3u + 4);
    EXPECT_EQ(cycles({jal(zero, 4)}), 64 * 3u + 4);
    EXPECT_EQ(cycles({flip, not_taken}), 64 * 2u + 4);
    EXPECT_EQ(cycles({flip, taken}), 64 * 4u + 4);
    EXPECT_EQ(cycles({flip, alternating}), 64 * 3u + 4);
}

// Published, between the last points of each: 66, 66, 66 and 130 cycles.
TEST(RiscvSilicon, BlackholePredictsABranchByWhatItDidLast) {
    const auto cycles = [](std::initializer_list<std::uint32_t> words) {
        return Loop{Arch::blackhole, RiscvCore::t1}.repeat(64, words).cycles();
    };
    EXPECT_EQ(cycles({not_taken}), 66u);
    EXPECT_EQ(cycles({taken}), 66u);
    EXPECT_EQ(cycles({jal(zero, 4)}), 66u);
    EXPECT_EQ(cycles({flip, alternating}), 130u);
}

TEST(RiscvSilicon, DocumentedTimingKnowsNoTable) {
    EXPECT_EQ((Loop{Arch::blackhole, RiscvCore::t1, Timing::documented}.repeat(64, {taken}).cycles()), 64 * 5u + 2);
    EXPECT_EQ((Loop{Arch::wormhole, RiscvCore::t1, Timing::documented}.repeat(64, {jal(zero, 4)}).cycles()), 66u);
}

// Of 64 loads: 112.0 on Wormhole, 114.8 on Blackhole, where tt-metal's firmware has switched L0 off.
TEST(RiscvSilicon, FourLoadsAreInFlightOnBothChips) {
    const auto cycles = [](Arch arch, std::uint32_t cfg0) {
        return Loop{arch, RiscvCore::t1, Timing::silicon, {}, cfg0}
            .repeat(16, {i(Op::lw, a0, s0, 0), i(Op::lw, a1, s0, 16), i(Op::lw, a2, s0, 32), i(Op::lw, a3, s0, 48)})
            .cycles();
    };
    EXPECT_EQ(cycles(Arch::wormhole, 0), 112u);
    EXPECT_EQ(cycles(Arch::blackhole, 1u << 3), 112u);
    EXPECT_EQ(cycles(Arch::blackhole, 0), 66u) << "hits of L0 are not in flight";
}

// 33.0 and 14.0 cycles.
TEST(RiscvSilicon, DivisionsTakeGroupsOfFourBits) {
    const auto cycles = [](Arch arch, std::uint32_t dividend) {
        Loop loop{arch, RiscvCore::t1};
        loop.dividend = dividend;
        return loop.repeat(64, {r(Op::divu, a0, a4, a5)}).cycles() - 2;
    };
    for (Arch arch : all_archs) {
        EXPECT_EQ(cycles(arch, 0xFFF), 64u * 14);
        EXPECT_EQ(cycles(arch, 0x12345678), 64u * 33);
        EXPECT_EQ(cycles(arch, 1), 64u * 6);
        EXPECT_EQ(cycles(arch, 0xFFFFFFFF), 64u * 33);
    }
}

/// Per instruction, of straight code of that size in a loop.
double fetch(Arch arch, RiscvCore core, unsigned bytes) {
    return (static_cast<double>(Loop{arch, core}.repeat(bytes / 4, {add}).cycles()) - 2) / (bytes / 4);
}

// Published for T1: 0.996, 1.010, 1.422, 1.405, 1.405 and 1.400; for T0 and T2: 0.998, 0.998, 0.998, 1.002, 1.152 and 1.151.
TEST(RiscvSilicon, CodeLargerThanTheCacheIsFetchedAtARateOnWormhole) {
    for (unsigned bytes : {256u, 496u}) EXPECT_EQ(fetch(Arch::wormhole, RiscvCore::t1, bytes), 1) << bytes;
    EXPECT_NEAR(fetch(Arch::wormhole, RiscvCore::t1, 512), 1.010, 0.025);
    for (unsigned bytes : {1024u, 2048u, 4096u, 8192u})
        EXPECT_NEAR(fetch(Arch::wormhole, RiscvCore::t1, bytes), 1.404, 0.015) << bytes;
    for (RiscvCore core : {RiscvCore::t0, RiscvCore::t2}) {
        for (unsigned bytes : {256u, 512u, 1024u, 2032u}) EXPECT_EQ(fetch(Arch::wormhole, core, bytes), 1) << bytes;
        EXPECT_NEAR(fetch(Arch::wormhole, core, 2048), 1.002, 0.005);
        for (unsigned bytes : {4096u, 8192u}) EXPECT_NEAR(fetch(Arch::wormhole, core, bytes), 1.1515, 0.003) << bytes;
    }
}

// Published: 1.000 at 4 KiB, then 1.092, 1.153, 1.213, 1.252, 1.252 and 1.251.
TEST(RiscvSilicon, CodeThatPartlyFitsHitsPartlyOnBlackhole) {
    struct Point {
        unsigned bytes;
        double published;
    };
    for (const Point& point : {Point{4096, 1.0003},
                               {4608, 1.0922},
                               {5120, 1.1529},
                               {5632, 1.2127},
                               {6144, 1.2519},
                               {7168, 1.2516},
                               {8192, 1.2514}})
        EXPECT_NEAR(fetch(Arch::blackhole, RiscvCore::t1, point.bytes), point.published, 0.012) << point.bytes;
}

TEST(RiscvSilicon, FetchesHideBehindSlowInstructions) {
    Loop loop{Arch::wormhole, RiscvCore::t1};
    EXPECT_NEAR(static_cast<double>(loop.repeat(512, {r(Op::mul, a0, a1, a2)}).cycles()), 512 * 2 + 2, 8);
}

// Published for T1, whose cache holds all but eight bytes of each loop: 276.8 and 214.1 cycles.
TEST(RiscvSilicon, AMispredictedBranchStartsFetchesAnew) {
    const auto cycles = [](std::initializer_list<std::uint32_t> words) {
        return static_cast<double>(Loop{Arch::wormhole, RiscvCore::t1}.repeat(64, words).cycles());
    };
    EXPECT_NEAR(cycles({flip, taken}), 276.8, 0.05 * 276.8);
    EXPECT_NEAR(cycles({flip, alternating}), 214.1, 0.05 * 214.1);
}

// L1, Port assignments.
TEST(RiscvSilicon, StoresHoldAPortAndABank) {
    const unsigned t0_port = riscv::L1Ports::port_of(RiscvCore::t0), t1_port = riscv::L1Ports::port_of(RiscvCore::t1);
    EXPECT_EQ(riscv::L1Ports::port_of(RiscvCore::t2), t1_port);
    EXPECT_EQ(riscv::L1Ports::port_of(RiscvCore::b), t0_port);
    EXPECT_NE(t0_port, t1_port);
    riscv::L1Ports ports;
    EXPECT_EQ(ports.hold(t0_port, 0x1000, 10, 5), 15u);
    EXPECT_EQ(ports.hold(t1_port, 0x1010, 10, 5), 15u) << "another port, another bank";
    EXPECT_EQ(ports.hold(t1_port, 0x1020, 10, 5), 20u) << "the same port";
    EXPECT_EQ(ports.hold(t0_port, 0x2020, 10, 5), 25u) << "the same bank";
    EXPECT_EQ(ports.hold(t0_port, 0x2030, 40, 5), 45u);
}

// 20.3 cycles of four .ttinsn and 16 additions, adjacent or not: tt-metal's firmware has set DisTriscCache.
TEST(RiscvSilicon, FusionIsOffWhereItsFirmwareHasSwitchedItOff) {
    const auto cycles = [](std::uint32_t cfg0) {
        Loop loop{Arch::blackhole, RiscvCore::t1, Timing::silicon, {}, cfg0};
        for (unsigned group = 0; group < 16; ++group)
            loop.repeat(1, {ttinsn(1), ttinsn(1), ttinsn(1), ttinsn(1)}).repeat(16, {add});
        return loop.cycles();
    };
    EXPECT_EQ(cycles(1u << 18), 16u * 20 + 2);
    EXPECT_EQ(cycles(0), 16u * 17 + 2);
}

// A run in turns of any length takes as long as one in a single turn.
TEST(RiscvSilicon, TurnsDoNotChangeTime) {
    for (Arch arch : all_archs) {
        const auto time = [&](std::uint32_t instructions) {
            test::RiscvMachine machine(arch, RiscvCore::t1, Timing::silicon);
            std::uint32_t at = machine.code;
            const auto put = [&](std::uint32_t word) { machine.put(at, {word}), at += 4; };
            for (unsigned n = 0; n < 200; ++n) {
                put(flip);
                put(n % 3 ? alternating : jal(zero, 4));
                put(i(Op::lw, a0, s0, static_cast<int>(n % 8) * 16));
            }
            put(i(Op::addi, a7, a7, -1));
            put(branch(Op::bne, a7, zero, -static_cast<int>(at - machine.code)));
            put(ebreak);
            machine.state.x[s0] = data;
            machine.state.x[a7] = 4;
            riscv::Stop stop;
            do stop = machine.run(instructions);
            while (stop.why == riscv::Stop::Why::instructions);
            return stop.time;
        };
        const riscv::Cycle whole = time(1'000'000);
        for (std::uint32_t instructions : {1u, 2u, 3u, 7u, 64u}) EXPECT_EQ(time(instructions), whole) << instructions;
    }
}

}  // namespace
