// SPDX-License-Identifier: Apache-2.0
// Commands to the mover by a core's stores (TDMA-RISC): they are no instructions of a thread, and no requests of the scalar unit.
#include <gmock/gmock.h>

#include "support/kernel_run.hpp"

namespace tessera::test {
namespace {

using namespace rv;

class MoverCommands : public KernelRun {};

// STALLWAIT, C0: the scalar unit has requests outstanding. A command is none, neither while the mover works nor afterwards.
TEST_P(MoverCommands, HoldNoWaitForTheScalarUnit) {
    constexpr std::uint32_t from = 0x3'0000, to = 0x3'1000;
    for (const bool after : {false, true}) {
        SCOPED_TRACE(after);
        std::vector<std::uint32_t> code;
        give_command(code, {from / 16, to / 16, 1, l1_to_l1}, move_command);
        if (after) await_mover(code);
        for (const char* text : {"STALLWAIT stall_res=0x1FF wait_res=1", "NOP"}) code.push_back(ttinsn(instruction(text)));
        code.push_back(halt);
        kernel(RiscvCore::t0, code, 0x6000);
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run();
        EXPECT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
        EXPECT_EQ(done.instructions[0], 2u);
        EXPECT_EQ(core_.read(*core_.find_section("scalar_outstanding").value(), 0), 0u);
    }
}

TEST_P(MoverCommands, ParametersAreWritesOfTheirCore) {
    std::vector<std::uint32_t> code;
    poke(code, tdma, 0x123);
    const std::uint32_t stored_at = 0x100 + 4 * static_cast<std::uint32_t>(code.size() - 1);
    code.push_back(halt);
    kernel(RiscvCore::b, code, 0x100);
    std::vector<std::uint64_t> told;
    RunOptions options;
    options.on_write = [&](const Write& write) {
        EXPECT_EQ(write.core, static_cast<int>(RiscvCore::b));
        EXPECT_EQ(write.pc, stored_at);
        EXPECT_TRUE(write.by_core);
        EXPECT_FALSE(write.by_host || write.by_packet);
        for (const StateElement& each : write.elements)
            if (each.section == core_.find_section("tdma").value()->id) told.push_back(each.value);
    };
    EXPECT_FALSE(run(options).fault);
    EXPECT_EQ(told, std::vector<std::uint64_t>{0x123});
}

// Places of the last 1024 accesses of a core, and of the last 1024 commands, are kept; older ones have none to be told.
TEST_P(MoverCommands, WhatIsLongAgoIsToldWithoutItsPlace) {
    constexpr std::uint32_t from = 0x3'0000, to = 0x4'0000, rounds = 3000;
    const auto told = [&] {
        kernels_.images[static_cast<std::size_t>(RiscvCore::b)].reset();
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run done = run();
        EXPECT_FALSE(done.fault) << done.fault->describe() << done.describe_blocked();
        std::string all;
        for (const Finding& each : done.findings) all += each.describe();
        return all;
    };
    std::vector<std::uint32_t> stores, commands;
    poke(stores, from, 7);
    put(stores, a6, 0x5'0000);
    put(stores, t0, rounds);
    stores.push_back(store(Op::sw, zero, 0, a6));
    stores.push_back(i(Op::addi, t0, t0, -1));
    stores.push_back(branch(Op::bne, t0, zero, -8));
    stores.push_back(halt);
    spend(commands, 10 * rounds);
    give_command(commands, {from / 16, to / 16, 1, l1_to_l1}, move_command);
    commands.push_back(halt);
    kernel(RiscvCore::t1, stores, 0x8000);
    kernel(RiscvCore::t2, commands, 0xA000);
    EXPECT_THAT(told(), testing::HasSubstr("nothing orders this access after an earlier access of trisc1"));

    stores.clear();
    commands.clear();
    give_command(commands, {from / 16, to / 16, 1, l1_to_l1}, move_command);
    give_command(commands, {from / 16, 0x5'0000 / 16, 1, l1_to_l1}, move_command);
    put(commands, a6, tdma + 16);
    put(commands, a7, move_command);
    put(commands, t0, rounds / 2);
    commands.push_back(store(Op::sw, a7, 0, a6));
    commands.push_back(i(Op::addi, t0, t0, -1));
    commands.push_back(branch(Op::bne, t0, zero, -8));
    commands.push_back(halt);
    spend(stores, 100 * rounds);
    poke(stores, to, 3);
    stores.push_back(halt);
    kernel(RiscvCore::t1, stores, 0x8000);
    kernel(RiscvCore::t2, commands, 0xA000);
    EXPECT_THAT(told(), testing::HasSubstr("earlier work of T2"));
}

INSTANTIATE_TEST_SUITE_P(Archs, MoverCommands, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
