// SPDX-License-Identifier: Apache-2.0
// Packers that misread Dst's contents (pack.dst-format, pack.dst-width; spec-notes E67).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "support/timeline.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Contents of Dst, and formats that packers can assume.
enum class Kind : std::uint8_t { bf16, fp16, fp32, int32 };
constexpr Kind floats[] = {Kind::bf16, Kind::fp16, Kind::fp32};
constexpr std::string_view names[] = {"Float16_b", "Float16", "Float32", "Int32"};
constexpr bool wide(Kind kind) { return kind == Kind::fp32 || kind == Kind::int32; }
std::string_view name(Kind kind) { return names[static_cast<unsigned>(kind)]; }

class DstContents : public testing::TestWithParam<Arch> {
protected:
    const Arch arch = GetParam();
    const bool blackhole = arch == Arch::blackhole;

    /// Row 0 of Dst to L1 0x8000, taken for that.
    std::string pack(Kind kind, std::string_view more = "") const {
        const std::string_view format = kind == Kind::int32 ? "Int8" : name(kind);
        return fmt::format(
            ".drain\n.cfg ALU_FORMAT_SPEC_REG2_Dstacc = {0}\n.cfg THCON_SEC0_REG1_In_data_format = {0}\n"
            ".cfg THCON_SEC0_REG1_Out_data_format = {0}\n.cfg PCK_DEST_RD_CTRL_Read_32b_data = {1}\n"
            ".cfg PCK_DEST_RD_CTRL_Round_10b_mant = 0\n"
            ".cfg THCON_SEC0_REG1_Disable_zero_compress = 1\n.cfg THCON_SEC0_REG1_L1_Dest_addr = 0x8000 / 16 - 1\n"
            ".cfg THCON_SEC0_REG9_Pack_0_2_limit_address = 0xFFFF\n.cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF\n"
            ".cfg PACK_COUNTERS_SEC0_pack_reads_per_xy_plane = 16\n{2}"
            "SETADCXX CntSetMask=4 x_start=0 x_end2=15\nttstallwait 511,0\nPACR {3}=1 Last=1\n",
            format, int{wide(kind)}, more, blackhole ? "ReadIntfSel" : "PackSel");
    }
    /// 1.0 to columns of four rows: all of them, or the even or the odd ones.
    static std::string store(Kind kind, bool even = true, bool odd = true, unsigned row = 0) {
        constexpr unsigned modes[] = {2, 1, 3};
        std::string text;
        for (const unsigned column : {0u, 2u})
            if (column ? odd : even)
                text += fmt::format("SFPSTORE lreg_ind=10 instr_mod0={} dest_reg_addr={}\n",
                                    modes[static_cast<unsigned>(kind)], row + column);
        return text;
    }
    /// Of both banks, which hold nothing but zeros, by an instruction; the formats of both are that.
    std::string math(std::string_view instruction, std::string_view format, bool fp32 = false,
                     bool int8 = false) const {
        return fmt::format(
            "{}.cfg ALU_FORMAT_SPEC_REG0_SrcA = {}\n.cfg ALU_FORMAT_SPEC_REG1_SrcB = {}\n.cfg "
            "ALU_ACC_CTRL_Fp32_enabled = {}\n"
            ".cfg ALU_ACC_CTRL_INT8_math_enabled = {}\nttstallwait 511,0\nSETDVALID setvalid=3\n{}\n",
            blackhole ? ".cfg DISABLE_IMPLIED_SRCA_FMT_Base = 1\n.cfg DISABLE_IMPLIED_SRCB_FMT_Base = 1\n" : "", format,
            format, int{fp32}, int{int8}, instruction);
    }
    /// A tile from L1 to the first rows.
    static std::string unpack(std::string_view format, unsigned datum_bytes) {
        return std::string(test::unpack_bf16) +
               fmt::format(
                   ".drain\n.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = {0}\n"
                   ".cfg THCON_SEC0_REG2_Out_data_format = {0}\n.cfg THCON_SEC0_REG2_Unpack_If_Sel = 1\n"
                   ".cfg SRCA_SET_SetOvrdWithAddr = 0\n"
                   ".cfg UNP0_ADDR_BASE_REG_1_Base = {1}\nttstallwait 511,0\nUNPACR Last=1\n",
                   format, 64 * datum_bytes);
    }

    struct Told {
        std::vector<std::string> messages;
        std::vector<std::byte> packed;
    };
    Told run(Core& core, const std::string& text, const RunOptions& options = {}) const {
        const tessera::Run result = core.run(assemble(text, arch, "kernel", 2).value(), options).value();
        EXPECT_FALSE(result.fault) << result.fault->describe() << text;
        Told reported;
        for (const Finding& finding : result.findings)
            if (finding.code == "pack.dst-format" || finding.code == "pack.dst-width")
                reported.messages.push_back(finding.message);
        reported.packed = core.read_l1(0x8000, 64).value();
        return reported;
    }
    Told run(const std::string& text, const RunOptions& options = {}) const {
        Core core(arch, Reset::vendor_sim);
        return run(core, text, options);
    }
    std::vector<std::string> reported(const std::string& text) const { return run(text).messages; }

    static bool sixteen_ones(const std::vector<std::byte>& bytes, Kind kind) {
        constexpr std::uint32_t ones[] = {0x3F80, 0x3C00, 0x3F800000};
        const unsigned size = wide(kind) ? 4 : 2;
        for (unsigned i = 0; i < 16; ++i) {
            std::uint32_t datum = 0;
            std::memcpy(&datum, bytes.data() + i * size, size);
            if (datum != ones[static_cast<unsigned>(kind)]) return false;
        }
        return true;
    }
    /// Findings about a row with those contents.
    static std::vector<std::string> mismatch(Kind taken, Kind held, unsigned row = 0) {
        if (taken == held) return {};
        if (wide(taken) == wide(held))
            return {fmt::format("reads row {} of Dst as {}, but {} was written there", row, name(taken), name(held))};
        return {fmt::format("reads row {} of Dst as datums of {} bits, but datums of {} bits were written there", row,
                            wide(taken) ? 32 : 16, wide(held) ? 32 : 16)};
    }
};

// A finding exactly if the packed value is not the stored one.
TEST_P(DstContents, OnesComeOutAsOnes) {
    for (const Kind held : floats)
        for (const Kind taken : floats) {
            // Row 0 is in the same place in both views, so it is not enough: the rows behind it have its low halves.
            const unsigned row = wide(taken) ? 0 : 8;
            const Told reported = run(store(held) + store(held, true, true, 8) +
                                      pack(taken, fmt::format(".cfg PCK0_ADDR_BASE_REG_0_Base = {}\n", row * 16 * 2)));
            EXPECT_EQ(reported.messages.empty(), sixteen_ones(reported.packed, taken))
                << name(held) << " as " << name(taken);
            EXPECT_EQ(reported.messages, mismatch(taken, held, row));
        }
}

TEST_P(DstContents, WhatTheMatrixUnitLeaves) {
    for (const std::string_view instruction : {"ELWADD", "ELWMUL", "MVMUL", "GMPOOL", "GAPOOL"})
        for (const Kind taken : floats) {
            for (const std::string_view format : {"Float16_b", "Bfp8_b", "Bfp4_b", "Tf32"})
                EXPECT_EQ(reported(math(instruction, format) + pack(taken)), mismatch(taken, Kind::bf16))
                    << instruction << format;
            for (const std::string_view format : {"Float16", "Bfp8", "Lf8"})
                EXPECT_EQ(reported(math(instruction, format) + pack(taken)), mismatch(taken, Kind::fp16))
                    << instruction << format;
            for (const std::string_view format : {"Float16_b", "Float16"})
                EXPECT_EQ(reported(math(instruction, format, true) + pack(taken)), mismatch(taken, Kind::fp32))
                    << instruction;
        }
}

TEST_P(DstContents, WhatMovesLeave) {
    for (const std::string_view move :
         {"MOVA2D instr_mod=2", blackhole ? "MOVB2D movb2d_instr_mod=2" : "MOVB2D instr_mod=2"})
        for (const Kind taken : floats) {
            EXPECT_EQ(reported(math(move, "Float16_b") + pack(taken)), mismatch(taken, Kind::bf16)) << move;
            EXPECT_EQ(reported(math(move, "Float16") + pack(taken)), mismatch(taken, Kind::fp16)) << move;
            EXPECT_EQ(reported(math(move, "Tf32", true) + pack(taken)), mismatch(taken, Kind::fp32)) << move;
        }
    // Bits of integers may be moved in any format.
    for (const std::string_view format : {"UInt16", "Int8"})
        for (const Kind taken : {Kind::bf16, Kind::fp16})
            EXPECT_THAT(reported(math("MOVA2D", format) + pack(taken)), IsEmpty());
}

TEST_P(DstContents, IntegersOf32Bits) {
    const std::string integers = math("ELWADD", "Int8", false, true);
    EXPECT_THAT(reported(integers + pack(Kind::int32)), IsEmpty());
    EXPECT_EQ(reported(integers + pack(Kind::fp32)), mismatch(Kind::fp32, Kind::int32));
    EXPECT_EQ(reported(math("ELWADD", "Float16_b", true) + pack(Kind::int32)), mismatch(Kind::int32, Kind::fp32));
}

TEST_P(DstContents, WhatAnUnpackerLeaves) {
    for (const Kind taken : floats) {
        EXPECT_EQ(reported(unpack("Float16_b", 2) + pack(taken)), mismatch(taken, Kind::bf16));
        EXPECT_EQ(reported(unpack("Float16", 2) + pack(taken)), mismatch(taken, Kind::fp16));
        EXPECT_EQ(reported(unpack("Float32", 4) + pack(taken)), mismatch(taken, Kind::fp32));
    }
    EXPECT_THAT(reported(unpack("UInt16", 2) + pack(Kind::bf16)), IsEmpty());
}

TEST_P(DstContents, TheLastWriterCounts) {
    for (const Kind first : floats)
        for (const Kind second : floats) {
            EXPECT_EQ(reported(store(first) + store(second) + pack(Kind::bf16)), mismatch(Kind::bf16, second));
            // Odd columns are still the first one's.
            const bool mixed = first != Kind::bf16 || second != Kind::bf16;
            EXPECT_EQ(reported(store(first) + store(second, true, false) + pack(Kind::bf16)).size(), mixed);
        }
}

// No finding about unknown contents: rows of an earlier run, cleared rows, integers that SFPSTORE may only move.
TEST_P(DstContents, UnknownRowsAreSilent) {
    Core core(arch, Reset::vendor_sim);
    EXPECT_THAT(run(core, store(Kind::fp16)).messages, IsEmpty());
    EXPECT_THAT(run(core, pack(Kind::bf16)).messages, IsEmpty());
    EXPECT_THAT(reported(store(Kind::fp16) + ".drain\nZEROACC clear_mode=3\n" + pack(Kind::bf16)), IsEmpty());
    EXPECT_THAT(reported("SFPSTORE lreg_ind=10 instr_mod0=6\nSFPSTORE lreg_ind=10 instr_mod0=6 dest_reg_addr=2\n" +
                         pack(Kind::bf16)),
                IsEmpty());
}

/// A conversion of datums of `width`, which its formats and modes choose, and the numbers that it takes them for.
struct Conversion {
    bool wide;
    std::string_view intermediate, in, out;
    std::optional<Kind> taken;  ///< none: bits as they are
    std::string_view modes = "";
};
constexpr std::string_view raw = ".cfg PCK_DEST_RD_CTRL_Read_int8 = 1\n", round_10b = ".cfg PCK_DEST_RD_CTRL_Round_10b_mant = 1\n";
constexpr Conversion conversions[] = {
    {false, "Float16_b", "Float16_b", "Float16_b", Kind::bf16, raw},
    {false, "Tf32", "Tf32", "Tf32", Kind::bf16},
    {false, "Float32", "Float32", "Float32", Kind::bf16},
    {false, "Bfp8_b", "Bfp8_b", "Bfp8_b", Kind::bf16},
    {false, "Float16", "Float16", "Float16", Kind::fp16, raw},
    {false, "Bfp8", "Bfp8", "Bfp8", Kind::fp16},
    {false, "Bfp8", "Bfp8", "Bfp8", Kind::fp16, raw},
    {false, "Lf8", "Lf8", "Lf8", Kind::fp16, raw},
    {false, "UInt16", "UInt16", "UInt16", std::nullopt},
    {false, "Int8", "Int8", "Int8", std::nullopt, raw},
    {true, "Tf32", "Tf32", "Tf32", Kind::fp32},
    {true, "Float16_b", "Float16_b", "Float16_b", Kind::fp32},
    {true, "Bfp8_b", "Bfp8_b", "Bfp8_b", Kind::fp32},
    {true, "Int8", "Int8", "Int8", Kind::int32},
    {true, "Int8", "Int8", "Int8", Kind::int32, raw},
    {true, "UInt16", "UInt16", "UInt16", std::nullopt},
    {true, "Float32", "Int32", "Int32", std::nullopt},
    {true, "Int32", "Int32", "Int32", std::nullopt},
    {true, "Int32", "Float32", "Float32", std::nullopt},
};

TEST_P(DstContents, EachConversionTakesNumbersOfItsKind) {
    const auto expect = [&](const Conversion& c, std::optional<Kind> taken) {
        const std::string how = fmt::format(
            ".cfg ALU_FORMAT_SPEC_REG2_Dstacc = {}\n.cfg THCON_SEC0_REG1_In_data_format = {}\n"
            ".cfg THCON_SEC0_REG1_Out_data_format = {}\n{}",
            c.intermediate, c.in, c.out, c.modes);
        const std::string packs = pack(c.wide ? Kind::fp32 : Kind::bf16, how);
        for (const Kind held : {Kind::bf16, Kind::fp16, Kind::fp32, Kind::int32}) {
            if (wide(held) != c.wide) continue;
            const std::string leaves = held == Kind::int32 ? math("ELWADD", "Int8", false, true) : store(held);
            EXPECT_EQ(reported(leaves + packs), taken ? mismatch(*taken, held) : std::vector<std::string>{})
                << name(held) << " with " << how;
        }
    };
    for (const Conversion& c : conversions) expect(c, c.taken);
    // With Round_10b_mant Blackhole makes FP16 of wider datums (spec-notes E22); Wormhole has none from 32 bits.
    expect({false, "Float16", "Float16", "Float16", {}, round_10b}, blackhole ? Kind::bf16 : Kind::fp16);
    if (blackhole) expect({true, "Float16", "Float16", "Float16", {}, round_10b}, Kind::fp32);
}

// Packers that round BF16 to FP16 on the way take it for what it is.
TEST_P(DstContents, ConversionsOnTheWayAreNoMismatch) {
    const std::string to_fp16 = ".cfg THCON_SEC0_REG1_Out_data_format = Float16\n";
    EXPECT_THAT(reported(store(Kind::bf16) + pack(Kind::bf16, to_fp16)), IsEmpty());
    EXPECT_THAT(reported(store(Kind::fp32) + pack(Kind::fp32, to_fp16)), IsEmpty());
}

// A replayed recorded run reports the same findings.
TEST_P(DstContents, EachRunTellsIt) {
    Core core(arch, Reset::vendor_sim);
    for (unsigned i = 0; i < 5; ++i) {
        Core one = core;
        EXPECT_THAT(run(one, store(Kind::fp16) + pack(Kind::bf16)).messages, testing::SizeIs(1));
        EXPECT_THAT(run(one, store(Kind::bf16) + pack(Kind::bf16)).messages, IsEmpty());
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, DstContents, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
