// SPDX-License-Identifier: Apache-2.0
// MOPExpanderDoneCheck (ManualTTSync): a load of it waits while a MOP is queued before the MOP expander, or is being expanded. The
// instructions may then still be in the FIFOs behind it: 8 before the replay expander, 2 before the gate.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "frontend/mop_expander.hpp"
#include "support/assembly.hpp"
#include "support/kernel_run.hpp"

namespace tessera::test {
namespace {

using namespace rv;
using Code = std::vector<std::uint32_t>;

constexpr std::uint32_t mop_registers = 0xFFB8'0000, done_check = 0xFFE8'0008, post_semaphore_0 = 0xFFE8'0020,
                        gprs = 0xFFE0'0000;

// A count is what stepping through the expansion gives.
TEST(MopWords, AreThoseThatCome) {
    class Nobody final : public frontend::ExpanderListener {
        void found(const findings::Note&, unsigned, const frontend::WordOrigin&) override {}
        void failed(const findings::Note&, unsigned, const frontend::WordOrigin&) override {}
        bool is_over() const override { return false; }
        void taken(unsigned, std::int64_t) override {}
        void stored(unsigned, std::int64_t, state::Cell) override {}
        void mop_expanded(unsigned) override {}
    } nobody;
    std::mt19937 random(24);
    constexpr unsigned t = 1, most = 10'000;
    for (const Arch arch : all_archs)
        for (int round = 0; round < 2000; ++round) {
            state::State state(arch);
            const std::uint32_t nop = 0x0200'0000, other = 0x0300'0000;
            for (unsigned i = 0; i < state::cells::mop_words; ++i)
                state.write(state::cells::mop(t, i), i < 2          ? random() % (round % 4 ? 5 : 40)
                                                     : random() % 2 ? nop
                                                                    : other);
            state.write(state::cells::mop_mask_block[t], random() & 0xFFFF);
            const isa::Instruction mop =
                isa::decode(word(fmt::format("MOP mop_type={} loop_count={} zmask_lo16{}={}", random() % 2,
                                             random() % (round % 3 ? 4 : 128),
                                             arch == Arch::blackhole ? "_or_loop_count" : "", random() & 0xFFFF),
                                 arch),
                            arch);
            const auto all = frontend::mop_rest(mop, frontend::mop_registers(state, t),
                                                state[state::cells::mop_mask_block[t]], state.arch(), most)
                                 .words;
            frontend::start_mop(state, t, mop, 0x1FF, nobody, {});
            std::uint64_t come = 0;
            std::vector<std::uint64_t> left;
            for (; frontend::mop_active(state, t); ++come, frontend::mop_advance(state, t))
                left.push_back(frontend::mop_rest(state, t, most).words);
            ASSERT_EQ(all, come) << mop.word;
            for (std::size_t i = 0; i < left.size(); ++i) ASSERT_EQ(left[i], come - i) << mop.word;
            ASSERT_EQ(frontend::mop_rest(state, t, most).words, 0u);
            if (all > 3) {
                ASSERT_GT(frontend::mop_rest(mop, frontend::mop_registers(state, t),
                                             state[state::cells::mop_mask_block[t]], state.arch(), 3)
                              .words,
                          3u);
            }
        }
}

class MopsExpanded : public KernelRun {
protected:
    static constexpr const char* add_1 = "ADDDMAREG OpBisConst=1 ResultRegIndex=4 OpBRegIndex=1 OpARegIndex=4";
    /// A MOP that adds 1 to GPR 4 so many times, or does so with another instruction.
    void adds(Code& code, std::uint32_t times, const char* text = add_1) {
        const std::uint32_t nop = instruction("NOP"), add = instruction(text);
        const std::uint32_t registers[] = {1, times, nop, nop, nop, add, nop, add, add};
        for (std::uint32_t i = 0; i < std::size(registers); ++i) poke(code, mop_registers + 4 * i, registers[i]);
    }
    void push(Code& code, const std::string& text) { code.push_back(ttinsn(instruction(text))); }
    void waits(Code& code) {
        peek(code, a1, done_check);
        code.push_back(i(Op::andi, a1, a1, 0));
    }
    /// T0 waits at its gate for what its own core posts at the end; it then has GPR 4.
    Code held() {
        Code code;
        poke(code, gprs + 4 * 4, 0);
        peek(code, a1, gprs + 4 * 4);
        push(code, "SEMINIT max_value=15 init_value=0 sem_sel=1");
        push(code, "SEMWAIT stall_res=0x1FF wait_sem_cond=1 sem_sel=1");
        return code;
    }
    /// GPR 4 at the end, or the code of the fault or of a finding.
    std::string ends(Code code, Timing timing) {
        poke(code, post_semaphore_0, 0);
        peek(code, a1, done_check - 4);
        code.push_back(i(Op::andi, a1, a1, 0));
        peek(code, a2, gprs + 4 * 4);
        keep(code, a2, result);
        code.push_back(halt);
        core_ = Core(GetParam(), Reset::vendor_sim);
        kernels_.images = {};
        kernel(RiscvCore::t0, code, 0x6000);
        const tessera::Run done = run({.timing = timing});
        if (done.fault) return done.fault->code;
        return done.findings.empty() ? std::to_string(KernelRun::word(result)) : done.findings.front().code;
    }
    static constexpr Timing all_of[] = {Timing::silicon, Timing::documented, Timing::functional};
};

// One at the gate, for which SEMWAIT waits, and ten behind it.
TEST_P(MopsExpanded, WhenTheirInstructionsHaveRoomBehindTheExpander) {
    for (const Timing timing : all_of)
        for (const std::uint32_t times : {1u, 3u, 8u, 10u, 11u, 12u, 40u}) {
            Code code = held();
            adds(code, times);
            push(code, "MOP mop_type=1");
            waits(code);
            EXPECT_EQ(ends(code, timing), times <= 11 ? std::to_string(times) : "deadlock") << times << name(timing);
        }
}

TEST_P(MopsExpanded, OthersInFrontAndSeveralTakeRoomTogether) {
    for (const Timing timing : all_of)
        for (const std::uint32_t others : {0u, 5u, 6u}) {
            Code code = held();
            for (std::uint32_t n = 0; n < others; ++n) push(code, "NOP");
            adds(code, 3);
            push(code, "MOP mop_type=1");
            push(code, "MOP mop_type=1");
            waits(code);
            EXPECT_EQ(ends(code, timing), others <= 5 ? "6" : "deadlock") << others << name(timing);
        }
}

// What has left the MOP expander is in the FIFOs by value, and each MOP has the registers of its time.
TEST_P(MopsExpanded, TheirRegistersMayThenChange) {
    for (const Timing timing : all_of) {
        Code code = held();
        adds(code, 4);
        push(code, "MOP mop_type=1");
        waits(code);
        for (std::uint32_t i = 2; i < 9; ++i) poke(code, mop_registers + 4 * i, instruction("NOP"));
        poke(code, mop_registers + 4, 1);
        adds(code, 2);
        push(code, "MOP mop_type=1");
        waits(code);
        for (std::uint32_t i = 2; i < 9; ++i) poke(code, mop_registers + 4 * i, instruction("NOP"));
        push(code, "MOP mop_type=1");
        EXPECT_EQ(ends(code, timing), "6") << name(timing);
    }
}

// What waits in front of the store counts: it puts back what the register had before.
TEST_P(MopsExpanded, AStoreBehindAMopThatNothingOrdersIsToldThoughOthersWait) {
    for (const Timing timing : {Timing::silicon, Timing::documented}) {
        Code code = held();
        adds(code, 4);
        push(code, "MOP mop_type=1");
        waits(code);
        const std::uint32_t loop_op = mop_registers + 4 * 5;
        poke(code, loop_op, instruction("NOP"));
        push(code, "MOP mop_type=1");
        poke(code, loop_op, instruction(add_1));
        EXPECT_EQ(ends(code, timing), "hazard.mop-overtaken") << name(timing);
    }
}

// A REPLAY begins to play after the core has gone on: what comes behind it then waits in front of the replay expander.
TEST_P(MopsExpanded, TheirRegistersMayThenChangeAlsoBehindReplays) {
    for (const Timing timing : all_of)
        for (std::uint32_t times = 1; times <= 20; ++times) {
            Code code;
            poke(code, gprs + 4 * 4, 0);
            peek(code, a1, gprs + 4 * 4);
            push(code, "REPLAY start_idx=0 len=4 execute_while_loading=0 load_mode=1");
            for (unsigned n = 0; n < 4; ++n) push(code, add_1);
            for (const std::uint32_t more : {0u, 1u}) {
                adds(code, times + more, "REPLAY start_idx=0 len=4 execute_while_loading=0 load_mode=0");
                push(code, "MOP mop_type=1");
                waits(code);
                for (std::uint32_t i = 2; i < 9; ++i) poke(code, mop_registers + 4 * i, instruction("NOP"));
                poke(code, mop_registers + 4, 1);
                push(code, "MOP mop_type=1");
                waits(code);
            }
            EXPECT_EQ(ends(code, timing), std::to_string(4 * (2 * times + 1))) << times << name(timing);
        }
}

// The gate, the REPLAY in its expander and eight behind the MOP expander.
TEST_P(MopsExpanded, AReplayAtTheGateLeavesTheRoomInFrontOfIt) {
    for (const Timing timing : all_of)
        for (const std::uint32_t times : {9u, 10u}) {
            Code code = held();
            push(code, "REPLAY start_idx=0 len=4 execute_while_loading=0 load_mode=1");
            for (unsigned n = 0; n < 4; ++n) push(code, add_1);
            adds(code, times, "REPLAY start_idx=0 len=4 execute_while_loading=0 load_mode=0");
            push(code, "MOP mop_type=1");
            waits(code);
            EXPECT_EQ(ends(code, timing), times <= 9 ? std::to_string(4 * times) : "deadlock") << times << name(timing);
        }
}

TEST_P(MopsExpanded, NeitherMopCfgNorAStoreIsAMop) {
    for (const Timing timing : all_of) {
        Code code = held();
        push(code, "MOP_CFG zmask_hi16=5");
        poke(code, mop_registers + 4 * 3, 7);
        waits(code);
        EXPECT_EQ(ends(code, timing), "0") << name(timing);
    }
}

// It then lets T1 go on, by an instruction of T0.
TEST_P(MopsExpanded, BPushesOnlyWhatHasRoomBehindTheExpander) {
    constexpr std::uint32_t to_t0 = 0xFFE4'0000, to_t1 = 0xFFE5'0000;
    const std::uint32_t room = GetParam() == Arch::wormhole ? 10 : 31;
    for (const Timing timing : all_of)
        for (const std::uint32_t words : {1u, room, room + 1}) {
            Code code;
            poke(code, to_t0, instruction("SEMINIT max_value=15 init_value=0 sem_sel=1"));
            spend(code, 100);
            poke(code, to_t1, instruction("SEMWAIT stall_res=0x1FF wait_sem_cond=1 sem_sel=1"));
            for (std::uint32_t n = 0; n <= words; ++n)
                poke(code, to_t1, instruction("NOP"));  // the first comes to the gate
            poke(code, to_t0, instruction("SEMPOST sem_sel=1"));
            code.push_back(halt);
            core_ = Core(GetParam(), Reset::vendor_sim);
            kernels_.images = {};
            kernel(RiscvCore::b, code, 0x6000);
            const tessera::Run done = run({.timing = timing});
            EXPECT_EQ(done.fault.has_value(), words > room) << words << name(timing);
            EXPECT_EQ(done.fault ? done.fault->code : "deadlock", "deadlock");
        }
}

INSTANTIATE_TEST_SUITE_P(Archs, MopsExpanded, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
