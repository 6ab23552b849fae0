// SPDX-License-Identifier: Apache-2.0
// Hazards of words that an instruction captures. Which fields of configuration an instruction reads is said by its page's functional model
// (ConfigState.…); a store to such a field without a wait is a hazard, one to another field is none. The same with operands that are rarely
// used, and with instructions that come from a REPLAY or a MOP.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/timeline.hpp"

namespace tessera {
namespace {

struct Use {
    const char* instruction;
    const char* field;
    const char* chips;
    bool reads;
    const char* before = "";
};

// Pages: MVMUL, ELWADD, MOVD2A, GMPOOL, SFPLOAD, SFPSTORE, UNPACR_Regular, PACR with Packers/*, XMOV, SETDMAREG_Special, CFGSHIFTMASK, RDCFG.
constexpr Use uses[] = {
    {"MVMUL", "ALU_ACC_CTRL_Fp32_enabled", "both", true},
    {"MVMUL", "ALU_ACC_CTRL_INT8_math_enabled", "both", true},
    {"MVMUL", "ALU_FORMAT_SPEC_REG0_SrcA", "wormhole", true},
    {"MVMUL", "THCON_SEC0_REG1_L1_Dest_addr", "both", false},
    {"MVMUL", "THCON_SEC0_REG3_Base_address", "both", false},
    {"ELWADD", "ALU_ACC_CTRL_Fp32_enabled", "both", true},
    {"ELWMUL dest_accum_en=1", "ALU_ACC_CTRL_Fp32_enabled", "both", true},
    {"GMPOOL", "ALU_ACC_CTRL_Fp32_enabled", "both", true},
    {"MOVD2A", "ALU_ACC_CTRL_Fp32_enabled", "both", true},
    {"MOVB2D", "ALU_ACC_CTRL_Fp32_enabled", "both", true},
    {"SETRWC", "ALU_ACC_CTRL_Fp32_enabled", "both", false},
    {"TRNSPSRCB", "ALU_ACC_CTRL_Fp32_enabled", "both", false},
    {"SFPLOAD", "ALU_ACC_CTRL_SFPU_Fp32_enabled", "both", true},  // mode 0: the format comes from configuration
    {"SFPLOAD instr_mod0=3", "ALU_ACC_CTRL_SFPU_Fp32_enabled", "both", false},
    {"SFPSTORE", "ALU_ACC_CTRL_SFPU_Fp32_enabled", "both", true},
    {"SFPMOV lreg_dest=1", "ALU_ACC_CTRL_SFPU_Fp32_enabled", "both", false},
    {"XMOV", "THCON_SEC0_REG6_Source_address", "both", true},
    {"XMOV", "THCON_SEC0_REG6_Destination_address", "both", true},
    {"XMOV", "THCON_SEC0_REG6_Buffer_size", "both", true},
    {"XMOV", "THCON_SEC0_REG6_Transfer_direction", "both", true},
    {"XMOV", "THCON_SEC0_REG1_L1_Dest_addr", "both", false},
    {"UNPACR", "THCON_SEC0_REG0_TileDescriptor_InDataFormat", "both", true, "unpack"},
    {"UNPACR", "THCON_SEC0_REG0_TileDescriptor_IsUncompressed", "both", true, "unpack"},
    {"UNPACR", "THCON_SEC0_REG2_Out_data_format", "both", true, "unpack"},
    {"UNPACR", "THCON_SEC0_REG2_Throttle_mode", "wormhole", true, "unpack"},
    {"UNPACR", "THCON_SEC0_REG2_Throttle_mode", "blackhole", false, "unpack"},
    {"UNPACR SetDatValid=1", "THCON_SEC0_REG3_Base_address", "both", true, "unpack"},
    {"UNPACR", "THCON_SEC0_REG3_Base_address", "both", false, "unpack"},  // nobody gets the data
    {"UNPACR", "THCON_SEC1_REG2_Out_data_format", "both", false, "unpack"},
    {"UNPACR", "THCON_SEC1_REG3_Base_address", "both", false, "unpack"},
    {"UNPACR Unpack_block_selection=1", "THCON_SEC1_REG2_Out_data_format", "both", true, "unpack"},
    {"UNPACR Unpack_block_selection=1 SetDatValid=1", "THCON_SEC1_REG3_Base_address", "both", true, "unpack"},
    {"UNPACR Unpack_block_selection=1", "THCON_SEC0_REG3_Base_address", "both", false, "unpack"},
    {"PACR", "THCON_SEC0_REG1_L1_Dest_addr", "both", true},
    {"PACR", "THCON_SEC0_REG1_In_data_format", "both", true},
    {"PACR", "THCON_SEC0_REG1_Out_data_format", "both", true},
    {"PACR", "THCON_SEC0_REG6_Source_address", "both", false},
    {"PACR", "THCON_SEC0_REG3_Base_address", "both", false},
    {"RDCFG GprAddress=8 CfgReg=180", "180", "both", true},
    {"RDCFG GprAddress=8 CfgReg=180", "181", "both", false},
    {"CFGSHIFTMASK CfgReg=180", "180", "blackhole", true},
    {"CFGSHIFTMASK CfgReg=180", "181", "blackhole", false},
};

bool is_of(const Use& use, Arch arch) { return std::string_view(use.chips) == "both" || (std::string_view(use.chips) == "blackhole") == (arch == Arch::blackhole); }

std::string before(const Use& use, Arch arch) {
    return std::string_view(use.before) == "unpack" ? test::unpack_bf16 + test::wait_for_stores(arch) : "SETDVALID setvalid=3\n";
}

/// The value differs from what is there: 1 in most fields; the unpackers' descriptions have other values.
std::string store(const Use& use) { return fmt::format(".cfg {} = {}\n", use.field, std::string_view(use.field).ends_with("IsUncompressed") ? 0 : 1); }

const Finding* hazard(const test::Timeline& timeline) {
    const auto found = std::find_if(timeline.run.findings.begin(), timeline.run.findings.end(), [](const Finding& finding) { return finding.code == "hazard.config-store"; });
    return found == timeline.run.findings.end() ? nullptr : &*found;
}

TEST(CapturedWords, AStoreWithoutAWaitIsAHazardForItsReaders) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Use& use : uses) {
            if (!is_of(use, arch)) continue;
            SCOPED_TRACE(fmt::format("{}, {}, {}", use.instruction, use.field, arch == Arch::blackhole ? "Blackhole" : "Wormhole"));
            const auto early = test::run(arch, {"", before(use, arch) + ".drain\n" + store(use) + use.instruction + "\n", ""});
            EXPECT_EQ(hazard(early) != nullptr, use.reads);
            const auto awaited = test::run(arch, {"", before(use, arch) + ".drain\n" + store(use) + test::wait_for_stores(arch) + use.instruction + "\n", ""});
            EXPECT_EQ(hazard(awaited), nullptr);
        }
}

TEST(CapturedWords, AStoreOfTheSameValueIsNone) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Use& use : uses) {
            if (!is_of(use, arch)) continue;
            const std::string again = before(use, arch) + store(use) + test::wait_for_stores(arch) + "NOP\n.drain\n" + store(use) + use.instruction + "\n";
            // What it writes may be lost: the store may come last.
            const bool writes =
                std::string_view(use.instruction).starts_with("CFGSHIFTMASK") && std::string_view(use.field) == "180";
            EXPECT_EQ(hazard(test::run(arch, {"", again, ""})) != nullptr, writes)
                << use.instruction << ", " << use.field;
        }
}

// The instruction is recorded first, or stands in the MOP's registers; the store comes between that and its execution.
TEST(CapturedWords, OfAReplayedInstruction) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Use& use : uses) {
            if (!is_of(use, arch)) continue;
            SCOPED_TRACE(fmt::format("{}, {}", use.instruction, use.field));
            const std::string recorded = before(use, arch) + "REPLAY start_idx=3 len=2 load_mode=1\nNOP\n" + use.instruction + "\n.drain\n";
            const auto early = test::run(arch, {"", recorded + store(use) + "REPLAY start_idx=3 len=2\n", ""});
            const Finding* found = hazard(early);
            EXPECT_EQ(found != nullptr, use.reads);
            // It is told of the REPLAY that plays it, the last op, and of the second word there.
            if (found) {
                EXPECT_EQ(found->where.position, 1);
                EXPECT_EQ(found->where.index, early.events.back().index);
            }
            const auto awaited = test::run(arch, {"", recorded + store(use) + test::wait_for_stores(arch) + "REPLAY start_idx=3 len=2\n", ""});
            EXPECT_EQ(hazard(awaited), nullptr);
        }
}

TEST(CapturedWords, OfAnInstructionOfAMop) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Use& use : uses) {
            if (!is_of(use, arch)) continue;
            SCOPED_TRACE(fmt::format("{}, {}", use.instruction, use.field));
            // Template 1 with one outer and one inner loop: start_op, then the last inner one, which is loop0_last.
            const std::string registers = before(use, arch) + fmt::format(
                ".mop outer_count = 1\n.mop inner_count = 1\n.mop start_op = SETADCXX\n.mop end_op0 = NOP\n.mop end_op1 = NOP\n"
                ".mop loop_op = SETADCXX\n.mop loop_op1 = NOP\n.mop loop0_last = {}\n.mop loop1_last = SETADCXX\n.drain\n", use.instruction);
            const auto early = test::run(arch, {"", registers + store(use) + "MOP mop_type=1\n", ""});
            const Finding* found = hazard(early);
            EXPECT_EQ(found != nullptr, use.reads);
            if (found) {
                EXPECT_EQ(found->where.position, 1);
            }
            EXPECT_EQ(hazard(test::run(arch, {"", registers + store(use) + test::wait_for_stores(arch) + "MOP mop_type=1\n", ""})), nullptr);
        }
}

// A masked list has a place for each of its words: which one comes is in the mask.
TEST(CapturedWords, OfEachPlaceOfAMaskedList) {
    // flags 3: there is b, and there are a1 to a3. Mask bit 0: a0 to a3, b; mask bit 1: skip_a0, skip_b.
    const char* places[] = {"a0", "a1", "a2", "a3", "b", "skip_a0", "skip_b"};
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (std::size_t place = 0; place < std::size(places); ++place)
            for (const bool masked : {false, true}) {
                std::string text = "SETDVALID setvalid=3\n.mop flags0 = 3\n";
                for (const char* each : places) text += fmt::format(".mop {} = {}\n", each, each == places[place] ? "MVMUL" : "SETADCXX");
                text += fmt::format(".drain\n.cfg ALU_ACC_CTRL_Fp32_enabled = 1\nMOP_CFG\nMOP zmask_lo16{}={}\n", arch == Arch::blackhole ? "_or_loop_count" : "", int{masked});
                const bool comes = masked == (place >= 5);
                EXPECT_EQ(hazard(test::run(arch, {"", text, ""})) != nullptr, comes) << places[place] << " " << masked;
            }
}

TEST(CapturedWords, AnotherBankOfConfigurationIsNone) {
    // CFG_STATE_ID_StateID chooses the bank; words of bank 1 follow those of bank 0.
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        const unsigned words = arch == Arch::blackhole ? 224 : 188;  // CFG_STATE_SIZE * 4
        const auto said = [&](unsigned bank, unsigned word) {
            const std::string text = fmt::format("SETC16 setc16_reg=0 setc16_value={}\nNOP\n.drain\n.cfg {} = 7\nRDCFG GprAddress=8 CfgReg=100\n", bank, word);
            return hazard(test::run(arch, {"", text, ""})) != nullptr;
        };
        EXPECT_TRUE(said(0, 100));
        EXPECT_FALSE(said(0, words + 100));
        EXPECT_FALSE(said(1, 100));
        EXPECT_TRUE(said(1, words + 100));
    }
}

}  // namespace
}  // namespace tessera
