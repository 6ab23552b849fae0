// SPDX-License-Identifier: Apache-2.0
// Cores of one tile with each other: who wakes whom, who pauses whom, and where reports and snapshots have them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/tile_cores.hpp"

namespace tessera::test {
namespace {

using namespace rv;

// PCBufs: B's read ends when T0 waits for a value. B may have come first.
TEST_P(TileCores, BsReadOfAPcBufEndsWhenTComesToWait) {
    std::vector<std::uint32_t> b, t;
    peek(b, a1, pc_buf);
    b.push_back(i(Op::andi, a1, a1, 0));
    poke(b, pc_buf, 7);
    b.push_back(halt);
    spend(t, 500);
    peek(t, a1, pc_buf);
    keep(t, a1, result);
    t.push_back(halt);
    kernel(RiscvCore::b, b, 0x100);
    kernel(RiscvCore::t0, t, 0x6000);
    expect_result(7);
}

// BabyRISCV (Blackhole), memory map: RISC-V B reaches T0's local data RAM, where T0 waits for a word.
TEST_P(TileCores, ACoreThatPollsItsOwnLocalMemorySeesWhatAnotherStores) {
    if (!blackhole()) return;
    for (const std::uint32_t rounds : {10u, 30'000u}) {
        std::vector<std::uint32_t> b, t;
        put(t, a2, 0xFFB0'0100);
        t.push_back(i(Op::lw, a1, a2, 0));
        t.push_back(branch(Op::beq, a1, zero, -4));
        keep(t, a1, result);
        t.push_back(halt);
        spend(b, rounds);
        poke(b, 0xFFB1'8100, 0x8765'4321);
        b.push_back(halt);
        kernel(RiscvCore::b, b, 0x100);
        kernel(RiscvCore::t0, t, 0x6000);
        expect_result(0x8765'4321);
    }
}

// BackendConfiguration, DISABLE_RISC_BP: bit 22 is B's, 23 to 25 are those of T0 to T2, 26 is NC's, which stores no configuration.
TEST_P(TileCores, EachPredictorHasItsBit) {
    constexpr std::uint32_t word_2 = 0xFFEF'0000 + 4 * 2, rounds = 1000;
    const auto time = [&](RiscvCore core, std::uint32_t value) {
        std::vector<std::uint32_t> b, code;
        poke(b, word_2, value);
        peek(b, a0, word_2);
        b.push_back(i(Op::andi, a0, a0, 0));
        poke(b, result, 1);
        if (core != RiscvCore::b) {
            b.push_back(halt);
            await(code, result);
        }
        std::vector<std::uint32_t>& loop = core == RiscvCore::b ? b : code;
        spend(loop, rounds);
        loop.push_back(halt);
        kernels_.images = {};
        kernel(RiscvCore::b, b, 0x100);
        if (core != RiscvCore::b) kernel(core, code, 0x6000);
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run({.timing = Timing::documented});
        EXPECT_FALSE(done.fault) << done.fault->describe();
        return static_cast<double>(done.cycles);
    };
    const double lost = (rounds - 1) * (blackhole() ? 4 : 2);
    for (unsigned one = 0; one < 5; ++one) {
        const double with = time(RiscvCore(one), 0);
        for (unsigned bit = 0; bit < 5; ++bit)
            EXPECT_NEAR(time(RiscvCore(one), 1u << (22 + bit)), with + (bit == one ? lost : 0), 40) << one << ' ' << bit;
    }
}

// DISABLE_RISC_BP: a core that stores the word itself has no predictor from its next branch on.
// Blackhole's words that write both banks do the same.
TEST_P(TileCores, ACoreSwitchesItsOwnPredictorOffAtOnce) {
    constexpr std::uint32_t config = 0xFFEF'0000, rounds = 1000;
    const std::uint32_t bank_words = blackhole() ? 224 : 188;
    const auto time = [&](unsigned core, std::uint32_t word, std::uint32_t value) {
        std::vector<std::uint32_t> code;
        poke(code, config + 4 * word, value);
        spend(code, rounds);  // within one turn
        code.push_back(halt);
        kernels_.images = {};
        kernel(RiscvCore(core), code, 0x6000);
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run({.timing = Timing::documented});
        EXPECT_FALSE(done.fault) << done.fault->describe();
        return static_cast<double>(done.cycles);
    };
    const double lost = (rounds - 1) * (blackhole() ? 4 : 2);
    std::vector<std::uint32_t> words = {2};
    if (blackhole()) words.push_back(2 * bank_words + 2);
    for (unsigned core = 0; core < 4; ++core) {
        const double with = time(core, 2, 0);
        for (const std::uint32_t word : words)
            for (unsigned bit = 0; bit < 5; ++bit)
                EXPECT_NEAR(time(core, word, 1u << (22 + bit)), with + (bit == core ? lost : 0), 40) << core << ' ' << word << ' ' << bit;
        // Another word, and that of the other bank.
        for (const std::uint32_t word : {3u, bank_words + 2}) EXPECT_NEAR(time(core, word, 1u << (22 + core)), with, 40) << core << ' ' << word;
    }
}

// DebugInterface: T0 stands still while B reads its word twice, and goes on when B says so.
TEST_P(TileCores, ACoreThatAnotherHasPausedIsInSnapshots) {
    std::vector<std::uint32_t> b;
    spend(b, 50);
    put_debug(b, command, 1u << 31 | pause);
    spend(b, 50);
    for (const std::uint32_t to : {result + 4, result + 8}) {
        b.push_back(fence);
        peek(b, a3, result + 0x20);
        keep(b, a3, to);
        spend(b, 50);
    }
    put_debug(b, command, 1u << 31 | resume);
    put(b, a2, result + 0x20);
    b.insert(b.end(), {fence, i(Op::lw, a1, a2, 0), branch(Op::beq, a1, a3, -8)});
    poke(b, result, 1);
    b.push_back(halt);
    kernel(RiscvCore::b, b, 0x100);
    kernel(RiscvCore::t0, counter(result + 0x20), 0x6000);
    kernels_.done = {{result, 1}};
    expect_same_from_snapshots(20, 9);
    EXPECT_GT(word(result + 4), 0u);
    EXPECT_EQ(word(result + 4), word(result + 8));
}

// DebugInterface, "Writing memory": as if by an sw of T0, and the word may be the one that ends the run.
TEST_P(TileCores, AWordThatADebuggerStoresEndsTheRun) {
    constexpr unsigned argument = 2, data = 3, write_memory = 1 << 6;
    std::vector<std::uint32_t> b;
    put_debug(b, command, 1u << 31 | pause);
    spend(b, 50);
    put_debug(b, argument, result);
    put_debug(b, data, 0x8765'4321);
    put_debug(b, command, 1u << 31 | write_memory);
    b.insert(b.end(), {i(Op::addi, a1, a1, 1), jal(zero, -4)});
    kernel(RiscvCore::b, b, 0x100);
    kernel(RiscvCore::t0, counter(result + 0x20), 0x6000);
    kernels_.done = {{result, 0x8765'4321}};
    const tessera::Run done = run({.max_cycles = 1'000'000});
    EXPECT_FALSE(done.fault) << done.fault->describe();
    EXPECT_LT(done.cycles, 1000u);
    core_ = Core(GetParam(), Reset::vendor_sim);
    const std::set<Told> told = told_writes(RiscvCore::t0);
    for (std::uint32_t byte = 0; byte < 4; ++byte)
        EXPECT_TRUE(told.contains({"l1", result + byte, 0x8765'4321 >> 8 * byte & 0xFF})) << byte;
    EXPECT_FALSE(told.contains({"l1", result + 4, 0}));
}

// A step that waits for a core's word knows what the core did before, and hands it on with what it writes.
TEST_P(TileCores, AHostThatWaitsForAWordHandsOnWhatItsCoreKnows) {
    constexpr std::uint32_t shared = 0x3'0000, told = result, go = result + 16;
    std::vector<std::uint32_t> t1, t2;
    poke(t1, shared, 7);
    poke(t1, told, 1);
    t1.push_back(halt);
    await(t2, go);
    give_command(t2, {shared / 16, 0x4'0000 / 16, 1, l1_to_l1}, move_command);
    await_mover(t2);
    t2.push_back(halt);
    kernel(RiscvCore::t1, t1, 0xA000);
    kernel(RiscvCore::t2, t2, 0xE000);
    for (const bool waits : {true, false}) {
        HostStep step;
        step.what = HostStep::What::write;
        step.address = go;
        step.bytes = {std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0}};
        if (waits)
            step.when = WordCondition{told, 1};
        else
            step.at = 5000;
        kernels_.host = {step};
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run();
        EXPECT_FALSE(done.fault) << done.fault->describe();
        EXPECT_EQ(std::ranges::count_if(done.findings, [](const Finding& one) { return one.code.starts_with("hazard."); }), waits ? 0 : 1);
    }
}

TEST_P(TileCores, TheHostsNextStepIsToldInWords) {
    kernel(RiscvCore::b, {halt}, 0x100);
    kernels_.in_reset.fill(true);
    kernels_.in_reset[0] = false;
    for (const RiscvCore core : {RiscvCore::t0, RiscvCore::nc}) kernel(core, {halt}, core == RiscvCore::nc ? 0x1'2000 : 0x6000);
    HostStep waits;
    waits.when = WordCondition{result, 5};
    const auto told = [&](HostStep step) {
        kernels_.host = {step};
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run();
        EXPECT_TRUE(done.fault) << static_cast<int>(step.what);
        if (!done.fault) return std::pair(std::string(), std::string());
        return std::pair(blocked(done, "host").instruction, blocked(done, "host").waits_for);
    };
    EXPECT_EQ(told(waits), std::pair(std::string("step 1 of 1: go on"), std::string("the word at 0x20000 to be 0x5; it is 0x0")));
    HostStep step = waits;
    step.what = HostStep::What::write;
    step.address = 0x2'0040;
    step.bytes.resize(12);
    EXPECT_EQ(told(step).first, "step 1 of 1: write 12 bytes to 0x20040");
    step = waits;
    step.what = HostStep::What::reset;
    step.cores[0] = step.cores[1] = true;
    EXPECT_EQ(told(step).first, "step 1 of 1: put brisc, trisc0 into reset");
    step.what = HostStep::What::start;
    step.cores = {};
    step.cores[1] = step.cores[4] = true;
    EXPECT_EQ(told(step).first, "step 1 of 1: take trisc0, ncrisc out of reset");
}

// NoC: a packet of the tile to itself is on its way for some cycles.
TEST_P(TileCores, RequestsOnTheirWayAreInSnapshots) {
    std::vector<std::uint32_t> b;
    const std::uint32_t id = niu + (blackhole() ? 0x44 : 0x2C), go = niu + (blackhole() ? 0x40 : 0x28), sent = niu + 0x200 + 4;
    peek(b, a3, id);
    b.push_back(i(Op::slli, a3, a3, 20));
    b.push_back(i(Op::srli, a3, a3, blackhole() ? 20 : 16));  // the tile's coordinates, where the registers have them
    poke(b, result + 0x40, 0x8765'4321);
    for (const std::uint32_t lo : {0x00u, 0x0Cu}) {
        poke(b, niu + lo, lo ? result : result + 0x40);
        if (blackhole()) poke(b, niu + lo + 4, 0);
        keep(b, a3, niu + lo + (blackhole() ? 8 : 4));
    }
    poke(b, niu + 0x1C, 2 | 1 << 4);  // a write with a response
    poke(b, niu + 0x20, 4);
    poke(b, go, 1);
    put(b, a2, sent);
    b.insert(b.end(), {i(Op::lw, a1, a2, 0), branch(Op::beq, a1, zero, -4)});
    peek(b, a1, result);
    keep(b, a1, result + 4);
    b.push_back(halt);
    kernel(RiscvCore::b, b, 0x100);
    expect_same_from_snapshots(4, 2);
    EXPECT_EQ(word(result), 0x8765'4321u);
}

// L1, "Port assignments": narrow stores of B and T0 share a port. B is alone at first.
TEST_P(TileCores, CoresThatMeetInL1AreInSnapshots) {
    std::vector<std::uint32_t> b, t;
    for (std::vector<std::uint32_t>* code : {&b, &t}) {
        if (code == &b) {
            peek(b, a0, soft_reset);
            put(b, a1, ~(1u << 12));
            b.push_back(r(Op::and_, a0, a0, a1));
            keep(b, a0, soft_reset);
        }
        put(*code, a2, result + 0x100);
        for (unsigned k = 0; k < 40; ++k) {
            code->push_back(store(Op::sb, a2, static_cast<int>(k % 8), a2));
            code->push_back(i(Op::lw, a4, a2, 16));
        }
        code->push_back(halt);
    }
    kernel(RiscvCore::b, b, 0x100);
    kernel(RiscvCore::t0, t, 0x6000);
    kernels_.in_reset[static_cast<std::size_t>(RiscvCore::t0)] = true;
    expect_same_from_snapshots(3, 80);
}

// A core that a debugger holds is not in reset: the report has its instruction.
TEST_P(TileCores, AReportTellsAPausedCoreFromOneInReset) {
    std::vector<std::uint32_t> b;
    spend(b, 50);
    put_debug(b, command, 1u << 31 | pause);
    b.push_back(halt);
    kernel(RiscvCore::b, b, 0x100);
    kernel(RiscvCore::t0, counter(result + 0x20), 0x6000);
    kernels_.done = {{result, 1}};
    const tessera::Run done = run();
    ASSERT_TRUE(done.fault);
    EXPECT_EQ(done.fault->code, "kernel.not-done");
    EXPECT_FALSE(blocked(done, "trisc0").in_reset);
    EXPECT_FALSE(blocked(done, "trisc0").instruction.empty());
    EXPECT_NE(blocked(done, "trisc0").place.find("main+0x"), std::string::npos) << blocked(done, "trisc0").place;
    EXPECT_TRUE(blocked(done, "trisc1").in_reset);
    EXPECT_EQ(blocked(done, "trisc1").instruction, "");
    EXPECT_EQ(blocked(done, "trisc1").place, "");
}

// Both are told in the cycle in which the core comes to them.
TEST_P(TileCores, AnEbreakIsToldInTheCycleOfAnyOtherFault) {
    const auto cycle = [&](std::uint32_t last, const char* code_of_fault) {
        std::vector<std::uint32_t> code(30, nop);
        code.push_back(last);
        kernel(RiscvCore::b, code, 0x100);
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run();
        EXPECT_TRUE(done.fault);
        if (!done.fault) return std::uint64_t{0};
        EXPECT_EQ(done.fault->code, code_of_fault);
        EXPECT_GE(done.fault->where.cycle, 30u);
        return std::uint64_t{done.fault->where.cycle};
    };
    EXPECT_EQ(cycle(ebreak, "riscv.ebreak"), cycle(0xFFFF'FFFF, "riscv.illegal"));
}

TEST_P(TileCores, AFindingOfAnInstructionHasItsCycle) {
    std::vector<std::uint32_t> code;
    put(code, a0, result + 1);
    code.insert(code.end(), 100, nop);
    code.push_back(store(Op::sw, a0, 0, a0));
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    const tessera::Run done = run();
    const auto found = std::ranges::find_if(done.findings, [](const Finding& one) { return one.code == "riscv.misaligned"; });
    ASSERT_NE(found, done.findings.end());
    EXPECT_GE(found->where.cycle, 100u);
    EXPECT_LE(found->where.cycle, done.cycles);
}

// TTSync, PCBufs: OverrideEn and OverrideBusy of PCBuf 0, which another core sets, end a wait that nothing else ends.
TEST_P(TileCores, AnOverrideWakesACoreThatWaits) {
    constexpr std::uint32_t override_0 = 0xFFB1'2090, mop_registers = 0xFFB8'0000;
    std::vector<std::uint32_t> sets;
    spend(sets, 500);
    poke(sets, override_0, 3);
    sets.push_back(halt);
    for (const std::uint32_t check : {4u, 8u}) {  // CoprocessorDoneCheck, MOPExpanderDoneCheck
        std::vector<std::uint32_t> t;
        t.push_back(ttinsn(instruction("SEMWAIT stall_res=0x1FF sem_sel=2 wait_sem_cond=1")));
        for (std::uint32_t item = 0; item < 9; ++item) poke(t, mop_registers + 4 * item, item < 2 ? 1 : instruction("NOP"));
        for (unsigned times = 0; times < 3; ++times) t.push_back(ttinsn(instruction("MOP mop_type=1")));
        peek(t, a4, pc_buf + check);
        t.push_back(i(Op::andi, a4, a4, 7));
        poke(t, result, 5);
        t.push_back(halt);
        kernel(RiscvCore::b, sets, 0x100);
        kernel(RiscvCore::t0, t, 0x6000);
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run();
        ASSERT_TRUE(done.fault) << "its SEMWAIT waits for ever";
        EXPECT_EQ(done.fault->code, "deadlock");
        EXPECT_EQ(word(result), 5u) << check;
    }
    std::vector<std::uint32_t> b;
    peek(b, a4, pc_buf);
    b.push_back(i(Op::andi, a4, a4, 7));
    poke(b, result, 6);
    b.push_back(halt);
    kernel(RiscvCore::b, b, 0x100);
    kernel(RiscvCore::t0, sets, 0x6000);
    core_ = Core(GetParam(), Reset::vendor_sim);
    EXPECT_FALSE(run().fault);
    EXPECT_EQ(word(result), 6u);
}

INSTANTIATE_TEST_SUITE_P(Archs, TileCores, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
}  // namespace tessera::test
