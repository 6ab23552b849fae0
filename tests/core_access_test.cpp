// SPDX-License-Identifier: Apache-2.0
// Access to the public Core without copies, and to its configuration fields by name.
#include <gtest/gtest.h>

#include "support/section.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "tessera/job.hpp"
#include "tessera/registers.hpp"

namespace tessera {
namespace {

using test::section;

TEST(CoreAccess, SectionsAreFoundByName) {
    const Core core{Arch::blackhole};
    for (const auto& one : core.sections()) EXPECT_EQ(section(core, one.name).id, one.id);
    const auto none = core.find_section("src_aa");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, "state.unknown-section");
    EXPECT_NE(none.error().message.find("did you mean src_a?"), std::string::npos) << none.error().message;
}

TEST(CoreAccess, SpansAreTheMemoriesThemselves) {
    Core core{Arch::wormhole};
    EXPECT_EQ(core.l1().size(), core.l1_size());
    core.l1()[5] = 0xAB;
    EXPECT_EQ(core.read(section(core, "l1"), 5), 0xAB);

    // -1.5 in both orders: 1 01111111 1000000000, and sign, mantissa, exponent.
    constexpr std::uint32_t plain = 0xBFC00000, stored = 1u << 18 | 0x200u << 8 | 0x7F;
    core.src_a()[1][3 * 16 + 2] = plain;
    EXPECT_EQ(core.read(section(core, "src_a"), (64 + 3) * 16 + 2), stored);
    core.write(section(core, "src_b"), (64 + 63) * 16 + 15, stored);
    EXPECT_EQ(core.src_b()[1].back(), plain);

    core.dst()[7 * 16 + 1] = 0xBFC0;
    EXPECT_EQ(core.read(section(core, "dst"), 7 * 16 + 1), 1u << 15 | 0x40u << 8 | 0x7F);
}

TEST(CoreAccess, BitsThatASourceRegisterLacksAreDropped) {
    Core core{Arch::blackhole};
    core.src_a()[0][0] = 0xFFFFFFFF;
    core.src_b()[1][1023] = 0x00003FFF;
    ASSERT_TRUE(core.run(*assemble("NOP\n", core.arch())));
    EXPECT_EQ(core.src_a()[0][0], 0xFFFFE000);
    EXPECT_EQ(core.src_b()[1][1023], 0x2000u);
}

TEST(CoreAccess, ARunOwesNothingToTheTimingOfTheOneBefore) {
    for (const char* name : {"11.2-tile-loop", "8.2-set-dvalid-wormhole"}) {
        const auto job = load_job(std::string(TESSERA_SOURCE_DIR) + "/examples/seeds/" + name + ".toml");
        ASSERT_TRUE(job) << job.error().describe();
        Core core = prepare(*job).value();
        RunOptions options = job->options;
        options.recorded = false;
        for (const Timing timing : {Timing::instant, Timing::documented, Timing::instant, Timing::documented}) {
            Core fresh = core;
            options.timing = timing;
            EXPECT_EQ(core.run(job->program, options)->cycles, fresh.run(job->program, options)->cycles) << name;
        }
    }
}

TEST(CoreAccess, PlansAreCountedOverAllRunsOfACore) {
    Core core{Arch::blackhole};
    const auto program = assemble("SETRWC BitMask=15\nSETRWC BitMask=15\nSETRWC BitMask=15\n", core.arch());
    ASSERT_TRUE(program) << program.error().describe();
    EXPECT_EQ(core.plan_counts().found + core.plan_counts().made, 0u);
    ASSERT_TRUE(core.run(*program));
    const PlanCounts first = core.plan_counts();
    EXPECT_EQ(first.found + first.made, 3u);
    EXPECT_GE(first.made, 1u);
    ASSERT_TRUE(core.run(*program));
    EXPECT_EQ(core.plan_counts().found + core.plan_counts().made, 6u);
    EXPECT_EQ(core.plan_counts().made, first.made) << "nothing that they look at has changed";
    const Core copy = core;
    EXPECT_EQ(copy.plan_counts().found, 0u) << "it has run nothing";
}

TEST(CoreAccess, WhatIsMarkedCountsAsWritten) {
    const auto program = assemble(".thread math\nMOVA2D dst=0 instr_mod=2 addr_mode=0 src=0\n", Arch::blackhole);
    ASSERT_TRUE(program) << program.error().describe();
    for (const bool marked : {false, true}) {
        Core core{Arch::blackhole};
        core.write(section(core, "bank_owner"), 0, 1);
        core.src_a()[0][0] = 0x3F800000;
        if (marked) core.mark_written(section(core, "src_a"), 0, 8 * 16);
        const auto run = core.run(*program);
        ASSERT_TRUE(run);
        EXPECT_EQ(run->findings.empty(), marked);
        EXPECT_EQ(core.dst()[0], 0x3F80);
    }
}

// Spec-notes B22: row 8 is physical row 32 to both units, or row 8 to both.
TEST(CoreAccess, RowsOfDstAreMappedUnlessResetAsTheVendorsSimulator) {
    for (const char* text : {"MOVA2D dst=8 instr_mod=2 addr_mode=0 src=0\n", "SFPSTORE lreg_ind=10 instr_mod0=2 dest_reg_addr=8\n"})
        for (const Reset reset : {Reset::silicon, Reset::vendor_sim}) {
            Core core{Arch::blackhole, reset};
            ASSERT_TRUE(write_field(core, "DEST_ACCESS_CFG_remap_addrs", 0, 1));
            core.write(section(core, "bank_owner"), 0, 1);
            core.src_a()[0][0] = 0x3F800000;
            ASSERT_TRUE(core.run(*assemble(std::string(".thread math\n") + text, core.arch())));
            const unsigned row = reset == Reset::silicon ? 32 : 8;
            EXPECT_EQ(core.dst()[row * 16], 0x3F80u) << text << row;
            EXPECT_EQ(core.dst()[(40 - row) * 16], 0u) << text << row;
        }
}

// Spec-notes B22.
TEST(CoreAccess, ZeroaccOfARowInvalidatesTheRowThatOthersRead) {
    for (const Reset reset : {Reset::silicon, Reset::vendor_sim}) {
        Core core{Arch::blackhole, reset};
        ASSERT_TRUE(write_field(core, "DEST_ACCESS_CFG_remap_addrs", 0, 1));
        const auto& valid = section(core, "dst_valid");
        for (std::size_t row = 0; row < valid.size; ++row) core.write(valid, row, 1);
        const auto program = assemble(".thread math\nZEROACC clear_mode=row addr_mode=0 where=8\n", core.arch());
        ASSERT_TRUE(program) << program.error().describe();
        ASSERT_TRUE(core.run(*program));
        const unsigned cleared = reset == Reset::silicon ? 32 : 8;
        for (std::size_t row = 0; row < valid.size; ++row) EXPECT_EQ(core.read(valid, row), row != cleared) << row;
    }
}

// One core, so plans of the run before must not answer for the other reset.
TEST(CoreAccess, AResetOfTheOtherKindMapsRowsAnew) {
    Core core{Arch::blackhole};
    const auto program =
        assemble(".thread math\n.repeat 4\nSFPSTORE lreg_ind=10 instr_mod0=2 dest_reg_addr=8\n.end\n", core.arch());
    ASSERT_TRUE(program) << program.error().describe();
    for (const Reset reset : {Reset::silicon, Reset::vendor_sim, Reset::silicon}) {
        core.reset(reset);
        ASSERT_TRUE(write_field(core, "DEST_ACCESS_CFG_remap_addrs", 0, 1));
        ASSERT_TRUE(core.run(*program));
        EXPECT_EQ(core.dst()[32 * 16], reset == Reset::silicon ? 0x3F80u : 0u);
        EXPECT_EQ(core.dst()[8 * 16], reset == Reset::silicon ? 0u : 0x3F80u);
    }
}

TEST(CoreAccess, DstAsWords) {
    Core core{Arch::blackhole};
    // Row 9 of the view is physical row 17, its lower half eight rows further (Dst, Adj32).
    core.dst()[17 * 16] = 0x4049;
    core.write(section(core, "dst"), 25 * 16, 0x0FDB);
    EXPECT_EQ(core.dst_words().size(), 512u * 16);
    EXPECT_EQ(core.dst_words()[9 * 16], 0x40490FDBu);
    core.write(section(core, "dst_valid"), 17, 0);
    EXPECT_EQ(core.dst_words()[9 * 16], 0u);
}

TEST(CoreAccess, FieldsByName) {
    for (const Arch arch : all_archs) {
        Core core{arch};
        ASSERT_TRUE(write_field(core, "THCON_SEC0_REG2_Out_data_format", 1, 5));
        EXPECT_EQ(read_field(core, "THCON_SEC0_REG2_Out_data_format", 1), 5u);
        EXPECT_EQ(read_field(core, "THCON_SEC0_REG2_Out_data_format", 0), 0u);
        ASSERT_TRUE(write_field(core, "ADDR_MOD_AB_SEC1_SrcAIncr", 2, 8));
        EXPECT_EQ(read_field(core, "ADDR_MOD_AB_SEC1_SrcAIncr", 2), 8u);
        EXPECT_EQ(read_field(core, "ADDR_MOD_AB_SEC1_SrcAIncr", 1), 0u);
        for (const auto& field : register_fields(arch)) {
            const unsigned bit = field.width - 1;
            ASSERT_TRUE(write_field(core, field.name, 0, 1u << bit)) << field.name;
            EXPECT_EQ(read_field(core, field.name, 0), 1u << bit) << field.name;
            EXPECT_EQ(*read_field(core, field.name, 1) >> bit & 1, field.shared ? 1u : 0u) << field.name;
            ASSERT_TRUE(write_field(core, field.name, 0, 0)) << field.name;
        }
    }
}

TEST(CoreAccess, FieldsThatAreRefused) {
    Core core{Arch::blackhole};
    EXPECT_EQ(read_field(core, "no_such", 0).error().code, "regs.unknown-field");
    EXPECT_EQ(read_field(core, "THCON_SEC0_REG2_Out_data_format", 2).error().code, "regs.index");
    EXPECT_EQ(write_field(core, "ADDR_MOD_AB_SEC1_SrcAIncr", 3, 0).error().code, "regs.index");
    EXPECT_EQ(write_field(core, "THCON_SEC0_REG2_Out_data_format", 0, 16).error().code, "regs.value");
    EXPECT_EQ(read_field(core, "THCON_SEC0_REG2_Out_data_format", 0), 0u);
}

}  // namespace
}  // namespace tessera
