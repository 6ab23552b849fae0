// SPDX-License-Identifier: Apache-2.0
// Kernels that reach another core's local memory.
#include <gtest/gtest.h>

#include "support/kernel_run.hpp"
#include "tile/address_map.hpp"

namespace tessera::test {
namespace {

using namespace rv;

class KernelLocalMemory : public KernelRun {};
class KernelLocalMemoryOnBlackhole : public KernelLocalMemory {};  // where a core reaches the local memory of others

// BabyRISCV (Blackhole), memory map: RISC-V B reaches T0's local data RAM. T0 works for long before it stores its flag
// there, and waits for an answer in L1.
TEST_P(KernelLocalMemory, ACorePollsAnothersLocalMemory) {
    if (GetParam() == Arch::wormhole) {
        EXPECT_EQ(tile::find(GetParam(), tile::User::b, 0xFFB1'8100, false).kind, tile::Place::Kind::unmapped);
        return;
    }
    for (const unsigned rounds : {10u, 100'000u}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        std::vector<std::uint32_t> worker, poller;
        spend(worker, rounds);
        poke(worker, 0xFFB0'0100, 1);
        put(worker, a2, result);
        worker.push_back(0x0FF0'000F);  // fence
        worker.push_back(i(Op::lw, a1, a2, 0));
        worker.push_back(branch(Op::beq, a1, zero, -8));
        worker.push_back(store(Op::sw, a1, 4, a2));
        worker.push_back(halt);
        put(poller, a2, 0xFFB1'8000);
        poller.push_back(i(Op::lw, a1, a2, 0x100));
        poller.push_back(branch(Op::beq, a1, zero, -4));
        poke(poller, result, 5);
        poller.push_back(halt);
        kernel(RiscvCore::t0, worker, 0x6000);
        kernel(RiscvCore::b, poller, 0);
        for (const Timing timing : {Timing::documented, Timing::silicon, Timing::functional}) {
            core_.write_l1(result, std::vector<std::byte>(8));
            RunOptions options;
            options.timing = timing;
            const tessera::Run done = run(options);
            ASSERT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
            EXPECT_EQ(word(result + 4), 5u) << rounds;
        }
    }
}

// The same memory, read later: B sees what T0 has stored by then, and no more, once it has looked before.
TEST_P(KernelLocalMemoryOnBlackhole, LocalMemoryIsReadInTheOrderOfTime) {
    std::vector<std::uint32_t> counter, reader;
    put(counter, a2, 0xFFB0'0100);
    put(counter, t0, 6000);
    counter.push_back(store(Op::sw, t0, 0, a2));
    counter.push_back(i(Op::addi, t0, t0, -1));
    counter.push_back(branch(Op::bne, t0, zero, -8));
    counter.push_back(halt);
    put(reader, a2, 0xFFB1'8000);
    reader.push_back(i(Op::lw, a0, a2, 0x100));
    for (unsigned k = 0; k < 3; ++k) {
        spend(reader, 1500);
        reader.push_back(i(Op::lw, a0, a2, 0x100));
        keep(reader, a0, result + 4 * k);
    }
    reader.push_back(halt);
    kernel(RiscvCore::t0, counter, 0x6000);
    kernel(RiscvCore::b, reader, 0);
    const tessera::Run done = run();
    ASSERT_FALSE(done.fault) << done.fault->describe();
    EXPECT_GT(word(result), 4500u) << "T0's rounds take three cycles or more, B's two: it has done about 1,000 of them";
    EXPECT_GT(word(result), word(result + 4));
    EXPECT_GT(word(result + 4), word(result + 8));
}

// Only what others have reached is theirs: a loop that uses its stack changes nothing for them, and hangs.
TEST_P(KernelLocalMemoryOnBlackhole, AHangIsFoundThoughItsCoresMemoryWasReached) {
    std::vector<std::uint32_t> hanging, visitor;
    put(hanging, a2, result);
    put(hanging, a3, 0xFFB0'0200);
    hanging.push_back(store(Op::sw, zero, 0, a3));
    hanging.push_back(store(Op::sw, a3, 0, a3));
    hanging.push_back(0x0FF0'000F);  // fence
    hanging.push_back(i(Op::lw, a1, a2, 0));
    hanging.push_back(branch(Op::beq, a1, zero, -16));
    poke(visitor, 0xFFB1'8100, 1);
    visitor.push_back(halt);
    kernel(RiscvCore::t0, hanging, 0x6000);
    kernel(RiscvCore::b, visitor, 0);
    for (const Timing timing : {Timing::documented, Timing::functional}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        RunOptions options;
        options.timing = timing;
        options.max_cycles = 1'000'000;
        const tessera::Run done = run(options);
        ASSERT_TRUE(done.fault);
        EXPECT_EQ(done.fault->code, "no-progress.polling");
    }
}

// Three neighbours that change by 1, -2 and 1: neither their sum nor one that counts their places changes.
TEST_P(KernelLocalMemory, ChangesThatWouldCancelOutAreProgress) {
    constexpr std::uint32_t rounds = 20'000;
    std::vector<std::uint32_t> code;
    put(code, a2, 0xFFB0'0000);
    put(code, t0, rounds);
    for (int at = 0; at < 12; at += 4) {
        code.push_back(i(Op::lw, a1, a2, at));
        code.push_back(i(Op::addi, a1, a1, at == 4 ? -2 : 1));
        code.push_back(store(Op::sw, a1, at, a2));
    }
    code.push_back(i(Op::lw, a3, a2, 0));
    code.push_back(r(Op::sltu, a3, a3, t0));
    code.push_back(li(a1, 0));  // registers are alike in each round
    code.push_back(branch(Op::bne, a3, zero, -48));
    poke(code, result, rounds);
    code.push_back(halt);
    for (const Timing timing : {Timing::silicon, Timing::documented, Timing::functional}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        kernels_.images = {};
        kernel(RiscvCore::t0, code, 0x6000);
        const tessera::Run done = run({.timing = timing});
        ASSERT_FALSE(done.fault) << done.fault->describe();
        EXPECT_EQ(word(result), rounds);
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, KernelLocalMemory, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });
INSTANTIATE_TEST_SUITE_P(Blackhole, KernelLocalMemoryOnBlackhole, testing::Values(Arch::blackhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
}  // namespace tessera::test
