// SPDX-License-Identifier: Apache-2.0
// Findings about data in a source's bank: they wait until the matrix unit reads it (spec-notes A85).
#include "support/precision_test.hpp"

namespace tessera::test {
namespace {

// Other instructions may overwrite an unpacker's data in a bank that is not handed over, because nothing can read it.
class UnreadData : public Precision {
protected:
    std::string ready() const {
        return unpack_bf16 + std::string(R"(
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Int32
.cfg THCON_SEC0_REG2_Out_data_format = Int32
.cfg UNP0_ADDR_BASE_REG_1_Base = 256
SETADCXX CntSetMask=1 x_start=0 x_end2=15
)") + stores_wait();
    }
};

TEST_P(UnreadData, NobodyIsToldOf) { EXPECT_FALSE(unpack(ready() + "UNPACR\n").has_finding("unpack.int32-to-src")); }

TEST_P(UnreadData, IsToldOfOnceTheBankIsHandedOver) {
    const auto reported = unpack(ready() + "UNPACR\nUNPACR SetDatValid=1 Last=1\n");
    EXPECT_EQ(only(reported, "unpack.int32-to-src").count, 1u) << "the second has written the row again";
    const auto by_nop =
        unpack(ready() + "UNPACR\n" + (blackhole() ? "UNPACR_NOP Set_Dvalid=1 Unpack_Pop=1\n" : "UNPACR_NOP NoOp=7\n"));
    EXPECT_EQ(of(by_nop, "unpack.int32-to-src").size(), blackhole() ? 0u : 1u)
        << "on Blackhole it clears the bank before";
}

TEST_P(UnreadData, TheInstructionItselfIsNamed) {
    // Two rows, of which one is written again.
    const auto reported = unpack(ready() + "SETADCXX CntSetMask=1 x_start=0 x_end2=31\nUNPACR\n" +
                                 "SETADCXX CntSetMask=1 x_start=0 x_end2=15\nUNPACR SetDatValid=1 Last=1\n");
    const auto found = of(reported, "unpack.int32-to-src");
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NE(found[0]->where.index, found[1]->where.index);
    EXPECT_NE(found[0]->where.cycle, found[1]->where.cycle);
}

// If the bank is used later, reads of its rows decide.
TEST_P(UnreadData, IsToldOfOnceTheMatrixUnitReadsIt) {
    const std::string math = ".sem_wait 5, nonzero\n", post = ".drain\n.sem_post 5\n";
    const auto tells = [&](const std::string& reads, const std::string& before = "") {
        const std::string give =
            "SEMINIT sem_sel=1<<5 max_value=1\n" + ready() + before + "UNPACR\n.drain\nSETDVALID setvalid=3\n" + post;
        const auto reported = run(arch, {give, math + reads + "CLEARDVALID cleardvalid=3\n", ""});
        EXPECT_FALSE(reported.run.fault) << reported.run.fault->describe();
        return !of(reported, "unpack.int32-to-src").empty();
    };
    // The UNPACR writes row 0 of SrcA.
    for (const std::string_view reads : {"MOVA2D instr_mod=2", "MOVA2D instr_mod=0", "ELWADD", "MVMUL", "GMPOOL"})
        EXPECT_TRUE(tells(std::string(reads) + "\n")) << reads;
    const std::string_view other = blackhole() ? "MOVB2D movb2d_instr_mod=2" : "MOVB2D instr_mod=2";
    for (const std::string_view reads :
         {std::string_view("MOVA2D instr_mod=2 src=8"), std::string_view("MOVA2D instr_mod=0 src=1"), other})
        EXPECT_FALSE(tells(std::string(reads) + "\n")) << reads;
    EXPECT_FALSE(tells("MOVD2A instr_mod=2\nMOVA2D instr_mod=2\n")) << "the matrix unit overwrites it before";
    EXPECT_TRUE(tells("MOVD2A instr_mod=2 src=8\nMOVA2D instr_mod=2\n")) << "or other rows";
    EXPECT_FALSE(tells("CLEARDVALID cleardvalid=3\n.drain\nSETDVALID setvalid=3\nMOVA2D instr_mod=2 src=8\n"));
}

// The reader is one of many that come again and again, in the engine's shorter ways.
TEST_P(UnreadData, AReaderInALoopIsSeen) {
    const std::string give = ".repeat 40\nUNPACR SetDatValid=1 Last=1\n.end\n";
    const std::string unpack = std::string(unpack_bf16) + stores_wait() + give + ".drain\n" + ready() +
                               "UNPACR\n.drain\nSETDVALID setvalid=1\n";
    for (const unsigned row : {0u, 8u}) {
        const std::string move = "MOVA2D instr_mod=2 src=8\n";
        const std::string math = ".repeat 40\n" + move + move + move + "CLEARDVALID cleardvalid=1\n.end\n" +
                                 fmt::format("MOVA2D instr_mod=2 src={}\nCLEARDVALID cleardvalid=1\n", row);
        EXPECT_EQ(of(run(arch, {unpack, math, ""}), "unpack.int32-to-src").empty(), row != 0) << row;
    }
}

// A base address that may come too late decides only what is read.
TEST_P(UnreadData, ABaseAddressThatOvertakesIt) {
    const std::string ready = unpack_bf16 + stores_wait();
    const std::string late = ".cfg THCON_SEC0_REG3_Base_address = 0x1100\n";
    EXPECT_TRUE(unpack(ready + unpack_a + late).has_finding("hazard.config-overtaken"));
    EXPECT_FALSE(unpack(ready + "UNPACR\n" + late).has_finding("hazard.config-overtaken"));
    const std::string format = ".cfg THCON_SEC0_REG2_Out_data_format = Float16\n";
    EXPECT_TRUE(unpack(ready + "UNPACR\n" + format).has_finding("hazard.config-overtaken"));
}

// So does an address that an instruction just before writes late, if the UNPACR itself hands the bank over.
TEST_P(UnreadData, AnAddressThatIsWrittenLate) {
    const auto tells = [&](const std::string& before, const std::string& reads) {
        const std::string row_0 =
            unpack_bf16 + std::string(".cfg UNP0_ADDR_BASE_REG_1_Base = 256\nSETADCXX CntSetMask=1 x_end2=15\n") +
            stores_wait();
        const std::string math = reads.empty() ? "" : reads + "CLEARDVALID cleardvalid=1\n";
        const auto ended = run(arch, {row_0 + before + unpack_a, math, ""});
        EXPECT_FALSE(ended.run.fault) << ended.run.fault->describe();
        return of(ended, "hazard.config-late").size();
    };
    const auto late = [&](std::string_view field) {
        return fmt::format("WRCFG GprAddress=0 CfgReg={}\n", place(field).addr32);
    };
    const std::string offset = late("THCON_SEC0_REG7_Offset_address");
    EXPECT_EQ(tells(offset, "MOVA2D instr_mod=2\n"), 1u);
    EXPECT_EQ(tells(offset, "MOVA2D instr_mod=2 src=8\n"), 0u);
    EXPECT_EQ(tells(offset, "MOVA2D instr_mod=2 src=8\nMOVA2D instr_mod=2\n"), 1u);
    EXPECT_EQ(tells(offset, ""), 1u) << "the bank is the result";
    EXPECT_EQ(tells(offset + "NOP\n", "MOVA2D instr_mod=2\n"), 0u);
    EXPECT_EQ(tells(late("THCON_SEC0_REG2_Out_data_format"), "MOVA2D instr_mod=2 src=8\n"), 1u) << "decides more";
}

INSTANTIATE_TEST_SUITE_P(Archs, UnreadData, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
