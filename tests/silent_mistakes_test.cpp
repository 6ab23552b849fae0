// SPDX-License-Identifier: Apache-2.0
// Mistakes with wrong results and no fault: each gives a finding, and its twin with the cure gives none.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "support/timeline.hpp"

namespace tessera {
namespace {

using test::Texts;
using test::Timeline;
using testing::UnorderedElementsAre;

class SilentMistakes : public testing::TestWithParam<Arch> {
protected:
    const Arch arch = GetParam();
    const bool blackhole = arch == Arch::blackhole;

    const std::string stores_seen = test::wait_for_stores(arch);
    /// Bytes written by PACR here, and bytes counted by output strides. Wormhole's are in units of 16, and the low four
    /// bits of their sums are dropped.
    const unsigned written = blackhole ? 32 : 512, stride_bytes = blackhole ? 1 : 16, half = written / 2;

    std::string stride(unsigned bytes) const {
        return fmt::format(".cfg PCK0_ADDR_CTRL_ZW_REG_1_Zstride = {}\n", bytes / stride_bytes);
    }

    Timeline run(const Texts& texts, const RunOptions& options = {}) const { return test::run(arch, texts, options); }

    /// Messages of the findings with this code.
    std::vector<std::string> reported(const Texts& texts, std::string_view code, const RunOptions& options = {}) const {
        const Timeline t = run(texts, options);
        EXPECT_FALSE(t.run.fault) << t.run.fault->describe();
        std::vector<std::string> messages;
        for (const Finding& finding : t.run.findings)
            if (finding.code == code) messages.push_back(finding.message);
        return messages;
    }
    bool tells(const Texts& texts, std::string_view code) const { return !reported(texts, code).empty(); }

    /// PACR of one row, on Wormhole of sixteen, the counters of channel 1 as address modifier `mode` says.
    std::string pacr(unsigned mode, std::string_view more = "") const {
        return fmt::format("PACR {}=1 AddrMode={} {}\n", blackhole ? "ReadIntfSel" : "PackSel", mode, more);
    }
    /// Rows of BF16, one tile of L1 from 0x8000 on.
    std::string packer(std::string_view more = "") const {
        return fmt::format(
            ".cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b\n"
            ".cfg THCON_SEC0_REG1_In_data_format = Float16_b\n"
            ".cfg THCON_SEC0_REG1_Out_data_format = Float16_b\n"
            ".cfg THCON_SEC0_REG1_Disable_zero_compress = 1\n"
            ".cfg THCON_SEC0_REG1_L1_Dest_addr = 0x8000 / 16 - 1\n"
            ".cfg THCON_SEC0_REG9_Pack_0_2_limit_address = 0xFFFF\n"
            ".cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF\n"
            ".cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16\n"
            ".cfg ADDR_MOD_PACK_SEC0_ZdstIncr = 1\n"
            "SETADCXX CntSetMask=4 x_start=0 x_end2={}\n{}{}",
            written / 2 - 1, more, stores_seen);
    }
};

// --- strides of the output

TEST_P(SilentMistakes, PackedStreamsOfATileLieOneBehindTheOther) {
    for (unsigned bytes = 0; bytes <= 4 * written; bytes += half) {
        std::string text = packer(stride(bytes));
        for (unsigned row = 0; row < 4; ++row) text += pacr(0, "Last=1");
        EXPECT_EQ(tells({"", "", text}, "pack.output-overlap"), bytes < written) << bytes;
        EXPECT_EQ(tells({"", "", text}, "pack.output-gap"), bytes > written) << bytes;
    }
    std::string text = packer(stride(written + half));
    for (unsigned row = 0; row < 3; ++row) text += pacr(0, "Last=1");
    EXPECT_THAT(reported({"", "", text}, "pack.output-gap"),
                UnorderedElementsAre(testing::HasSubstr(
                    fmt::format("L1 0x{:X} to 0x{:X}", 0x8000 + written, 0x8000 + written + half - 1))));
}

// Rows of two tiles side by side: what one leaves out the other one writes, be it before or behind.
TEST_P(SilentMistakes, GapsThatAnotherTileFillsAreNone) {
    for (const bool left_first : {false, true}) {
        std::string text = packer(stride(2 * written));
        for (const bool left : {left_first, !left_first}) {
            text += fmt::format(".drain\n.cfg THCON_SEC0_REG1_L1_Dest_addr = {} / 16 - 1\n",
                                left ? 0x8000 : 0x8000 + written);
            text += "SETADCZW CntSetMask=4 BitMask=0xF\n" + stores_seen;
            for (unsigned row = 0; row < 4; ++row) text += pacr(0, "Last=1");
        }
        EXPECT_FALSE(tells({"", "", text}, "pack.output-gap")) << left_first;
        EXPECT_FALSE(tells({"", "", text}, "pack.output-overlap")) << left_first;
    }
}

// Reusing a place for the next tile, or another place, is no mistake.
TEST_P(SilentMistakes, AnotherTileMayLieAnywhere) {
    for (const unsigned other : {0x8000u, 0x8000u + half, 0x9000u}) {
        const std::string two = pacr(0, "Last=1") + pacr(0, "Last=1");
        const std::string text = packer(stride(written)) + two +
                                 fmt::format(".drain\n.cfg THCON_SEC0_REG1_L1_Dest_addr = {} / 16 - 1\n", other) +
                                 "SETADCZW CntSetMask=4 BitMask=0xF\n" + stores_seen + two;
        EXPECT_FALSE(tells({"", "", text}, "pack.output-gap")) << other;
        EXPECT_FALSE(tells({"", "", text}, "pack.output-overlap")) << other;
    }
}

TEST_P(SilentMistakes, UnpackedRowsOfABankLieOneBehindTheOther) {
    constexpr unsigned bytes = 16 * 16 * 2, step_of_z = 1 << 4;
    for (unsigned unpacker = 0; unpacker < 2; ++unpacker)
        for (const unsigned stride : {0u, bytes / 2, bytes, 2 * bytes}) {
            const std::string unpacr =
                fmt::format("UNPACR Unpack_block_selection={} AddrMode={} Last=1", unpacker, step_of_z);
            const std::string text = fmt::format(
                "{}.drain\n.cfg UNP{}_ADDR_CTRL_ZW_REG_1_Zstride = {}\nSETADCXX CntSetMask=3 x_start=0 x_end2=255\n"
                "ttstallwait 511,0\n{}\n{} SetDatValid=1\n",
                test::unpack_bf16, unpacker, stride, unpacr, unpacr);
            EXPECT_EQ(tells({text, "", ""}, "src.rows-overlap"), stride < bytes) << unpacker << ", " << stride;
            EXPECT_EQ(tells({text, "", ""}, "src.rows-gap"), stride > bytes) << unpacker << ", " << stride;
        }
}

// A bank starts empty when it is handed over.
TEST_P(SilentMistakes, BanksAreUnpackedAgainAndAgain) {
    std::string unpack = std::string(test::unpack_bf16) + ".cfg UNP0_ADDR_CTRL_ZW_REG_1_Zstride = 0\n";
    std::string math;
    for (unsigned i = 0; i < 6; ++i) {
        unpack += "UNPACR AddrMode=16 SetDatValid=1 Last=1\n";
        math += "MOVA2D instr_mod=2\nCLEARDVALID cleardvalid=1\n";
    }
    EXPECT_FALSE(tells({unpack, math, ""}, "src.rows-overlap"));
}

// --- banks at the end

TEST_P(SilentMistakes, BanksAreGivenBackBeforeTheRunEnds) {
    const std::string unpack = std::string(test::unpack_bf16) + "UNPACR SetDatValid=1 Last=1\n",
                      read = "MOVA2D instr_mod=2\n", give = "CLEARDVALID cleardvalid=1\n";
    const auto codes = [&](const std::string& math, const RunOptions& options = {}) {
        const Timeline t = run({unpack, math, ""}, options);
        EXPECT_FALSE(t.run.fault);
        return std::pair(t.has_finding("matrix.bank-unread"), t.has_finding("matrix.bank-kept"));
    };
    EXPECT_EQ(codes(""), std::pair(false, false)) << "nobody uses the source";
    EXPECT_EQ(codes(read), std::pair(false, true));
    EXPECT_EQ(codes(read + give), std::pair(false, false));
    // A tile more than is used.
    const std::string two = "UNPACR SetDatValid=1 Last=1\n";
    EXPECT_THAT(reported({unpack + two, read + give, ""}, "matrix.bank-unread"),
                UnorderedElementsAre(testing::HasSubstr("SrcA bank 1")));
    EXPECT_THAT(reported({unpack + two, read + give + read + give, ""}, "matrix.bank-unread"), testing::IsEmpty());
    for (std::uint64_t seed = 1; seed < 5; ++seed) {
        RunOptions options;
        options.seed = seed;
        EXPECT_EQ(codes(read, options), std::pair(false, true));
        EXPECT_EQ(codes(read + give, options), std::pair(false, false));
    }
}

TEST_P(SilentMistakes, TheInstructionThatHandedABankOverIsNamed) {
    const Timeline t =
        run({std::string(test::unpack_bf16) + "UNPACR SetDatValid=1 Last=1\n", "MOVA2D instr_mod=2\n", ""});
    for (const Finding& finding : t.run.findings)
        if (finding.code == "matrix.bank-kept") {
            EXPECT_THAT(finding.where.instruction, testing::HasSubstr("UNPACR"));
            EXPECT_EQ(finding.where.thread, 0);
            return;
        }
    FAIL() << "not told";
}

// --- MOP

TEST_P(SilentMistakes, AMopHasItsRegisters) {
    const std::string mop = "MOP mop_type=1\n", counts = ".mop 0 = 2\n.mop 1 = 3\n";
    const auto all = [](std::string_view except) {
        std::string text;
        for (int i = 2; i < 9; ++i)
            if (const auto item = std::to_string(i); item != except) text += ".mop " + item + " = NOP\n";
        return text;
    };
    const auto ends = [&](const std::string& text) { return run({text, "", ""}); };

    const Timeline good = ends(counts + all("") + mop);
    EXPECT_FALSE(good.run.fault);
    EXPECT_TRUE(good.run.findings.empty()) << good.run.findings.front().describe();

    for (int missing = 2; missing < 9; ++missing) {
        if (missing == 4) continue;  // EndOp1 is looked at behind an EndOp0 alone
        const Timeline t = ends(counts + all(std::to_string(missing)) + mop);
        ASSERT_TRUE(t.run.fault) << missing;
        EXPECT_EQ(t.run.fault->code, "frontend.mop-unset");
        EXPECT_EQ(t.run.fault->values.at(0).value, static_cast<std::uint32_t>(missing));
    }
    const Timeline wrong = ends(counts + all("5") + ".mop 5 = 0\n" + mop);
    ASSERT_TRUE(wrong.run.fault);
    EXPECT_EQ(wrong.run.fault->code, "unknown-opcode") << "somebody has written it";

    EXPECT_THAT(reported({all("") + mop, "", ""}, "frontend.mop-unwritten"),
                UnorderedElementsAre(testing::HasSubstr("register 0, the outer count")));
    EXPECT_TRUE(tells({".mop 0 = 1\n" + all("") + mop, "", ""}, "frontend.mop-unwritten"));
    EXPECT_TRUE(tells({".mop 3 = NOP\nMOP mop_type=0\n", "", ""}, "frontend.mop-unwritten"));
    EXPECT_FALSE(tells({".mop 1 = 0\n.mop 3 = NOP\nMOP mop_type=0\n", "", ""}, "frontend.mop-unwritten"));
}

TEST_P(SilentMistakes, AMopExpandsToSomething) {
    for (const bool ends : {false, true})
        for (unsigned outer = 0; outer < 3; ++outer)
            for (unsigned inner = 0; inner < 3; ++inner) {
                std::string text = fmt::format(".mop 0 = {}\n.mop 1 = {}\n", outer, inner);
                for (int i = 2; i < 9; ++i)
                    text += fmt::format(".mop {} = {}\n", i, ends && i == 3 ? "SETADCXX CntSetMask=4" : "NOP");
                const bool nothing = outer == 0 || (inner == 0 && !ends);
                EXPECT_EQ(tells({text + "MOP mop_type=1\n", "", ""}, "frontend.mop-empty"), nothing)
                    << outer << ", " << inner << ", " << ends;
            }
}

// --- packers

TEST_P(SilentMistakes, EdgeMasksLeaveSomething) {
    const auto masks = [&](std::string_view more) {
        return packer(fmt::format(".cfg PCK_EDGE_OFFSET_SEC0_mask = 0\n{}", more)) + pacr(0, "Last=1");
    };
    EXPECT_TRUE(tells({"", "", masks("")}, "pack.edge-mask-unset"));
    EXPECT_FALSE(tells({"", "", packer() + pacr(0, "Last=1")}, "pack.edge-mask-unset"));
    // One column, or one row of the tile, is enough.
    EXPECT_FALSE(tells({"", "", masks(".cfg PCK_EDGE_OFFSET_SEC0_mask = 1\n")}, "pack.edge-mask-unset"));
    EXPECT_FALSE(tells({"", "",
                        masks(".cfg PCK_EDGE_OFFSET_SEC1_mask = 0xFFFF\n.cfg "
                              "TILE_ROW_SET_MAPPING_0_row_set_mapping_7 = 1\n")},
                       "pack.edge-mask-unset"));
    // Another row set than the one that is masked.
    const std::string_view second =
        ".cfg PCK_EDGE_OFFSET_SEC1_mask = 0xFFFF\n.cfg PCK_EDGE_TILE_ROW_SET_SELECT_select = 1\n";
    EXPECT_FALSE(tells({"", "", masks(second)}, "pack.edge-mask-unset")) << "somebody has set masks";
    EXPECT_TRUE(tells({"", "", masks(second)}, "pack.edge-mask-set"));
    std::string mapped(second);
    for (int row = 0; row < 16; ++row)
        mapped += fmt::format(".cfg TILE_ROW_SET_MAPPING_1_row_set_mapping_{} = 1\n", row);
    EXPECT_FALSE(tells({"", "", masks(mapped)}, "pack.edge-mask-set"));
}

/// Wormhole has four packers.
class SilentMistakesOfPackers : public SilentMistakes {};

// The vendor's reductions mask some of Wormhole's packers on purpose.
TEST_P(SilentMistakesOfPackers, AMaskedPackerAmongOthersIsAnInfo) {
    std::string text = packer(
        ".cfg PCK_EDGE_OFFSET_SEC0_mask = 0\n.cfg PCK_EDGE_OFFSET_SEC1_mask = 0xFFFF\n"
        ".cfg PCK_EDGE_TILE_ROW_SET_SELECT_select = 1\n.cfg TILE_ROW_SET_MAPPING_1_row_set_mapping_0 = 1\n"
        ".cfg THCON_SEC0_REG8_In_data_format = Float16_b\n.cfg THCON_SEC0_REG8_Out_data_format = Float16_b\n"
        ".cfg THCON_SEC0_REG8_Disable_zero_compress = 1\n.cfg THCON_SEC0_REG8_L1_Dest_addr = 0x9000 / 16 - 1\n"
        ".cfg THCON_SEC0_REG9_Pack_1_3_limit_address = 0xFFFF\n");
    const Texts texts{"", "", text + "PACR PackSel=3 Last=1\n"};
    EXPECT_FALSE(tells(texts, "pack.edge-mask-unset"));
    EXPECT_THAT(reported(texts, "pack.edge-mask-set"),
                UnorderedElementsAre(testing::HasSubstr("TILE_ROW_SET_MAPPING_0, which packer 1 uses")));
}

TEST_P(SilentMistakes, BlockFloatsTakeWholeRows) {
    const auto packs = [&](unsigned last, std::string_view format) {
        return Texts{
            "", "",
            packer(fmt::format(".cfg THCON_SEC0_REG1_Out_data_format = {}\n.cfg THCON_SEC0_REG1_Exp_section_size = 4\n"
                               "SETADCXX CntSetMask=4 x_start=0 x_end2={}\n",
                               format, last)) +
                pacr(0, "Last=1")};
    };
    EXPECT_TRUE(tells(packs(0, "Bfp8_b"), "pack.one-datum"));
    EXPECT_TRUE(tells(packs(0, "Bfp4_b"), "pack.one-datum"));
    EXPECT_FALSE(tells(packs(15, "Bfp8_b"), "pack.one-datum"));
    EXPECT_FALSE(tells(packs(7, "Bfp8_b"), "pack.one-datum"));
    EXPECT_FALSE(tells(packs(0, "Float16_b"), "pack.one-datum"));
}

// --- unwritten contents

TEST_P(SilentMistakes, TheFirstByteThatWasNotWrittenIsNamed) {
    const auto program = assemble(std::string(test::unpack_bf16) + "UNPACR Last=1\n", arch, "unpack", 0).value();
    for (const unsigned there : {0u, 16u, 32u, 1024u, 2032u, 2048u}) {
        Core core(arch);
        ASSERT_TRUE(core.write_l1(0x10000, std::vector<std::byte>(there)));
        const tessera::Run run = core.run(program).value();
        std::vector<std::uint32_t> first;
        for (const Finding& finding : run.findings)
            if (finding.code == "state.read-before-write") first.push_back(finding.values.at(0).value);
        if (there == 2048)
            EXPECT_TRUE(first.empty());
        else
            EXPECT_EQ(first, std::vector<std::uint32_t>{0x10000 + there}) << there;
    }
}

// Requests of the scalar unit arrive in their order (spec-notes G10).
TEST_P(SilentMistakes, ALoadReadsWhatTheStoreBeforeItWrites) {
    const std::string addresses = ".gpr 0 = 0\n.gpr 4 = 0x3000\n.gpr 5 = 0x3001\n" + stores_seen;
    const std::string store = "STOREIND.l1 Size=b4 DataReg=8 AddrReg=4\n";
    const std::string load = "LOADIND SizeSel=b4 DataRegIndex=9 AddrRegIndex=4\n";
    const std::string load_of_next_line = "LOADIND SizeSel=b4 DataRegIndex=9 AddrRegIndex=5\n";
    const std::string increment = "ATINCGET WrapVal=31 DataRegIndex=9 AddrRegIndex=4\n";
    const auto reads_unwritten = [&](const std::string& requests, std::optional<std::uint64_t> seed) {
        RunOptions options;
        options.seed = seed;
        const tessera::Run run = Core(arch).run(assemble(addresses + requests, arch, "unpack", 0).value(), options).value();
        return std::any_of(run.findings.begin(), run.findings.end(),
                           [](const Finding& finding) { return finding.code == "state.read-before-write"; });
    };
    for (std::uint64_t number = 0; number <= 10; ++number) {
        const auto seed = number ? std::optional(number) : std::nullopt;
        EXPECT_FALSE(reads_unwritten(store + load, seed)) << number;
        EXPECT_FALSE(reads_unwritten(store + increment, seed)) << number;
        EXPECT_TRUE(reads_unwritten(store + load_of_next_line, seed)) << number;
        EXPECT_TRUE(reads_unwritten(load + store, seed)) << number;
        EXPECT_TRUE(reads_unwritten(increment + store, seed)) << number;
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, SilentMistakesOfPackers, testing::Values(Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });
INSTANTIATE_TEST_SUITE_P(Archs, SilentMistakes, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
