// SPDX-License-Identifier: Apache-2.0
// How far waits order: which instructions, which packers, which bits of configuration.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registers/field.hpp"
#include "support/timeline.hpp"

namespace tessera::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class OrderingReach : public testing::TestWithParam<Arch> {
protected:
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    Timeline program(const std::string& unpack, const std::string& math, const std::string& pack) const {
        return run(GetParam(), {unpack, math, pack});
    }
    static const Finding* find(const Timeline& timeline, std::string_view code) {
        for (const Finding& one : timeline.run.findings)
            if (one.code == code) return &one;
        return nullptr;
    }
};

const std::string setup_a = unpack_bf16;
const std::string unpack = "UNPACR SetDatValid=1 Last=1\n";
const std::string stores_over = "STALLWAIT block=thread wait=trisc_cfg\n";
const std::string passes = "SETADCZW unpackers=AB BitMask=0xF\n";  // the scalar unit's, like no other instruction here
const std::string read_a = "MOVA2D instr_mod=2\nCLEARDVALID cleardvalid=1\n";

// STALLWAIT, condition C13: "instructions blocked by that STALLWAIT are guaranteed to execute after". Whether the conditions happen to
// hold before the others pass plays no part.
TEST_P(OrderingReach, AWaitOrdersWhatItBlocks) {
    const auto stores_and_zeroes = [&](std::string_view block, unsigned nops) {
        return program("", fmt::format("SFPLOADI lreg_ind=0 imm16=0x3F80\nSFPSTORE\nSTALLWAIT block={} wait=sfpu\n.repeat {}\nNOP\n"
                                       ".end\nZEROACC clear_mode=3\n",
                                       block, nops),
                       "");
    };
    for (const unsigned nops : {1u, 3u, 50u}) {
        EXPECT_TRUE(find(stores_and_zeroes("sync", nops), "hazard.dst")) << nops;
        EXPECT_FALSE(find(stores_and_zeroes("math", nops), "hazard.dst")) << nops;
    }
}

TEST_P(OrderingReach, WhatComesBehindABlockedInstructionIsOrderedToo) {
    const auto ready = setup_a + "STALLWAIT block=math wait=trisc_cfg\n" + passes;
    EXPECT_TRUE(find(program(ready + unpack, read_a, ""), "hazard.config-store"));
    EXPECT_FALSE(find(program(ready + "ZEROACC clear_mode=3\n" + unpack, read_a, ""), "hazard.config-store"));
    EXPECT_FALSE(find(program(ready + "STALLWAIT block=tdma wait=thcon\n" + unpack, read_a, ""), "hazard.config-store"));
}

// Wormhole's SEMWAIT replaces a wait that does not block it (spec-notes C7).
TEST_P(OrderingReach, AReplacedWaitOrdersNothing) {
    const auto with = [&](std::string_view block) {
        return program("SEMPOST sem_sel=sem4\n" + setup_a + fmt::format("STALLWAIT block={} wait=trisc_cfg\n", block) + passes +
                           "SEMWAIT block=unpack sem_sel=sem4 wait=zero\n" + unpack,
                       read_a, "");
    };
    EXPECT_EQ(find(with("unpack"), "hazard.config-store") != nullptr, !blackhole());
    EXPECT_FALSE(find(with("unpack|sync"), "hazard.config-store"));
}

// A wait for the scalar unit covers what was given to it before.
TEST_P(OrderingReach, AScalarInstructionThatPassesIsNotAwaited) {
    const unsigned word = registers::find_field("THCON_SEC0_REG3_Base_address", GetParam())->spec->at(GetParam()).addr32;
    const std::string add = "ADDDMAREG OpBisConst=1 ResultRegIndex=4 OpBRegIndex=1 OpARegIndex=4\n";
    const std::string use = fmt::format("WRCFG GprAddress=4 CfgReg={}\n", word);
    const std::string waits = "STALLWAIT block=cfg wait=thcon\n";
    const std::string nops = ".repeat 30\nNOP\n.end\n";
    EXPECT_FALSE(find(program(add + waits + nops + use, "", ""), "config.gpr-not-awaited"));
    EXPECT_TRUE(find(program(add + waits + nops + add + use, "", ""), "config.gpr-not-awaited"));
    EXPECT_FALSE(find(program(add + waits + nops + add + waits + use, "", ""), "config.gpr-not-awaited"));
}

// What passes the wait may learn the same by itself.
TEST_P(OrderingReach, AWaitTakesNothingAway) {
    const auto with = [&](std::string_view block) {
        const std::string wait = block.empty() ? "" : fmt::format("STALLWAIT block={} wait=srca_vld\n", block);
        return program(setup_a + stores_over + unpack, wait + ".repeat 400\nNOP\n.end\n" + read_a, "");
    };
    for (const auto block : {"", "sync|cfg", "math"})
        for (const auto code : {"hazard.src", "hazard.config-store"}) EXPECT_FALSE(find(with(block), code)) << block;
}

TEST_P(OrderingReach, ADrainBehindAWaitTakesAsMuch) {
    const auto with = [&](std::string_view block) {
        const std::string wait = block.empty() ? "" : fmt::format("STALLWAIT block={} wait=unpack0\n", block);
        return program(setup_a + stores_over + unpack + unpack + unpack + wait + ".repeat 400\nNOP\n.end\n.drain\n" +
                           ".cfg ALU_ACC_CTRL_Zero_Flag_disabled_src = 1\n",
                       read_a, "");
    };
    for (const auto block : {"", "xmov", "unpack"}) EXPECT_FALSE(find(with(block), "hazard.config-write")) << block;
}

TEST_P(OrderingReach, AWaitForASemaphoreDoesTheSame) {
    const std::string post = "SFPLOADI lreg_ind=0 imm16=0x3F80\nSFPSTORE\nSTALLWAIT block=sync wait=sfpu\nSEMPOST sem_sel=sem1\n";
    const auto zeroes = [&](std::string_view block) {
        return program("", post, fmt::format("SEMWAIT block={} sem_sel=sem1 wait=zero\nSETADCXX CntSetMask=4 x0=0 x1=15\nZEROACC clear_mode=3\n", block));
    };
    EXPECT_TRUE(find(zeroes("pack"), "hazard.dst"));
    EXPECT_FALSE(find(zeroes("math"), "hazard.dst"));
}

// Two writes of different bits of a word are two writes.
TEST_P(OrderingReach, EachBitOfConfigurationHasItsLastWriter) {
    const std::string zero_flag = "RMWCIB0 Mask=1 Data=1 CfgRegAddr=2\n", relu = "RMWCIB0 Mask=0x3C Data=4 CfgRegAddr=2\n";
    const std::string ready = setup_a + stores_over + "SEMPOST sem_sel=sem2\n" + unpack;
    const std::string begins = "SEMWAIT block=thread sem_sel=sem2 wait=zero\n";
    for (const auto& [math, pack] : {std::pair{begins + read_a, zero_flag}, {begins + read_a, zero_flag + relu},
                                     {begins + relu + read_a, zero_flag}}) {
        const Timeline ran = program(ready, math, pack);
        const Finding* const use = find(ran, "hazard.config-use");
        ASSERT_TRUE(use) << math << pack;
        EXPECT_THAT(use->message, HasSubstr("ALU_ACC_CTRL_Zero_Flag_disabled_src"));
        EXPECT_THAT(use->message, Not(HasSubstr("STACC_RELU")));
    }
    EXPECT_FALSE(find(program(ready, begins + read_a, relu), "hazard.config-use")) << "MOVA2D uses none of these bits";
    // Written again in order, the first write is over.
    const std::string hands_over = "SEMPOST sem_sel=sem3\n", takes = "SEMWAIT block=thread sem_sel=sem3 wait=zero\n";
    EXPECT_FALSE(find(program(ready, begins + takes + zero_flag + read_a, zero_flag + relu + hands_over), "hazard.config-use"));
}

// SFPLOAD, Instruction scheduling: three instructions are enough in front of an SFPLOAD of a result.
TEST_P(OrderingReach, ThreeInstructionsAreNotEnoughInFrontOfSfpstore) {
    const std::string two_rows = "SETDVALID setvalid=2\nMOVB2D dst=16\nMOVB2D\n", three = two_rows + "NOP\nNOP\nNOP\n";
    EXPECT_TRUE(find(program("", three + "SFPSTORE lreg_ind=9\n", ""), "hazard.dst"));
    EXPECT_FALSE(find(program("", three + "SFPLOAD lreg_ind=1\n", ""), "hazard.dst"));
    // Behind a load of its result it is over; of another block nothing is known.
    EXPECT_FALSE(find(program("", three + "SFPLOAD lreg_ind=1\nSFPSTORE lreg_ind=9\n", ""), "hazard.dst"));
    EXPECT_TRUE(find(program("", three + "SFPLOAD lreg_ind=1\nSFPSTORE lreg_ind=9 dest_reg_addr=16\n", ""), "hazard.dst"));
    // A ZEROACC takes one cycle.
    EXPECT_FALSE(find(program("", "ZEROACC clear_mode=3\nSFPSTORE lreg_ind=9\n", ""), "hazard.dst"));
    EXPECT_TRUE(find(program("", "ZEROACC clear_mode=3\nSFPLOAD lreg_ind=1\n", ""), "hazard.dst"));
}

// Spec-notes E61, across threads and for cores' stores.
TEST_P(OrderingReach, AWriteToBusyConfigurationSaysWhoIsBusyAndWhereToWait) {
    const std::string hands_over = setup_a + stores_over + unpack;
    const std::string waits = "STALLWAIT block=sync wait=unpack0\n", post = "SEMPOST sem_sel=sem4\n";
    const unsigned word = registers::find_field("THCON_SEC0_REG0_TileDescriptor_InDataFormat", GetParam())->spec->at(GetParam()).addr32;
    const std::string write = fmt::format("RMWCIB0 Mask=0x0F Data=6 CfgRegAddr={}\n", word), store = ".cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float16\n";
    const std::string takes = "SEMWAIT block=thread sem_sel=sem4 wait=zero\n", core_takes = ".sem_wait 4, nonzero\n";
    const Timeline ran = program(hands_over + post, read_a, takes + write);
    const Finding* const busy = find(ran, "config.write-while-busy");
    ASSERT_TRUE(busy);
    EXPECT_THAT(busy->message, HasSubstr("while T0 op "));
    EXPECT_THAT(busy->cure, HasSubstr("put STALLWAIT block=sync wait=unpack0 before SEMPOST at T0 op "));
    EXPECT_FALSE(find(program(hands_over + waits + post, read_a, takes + write), "config.write-while-busy"));

    EXPECT_TRUE(find(program(hands_over + post, read_a, core_takes + store), "config.write-while-busy"));
    EXPECT_TRUE(find(program(hands_over + post + core_takes + store, read_a, ""), "config.write-while-busy"));
    EXPECT_FALSE(find(program(hands_over + waits + post, read_a, core_takes + store), "config.write-while-busy"));
    EXPECT_FALSE(find(program(hands_over + ".drain\n" + store, read_a, ""), "config.write-while-busy"));
}

INSTANTIATE_TEST_SUITE_P(Chips, OrderingReach, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

// Wormhole's STALLWAIT has a condition for each packer (C3 to C6).
class WormholePackers : public testing::Test {
protected:
    static std::string setup(bool compressed = false, unsigned apart = 0x200) {
        std::string text = "SETADCXX CntSetMask=4 x0=0 x1=15\nSETADCXY CntSetMask=4 BitMask=0xB\nSETADCZW CntSetMask=4 BitMask=0xF\n"
                           ".cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b\n.cfg PCK0_ADDR_CTRL_XY_REG_0_Xstride = 2\n"
                           ".cfg PCK0_ADDR_CTRL_XY_REG_0_Ystride = 32\n";
        constexpr std::string_view places[] = {"SEC0_REG1", "SEC0_REG8", "SEC1_REG1", "SEC1_REG8"};
        for (unsigned i = 0; i < 4; ++i) {
            text += fmt::format(".cfg PCK_EDGE_OFFSET_SEC{0}_mask = 0xFFFF\n.cfg PACK_COUNTERS_SEC{0}_pack_reads_per_xy_plane = 16\n", i);
            text += fmt::format(".cfg THCON_{0}_L1_Dest_addr = {1} / 16 - 1\n.cfg THCON_{0}_Disable_zero_compress = {2}\n"
                                ".cfg THCON_{0}_In_data_format = Float16_b\n.cfg THCON_{0}_Out_data_format = Float16_b\n",
                                places[i], 0x20000 + apart * i, compressed ? 0 : 1);
            if (i) text += fmt::format(".cfg DEST_TARGET_REG_CFG_PACK_SEC{}_Offset = {}\n", i, 16 * i);
        }
        return text + "STALLWAIT block=thread wait=trisc_cfg\n";
    }
    static std::string packs(std::string_view waits) {
        return setup() + "SEMWAIT block=thread sem_sel=sem1 wait=zero\nPACR PackSel=15 Last=1\n" +
               (waits.empty() ? "" : fmt::format("STALLWAIT block=sync wait={}\n", waits)) + "SEMPOST sem_sel=sem3\n";
    }
    static const std::string zeroes, stores;
    static const Finding* find(const Timeline& timeline, std::string_view code) {
        for (const Finding& one : timeline.run.findings)
            if (one.code == code) return &one;
        return nullptr;
    }
};
const std::string WormholePackers::zeroes = "ZEROACC clear_mode=3\nSTALLWAIT block=sync wait=math\nSEMPOST sem_sel=sem1\n";
const std::string WormholePackers::stores = "SEMWAIT block=thread sem_sel=sem3 wait=zero\nSFPLOADI lreg_ind=0 imm16=0x3F80\n";

TEST_F(WormholePackers, EachReadsItsOwnRowsOfDst) {
    for (unsigned packer = 0; packer < 4; ++packer) {
        const std::string math = zeroes + stores + fmt::format("SFPSTORE lreg_ind=0 dest_reg_addr={}\n", 16 * packer);
        const Timeline unordered = run(Arch::wormhole, {"", math, packs("")});
        const Finding* const found = find(unordered, "hazard.dst");
        ASSERT_TRUE(found) << packer;
        EXPECT_THAT(found->cure, HasSubstr(fmt::format("put STALLWAIT block=sync wait=pack{} before SEMPOST at T2 op ", packer)));
        EXPECT_FALSE(find(run(Arch::wormhole, {"", math, packs(fmt::format("pack{}", packer))}), "hazard.dst")) << packer;
        EXPECT_TRUE(find(run(Arch::wormhole, {"", math, packs(fmt::format("pack{}", (packer + 1) % 4))}), "hazard.dst")) << packer;
    }
}

TEST_F(WormholePackers, ACureNamesAllThatMatter) {
    std::string math = zeroes + stores + "STALLWAIT block=sync wait=sfpu\n";
    math += "ZEROACC clear_mode=3\n";
    const Timeline unordered = run(Arch::wormhole, {"", math, packs("")});
    const Finding* const found = find(unordered, "hazard.dst");
    ASSERT_TRUE(found);
    EXPECT_THAT(found->cure, HasSubstr("put STALLWAIT block=sync wait=pack before SEMPOST at T2 op "));
    EXPECT_FALSE(find(run(Arch::wormhole, {"", math, packs("pack")}), "hazard.dst"));
}

TEST_F(WormholePackers, EachWritesItsOwnPartOfL1) {
    const auto reads = [](std::string_view waits) {
        const std::string reader = ".cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b\n" + setup_a + ".cfg THCON_SEC0_REG3_Base_address = 0x20200 / 16 - 1\nSETADCXX unpackers=AB x0=0 x1=15\n" +
                                   "STALLWAIT block=thread wait=trisc_cfg\nSEMWAIT block=thread sem_sel=sem3 wait=zero\nUNPACR SetDatValid=1 Last=1\n";
        return run(Arch::wormhole, {reader, zeroes + "MOVA2D instr_mod=2\nCLEARDVALID cleardvalid=1\n", packs(waits)});
    };
    EXPECT_FALSE(find(reads("pack1"), "hazard.l1"));
    EXPECT_TRUE(find(reads("pack0"), "hazard.l1"));
}

// How far compressed output reaches is only bounded. Packers do not meet each other there, and a PACR does not meet itself.
TEST_F(WormholePackers, CompressedOutputOfFourIsInOrder) {
    for (const unsigned apart : {0x200u, 0x240u, 0u}) {
        const std::string text = setup(true, apart) + "SEMWAIT block=thread sem_sel=sem1 wait=zero\n.repeat 15\nPACR PackSel=15\n.end\nPACR PackSel=15 Last=1\n";
        EXPECT_FALSE(find(run(Arch::wormhole, {"", zeroes, text}), "hazard.l1")) << apart;
    }
    const std::string once = setup(false, 0) + "SEMWAIT block=thread sem_sel=sem1 wait=zero\nPACR PackSel=15 Last=1\n";
    EXPECT_FALSE(find(run(Arch::wormhole, {"", zeroes, once}), "hazard.l1"));
}

}  // namespace
}  // namespace tessera::test
