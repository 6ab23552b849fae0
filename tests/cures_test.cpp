// SPDX-License-Identifier: Apache-2.0
// Cures of hazards: which order comes first, and waits of the program that miss what they are for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/precision_test.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Cures : public Precision {
protected:
    /// The only finding's cure, if the program has one without an order.
    static std::string cure(const Timeline& timeline) { return only(timeline, "hazard.dst").cure; }
    /// SFPSTORE writes the row of Dst that the packer reads.
    static constexpr const char* store = "SFPSTORE lreg_ind=0 dest_reg_addr=0\n";
    static constexpr const char* load = "SFPLOAD lreg_ind=1 dest_reg_addr=0\n";
    /// After a reset that leaves contents unwritten, as silicon's does.
    Timeline after_reset(const std::string& math, const std::string& pack, const RunOptions& options = {}) const {
        const auto program = assemble(".thread math\n" + math + ".thread pack\n" + pack, arch);
        EXPECT_TRUE(program) << program.error().describe();
        return {Core(arch).run(*program, options).value(), {}};
    }
    static std::string zeroacc() { return "ZEROACC clear_mode=3\n"; }
};

// The SFPLOAD comes first in this run, but reads what only the SFPSTORE writes.
TEST_P(Cures, AReaderOfWhatNobodyHadWrittenIsToWait) {
    const std::string store_first =
        "in T1 put STALLWAIT block=sync wait=sfpu and SEMPOST after this instruction; in T2 put SEMWAIT "
        "block=sfpu on that semaphore before that instruction";
    const std::string load_first =
        "in T2 put STALLWAIT block=sync wait=sfpu and SEMPOST after that instruction; in T1 put SEMWAIT "
        "block=sfpu on that semaphore before this instruction";
    const Timeline unwritten = after_reset(nops(60) + store, load);
    ASSERT_TRUE(unwritten.has_finding("state.read-before-write"));
    EXPECT_EQ(cure(unwritten), "that instruction read what nobody had written: " + store_first +
                                   ". If the other order is meant: " + load_first);

    // It reads what T2 has written itself, or the user does not want to hear of what was never written.
    const Timeline written = after_reset(nops(60) + store, store + nops(3) + load);
    ASSERT_FALSE(written.has_finding("state.read-before-write"));
    for (const Finding* found : of(written, "hazard.dst"))
        EXPECT_THAT(found->cure, StartsWith("in T2 put ")) << found->message;
    RunOptions quiet;
    quiet.levels["state.read-before-write"] = Level::off;
    EXPECT_THAT(cure(after_reset(nops(60) + store, load, quiet)), StartsWith(load_first));
}

// ELWADD reads and writes the rows; the packer reads them, too, and cannot write what ELWADD missed.
TEST_P(Cures, AReaderIsNoWriterOfWhatWasMissing) {
    const std::string add = "ELWADD dest_accum_en=1\n";
    const Timeline both =
        after_reset("SETDVALID setvalid=3\n" + add, pack_bf16 + wait_for_stores(arch) + nops(90) + "PACR Last=1\n");
    ASSERT_TRUE(both.has_finding("state.read-before-write"));
    ASSERT_TRUE(both.has_finding("hazard.dst"));
    for (const Finding* found : of(both, "hazard.dst"))
        EXPECT_THAT(found->cure, StartsWith("in T1 put ")) << found->message;
}

// STALLWAIT stands between both, and blocks the matrix unit.
TEST_P(Cures, AStallwaitThatBlocksAnotherUnitIsChanged) {
    const std::string wrong = zeroacc() + "STALLWAIT block=unpack wait=math\n";
    const std::string text = cure(run(arch, {"", wrong + load, ""}));
    EXPECT_THAT(text, StartsWith("change STALLWAIT stall_res=unpack wait_res=math at T1 op 1"));
    EXPECT_THAT(text,
                HasSubstr(", which does not block this instruction, to STALLWAIT stall_res=unpack|sfpu wait_res=math"));
    EXPECT_FALSE(run(arch, {"", zeroacc() + "STALLWAIT stall_res=unpack|sfpu wait_res=math\n" + load, ""})
                     .has_finding("hazard.dst"));
    // Block mask 0 is that of math.
    EXPECT_THAT(cure(run(arch, {"", zeroacc() + "STALLWAIT stall_res=0 wait_res=math\n" + load, ""})),
                HasSubstr(", to STALLWAIT stall_res=math|sfpu wait_res=math"));
}

TEST_P(Cures, AStallwaitForAnotherUnitIsChanged) {
    const std::string text = cure(run(arch, {"", zeroacc() + "STALLWAIT block=sfpu wait=unpack0\n" + load, ""}));
    EXPECT_THAT(text, StartsWith("change STALLWAIT stall_res=sfpu wait_res=unpack0 at T1 op 1"));
    EXPECT_THAT(text, HasSubstr(", which does not wait for math, to STALLWAIT stall_res=sfpu wait_res=unpack0|math"));
    EXPECT_FALSE(run(arch, {"", zeroacc() + "STALLWAIT stall_res=sfpu wait_res=unpack0|math\n" + load, ""})
                     .has_finding("hazard.dst"));
}

// One that neither waits for the first nor blocks the second is for something else; so is one in front of both.
TEST_P(Cures, AnotherStallwaitIsLeftAlone) {
    const std::string put = "put STALLWAIT block=sfpu wait=math before this instruction";
    EXPECT_EQ(cure(run(arch, {"", zeroacc() + "STALLWAIT block=unpack wait=pack0\n" + load, ""})), put);
    EXPECT_EQ(cure(run(arch, {"", "STALLWAIT block=unpack wait=math\n" + zeroacc() + load, ""})), put);
}

TEST_P(Cures, AStallwaitForStoresIsChanged) {
    const std::string base = ".cfg THCON_SEC0_REG3_Base_address = 0x1000\n";
    const Timeline wrong = unpack(unpack_bf16 + base + "STALLWAIT block=pack wait=trisc_cfg\n" + unpack_a);
    const std::string cure = only(wrong, "hazard.config-store").cure;
    EXPECT_THAT(
        cure,
        HasSubstr(", which does not block this instruction, to STALLWAIT stall_res=pack|unpack wait_res=trisc_cfg"));
}

// Each storage is filled by other instructions.
TEST_P(Cures, WhatWasNeverWrittenIsToldByWhatWritesIt) {
    const auto unwritten = [&](const std::string& math) {
        return only(after_reset(math, ""), "state.read-before-write");
    };
    const Finding of_dst = unwritten(load);
    EXPECT_THAT(of_dst.cure, StartsWith("write it first: by ELWADD, MOVA2D, MOVB2D, SFPSTORE or an UNPACR to Dst"));
    EXPECT_THAT(of_dst.source, StartsWith("Dst, reset and Moving data around"));
    const Finding of_a = unwritten("SETDVALID setvalid=1\nMOVA2D\n");
    EXPECT_THAT(of_a.message, HasSubstr("SrcA row 0"));
    EXPECT_THAT(of_a.cure, StartsWith("write it first: by an UNPACR to SrcA"));
    EXPECT_THAT(of_a.cure, HasSubstr("MOVD2A"));
    const Finding of_b = unwritten("SETDVALID setvalid=2\nMOVB2D\n");
    EXPECT_THAT(of_b.cure, HasSubstr("UNPACR to SrcB"));
    EXPECT_THAT(of_b.source, StartsWith("SrcASrcB"));
    const Finding of_l1 = unwritten("LOADIND SizeSel=1 DataRegIndex=10 AddrRegIndex=0\n");
    EXPECT_THAT(of_l1.cure, StartsWith("write it first: by an input of the job at this address"));
    EXPECT_THAT(of_l1.source, StartsWith("docs/jobs.md"));
}

/// T1 writes Dst by the vector unit and posts; T2 packs.
class Handshakes : public Cures {
protected:
    Timeline packs(const std::string& before_post, const std::string& semwait) const {
        return run(arch,
                   {"SEMINIT sem_sel=sem1 max_value=2\n",
                    nops(20) + "SFPLOADI lreg_ind=0 imm16=0x3F80\n" + store + before_post + "SEMPOST sem_sel=sem1\n",
                    pack_bf16 + wait_for_stores(arch) + nops(9) + semwait + "PACR Last=1\n"});
    }
    static std::string first_of(const std::string& cure) {
        return cure.substr(0, cure.find(". If the other order is meant: "));
    }
};

TEST_P(Handshakes, AWaitBeforeThePostForAnotherUnitIsChanged) {
    const std::string semwait = "SEMWAIT block=thread sem_sel=sem1 wait=zero\n";
    const std::string text = first_of(cure(packs("STALLWAIT block=sync wait=math\n", semwait)));
    EXPECT_THAT(text, StartsWith("change STALLWAIT stall_res=sync wait_res=math at T1 op 22"));
    EXPECT_THAT(text,
                testing::EndsWith(", which does not wait for sfpu, to STALLWAIT stall_res=sync wait_res=math|sfpu"));
    EXPECT_FALSE(packs("STALLWAIT stall_res=sync wait_res=math|sfpu\n", semwait).has_finding("hazard.dst"));

    const std::string blocks_math = first_of(cure(packs("STALLWAIT block=math wait=sfpu\n", semwait)));
    EXPECT_THAT(blocks_math,
                testing::EndsWith(", which does not block SEMPOST, to STALLWAIT stall_res=sync|math wait_res=sfpu"));
}

TEST_P(Handshakes, APostWithoutAWaitIsNamed) {
    const std::string text = first_of(cure(packs("", "SEMWAIT block=thread sem_sel=sem1 wait=zero\n")));
    EXPECT_THAT(text, StartsWith("put STALLWAIT block=sync wait=sfpu before SEMPOST at T1 op 22"));
}

TEST_P(Handshakes, ASemwaitThatBlocksAnotherUnitIsChanged) {
    const std::string semwait = "SEMWAIT block=math sem_sel=sem1 wait=zero\n" + nops(90);
    const std::string text = first_of(cure(packs("STALLWAIT block=sync wait=sfpu\n", semwait)));
    EXPECT_THAT(text, StartsWith("change SEMWAIT stall_res=math sem_sel=sem1 wait_sem_cond=zero at T2 op "));
    EXPECT_THAT(
        text,
        testing::EndsWith(
            ", which does not block this instruction, to SEMWAIT stall_res=pack|math sem_sel=sem1 wait_sem_cond=zero"));

    const std::string both = first_of(cure(packs("", semwait)));
    EXPECT_THAT(both, HasSubstr("before SEMPOST at T1 op 22"));
    EXPECT_THAT(both, HasSubstr("; change SEMWAIT stall_res=math "));
}

// Nothing is posted yet when the packer reads.
TEST_P(Handshakes, ASemwaitThatAReaderPassedIsChanged) {
    const Timeline early = after_reset(nops(300) + store + "SEMPOST sem_sel=sem1\n",
                                       nops(9) + std::string("SEMWAIT block=math sem_sel=sem1 wait=zero\n") + load);
    const std::string text = first_of(cure(early));
    EXPECT_THAT(
        text,
        StartsWith(
            "that instruction read what nobody had written: in T1 put STALLWAIT block=sync wait=sfpu and SEMPOST after "
            "this instruction; change SEMWAIT stall_res=math sem_sel=sem1 wait_sem_cond=zero at T2 op 9"));
    EXPECT_THAT(text, HasSubstr(", which does not block that instruction, to SEMWAIT stall_res=math|sfpu "));
}

TEST_P(Handshakes, AnotherSemaphoresWaitIsLeftAlone) {
    const Timeline other = run(
        arch,
        {"SEMINIT sem_sel=sem1|sem2 max_value=2\nSEMPOST sem_sel=sem2\n", nops(20) + store + "SEMPOST sem_sel=sem1\n",
         pack_bf16 + wait_for_stores(arch) + nops(60) + "SEMWAIT block=thread sem_sel=sem2 wait=zero\nPACR Last=1\n"});
    EXPECT_THAT(cure(other), StartsWith("in T1 put STALLWAIT block=sync wait=sfpu and SEMPOST after that instruction; "
                                        "in T2 put SEMWAIT block=pack "));
}

INSTANTIATE_TEST_SUITE_P(Archs, Cures, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, Handshakes, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
