// SPDX-License-Identifier: Apache-2.0
// Findings in right or nearly right programs: far stores, orderings by reset, assertions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/engine.hpp"
#include "formats/pack_convert.hpp"
#include "registers/field.hpp"
#include "riscv/asserted.hpp"
#include "support/macro_run.hpp"
#include "support/precision_test.hpp"
#include "support/riscv_words.hpp"
#include "support/scripted_cores.hpp"
#include "support/timeline.hpp"
#include "tessera/assembly.hpp"
#include "units/slots.hpp"

namespace tessera::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string store_base = ".cfg THCON_SEC0_REG3_Base_address = 0x1000\n";

// Spec-notes B41: a core makes an op a cycle.
TEST_P(Precision, AStoreIsFarBehindMoreCyclesThanItsReach) {
    const std::string ready = unpack_bf16 + stores_wait() + ".drain\n" + store_base;
    for (const unsigned between : {0u, 1u, 7u, 31u}) {
        const auto near = unpack(ready + nops(between) + unpack_a);
        EXPECT_TRUE(near.has_finding("hazard.config-store")) << between;
        EXPECT_FALSE(near.has_finding("hazard.config-store-far")) << between;
    }
    for (const unsigned between : {32u, 100u, 2000u}) {
        const auto far = unpack(ready + nops(between) + unpack_a);
        EXPECT_FALSE(far.has_finding("hazard.config-store")) << between;
        const Finding& reported = only(far, "hazard.config-store-far");
        EXPECT_EQ(reported.level, Level::info);
        EXPECT_THAT(reported.message,
                    HasSubstr(fmt::format("stored {} cycles before this instruction was pushed", between + 1)));
        EXPECT_FALSE(unpack(ready + nops(between) + stores_wait() + unpack_a).has_finding("hazard.config-store-far"));
    }
}

// MatrixUnit.md, Instruction latency and throughput: 1 and 1. Who hears of a later instruction of its thread need not wait for the unit.
TEST_P(Precision, AZeroaccIsOverBeforeALaterInstructionOfItsThread) {
    const std::string row = blackhole() ? "where" : "dst",
                      two = fmt::format("ZEROACC clear_mode=0 {0}=0\nZEROACC clear_mode=0 {0}=1\n", row);
    const auto has_hazard = [&](const std::string& clears, const std::string& wait, unsigned late) {
        const std::string begin = "SEMINIT sem_sel=1<<3 max_value=1\nSEMPOST sem_sel=1<<4\n",
                          begun = "SEMWAIT stall_res=0x1FF sem_sel=1<<4 wait_sem_cond=1\n";
        return run(arch, {"", begin + wait + nops(late) + "SFPLOAD lreg_ind=0 dest_reg_addr=0\n", begun + clears})
            .has_finding("hazard.dst");
    };
    const std::string post = "SEMPOST sem_sel=1<<3\n", wait = "SEMWAIT stall_res=0x1FF sem_sel=1<<3 wait_sem_cond=1\n";
    const std::string counters = "SETRWC rwc_d=0 BitMask=4\n";
    for (const unsigned late : {0u, 1u, 100u}) {
        EXPECT_FALSE(has_hazard(two + post, wait, late)) << late;
        EXPECT_FALSE(has_hazard(counters + two + post, wait, late)) << late << ": it uses no memory";
        EXPECT_TRUE(has_hazard(post + two, wait, 100 + late)) << late << ": it is posted before them";
        EXPECT_TRUE(has_hazard(two + post, "", 100 + late)) << late << ": nobody waits";
    }
}

// The same of ZEROSRC, and of its own thread's instructions. The vector unit's need a distance.
TEST_P(Precision, WhatFollowsABriefInstructionOfItsThreadComesAfterIt) {
    const std::string clear = "ZEROSRC src_mask=3 bank_mask=1\n",
                      unpacks = unpack_bf16 + wait_for_stores(arch);
    EXPECT_FALSE(unpack(unpacks + clear + unpack_a).has_finding("hazard.src"));
    EXPECT_TRUE(run(arch, {unpacks + nops(40) + unpack_a, clear, ""}).has_finding("hazard.src")) << "another thread's";
    const std::string dst = fmt::format("ZEROACC clear_mode=0 {}=0\n", blackhole() ? "where" : "dst");
    for (const unsigned between : {0u, 2u, 3u, 10u})
        EXPECT_EQ(
            run(arch, {"", dst + nops(between) + "SFPLOAD lreg_ind=0 dest_reg_addr=0\n", ""}).has_finding("hazard.dst"),
            between < 3)
            << between;
}

TEST_P(Precision, GprsAreNoDifferent) {
    const std::string use = "ADDDMAREG OpBisConst=1 ResultRegIndex=6 OpBRegIndex=1 OpARegIndex=5\n";
    EXPECT_TRUE(unpack(".gpr 5 = 7\n" + use).has_finding("hazard.gpr-store"));
    const auto far = unpack(".gpr 5 = 7\n" + nops(300) + use);
    EXPECT_FALSE(far.has_finding("hazard.gpr-store"));
    EXPECT_EQ(only(far, "hazard.gpr-store-far").level, Level::info);
}

// No wait in front of the instruction helps against a store behind it: the core must wait.
TEST_P(Precision, AStoreToAGprBehindTheInstructionOvertakesIt) {
    const std::string first = ".gpr 5 = 7\n" + stores_wait(0x1FF) +
                              "ADDDMAREG OpBisConst=1 ResultRegIndex=6 OpBRegIndex=1 OpARegIndex=5\n";
    const auto wrong = unpack(first + ".gpr 5 = 9\n");
    EXPECT_FALSE(wrong.has_finding("hazard.gpr-store"));
    const Finding& overtaken = only(wrong, "hazard.gpr-overtaken");
    EXPECT_THAT(overtaken.message, HasSubstr("uses GPR 5, which its own core stores after it pushed this instruction"));
    EXPECT_THAT(overtaken.message, HasSubstr("; the store: T0 op 3"));
    EXPECT_EQ(overtaken.cure, "make the core wait until the instruction has executed, then store");
    const auto right = unpack(first + ".drain\n.gpr 5 = 9\n");
    EXPECT_FALSE(right.has_finding("hazard.gpr-store"));
    EXPECT_FALSE(right.has_finding("hazard.gpr-overtaken"));
}

// The eight instructions before keep the unit busy until the store is there; then the later write replaces it.
TEST_P(Precision, AStoreOvertakesAnInstructionThatOnlyWrites) {
    const std::string busy = ".repeat 8\nADDDMAREG OpBisConst=1 ResultRegIndex=6 OpBRegIndex=1 OpARegIndex=7\n.end\n";
    const auto both = [&](const std::string& write, const std::string& store) {
        const std::string config = "hazard.config-overtaken", gpr = "hazard.gpr-overtaken";
        const Timeline wrong = unpack(busy + write + store), right = unpack(busy + write + ".drain\n" + store);
        EXPECT_FALSE(right.has_finding(config) || right.has_finding(gpr)) << write;
        EXPECT_FALSE(wrong.has_finding("hazard.config-store") || wrong.has_finding("hazard.gpr-store")) << write;
        const bool is_config = store.starts_with(".cfg");
        EXPECT_FALSE(wrong.has_finding(is_config ? gpr : config)) << write;
        return of(wrong, is_config ? config : gpr).empty() ? std::string() : only(wrong, is_config ? config : gpr).message;
    };
    EXPECT_THAT(both("WRCFG GprAddress=50 CfgReg=48\nNOP\n", ".cfg 48 = 5\n"), testing::StartsWith("writes configuration "));
    const std::string adds = "ADDDMAREG ResultRegIndex=30 OpBRegIndex=31 OpARegIndex=32\n";
    for (const std::string& write : {adds, std::string("CMPDMAREG ResultRegIndex=30 OpBRegIndex=31 OpARegIndex=32\n"),
                                     std::string("LOADIND SizeSel=1 DataRegIndex=30 AddrRegIndex=10\n")})
        EXPECT_THAT(both(write, ".gpr 30 = 5\n"), testing::StartsWith("writes GPR 30, which its own core stores")) << write;
    EXPECT_EQ(both(adds, ".gpr 30 = 0\n"), "") << "both write the same";
    // The store changes nothing when it comes first, and is lost all the same.
    EXPECT_THAT(both("ADDDMAREG OpBisConst=1 ResultRegIndex=30 OpBRegIndex=1 OpARegIndex=30\n", ".gpr 30 = 0\n"),
                testing::StartsWith("writes GPR 30"));
}

// The wait that was forgotten stands behind the last store.
TEST_P(Precision, TheLastOfSeveralStoresIsNamed) {
    const auto reported = unpack(unpack_bf16 + store_base + unpack_a);
    const Finding& store = only(reported, "hazard.config-store");
    EXPECT_THAT(store.message, HasSubstr("uses configuration THCON_SEC0_REG3_Base_address (word "));
    EXPECT_THAT(store.message, HasSubstr("; the store: T0 op "));
    EXPECT_THAT(store.message, HasSubstr("1 cycle before"));
    EXPECT_EQ(store.count, 1u);
}

// The cure as text can be pasted.
TEST_P(Precision, TheCureOfAnOwnStoreIsAWaitForIt) {
    const std::string wait = "STALLWAIT block=unpack wait=trisc_cfg";
    EXPECT_THAT(only(unpack(unpack_bf16 + store_base + unpack_a), "hazard.config-store").cure,
                testing::StartsWith("put " + wait + " before this instruction"));
    EXPECT_FALSE(unpack(unpack_bf16 + store_base + wait + "\n" + unpack_a).has_finding("hazard.config-store"));
    EXPECT_THAT(only(unpack(".gpr 5 = 7\nADDDMAREG OpBisConst=1 ResultRegIndex=6 OpBRegIndex=1 OpARegIndex=5\n"), "hazard.gpr-store").cure,
                testing::StartsWith("put STALLWAIT block=thcon wait=trisc_cfg before this instruction"));
}

// STALLWAIT sees the stores of the thread's own core only (STALLWAIT page, C13).
TEST_P(Precision, TheCureOfAnotherCoresStoreIsASemaphore) {
    const std::string store = ".cfg THCON_SEC0_REG1_L1_Dest_addr = 0x1000\n", own_wait = "STALLWAIT block=pack wait=trisc_cfg\n";
    const auto packs = [&](const std::string& first, const std::string& wait) {
        return run(arch, {"SEMINIT sem_sel=sem1 max_value=1\n" + store + first, "", nops(9) + wait + own_wait + "PACR Last=1\n"});
    };
    const auto wrong = packs("", "");
    const Finding& reported = only(wrong, "hazard.config-store");
    EXPECT_EQ(
        reported.cure,
        "in T0 put STALLWAIT block=sync wait=trisc_cfg and SEMPOST after the store; in T2 put SEMWAIT block=pack on "
        "that semaphore "
        "before this instruction. If the other order is meant: in T2 put SEMPOST after this instruction; the core of "
        "T0 waits for that "
        "semaphore itself before the store");
    EXPECT_THAT(reported.message, HasSubstr("; the store: T0 op 1"));
    const auto right = packs("STALLWAIT block=sync wait=trisc_cfg\nSEMPOST sem_sel=sem1\n",
                             "SEMWAIT block=pack|sync sem_sel=sem1 wait=zero\n");
    EXPECT_FALSE(right.has_finding("hazard.config-store"));
}

// The core that pushes the instruction has seen a semaphore that comes behind the store.
TEST_P(Precision, AStoreThatACoreKnowsOfMayBeFar) {
    const auto levels = [&](unsigned between, bool sees) {
        const std::string gives = ".cfg THCON_SEC0_REG1_L1_Dest_addr = 0x1000\nSEMPOST sem_sel=sem1\n";
        const std::string takes =
            (sees ? ".sem_wait 1, nonzero\n" : "") + nops(between) +
            fmt::format("RDCFG GprAddress=10 CfgReg={}\n", place("THCON_SEC0_REG1_L1_Dest_addr").addr32);
        const Timeline ended = run(arch, {takes, "", gives});
        return std::pair(ended.has_finding("hazard.config-store"), ended.has_finding("hazard.config-store-far"));
    };
    EXPECT_EQ(levels(3, true), std::pair(true, false));
    EXPECT_EQ(levels(60, true), std::pair(false, true));
    EXPECT_EQ(levels(60, false), std::pair(true, false));
}

// On Wormhole a SEMWAIT replaces a STALLWAIT that does not block it. Another STALLWAIT of the same kind would not help.
TEST_P(Precision, AReplacedWaitForStoresIsNamed) {
    const auto program = [&](std::string_view block) {
        return unpack_bf16 + stores_wait() + "SEMINIT sem_sel=sem1 max_value=2 init_value=1\n.drain\n" + store_base +
               fmt::format("STALLWAIT block={} wait=trisc_cfg\nSEMWAIT block=math sem_sel=sem1 wait=zero\n", block) +
               unpack_a;
    };
    EXPECT_FALSE(unpack(program("unpack|sync")).has_finding("hazard.config-store"));
    const auto passed = unpack(program("unpack"));
    ASSERT_EQ(passed.has_finding("sync.wait-replaced"), GetParam() == Arch::wormhole);
    ASSERT_EQ(passed.has_finding("hazard.config-store"), GetParam() == Arch::wormhole);
    if (GetParam() == Arch::blackhole) return;
    EXPECT_THAT(only(passed, "hazard.config-store").cure, HasSubstr("add B1 (sync) to its block mask"));
    const Finding& replaced = only(passed, "sync.wait-replaced");
    EXPECT_THAT(replaced.message, testing::StartsWith("SEMWAIT replaces the wait of T0 op "));
    EXPECT_EQ(replaced.values.at(0).name, "other_index");
    EXPECT_EQ(replaced.values.at(0).value, static_cast<std::uint64_t>(replaced.where.index - 1));
}

// A word whose bits RMWCIB replaces has them whichever comes first, when the store brings the same; the others it puts back.
TEST_P(Precision, RmwcibAndAStoreMayAgree) {
    const auto at = place("THCON_SEC0_REG1_Disable_zero_compress");
    const auto merge = [&](unsigned bit) {
        return fmt::format("RMWCIB0 Mask=3 Data={} CfgRegAddr={}\n", bit, at.addr32);
    };
    const std::string store = ".cfg THCON_SEC0_REG1_Disable_zero_compress = 1\n";
    EXPECT_FALSE(unpack(store + merge(1)).has_finding("hazard.config-store"));
    EXPECT_TRUE(unpack(store + merge(0)).has_finding("hazard.config-store"));
    EXPECT_TRUE(unpack(store + merge(3)).has_finding("hazard.config-store"));
    EXPECT_FALSE(unpack(merge(1) + store).has_finding("hazard.config-overtaken"));
}

// A store is not counted again with each instruction of a loop that comes later.
TEST_P(Precision, AStoreIsCountedOnceForAnInstruction) {
    const std::string ready = unpack_bf16 + stores_wait() + ".drain\n";
    const std::string again = "UNPACR\n";
    const auto planes = [](unsigned count) {
        return fmt::format(".cfg THCON_SEC0_REG0_TileDescriptor_ZDim = {}\n", count);
    };
    const auto often = unpack(ready + planes(2) + ".repeat 9\n" + again + ".end\n");
    EXPECT_LE(only(often, "hazard.config-store").count, 2u) << "before it is there and after";
    const auto loop =
        unpack(ready + ".repeat 3\n" + planes(2) + again + ".drain\n" + planes(3) + again + ".drain\n.end\n");
    // Two places that store, which the one instruction word meets three times each.
    const auto found = of(loop, "hazard.config-store");
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0]->count, 3u);
    EXPECT_EQ(found[1]->count, 3u);
}

// Another instruction that meets the same Dst rows of the same one is another finding.
TEST_P(Precision, EachPairOfInstructionsIsOneFinding) {
    const auto reported =
        run(arch, {"", "ZEROACC clear_mode=3\nSFPLOAD lreg_ind=0\nSFPLOAD lreg_ind=0 dest_reg_addr=16\n", ""});
    EXPECT_EQ(of(reported, "hazard.dst").size(), 2u);
    const std::string again = ".repeat 3\nZEROACC clear_mode=3\nSFPLOAD lreg_ind=0\n.end\n";
    const auto loop = run(arch, {"", again, ""});
    const auto pairs = of(loop, "hazard.dst");
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(pairs[0]->count, 3u) << "SFPLOAD behind ZEROACC";
    EXPECT_EQ(pairs[1]->count, 2u) << "ZEROACC behind SFPLOAD";
}

// ScalarUnit: no instruction of a thread passes the gate before its scalar instruction is done; REG2FLOP is of that unit itself.
// A ZEROACC takes one cycle: once a later instruction of its thread has posted, the rows are cleared.
TEST_P(Precision, AClearBeforeAPostIsOver) {
    const auto meets = [&](const std::string& clears) {
        const std::string pack =
            "SEMWAIT stall_res=1<<6|1<<1 sem_sel=1<<1 wait_sem_cond=1\n" + clears + "SEMGET sem_sel=1<<1\n";
        return run(arch,
                   {"SEMINIT max_value=1 sem_sel=1<<1\nSEMPOST sem_sel=1<<1\n",
                    nops(8) +
                        "SEMWAIT stall_res=1<<8|1<<1 sem_sel=1<<1 wait_sem_cond=2\nSFPSTORE lreg_ind=0 instr_mod0=2\n",
                    pack})
            .has_finding("hazard.dst");
    };
    EXPECT_FALSE(meets("ZEROACC clear_mode=3\n"));
    EXPECT_TRUE(meets("SETDVALID setvalid=2\nMOVB2D\n"));
}

TEST_P(Precision, OnlyAGprThatWasWrittenIsToBeAwaited) {
    const std::string add = "ADDDMAREG OpBisConst=1 ResultRegIndex=4 OpBRegIndex=1 OpARegIndex=4\n";
    const unsigned word = place("THCON_SEC0_REG3_Base_address").addr32, first = blackhole() ? 56 : 44;
    const auto write = [&](unsigned gpr) { return fmt::format("WRCFG GprAddress={} CfgReg={}\n", gpr, word); };
    EXPECT_EQ(only(unpack(add + write(4)), "config.gpr-not-awaited").level, Level::info);
    EXPECT_FALSE(unpack(add + write(8)).has_finding("config.gpr-not-awaited"));
    const auto flop = fmt::format("REG2FLOP SizeSel=1 FlopIndex={} RegIndex=4\n", word - first);
    EXPECT_FALSE(unpack(add + flop).has_finding("config.gpr-not-awaited"));
}

// An UNPACR under context 0 uses no configuration of context 1.
TEST_P(Precision, AnotherContextsFieldsAreFree) {
    const std::string ready = unpack_bf16 + stores_wait() + "UNPACR OvrdThreadId=1 Last=1\n";
    const auto flips = [&](std::string_view field) {
        const auto at = place(field);
        return fmt::format("RMWCIB{} Mask={} Data={} CfgRegAddr={}\n", at.lo / 8, 1u << at.lo % 8, 1u << at.lo % 8,
                           at.addr32);
    };
    const std::string own = flips("THCON_SEC0_REG2_Unpack_if_sel_cntx0"),
                      other = flips("THCON_SEC0_REG2_Unpack_if_sel_cntx1");
    EXPECT_TRUE(unpack(ready + own).has_finding("config.write-while-busy"));
    EXPECT_FALSE(unpack(ready + other).has_finding("config.write-while-busy"));
}

// Spec-notes E66: what the vendor's fast tilize packs under FP32 accumulation.
TEST(PackBf16AsFp32, HasZerosBehind) {
    formats::EarlyConversion how;
    how.intermediate = how.late_from = how.late_to = DataFormat::Float32;
    const auto early = formats::pack_early(how);
    ASSERT_TRUE(early);
    EXPECT_TRUE(early->assumed);
    EXPECT_EQ(early->type, formats::PackType::fp32);
    // Normal numbers, a denormal, infinity and a NaN.
    const std::uint32_t in[] = {0x3F80, 0xC2C8, 0x0001, 0x7F80, 0xFFC1};
    std::uint32_t out[5];
    early->convert(in, out, 5, 0);
    EXPECT_THAT(out, ElementsAre(0x3F80'0000u, 0xC2C8'0000u, 0x0001'0000u, 0x7F80'0000u, 0xFFC1'0000u));
    how.round_10b = true;
    EXPECT_FALSE(formats::pack_early(how));
    how.round_10b = false;
    how.raw = true;
    EXPECT_FALSE(formats::pack_early(how));
}

TEST_P(Precision, APackerTakesBf16AsFp32) {
    const auto reported = run(arch, {"", "", R"(
.cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float32
.cfg THCON_SEC0_REG1_In_data_format = Float32
.cfg THCON_SEC0_REG1_Out_data_format = Float32
.cfg THCON_SEC0_REG1_Disable_zero_compress = 1
.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x100
.cfg THCON_SEC0_REG9_Pack_0_2_limit_address = 0xFFFF
.cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF
SETADCXX CntSetMask=4 x_start=0 x_end2=15
)" + stores_wait(4) + "PACR Last=1\n"});
    EXPECT_FALSE(reported.run.fault) << reported.run.fault->describe();
    EXPECT_EQ(only(reported, "pack.bf16-as-fp32").level, Level::info);
}

// MOVD2B waits for no bank, and nobody has written this one. T1 comes long after the hand-over, by luck.
TEST_P(Precision, AHandOverAloneIsToBeAwaited) {
    const auto told = [&](const std::string& wait, const std::string& uses) {
        const Timeline ended =
            run(arch, {"SETDVALID setvalid=3\n", nops(60) + wait + uses + "SETRWC clear_ab_vld=3\n", ""});
        EXPECT_FALSE(ended.run.fault) << ended.run.fault->describe();
        return ended.has_finding("hazard.src");
    };
    const std::string valid = "STALLWAIT block=math wait=srca_vld|srcb_vld\n", own = "SETDVALID setvalid=3\n";
    for (const std::string uses : {"MOVD2B dst=0\n", "MOVD2A dst=0\n"}) {
        EXPECT_TRUE(told("", uses)) << uses;
        EXPECT_FALSE(told(valid, uses)) << uses;
    }
    EXPECT_FALSE(told("", "MVMUL\n")) << "it waits for both banks";
    EXPECT_FALSE(run(arch, {"", own + "MOVD2B dst=0\n", ""}).has_finding("hazard.src")) << "the thread's own";
}

// MOVD2B waits for no bank; the instruction before it gives its bank away only at its end (spec-notes B36).
TEST_P(Precision, WhyAWaitForTheBankIsNotEnoughIsSaid) {
    const std::string give =
        ".repeat 4\nUNPACR Unpack_block_selection=1 SetDatValid=1 Last=1\nUNPACR SetDatValid=1 Last=1\n.end\n";
    const unsigned valid = blackhole() ? 8 : 11, math = blackhole() ? 4 : 7;
    const auto moves = [&](unsigned waits, const std::string& later = "") {
        return fmt::format(
            ".repeat 3\nSTALLWAIT stall_res=1<<6 wait_res={}\n{}MOVD2B dst=0\nMOVD2B dst=4\nELWADD "
            "clear_dvalid=3\n.end\n",
            waits, later);
    };
    for (const std::string later : {"", "STALLWAIT block=math wait=math\n"}) {
        const auto reported = run(arch, {unpack_bf16 + stores_wait() + give, moves(1u << valid, later), ""});
        const auto found = of(reported, "hazard.src");
        ASSERT_EQ(found.size(), 1u) << "the first MOVD2B, not the second one: " << later;
        EXPECT_THAT(found[0]->message, HasSubstr("a STALLWAIT for SRCB_VLD alone may test the earlier bank")) << later;
        EXPECT_THAT(found[0]->cure, HasSubstr("STALLWAIT block=math wait=math|srcb_vld")) << later;
    }
    EXPECT_FALSE(
        run(arch, {unpack_bf16 + stores_wait() + give, moves(1u << valid | 1u << math), ""}).has_finding("hazard.src"));
}

// The third UNPACR waits in its unit for a bank, and the unit learns what came with it: T1's write. So does who waits for the unit.
TEST_P(Precision, AWaitForAUnitLearnsWhatItsInstructionsWaitedFor) {
    const auto base = place("THCON_SEC1_REG3_Base_address");
    const std::string gives =
        fmt::format("SEMWAIT block=thread sem_sel=sem0 wait=zero\nRMWCIB0 Mask=255 Data=16 CfgRegAddr={}\n",
                    base.addr32) +
        "MOVA2D instr_mod=2\nSETRWC clear_ab_vld=1\n";
    const auto has_hazard = [&](const std::string& wait) {
        const std::string uses = "UNPACR Unpack_block_selection=1 SetDatValid=1 Last=1\n";
        const Timeline timeline = run(arch, {unpack_bf16 + stores_wait(0x1FF) + "SEMPOST sem_sel=sem0\n" + unpack_a +
                                                 unpack_a + unpack_a + wait + uses,
                                             gives, ""});
        EXPECT_FALSE(timeline.run.fault) << timeline.run.fault->describe();
        return timeline.has_finding("hazard.config-use") || timeline.has_finding("hazard.config-write");
    };
    EXPECT_TRUE(has_hazard(""));
    EXPECT_FALSE(has_hazard("STALLWAIT block=thread wait=unpack0\n"));
}

// Lane flags are set and cleared in the cycles of the loads behind, which a delay would tear apart (the vendor's ternary where).
class InStep : public testing::TestWithParam<Arch> {
protected:
    static std::vector<std::uint64_t> dst(Arch arch, std::optional<std::uint64_t> seed) {
        const Sequence first{{Step::first_template}, {}, {}, {}}, second{{Step::first_template + 1}, {}, {}, {}};
        const std::string text =
            "SFPENCC imm12_math=3 instr_mod1=10\nSFPSETCC lreg_dest=12 instr_mod1=6\nSFPENCC lreg_dest=13\n" +
            set_sequence(1, first) + set_sequence(2, second) + set_misc(0, 7, 7) + "REPLAY len=4 load_mode=1\n" +
            macro(1, 0, 0) + macro(2, 0, 64) +
            "SFPLOAD lreg_ind=0 instr_mod0=4 dest_reg_addr=128\nSFPSTORE lreg_ind=0 instr_mod0=4 "
            "dest_reg_addr=192\n.repeat 6\nREPLAY len=4\n.end\n" +
            nops(4);
        MacroRun machine(arch);
        RunOptions options;
        options.seed = seed;
        machine.run(text, options);
        const auto all = machine.dst();
        return {all.begin(), all.end()};
    }
};

TEST_P(InStep, NoSeedDelaysWhatAnExpansionGivesEachCycle) {
    const auto expected = dst(GetParam(), std::nullopt);
    for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(dst(GetParam(), seed), expected) << seed;
}

// The SFPMOV takes the loaded number before the scheduled SFPMOV negates it. A delay behind an instruction of another unit would turn the
// two around.
TEST_P(InStep, NorWhatItGivesToOtherUnits) {
    const Sequence negate{{Step::first_template, 2}, {}, {}, {}};
    for (const std::string between : {"NOP\n", "INCRWC rwc_d=4\n", "SFPNOP\n"}) {
        const std::string text = "SFPENCC imm12_math=3 instr_mod1=10\nSFPMOV lreg_dest=12 instr_mod1=1\n" +
                                 set_sequence(0, negate) + set_misc(0) + "REPLAY len=4 load_mode=1\n" + macro(0, 1, 0) +
                                 between + "SFPMOV lreg_c=1 lreg_dest=2\nSFPNOP\nREPLAY len=4\n" + nops(6);
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            MacroRun machine(GetParam());
            RunOptions options;
            options.seed = seed;
            machine.run(text, options);
            EXPECT_EQ(machine.lreg(1)[0] >> 31, 1u) << between << seed;
            EXPECT_EQ(machine.lreg(2)[0], machine.lreg(1)[0] ^ 1u << 31) << between << seed;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, InStep, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

// A value used only by an assertion is not waited for.
class Asserted : public testing::Test {
protected:
    static bool only_asserted(const std::vector<std::uint32_t>& code, unsigned load = 0) {
        return riscv::only_asserted(Arch::wormhole, 4 * load, [&](std::uint32_t pc) -> std::optional<std::uint32_t> {
            if (pc / 4 >= code.size()) return std::nullopt;
            return code[pc / 4];
        });
    }
};

TEST_F(Asserted, ABranchAroundAnEbreak) {
    using namespace rv;
    EXPECT_TRUE(only_asserted({i(Op::lw, a0, a1, 0), li(a2, 14), branch(Op::bgeu, a2, a0, 8), rv::ebreak, nop}));
    EXPECT_TRUE(
        only_asserted({i(Op::lw, a0, a1, 0), i(Op::andi, a3, a0, 255), branch(Op::bne, a3, zero, 8), rv::ebreak, nop}));
    EXPECT_TRUE(only_asserted({i(Op::lw, a0, a1, 0), branch(Op::beq, a0, zero, 12), nop, nop, rv::ebreak}))
        << "out of the way";
}

TEST_F(Asserted, ALoopIsAWait) {
    using namespace rv;
    EXPECT_FALSE(only_asserted({i(Op::lw, a0, a1, 0), branch(Op::bne, a0, zero, -4), nop}));
    EXPECT_FALSE(
        only_asserted({i(Op::lw, a0, a1, 0), i(Op::andi, a0, a0, 255), li(a2, 1), branch(Op::bltu, a2, a0, -12), nop}));
    EXPECT_FALSE(only_asserted({i(Op::lw, a0, a1, 0), branch(Op::beq, a0, zero, 8), nop, nop}))
        << "nothing is asserted";
}

TEST_F(Asserted, WhatIsNotFoundOutIsAWait) {
    using namespace rv;
    EXPECT_FALSE(only_asserted({i(Op::lw, a0, a1, 0), branch(Op::beq, a3, zero, 8), rv::ebreak, nop}))
        << "of another value";
    EXPECT_FALSE(only_asserted({i(Op::lw, a0, a1, 0), li(a0, 1), branch(Op::beq, a0, zero, 8), rv::ebreak, nop}))
        << "overwritten";
    EXPECT_FALSE(only_asserted({i(Op::lw, a0, a1, 0)}));
}

// SoftReset: a core out of reset begins with an empty instruction cache, and what was issued before has long ended.
class LeavingReset : public testing::TestWithParam<Arch> {
protected:
    /// B pushes ZEROACC and takes T0 out of reset so many cycles later, or before; T0 then reads Dst.
    bool has_hazard(bool pushes_before) {
        using namespace engine;
        constexpr auto t0 = static_cast<unsigned>(RiscvCore::t0), b = static_cast<unsigned>(RiscvCore::b);
        const auto word = [&](const std::string& text) { return assemble(text, GetParam())->threads[0].at(0).value; };
        const std::uint32_t clear = word("ZEROACC clear_mode=3"), load = word("SFPLOAD lreg_ind=0");
        unsigned step = 0;
        bool pushed = false;
        Scripted cores;
        cores.asleep = 1u << t0;
        cores.scripts[t0] = [&](Cycle now, Port& port) -> Turn {
            if (!pushed && !pushes_before && now < 60) return {Turn::Kind::again, 60};
            if (!pushed) port.push({t0, 0x6000}, 0, {&load, 1}, false);
            pushed = true;
            return {};
        };
        cores.scripts[b] = [&](Cycle now, Port& port) -> Turn {
            const unsigned now_step = step++;
            if (now_step == (pushes_before ? 0u : 1u)) {
                port.push({b, 0x100}, 0, {&clear, 1}, true);
                return {Turn::Kind::again, now + 40};
            }
            if (now_step > 1) return {};
            port.wake(t0, now + 1);
            return {Turn::Kind::again, now + 1};
        };
        state::State state(GetParam());
        units::Slots slots;
        const tessera::Run run = Engine(state, slots, cores, {}, Reset::vendor_sim).run();
        return std::any_of(run.findings.begin(), run.findings.end(),
                           [](const Finding& one) { return one.code == "hazard.dst"; });
    }
};

TEST_P(LeavingReset, ComesAfterWhatWasIssuedBefore) { EXPECT_FALSE(has_hazard(true)); }
TEST_P(LeavingReset, SaysNothingOfWhatIsPushedLater) { EXPECT_TRUE(has_hazard(false)); }

// A call that stores several words behind instructions which another call pushes has forgotten one wait.
class CalledCores : public Scripted {
public:
    static constexpr std::uint32_t first_call = 0x6000, second_call = 0x7000;
    std::vector<Frame> frames(unsigned, std::uint32_t pc) const override {
        return {{"inlined", fmt::format("library.h:{}", pc)},
                {"kernel", fmt::format("kernel.cpp:{}", pc < second_call ? 10 : 20)}};
    }
};

TEST_P(Precision, StoresOfOneCallThatOvertakeAreOneFinding) {
    using namespace engine;
    constexpr auto t0 = static_cast<unsigned>(RiscvCore::t0);
    const auto overtaken = [&] {
        const std::vector<Op> ops =
            assemble(unpack_bf16 + stores_wait() + "UNPACR\nUNPACR SetDatValid=1 Last=1\n", arch)->threads[0];
        const std::uint32_t unpacr = ops.at(ops.size() - 2).value, last = ops.back().value;
        CalledCores cores;
        unsigned step = 0;
        cores.scripts[t0] = [&](Cycle now, Port& port) -> Turn {
            const auto at = [&](std::uint32_t pc) { return Port::By{t0, pc}; };
            if (step == 0)
                for (unsigned i = 0; i < 2; ++i) {
                    const std::uint32_t word = i ? last : unpacr;
                    port.push(at(CalledCores::first_call + 4 * i), 0, {&word, 1}, false);
                }
            std::uint32_t pc = CalledCores::second_call;
            for (const std::string_view field : {"THCON_SEC0_REG2_Out_data_format", "UNP0_ADDR_BASE_REG_1_Base",
                                                 "THCON_SEC0_REG0_TileDescriptor_YDim"})
                if (step == 1)
                    port.store(at(pc += 4), state::cells::config(port.state().arch(), 0, place(field).addr32),
                               plan::CellOp::set, ~0u);
            return step++ < 2 ? Turn{Turn::Kind::again, now + 1} : Turn{};
        };
        state::State state(arch);
        units::Slots slots;
        Timeline timeline;
        timeline.run = Engine(state, slots, cores, {}, Reset::vendor_sim).run();
        std::vector<std::uint64_t> counts;
        for (const Finding* each : of(timeline, "hazard.config-overtaken")) counts.push_back(each->count);
        return counts;
    };
    EXPECT_THAT(overtaken(), ElementsAre(2)) << "each of the two instructions that a store overtakes";
}

INSTANTIATE_TEST_SUITE_P(Archs, Precision, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, LeavingReset, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
