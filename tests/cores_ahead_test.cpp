// SPDX-License-Identifier: Apache-2.0
// Cores that load and store in L1, and push, while T1 replays vector instructions: they act ahead of its front end, unless
// somebody watches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/random_kernels.hpp"

namespace {

using namespace tessera;
namespace rv = tessera::test::rv;

constexpr std::uint32_t shared = 0x3'0000, coprocessor_done = 0xFFE8'0004, mcycle = 0xB00, tt_cfg_bstatus = 0xBC1;

class CoresAhead : public test::RandomKernels {
protected:
    std::string vector_op() {
        const unsigned a = below(8), b = below(8), c = below(8), d = below(8);
        switch (below(6)) {
            case 0: return fmt::format("SFPLOAD lreg_ind={} instr_mod0=2 sfpu_addr_mode=3 dest_reg_addr={}\n", d, 2 * below(16));
            case 1: return fmt::format("SFPSTORE lreg_ind={} instr_mod0=2 sfpu_addr_mode=3 dest_reg_addr={}\n", a, 2 * below(16));
            case 2: return fmt::format("SFPMAD lreg_src_a={} lreg_src_b={} lreg_src_c={} lreg_dest={}\n", a, b, c, d);
            case 3: return fmt::format("SFPABS lreg_c={} lreg_dest={}\n", c, d);
            case 4: return fmt::format("SFPLOADI lreg_ind={} instr_mod0=0 imm16={}\n", d, 0x3F00 + below(256));
            default: return "SFPNOP\n";
        }
    }
    /// An access to L1, mostly to a few words that others use, too; or to a device, or a clock.
    void access(Code& code) {
        const std::uint32_t word = shared + 4 * below(below(3) ? 3 : 256), of_stream = stream_register();
        switch (below(10)) {
            case 0: peek(code, rv::a4, of_stream); break;
            case 1: poke(code, of_stream, below(1000)); break;
            case 2:
            case 3:
                if (GetParam() == Arch::blackhole)
                    code.push_back(rv::csr(rv::Op::csrrs, rv::a4, below(2) ? mcycle : tt_cfg_bstatus, rv::zero));
                break;
            case 4:
            case 5: keep(code, rv::a4, word); break;
            case 6:
            case 7: peek(code, rv::a4, word); break;
            case 8: poke(code, word, below(1000)); break;
            default: spend(code, 1 + below(6));
        }
    }
    /// Goes through its accesses a few times; uses s0.
    Code user() {
        Code code;
        put(code, rv::s0, 2 + below(6));
        const std::size_t begin = code.size();
        for (unsigned i = 4 + below(12); i; --i) access(code);
        repeat(code, begin);
        code.push_back(rv::halt);
        return code;
    }
    /// Records vector instructions and replays them, or pushes them one by one.
    Code pusher() {
        Code code;
        const unsigned length = 4 + below(28);
        std::string ops;
        for (unsigned i = 0; i < length; ++i) ops += vector_op();
        push(code, fmt::format("REPLAY start_idx=0 len={} load_mode=1\n", length) + ops);
        put(code, rv::s0, 4 + below(8));
        const std::size_t begin = code.size();
        for (unsigned i = below(4); i; --i) push(code, fmt::format("REPLAY start_idx=0 len={}\n", length));
        if (below(2)) push(code, ops);
        if (!below(3)) push(code, "SEMPOST sem_sel=1\n");
        if (!below(3)) push(code, "STALLWAIT stall_res=1<<8 wait_res=0x800\n");
        if (!below(3)) peek(code, rv::a4, coprocessor_done);
        for (unsigned i = below(5); i; --i) access(code);
        repeat(code, begin);
        code.push_back(rv::halt);
        return code;
    }
};

TEST_P(CoresAhead, NobodySeesIt) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        begin_case(seed);
        kernel(RiscvCore::t1, pusher(), 0x6000);
        kernel(RiscvCore::b, user(), 0x8000);
        if (below(4)) kernel(RiscvCore::nc, user(), 0xA000);
        if (!below(3)) kernel(RiscvCore::t2, user(), 0xC000);
        if (!below(3)) kernel(RiscvCore::t0, user(), 0xE000);
        ASSERT_NO_FATAL_FAILURE(expect_nobody_sees_it(below(4) ? RunOptions() : stopping({})));
    }
}

// A core that polls for ever is found to do so when it looks whether it repeats itself, on Blackhole at the end of what T1 replays.
TEST_P(CoresAhead, PollsEndInTheSameCycle) {
    for (unsigned rounds = 512; rounds < 524; ++rounds) {
        SCOPED_TRACE(fmt::format("{} rounds", rounds));
        begin_case(0);
        Code code;
        push(code, "REPLAY start_idx=0 len=24 load_mode=1\n");
        for (unsigned i = 0; i < 24; ++i) push(code, vector_op());
        put(code, rv::s0, rounds);
        const std::size_t begin = code.size();
        push(code, "REPLAY start_idx=0 len=24\n");
        repeat(code, begin);
        code.push_back(rv::halt);
        kernel(RiscvCore::t1, code, 0x6000);
        Code polling;
        poll(polling, shared, rv::Op::beq);
        polling.push_back(rv::halt);
        kernel(RiscvCore::b, polling, 0x8000);
        ASSERT_NO_FATAL_FAILURE(expect_nobody_sees_it({}));
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, CoresAhead, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
