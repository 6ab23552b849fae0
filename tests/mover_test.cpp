// SPDX-License-Identifier: Apache-2.0
// The mover by hand from its page: its four directions, TDMA-RISC's commands, empty addresses, and its timing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "support/kernel_run.hpp"
#include "support/random_state.hpp"
#include "support/stepper.hpp"
#include "support/timeline.hpp"

namespace tessera {
namespace {

using testing::Contains;
using testing::IsEmpty;
namespace rv = test::rv;

class Mover : public testing::TestWithParam<Arch> {
protected:
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    unsigned words() const { return blackhole() ? 224 : 188; }
    /// Stores of the core to configuration are done.
    std::string settled() const {
        return std::string("STALLWAIT stall_res=0x1FF wait_res=") + (blackhole() ? "1<<10" : "1<<13") + "\n";
    }
    void transfer(std::uint32_t direction, std::uint32_t from, std::uint32_t to, std::uint32_t lines) {
        test::set_field(step.state, "THCON_SEC0_REG6_Source_address", from);
        test::set_field(step.state, "THCON_SEC0_REG6_Destination_address", to);
        test::set_field(step.state, "THCON_SEC0_REG6_Buffer_size", lines);
        test::set_field(step.state, "THCON_SEC0_REG6_Transfer_direction", direction);
        step.execute(0x40000000);
    }
    std::uint32_t l1(std::uint32_t at) const {
        std::uint32_t value;
        std::memcpy(&value, step.state.l1.bytes.data() + at, 4);
        return value;
    }
    void fill(std::uint32_t at, std::uint32_t bytes) {
        for (std::uint32_t i = 0; i < bytes; ++i)
            step.state.l1.open()[at + i] = static_cast<std::uint8_t>(at / 16 + i * 7 + 1);
    }
    std::string tdma(std::uint32_t offset, std::uint32_t value) {
        return fmt::format(
            "SETDMAREG.immediate NewValue={} ResultHalfReg=0\nSETDMAREG.immediate NewValue={} ResultHalfReg=1\n"
            "STOREREG TdmaDataRegIndex=0 RegAddr={}\n",
            value & 0xFFFF, value >> 16, (0x11000 + offset) / 4);
    }

    test::Stepper step{GetParam()};
};

TEST_P(Mover, CopiesWithinL1) {
    fill(0x4000, 0x100);
    transfer(3, 0x400, 0x800, 5);
    EXPECT_EQ(0, std::memcmp(&step.state.l1.bytes[0x8000], &step.state.l1.bytes[0x4000], 80));
    EXPECT_EQ(l1(0x8000 + 80), 0u);
    EXPECT_TRUE(step.state.l1.all_written(0x8000, 80));
    EXPECT_FALSE(step.state.l1.all_written(0x8000, 96));
}

TEST_P(Mover, ClearsL1) {
    fill(0x4000, 0x100);
    const std::uint32_t behind = l1(0x4020);
    transfer(0, 0xFFFFFFFF, 0x400, 2);  // the source does not matter
    EXPECT_EQ(step.fault, "");
    EXPECT_EQ(l1(0x401C), 0u);
    EXPECT_EQ(l1(0x4020), behind);
}

TEST_P(Mover, WritesConfiguration) {
    fill(0x4000, 0x100);
    transfer(1, 0x400, 5, 2);  // from byte 80 on: word 20
    for (unsigned i = 0; i < 8; ++i) {
        const std::uint32_t lost = step.config(0, 20 + i) ^ l1(0x4000 + 4 * i);
        EXPECT_TRUE(blackhole() ? lost == 0 : (lost & step.config(0, 20 + i)) == 0) << i;  // spec-notes H10
    }
    EXPECT_EQ(step.config(0, 28), 0u);
    // Bank 1 is behind bank 0.
    transfer(1, 0x400, words() / 4 + 5, 2);
    EXPECT_EQ(step.config(1, 21), step.config(0, 21));
    transfer(2, 0, 5, 2);
    EXPECT_EQ(step.config(0, 21), 0u);
    EXPECT_NE(step.config(1, 21), 0u);
    EXPECT_THAT(step.findings, IsEmpty());
}

// BackendConfiguration (Blackhole): ConfigDualWrite writes both banks; on Wormhole thread configuration is there.
TEST_P(Mover, WhatLiesBehindTheBanks) {
    fill(0x4000, 0x100);
    transfer(1, 0x400, words() / 2 + 5, 1);
    EXPECT_EQ(step.config(0, 21), blackhole() ? l1(0x4004) : 0u);
    EXPECT_EQ(step.config(1, 21), blackhole() ? l1(0x4004) : 0u);
    EXPECT_EQ(testing::Value(step.findings, Contains("mover.nowhere")), !blackhole());
    step.findings.clear();
    transfer(1, 0x400, 0x1000, 1);
    EXPECT_THAT(step.findings, Contains("mover.nowhere"));
    EXPECT_EQ(step.fault, "");
}

TEST_P(Mover, AWriteToStateResetClearsTheBank) {
    fill(0x4000, 0x10);
    test::set_field(step.state, "ALU_FORMAT_SPEC_REG0_SrcA", 5);
    transfer(1, 0x400, 1, 1);  // words 4 to 7; STATE_RESET_EN is word 4
    EXPECT_EQ(step.config(0, 1), 0u);
    EXPECT_NE(step.config(0, 6), 0u);
}

// InstructionRAM: 16 KiB from 0x40000 on, Wormhole only.
TEST_P(Mover, FillsInstructionRam) {
    if (blackhole()) {
        EXPECT_TRUE(step.state.iram.empty());
        return;
    }
    ASSERT_EQ(step.state.iram.size(), 0x4000u);
    fill(0x4000, 0x20);
    transfer(1, 0x400, 0x43FE, 2);
    EXPECT_EQ(step.fault, "");
    for (unsigned i = 0; i < 0x20; ++i) EXPECT_EQ(step.state.iram[0x3FE0 + i], step.state.l1.bytes[0x4000 + i]) << i;
    EXPECT_EQ(step.state.iram[0x3FDF], 0);
    transfer(2, 0, 0x43FF, 1);
    for (unsigned i = 0; i < 0x10; ++i) EXPECT_EQ(step.state.iram[0x3FF0 + i], 0);
    EXPECT_EQ(step.state.iram[0x3FE1], step.state.l1.bytes[0x4001]);
    transfer(1, 0x400, 0x43FF, 2);
    EXPECT_EQ(step.fault, "mover.instruction-ram");
    step.findings.clear();
    auto& nc = step.state.riscv[static_cast<std::size_t>(RiscvCore::nc)];
    nc.running = true;
    nc.pc = 0x12000;
    transfer(1, 0x400, 0x4000, 1);
    EXPECT_THAT(step.findings, testing::Not(Contains("riscv.iram-written")));
    nc.pc = 0xFFC0'0010;
    transfer(1, 0x400, 0x4000, 1);
    EXPECT_THAT(step.findings, Contains("riscv.iram-written"));
}

TEST_P(Mover, WhereNothingIs) {
    const std::uint32_t end = (blackhole() ? 1536u : 1464u) * 64;
    transfer(3, end, 0x400, 1);
    EXPECT_EQ(step.fault, "mover.l1-address");
    transfer(3, 0x400, end - 1, 2);
    EXPECT_EQ(step.fault, "mover.l1-address");
    transfer(0, 0, end, 1);
    EXPECT_EQ(step.fault, "mover.l1-address");
    transfer(1, 0x400, blackhole() ? 0x4000 : 0x4400, 1);
    EXPECT_EQ(step.fault, "mover.instruction-ram");
    transfer(2, 0, 0xFFF, 2);
    EXPECT_EQ(step.fault, "mover.beyond-region");
}

// TDMA-RISC, command processor: with parameters, compact, and the write to L1.
TEST_P(Mover, CommandsOfTdma) {
    fill(0x4000, 0x100);
    step(tdma(0x00, 0x400) + tdma(0x04, 0x900) + tdma(0x08, 3) + tdma(0x0C, 3) + tdma(0x10, 0x40));
    EXPECT_EQ(0, std::memcmp(&step.state.l1.bytes[0x9000], &step.state.l1.bytes[0x4000], 48));
    // Compact: source 0x3F8 + 0x0C, destination 0xF0, two lines, L1 to L1.
    step(tdma(0x2C, 0x3F8) + tdma(0x10, 0x40 | 0x0C << 8 | 0xF0 << 16 | 2u << 24 | 1u << 30 | 1u << 31));
    EXPECT_EQ(0, std::memcmp(&step.state.l1.bytes[0xF00], &step.state.l1.bytes[0x4040], 32));
    step(tdma(0x00, 0xA008) + tdma(0x08, 0x11112222) + tdma(0x0C, 0x33334444) + tdma(0x10, 0x766));
    EXPECT_EQ(l1(0xA008), 0x11112222u);
    EXPECT_EQ(l1(0xA00C), 0x33334444u);
    step(tdma(0x00, 0xA010) + tdma(0x10, 0x666));
    EXPECT_EQ(l1(0xA010), 0x11112222u);
    EXPECT_EQ(l1(0xA014), 0u);
    step(tdma(0x10, 0x46) + tdma(0x10, 0x80000089));
    EXPECT_THROW(step(tdma(0x10, 0x41)), std::runtime_error);
    EXPECT_EQ(step.fault, "mover.command");
}

// Mover, Performance: eight lines in eleven cycles, or a line of zeros in one. XMOV waits at the gate until it can start.
TEST_P(Mover, TakesItsTime) {
    const auto text = [&](unsigned direction) {
        return fmt::format(
            ".cfg THCON_SEC0_REG6_Source_address = 0x400\n.cfg THCON_SEC0_REG6_Destination_address = 0x800\n"
            ".cfg THCON_SEC0_REG6_Buffer_size = 80\n.cfg THCON_SEC0_REG6_Transfer_direction = {}\n{}"
            "XMOV\nXMOV\n",
            direction, settled());
    };
    for (unsigned direction : {3u, 0u}) {
        const auto line = test::run(GetParam(), {text(direction), "", ""});
        EXPECT_FALSE(line.run.fault) << line.run.fault->describe();
        EXPECT_EQ(line.at(0, "xmov", 1).issue - line.at(0, "xmov", 0).issue, direction == 3 ? 110u : 80u);
    }
}

// STALLWAIT for the mover waits for all threads' transfers.
TEST_P(Mover, IsWaitedFor) {
    const std::string wait = blackhole() ? "1<<9" : "1<<12";
    const std::string start =
        ".cfg THCON_SEC0_REG6_Source_address = 0x400\n.cfg THCON_SEC0_REG6_Destination_address = 0\n"
        ".cfg THCON_SEC0_REG6_Buffer_size = 8\n.cfg THCON_SEC0_REG6_Transfer_direction = 1\n" +
        settled() + "XMOV\n";
    const std::string use = "RDCFG GprAddress=5 CfgReg=1\n";
    EXPECT_TRUE(test::run(GetParam(), {start + use, "", ""}).has_finding("hazard.config-mover"));
    const auto waited =
        test::run(GetParam(), {start + "STALLWAIT stall_res=0x1FF wait_res=" + wait + "\n" + use, "", ""});
    EXPECT_FALSE(waited.run.fault);
    EXPECT_FALSE(waited.has_finding("hazard.config-mover"));
    EXPECT_GE(waited.at(0, "rdcfg").issue, waited.at(0, "xmov").end);
    EXPECT_FALSE(test::run(GetParam(), {start + ".drain\n" + use, "", ""}).has_finding("hazard.config-mover"));
}

/// Commands that RISC-V B gives by stores (TDMA-RISC, Memory map).
class CommandsOfACore : public test::KernelRun {
protected:
    static constexpr std::uint32_t data = 0x3'0000, entry = 0x8000, move = move_command;
    using Code = std::vector<std::uint32_t>;
    using Parameters = std::array<std::uint32_t, 4>;

    /// Returns the address of the store that gives the command.
    static std::int64_t command(Code& code, const Parameters& parameters, std::uint32_t value) {
        give_command(code, parameters, value);
        return static_cast<std::int64_t>(entry + 4 * (code.size() - 1));
    }
    tessera::Run run_b(Code code, Timing timing = default_timing) {
        code.push_back(rv::halt);
        kernel(RiscvCore::b, code, entry);
        core_ = Core(GetParam(), Reset::vendor_sim);
        return run({.timing = timing});
    }
    static std::vector<Finding> found(const tessera::Run& run, std::string_view code) {
        std::vector<Finding> all;
        for (const Finding& one : run.findings)
            if (one.code == code) all.push_back(one);
        return all;
    }
};

TEST_P(CommandsOfACore, WrongOnesAreToldAsThoseOfInstructions) {
    constexpr std::uint32_t beyond_l1 = 0x30'0000;
    struct Wrong {
        Parameters parameters;
        std::uint32_t command;
        const char* fault;
    };
    const Wrong all[] = {{{beyond_l1 / 16, data / 16, 1, l1_to_l1}, move, "mover.l1-address"},
                         {{data / 16, data / 16, 1, l1_to_l1}, 0x41, "mover.command"},
                         {{data + 4, 0, 1, 2}, 0x766, "mover.command"},
                         {{data + 2, 0, 1, 2}, 0x666, "mover.command"},
                         {{beyond_l1, 0, 1, 2}, 0x766, "mover.l1-address"}};
    for (const Wrong& one : all)
        for (const Timing timing : {default_timing, Timing::functional}) {
            SCOPED_TRACE(fmt::format("{:X}, {}", one.command, name(timing)));
            Code b;
            const std::int64_t pc = command(b, one.parameters, one.command);
            const tessera::Run done = run_b(b, timing);
            ASSERT_TRUE(done.fault);
            EXPECT_EQ(done.fault->code, one.fault) << done.fault->describe();
            EXPECT_EQ(done.fault->where.core, "brisc");
            EXPECT_EQ(done.fault->where.pc, pc);
            ASSERT_FALSE(done.fault->values.empty());
            EXPECT_EQ(done.fault->values[0].value,
                      std::string_view(one.fault) == "mover.command" ? one.command : beyond_l1);
        }
}

TEST_P(CommandsOfACore, TheirFindingsAreTold) {
    for (const Timing timing : {default_timing, Timing::functional}) {
        SCOPED_TRACE(name(timing));
        Code b;
        const std::int64_t pc = command(b, {data / 16, 0x8'0000 / 16, 1, l1_to_registers}, move);
        const tessera::Run done = run_b(b, timing);
        EXPECT_FALSE(done.fault) << done.fault->describe();
        const auto nowhere = found(done, "mover.nowhere");
        ASSERT_EQ(nowhere.size(), 1u);
        EXPECT_EQ(nowhere[0].where.core, "brisc");
        EXPECT_EQ(nowhere[0].where.pc, pc);
    }
}

/// Wormhole's NC has an instruction RAM.
class CommandsIntoIram : public CommandsOfACore {};

TEST_P(CommandsIntoIram, AreToldWhileNcExecutesThere) {
    constexpr std::uint32_t flag = 0x3'1000, iram = 0xFFC0'0000, there = 0x4'0000;
    const std::uint32_t loop[] = {rv::nop, rv::jal(rv::zero, -4), rv::nop, rv::nop};
    Code b, nc;
    for (std::uint32_t i = 0; i < 4; ++i) poke(b, data + 4 * i, loop[i]);
    peek(b, rv::a1, data + 12);
    b.push_back(rv::r(rv::Op::add, rv::a1, rv::a1, rv::a1));  // waits for it
    command(b, {data / 16, there / 16, 1, l1_to_registers}, move);
    await_mover(b);
    poke(b, flag, 1);
    spend(b, 200);
    const std::int64_t pc = command(b, {data / 16, there / 16, 1, l1_to_registers}, move);
    await_mover(b);
    poke(b, result, 1);
    await(nc, flag);
    put(nc, rv::a3, iram);
    nc.push_back(rv::i(rv::Op::jalr, rv::zero, rv::a3, 0));
    kernel(RiscvCore::nc, nc, 0x1'2000);
    kernels_.done = {{result, 1}};
    const tessera::Run done = run_b(b);
    EXPECT_FALSE(done.fault) << done.fault->describe();
    const auto written = found(done, "riscv.iram-written");
    ASSERT_EQ(written.size(), 1u);
    EXPECT_EQ(written[0].where.core, "brisc");
    EXPECT_EQ(written[0].where.pc, pc);
}

INSTANTIATE_TEST_SUITE_P(Archs, CommandsOfACore, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, CommandsIntoIram, testing::Values(Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, Mover, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
