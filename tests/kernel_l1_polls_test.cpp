// SPDX-License-Identifier: Apache-2.0
// A core that polls a word of L1 goes on in time, whoever changes the word, and whether or not writes are observed.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "support/kernel_run.hpp"

namespace tessera::test {
namespace {

using namespace rv;

class L1Polls : public KernelRun {
protected:
    static constexpr std::uint32_t flag = 0x3'0000, wall_clock = 0xFFB1'21F0;

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
        kernel(RiscvCore::t0, code, 0x6000);
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
            const Seen slept = run_on_new_core({}, timing);
            EXPECT_EQ(slept, run_on_new_core([](const Write&) {}, timing));
            EXPECT_EQ(std::get<2>(slept), value);
            EXPECT_EQ(std::get<5>(slept), "");
        }
    }
    void push(std::vector<std::uint32_t>& code, const std::string& text) { code.push_back(ttinsn(instruction(text))); }
};

TEST_P(L1Polls, EndWithAStoreOfAnyWidth) {
    poll();
    store_elsewhere(300);
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

TEST_P(L1Polls, EndUnderDocumentedTime) {
    poll();
    store_elsewhere(300);
    expect_same_after([&](auto& code) { poke(code, flag, 1); }, 1, Timing::documented);
}

// The loop without a fence sees what the core has cached, until that is flushed.
TEST_P(L1Polls, EndWithoutAFence) {
    poll(false);
    store_elsewhere(300);
    expect_same_after([&](auto& code) { poke(code, flag, 1); }, 1);
}

TEST_P(L1Polls, GoOnPastTheSameValueAndPastTheWordBeside) {
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
TEST_P(L1Polls, MissAValueThatIsThereTooShortly) {
    poll();
    store_elsewhere(300);
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

TEST_P(L1Polls, EndWithTheMover) {
    poll();
    store_elsewhere(300);
    constexpr std::uint32_t source = flag + 0x800;
    expect_same_after(
        [&](auto& code) {
            poke(code, source, 7);
            peek(code, a1, source);
            code.push_back(i(Op::andi, a1, a1, 0));
            give_command(code, {source / 16, flag / 16, 1, l1_to_l1}, move_command);
        },
        7);
}

TEST_P(L1Polls, EndWithTheScalarUnit) {
    poll();
    store_elsewhere(300);
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

TEST_P(L1Polls, EndWithTheHost) {
    poll();
    store_elsewhere(300);
    for (std::uint64_t at = 100; at < 400; at += 7) {
        SCOPED_TRACE(at);
        HostStep step;
        step.at = at;
        step.what = HostStep::What::write;
        step.address = flag;
        step.bytes = {std::byte{6}, {}, {}, {}};
        kernels_.host = {step};
        const Seen slept = run_on_new_core({}, Timing::silicon);
        EXPECT_EQ(slept, run_on_new_core([](const Write&) {}, Timing::silicon));
        EXPECT_EQ(std::get<2>(slept), 6u);
    }
}

// A core stalls at any access, also at the one that polls.
TEST_P(L1Polls, EndUnderASeed) {
    poll();
    store_elsewhere(300);
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

TEST_P(L1Polls, AreNoProgressIfNobodyEndsThem) {
    poll();
    store_elsewhere(300);
    const Seen slept = run_on_new_core({}, Timing::silicon);
    EXPECT_NE(std::get<5>(slept).find("no-progress.polling"), std::string::npos) << std::get<5>(slept);
}

INSTANTIATE_TEST_SUITE_P(Chips, L1Polls, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera::test
