// SPDX-License-Identifier: Apache-2.0
// A core that polls goes on in time, whoever ends its poll, and whether or not writes are observed. What others do meanwhile to the polled
// word, to the loop or to the core is not missed.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/kernel_run.hpp"

namespace tessera::test {
namespace {

using namespace rv;

class Polls : public KernelRun {
protected:
    static constexpr std::uint32_t flag = 0x3'0000, source = flag + 0x800, wall_clock = 0xFFB1'21F0;
    static constexpr std::uint32_t semaphore = 0xFFE8'0020 + 4 * 2, of_polls = 0x6000;

    /// T0 waits for the word, then keeps the time, the word and its neighbour.
    void poll(bool fenced = true) {
        std::vector<std::uint32_t> code;
        put(code, a2, flag);
        if (fenced) code.push_back(fence);
        code.push_back(i(Op::lw, a1, a2, 0));
        code.push_back(branch(Op::beq, a1, zero, fenced ? -8 : -4));
        peek(code, a3, wall_clock);
        keep(code, a3, result);
        keep(code, a1, result + 4);
        peek(code, a4, flag + 4);
        keep(code, a4, result + 8);
        code.push_back(halt);
        kernel(RiscvCore::t0, code, of_polls);
    }
    /// Beside it NC stores to another line all the time, and to the polled line what changes nothing.
    void store_elsewhere(std::uint32_t rounds) {
        std::vector<std::uint32_t> code;
        put(code, a6, flag + 0x400);
        put(code, t0, rounds);
        code.push_back(store(Op::sw, t0, 0, a6));
        code.push_back(store(Op::sw, zero, 12 - 0x400, a6));
        code.push_back(i(Op::addi, t0, t0, -1));
        code.push_back(branch(Op::bne, t0, zero, -12));
        code.push_back(halt);
        kernel(RiscvCore::nc, code, 0xC000);
    }
    void poll_beside_stores() {
        poll();
        store_elsewhere(300);
    }
    using Seen = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, std::string,
                            std::vector<std::string>>;
    Seen run_on_new_core(std::function<void(const Write&)> on_write, Timing timing,
                         std::optional<std::uint64_t> seed = {}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        RunOptions options{.timing = timing};
        options.seed = seed;
        options.on_write = std::move(on_write);
        const tessera::Run done = run(options);
        std::vector<std::string> findings;
        for (const Finding& one : done.findings) findings.push_back(one.describe());
        constexpr unsigned retired_of_t0 = 4 + 2;
        return {done.cycles,
                word(result),
                word(result + 4),
                word(result + 8),
                core_.read(*core_.find_section("riscv_count").value(), retired_of_t0),
                done.fault ? done.fault->describe() : "",
                findings};
    }
    /// T1 spends some time, and then does this.
    void expect_same_after(const std::function<void(std::vector<std::uint32_t>&)>& change, std::uint32_t value,
                           Timing timing = Timing::silicon) {
        for (std::uint32_t before = 1; before < 700; before += before < 40 ? 1 : 97) {
            SCOPED_TRACE(before);
            std::vector<std::uint32_t> code;
            spend(code, before);
            change(code);
            code.push_back(halt);
            kernel(RiscvCore::t1, code, 0x9000);
            const Seen seen = run_on_new_core({}, timing);
            EXPECT_EQ(seen, run_on_new_core([](const Write&) {}, timing));
            EXPECT_EQ(std::get<2>(seen), value);
            EXPECT_EQ(std::get<5>(seen), "");
        }
    }
    void push(std::vector<std::uint32_t>& code, const std::string& text) { code.push_back(ttinsn(instruction(text))); }
};

class PollsOnBlackhole : public Polls {};  // where a core reaches the local memory of others

TEST_P(Polls, EndWithAStoreOfAnyWidth) {
    poll_beside_stores();
    for (const auto& [op, offset, value] :
         {std::tuple{Op::sw, 0, 0x1234'5678u}, {Op::sh, 2, 0x5678'0000u}, {Op::sb, 3, 0x7800'0000u}})
        expect_same_after(
            [&, op = op, offset = offset](auto& code) {
                put(code, a6, flag);
                put(code, a7, 0x1234'5678);
                code.push_back(store(op, a7, offset, a6));
            },
            value);
}

TEST_P(Polls, EndUnderDocumentedTime) {
    poll_beside_stores();
    expect_same_after([&](auto& code) { poke(code, flag, 1); }, 1, Timing::documented);
}

// The loop without a fence sees what the core has cached, until that is flushed.
TEST_P(Polls, EndWithoutAFence) {
    poll(false);
    store_elsewhere(300);
    expect_same_after([&](auto& code) { poke(code, flag, 1); }, 1);
}

TEST_P(Polls, GoOnPastTheSameValueAndPastTheWordBeside) {
    poll();
    store_elsewhere(50);
    expect_same_after(
        [&](auto& code) {
            poke(code, flag, 0);
            spend(code, 30);
            poke(code, flag + 4, 9);
            spend(code, 30);
            poke(code, flag, 5);
        },
        5);
}

// Two stores at once: the core may find the first value, or none.
TEST_P(Polls, MissAValueThatIsThereTooShortly) {
    poll_beside_stores();
    expect_same_after(
        [&](auto& code) {
            put(code, a6, flag);
            put(code, a7, 3);
            code.push_back(store(Op::sw, a7, 0, a6));
            code.push_back(store(Op::sw, zero, 0, a6));
            spend(code, 40);
            poke(code, flag, 3);
        },
        3);
}

TEST_P(Polls, EndWithTheMover) {
    poll_beside_stores();
    expect_same_after(
        [&](auto& code) {
            poke(code, source, 7);
            peek(code, a1, source);
            code.push_back(i(Op::andi, a1, a1, 0));
            give_command(code, {source / 16, flag / 16, 1, l1_to_l1}, move_command);
        },
        7);
}

TEST_P(Polls, EndWithTheScalarUnit) {
    poll_beside_stores();
    expect_same_after(
        [&](auto& code) {
            push(code, "SETDMAREG.immediate NewValue=0x3000 ResultHalfReg=16");
            push(code, "SETDMAREG.immediate NewValue=0 ResultHalfReg=17");
            push(code, "SETDMAREG.immediate NewValue=4 ResultHalfReg=18");
            push(code, "SETDMAREG.immediate NewValue=0 ResultHalfReg=19");
            push(code, "ATINCGET WrapVal=31 DataRegIndex=9 AddrRegIndex=8");
        },
        4);
}

TEST_P(Polls, EndWithTheHost) {
    poll_beside_stores();
    for (std::uint64_t at = 100; at < 400; at += 7) {
        SCOPED_TRACE(at);
        HostStep step;
        step.at = at;
        step.what = HostStep::What::write;
        step.address = flag;
        step.bytes = {std::byte{6}, {}, {}, {}};
        kernels_.host = {step};
        const Seen seen = run_on_new_core({}, Timing::silicon);
        EXPECT_EQ(seen, run_on_new_core([](const Write&) {}, Timing::silicon));
        EXPECT_EQ(std::get<2>(seen), 6u);
    }
}

// A core stalls at any access, also at the one that polls.
TEST_P(Polls, EndUnderASeed) {
    poll_beside_stores();
    std::vector<std::uint32_t> code;
    spend(code, 500);
    poke(code, flag, 8);
    code.push_back(halt);
    kernel(RiscvCore::t1, code, 0x9000);
    for (std::uint64_t seed = 1; seed < 40; ++seed) {
        const Seen seen = run_on_new_core({}, Timing::silicon, seed);
        EXPECT_EQ(seen, run_on_new_core([](const Write&) {}, Timing::silicon, seed)) << seed;
        EXPECT_EQ(std::get<2>(seen), 8u) << seed;
    }
}

/// The finding with that code.
const Finding* find(const std::vector<Finding>& all, std::string_view code) {
    const auto found = std::ranges::find(all, code, &Finding::code);
    return found == all.end() ? nullptr : &*found;
}

// T1's mover writes the polled word, which stays 0: nothing orders that, and T0 has loaded it just before, as it does again.
TEST_P(Polls, MeetTheMoverOnTheSameValue) {
    poll_beside_stores();
    std::vector<std::uint32_t> code;
    spend(code, 200);
    give_command(code, {source / 16, flag / 16, 1, l1_to_l1}, move_command);
    spend(code, 100);
    await_mover(code);
    poke(code, flag, 1);
    code.push_back(halt);
    kernel(RiscvCore::t1, code, 0x9000);
    for (const bool observed : {false, true}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        RunOptions options;
        if (observed) options.on_write = [](const Write&) {};
        const tessera::Run done = run(options);
        const Finding* const met = find(done.findings, "hazard.core-l1");
        ASSERT_TRUE(met);
        EXPECT_GT(met->count, 5u);
        EXPECT_LT(met->where.cycle, 500u);
        options.levels = {{"hazard.core-l1", Level::error}};
        core_ = Core(GetParam(), Reset::vendor_sim);
        EXPECT_EQ(run(options).cycles, met->where.cycle);
    }
}

// T1 has loaded the word once. T0 was the last one to do so.
TEST_P(Polls, AreTheLastLoadBeforeTheMover) {
    poll_beside_stores();
    std::vector<std::uint32_t> code;
    spend(code, 200);
    poke(code, source, 5);
    peek(code, a1, flag);
    peek(code, a1, source);
    give_command(code, {source / 16, flag / 16, 1, l1_to_l1}, move_command);
    code.push_back(halt);
    kernel(RiscvCore::t1, code, 0x9000);
    EXPECT_TRUE(find(run().findings, "hazard.l1-core"));
}

TEST_P(Polls, OfAMisalignedWordAreToldEachTime) {
    std::vector<std::uint32_t> polls, ends;
    put(polls, a2, flag + 1);
    polls.insert(polls.end(), {fence, i(Op::lw, a1, a2, 0), branch(Op::beq, a1, zero, -8), halt});
    kernel(RiscvCore::t0, polls, of_polls);
    store_elsewhere(300);
    spend(ends, 200);
    poke(ends, flag, 0x100);
    ends.push_back(halt);
    kernel(RiscvCore::t1, ends, 0x9000);
    const auto findings = run().findings;
    const Finding* const told = find(findings, "riscv.misaligned");
    ASSERT_TRUE(told);
    EXPECT_GT(told->count, 20u);
}

// T1 replaces the branch of the loop by a nop.
TEST_P(Polls, EndWithOtherCode) {
    poll_beside_stores();
    expect_same_after([&](auto& code) { poke(code, of_polls + 16, nop); }, 0);
}

// The same load polls L1, and then local memory, which T1 reaches from outside.
TEST_P(PollsOnBlackhole, MayGoOnInLocalMemory) {
    constexpr std::uint32_t own = 0xFFB0'0100, from_outside = 0xFFB1'8100;
    std::vector<std::uint32_t> code;
    put(code, a0, own);
    code.push_back(store(Op::sw, zero, 0, a0));
    put(code, a2, flag);
    code.insert(code.end(), {fence, i(Op::lw, a1, a2, 0), branch(Op::beq, a1, zero, -8), branch(Op::beq, a2, a0, 12),
                             i(Op::addi, a2, a0, 0), jal(zero, -20)});
    peek(code, a3, wall_clock);
    keep(code, a3, result);
    keep(code, a1, result + 4);
    code.push_back(halt);
    kernel(RiscvCore::t0, code, of_polls);
    store_elsewhere(300);
    expect_same_after(
        [&](auto& ends) {
            peek(ends, a1, from_outside);
            poke(ends, flag, 1);
            spend(ends, 100);
            poke(ends, from_outside, 3);
        },
        3);
}

// T1 sets a breakpoint at the loop of T0, by the debug interface of the cores.
TEST_P(Polls, StopAtABreakpoint) {
    constexpr std::uint32_t debug = 0xFFB1'2080, first_address = 10, modes = 5, at_pc = 8, is_paused_at_first = 0x103;
    for (const std::uint32_t polled : {flag, semaphore}) {
        std::vector<std::uint32_t> polls, sets;
        put(polls, a2, polled);
        polls.insert(polls.end(), {i(Op::lw, a1, a2, 0), branch(Op::beq, a1, zero, -4), halt});
        kernel(RiscvCore::t0, polls, of_polls);
        store_elsewhere(300);
        const auto go_to_register = [&](std::uint32_t index, bool writes) {
            poke(sets, debug, 0);
            poke(sets, debug,
                 index | std::uint32_t{writes} << 16 | static_cast<std::uint32_t>(RiscvCore::t0) << 17 | 1u << 31);
        };
        spend(sets, 200);
        poke(sets, debug + 4, of_polls + 12);
        go_to_register(first_address, true);
        poke(sets, debug + 4, at_pc);
        go_to_register(modes, true);
        spend(sets, 100);
        go_to_register(0, false);
        peek(sets, a3, debug + 12);
        keep(sets, a3, result);
        sets.push_back(halt);
        kernel(RiscvCore::t1, sets, 0x9000);
        EXPECT_EQ(std::get<1>(run_on_new_core({}, Timing::silicon)), is_paused_at_first) << polled;
    }
}

TEST_P(Polls, AreNoProgressIfNobodyEndsThem) {
    poll_beside_stores();
    const Seen seen = run_on_new_core({}, Timing::silicon);
    EXPECT_NE(std::get<5>(seen).find("no-progress.polling"), std::string::npos) << std::get<5>(seen);
}

INSTANTIATE_TEST_SUITE_P(Chips, Polls, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });
INSTANTIATE_TEST_SUITE_P(Blackhole, PollsOnBlackhole, testing::Values(Arch::blackhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera::test
