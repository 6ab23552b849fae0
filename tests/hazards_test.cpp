// SPDX-License-Identifier: Apache-2.0
// Hazards between instructions of one thread: late writes, and their cure by three instructions in between.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registers/field.hpp"
#include "support/timeline.hpp"

namespace {

using tessera::Arch;
using tessera::test::run;
using tessera::test::Timeline;

class Hazards : public testing::TestWithParam<Arch> {
protected:
    Timeline math(const std::string& text, const tessera::RunOptions& options = {}) const {
        return run(GetParam(), {"", text, ""}, options);
    }
};

// ADDDMAREG is of the scalar unit, RDCFG of the configuration unit.
TEST_P(Hazards, WordThatTheInstructionBeforeWritesLate) {
    const std::string write = ".gpr 4 = 1\n.drain\nWRCFG GprAddress=4 CfgReg=1\n";
    const std::string use = "RDCFG GprAddress=5 CfgReg=1\n";
    EXPECT_TRUE(math(write + use).has_finding("hazard.config-late"));
    EXPECT_FALSE(math(write + "NOP\n" + use).has_finding("hazard.config-late"));
    EXPECT_FALSE(math(write + "RDCFG GprAddress=5 CfgReg=2\n").has_finding("hazard.config-late"));
}

// Only Blackhole's page of RDCFG lets the thread go on; on Wormhole it is blocked until the GPR is written.
TEST_P(Hazards, GprThatRdcfgWritesLate) {
    const bool goes_on = GetParam() == Arch::blackhole;
    const auto math = [&](const std::string& text) {
        return Hazards::math(text, tessera::RunOptions{.timing = tessera::Timing::documented});
    };
    const std::string read = "RDCFG GprAddress=5 CfgReg=1\n";
    const std::string use = "ADDDMAREG OpBisConst=1 ResultRegIndex=6 OpBRegIndex=1 OpARegIndex=5\n";
    EXPECT_EQ(math(read + use).has_finding("hazard.gpr-late-scalar"), goes_on);
    EXPECT_FALSE(math(read + use).has_finding("hazard.gpr-late"));
    EXPECT_FALSE(math(read + "NOP\n" + use).has_finding("hazard.gpr-late-scalar"));
    const std::string move = "WRCFG GprAddress=5 CfgReg=2\n";
    EXPECT_EQ(math(read + move).has_finding("hazard.gpr-late"), goes_on);
    EXPECT_FALSE(math(read + "NOP\n" + move).has_finding("hazard.gpr-late"));
    // The scalar unit holds its thread until the result is there.
    EXPECT_FALSE(math(use + "ADDDMAREG OpBisConst=1 ResultRegIndex=7 OpBRegIndex=1 OpARegIndex=6\n")
                     .has_finding("hazard.gpr-late-scalar"));
}

// RDCFG, Performance: on Wormhole the thread is blocked until the GPR is written.
TEST_P(Hazards, WrcfgBehindRdcfgMovesTheNewValueOnWormhole) {
    const std::string wait = GetParam() == Arch::blackhole ? "1<<10" : "1<<13";
    const auto program = tessera::assemble(".cfg 72 = 222\n.gpr 5 = 111\nSTALLWAIT stall_res=0x1FF wait_res=" + wait +
                                               "\nRDCFG GprAddress=5 CfgReg=72\nWRCFG GprAddress=5 CfgReg=73\n"
                                               "NOP\nNOP\nRDCFG GprAddress=6 CfgReg=73\n",
                                           GetParam());
    ASSERT_TRUE(program) << program.error().describe();
    for (const auto timing : {tessera::Timing::documented, tessera::Timing::silicon}) {
        tessera::Core core(GetParam());
        ASSERT_TRUE(core.run(*program, {.timing = timing}));
        EXPECT_EQ(core.read(*core.find_section("gpr").value(), 6), GetParam() == Arch::blackhole ? 111u : 222u)
            << tessera::name(timing);
    }
}

// RDCFG (Wormhole), Instruction scheduling: of those that several threads issue in one cycle all but one are dropped.
TEST_P(Hazards, RdcfgOfTwoThreadsIsToBeOrdered) {
    const bool drops = GetParam() == Arch::wormhole;
    const std::string read = "RDCFG GprAddress=5 CfgReg=1\n";
    const auto told = [&](const std::string& unpack, const std::string& math, const tessera::RunOptions& options = {}) {
        return run(GetParam(), {unpack, math, ""}, options).has_finding("config.rdcfg-together");
    };
    EXPECT_EQ(told(read, read), drops);
    EXPECT_EQ(told(read, read, {.seed = 3}), drops);
    EXPECT_EQ(told(read, read, {.timing = tessera::Timing::documented}), drops);
    EXPECT_EQ(told(read, ".repeat 20\nNOP\n.end\n" + read), drops) << "other schedules bring them together";
    EXPECT_FALSE(told(read, read, {.timing = tessera::Timing::instant}));
    EXPECT_FALSE(told(read + read, ""));
    EXPECT_FALSE(told(read + "SEMPOST sem_sel=sem1\n", "SEMWAIT block=cfg sem_sel=sem1 wait=zero\n" + read));
    const std::string alone = "ATGETM mutex_index=2\n" + read + "ATRELM mutex_index=2\n";
    EXPECT_FALSE(told(alone, alone));
}

// CFGSHIFTMASK, Instruction scheduling: an instruction of the configuration unit needs no NOP behind it.
TEST(LateConfiguration, TheUnitKeepsItsOwnInstructionsBehindCfgshiftmask) {
    const auto found = [](const std::string& use) {
        return run(Arch::blackhole, {"", "SETDVALID setvalid=3\n.drain\nCFGSHIFTMASK CfgReg=1\n" + use, ""})
            .has_finding("hazard.config-late");
    };
    EXPECT_FALSE(found("RDCFG GprAddress=5 CfgReg=1\n"));
    EXPECT_FALSE(found("CFGSHIFTMASK CfgReg=1\n"));
    EXPECT_TRUE(found("MVMUL dst=0\n"));
    EXPECT_FALSE(found("NOP\nMVMUL dst=0\n"));
}

// Spec-notes B34: what the scalar unit adds is what RDCFG read.
TEST_P(Hazards, TheScalarUnitGetsWhatRdcfgRead) {
    tessera::Core core(GetParam());
    const std::string wait = GetParam() == Arch::blackhole ? "1<<10" : "1<<13";
    const auto program = tessera::assemble(
        ".cfg 1 = 40\nSTALLWAIT stall_res=0x1FF wait_res=" + wait +
            "\nRDCFG GprAddress=5 CfgReg=1\nADDDMAREG OpBisConst=1 ResultRegIndex=6 OpBRegIndex=2 OpARegIndex=5\n",
        GetParam());
    ASSERT_TRUE(program) << program.error().describe();
    ASSERT_TRUE(core.run(*program));
    EXPECT_EQ(core.read(*core.find_section("gpr").value(), 6), 42u);
}

// T1 inherits T0's vector clock by the bank: the configuration that T0 waited for is complete.
TEST_P(Hazards, ABankPassesOnThatConfigurationIsThere) {
    const std::string wait = GetParam() == Arch::blackhole ? "1<<10" : "1<<13";
    const std::string stores = std::string(tessera::test::unpack_bf16) + ".cfg ALU_FORMAT_SPEC_REG0_SrcA = Float16_b\n";
    const std::string unpack = "UNPACR SetDatValid=1 Last=1\n", use = "MOVA2D dst=0\n";
    const auto waited = run(GetParam(), {stores + "STALLWAIT stall_res=8 wait_res=" + wait + "\n" + unpack, use, ""});
    EXPECT_FALSE(waited.run.fault) << waited.run.fault->describe();
    EXPECT_FALSE(waited.has_finding("hazard.config-store"));
    EXPECT_TRUE(run(GetParam(), {stores + unpack, use, ""}).has_finding("hazard.config-store"));
}

// Spec-notes B35: on Blackhole, packer 0's formats and a bit for the unpackers' speed are one word.
TEST(HazardsOfBits, AStoreMattersToWhomItChangesSomething) {
    const auto found = [](const std::string& store) {
        return run(tessera::Arch::blackhole,
                   {std::string(tessera::test::unpack_bf16) + "STALLWAIT stall_res=8 wait_res=1<<10\n" +
                        "UNPACR SetDatValid=1 Last=1\n",
                    "", store})
            .has_finding("hazard.config-store");
    };
    EXPECT_FALSE(found(".cfg THCON_SEC0_REG1_Out_data_format = Float16_b\n"));
    EXPECT_FALSE(found(".cfg THCON_SEC0_REG1_ovrd_default_throttle_mode = 0\n"));
    EXPECT_TRUE(found(".cfg THCON_SEC0_REG1_ovrd_default_throttle_mode = 1\n"));
}

// SFPLOAD, Instruction scheduling: three instructions between it and the matrix instruction, or a STALLWAIT.
TEST_P(Hazards, ThreeInstructionsBetweenMatrixUnitAndSfpload) {
    const std::string write = "ZEROACC clear_mode=1\n";
    const std::string load = "SFPLOAD lreg_ind=0\n";
    for (unsigned between = 0; between < 5; ++between) {
        std::string text = write;
        for (unsigned i = 0; i < between; ++i) text += "NOP\n";
        EXPECT_EQ(math(text + load).has_finding("hazard.dst"), between < 3) << between;
        // A loop's instructions count like written ones.
        if (between == 0) continue;
        const std::string loop = write + ".repeat " + std::to_string(between) + "\nNOP\n.end\n" + load;
        EXPECT_EQ(math(loop).has_finding("hazard.dst"), between < 3) << between;
    }
    EXPECT_FALSE(math(write + "STALLWAIT stall_res=1<<8 wait_res=1<<7\n" + load).has_finding("hazard.dst"));
}

// An address beyond L1 that comes by luck.
TEST_P(Hazards, WhatEndsARunMayBeAHazard) {
    const auto base = tessera::registers::find_field("THCON_SEC0_REG3_Base_address", GetParam())->spec->at(GetParam());
    const std::string unpack = std::string(tessera::test::unpack_bf16) + tessera::test::wait_for_stores(GetParam()) +
                               "SEMPOST sem_sel=sem0\n.repeat 12\nNOP\n.end\nUNPACR SetDatValid=1 Last=1\n";
    const std::string math = "SEMWAIT block=thread sem_sel=sem0 wait=zero\n" +
                             fmt::format("RMWCIB3 Mask=0xFF Data=0x01 CfgRegAddr={}\n", base.addr32);
    const Timeline ended = run(GetParam(), {unpack, math, ""});
    ASSERT_TRUE(ended.run.fault);
    EXPECT_TRUE(ended.has_finding("hazard.config-use")) << ended.run.fault->describe();
}

// The other order is no different. What the vector unit stores is: nothing says when it is there.
TEST_P(Hazards, AMatrixInstructionThatWritesBehindAnSfpload) {
    for (unsigned between = 0; between < 5; ++between) {
        std::string nops;
        for (unsigned i = 0; i < between; ++i) nops += "SFPNOP\n";
        for (const std::string write : {"ZEROACC clear_mode=1\n", "ZEROACC clear_mode=3\n"})
            EXPECT_EQ(math("SFPLOAD lreg_ind=0\n" + nops + write).has_finding("hazard.dst"), between < 3)
                << between << write;
        EXPECT_TRUE(math("SFPSTORE lreg_ind=0\n" + nops + "ZEROACC clear_mode=1\n").has_finding("hazard.dst"))
            << between;
    }
}

// 256 BF16 datums to rows 0 to 15 of Dst; packers take what is there.
const std::string unpack_to_dst = std::string(tessera::test::unpack_bf16) + R"(
.cfg THCON_SEC0_REG2_Unpack_If_Sel = 1
.cfg SRCA_SET_SetOvrdWithAddr = 0
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b
.cfg THCON_SEC0_REG1_In_data_format = Float16_b
.cfg THCON_SEC0_REG1_Out_data_format = Float16_b
.cfg THCON_SEC0_REG1_Disable_zero_compress = 1
SETADCXX CntSetMask=1 x_start=0 x_end2=255
.drain
UNPACR Last=1
)";
const std::string wait_for_unpacker = "STALLWAIT stall_res=0x1FF wait_res=1<<1\n";

// Hardware guards no block of Dst that an unpacker writes (spec-notes F2).
TEST_P(Hazards, UnpackToDstThatIsReadTooEarly) {
    struct Access {
        const char* text;
        bool conflicts;
    };
    constexpr Access accesses[] = {
        {"SFPLOAD lreg_ind=0\n", true},
        {"SFPSTORE lreg_ind=0\n", true},
        {"MOVD2B src=0 dst=8\n", true},
        {"ZEROACC clear_mode=1\n", true},
        {"PACR Last=1\n", true},
        {"MOVD2B src=0 dst=16\n", false},
        {"SFPLOAD lreg_ind=0 dest_reg_addr=16\n", false},
    };
    for (const Access& access : accesses) {
        const Timeline early = math(unpack_to_dst + access.text);
        EXPECT_FALSE(early.run.fault) << early.run.fault->describe();
        EXPECT_EQ(early.has_finding("hazard.dst"), access.conflicts) << access.text;
        EXPECT_FALSE(math(unpack_to_dst + wait_for_unpacker + access.text).has_finding("hazard.dst")) << access.text;
    }
}

TEST_P(Hazards, UnpackToDstOverWhatIsStillRead) {
    const std::string load = unpack_to_dst + wait_for_unpacker + "SFPLOAD lreg_ind=0\n", again = "UNPACR Last=1\n";
    const std::string wait_for_vector_unit = GetParam() == Arch::blackhole
                                                 ? "STALLWAIT stall_res=0x1FF wait_res=1<<11\n"
                                                 : "STALLWAIT stall_res=0x1FF wait_res=1<<14\n";
    EXPECT_TRUE(math(load + again).has_finding("hazard.dst"));
    EXPECT_FALSE(math(load + wait_for_vector_unit + again).has_finding("hazard.dst"));
}

// A semaphore says as much as its thread knew.
TEST_P(Hazards, UnpackToDstForAnotherThread) {
    const std::string post = "SEMPOST sem_sel=1<<2\n";
    const std::string load = "SEMWAIT stall_res=0x1FF sem_sel=1<<2 wait_sem_cond=1\nSFPLOAD lreg_ind=0\n";
    EXPECT_TRUE(run(GetParam(), {unpack_to_dst + post, load, ""}).has_finding("hazard.dst"));
    EXPECT_FALSE(run(GetParam(), {unpack_to_dst + wait_for_unpacker + post, load, ""}).has_finding("hazard.dst"));
}

INSTANTIATE_TEST_SUITE_P(Archs, Hazards, testing::ValuesIn(tessera::all_archs),
                         [](const auto& parameter) { return std::string(tessera::name(parameter.param)); });

}  // namespace
