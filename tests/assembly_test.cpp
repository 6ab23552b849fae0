// SPDX-License-Identifier: Apache-2.0
// Assembly text against words, listings and errors.
#include "tessera/assembly.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <bit>
#include <random>

#include "isa/instruction.hpp"
#include "support/assembly.hpp"
#include "tessera/data_format.hpp"
#include "tessera/format_name.hpp"

namespace tessera {
namespace {

using namespace test;

// --- disassembly

struct Listing {
    std::uint32_t stream;  ///< as in a thread's instruction stream, rotated left by 2
    std::string_view text;
};

TEST(Disassembly, PrintsTheListingsOfTheSeeds) {
    constexpr Listing listings[] = {
        {0x98000000, "ttmvmul\t0,0,0,0"},         {0x98010000, "ttmvmul\t0,0,1,0"},
        {0x98020000, "ttmvmul\t0,0,2,0"},         {0x98040000, "ttmvmul\t0,0,4,0"},
        {0x98050000, "ttmvmul\t0,0,5,0"},         {0xdc00003c, "ttsetrwc\t0,0,0,0,0,15"},
        {0x4600002d, "ttsetadcxy\t4,0,0,0,0,11"}, {0x5200003d, "ttsetadczw\t4,0,0,0,0,15"},
    };
    for (const auto& listing : listings) {
        EXPECT_EQ(disassemble(std::rotr(listing.stream, 2), Arch::blackhole), listing.text);
        EXPECT_EQ(word(listing.text), std::rotr(listing.stream, 2));
    }
}

TEST(Disassembly, PrintsTheSequencesOfTheSeeds) {
    struct {
        std::uint32_t word;
        std::string_view text;
    } constexpr lines[] = {
        {0x5E23FC00, "ttsetadcxx\t1,255,0"},
        {0x5160000B, "ttsetadcxy\t3,0,0,0,0,11"},
        {0x5460000F, "ttsetadczw\t3,0,0,0,0,15"},
        {0xA2040400, "ttstallwait\t8,1024"},
        {0xA2400001, "ttstallwait\t128,1"},
        {0xB2050004, "ttsetc16\t5,4"},
        {0xB2290101, "ttsetc16\t41,257"},
        {0xA5000080, "ttsemget\t32"},
        {0xA0000000, "ttatgetm\t0"},
        {0x01800000, "ttmop\t1,0,0"},
        {0x040000C1, "ttreplay\t0,12,0,1"},
        {0x42800041, "ttunpacr\t1,0,0,0,0,0,1,0,0,0,0,0,1"},
        {0x428000C1, "ttunpacr\t1,0,0,0,0,1,1,0,0,0,0,0,1"},
        {0xB10C007C, "ttrdcfg\t12,124"},
        {0x5800C312, "ttadddmareg\t0,12,12,18"},
        {0xB00C007C, "ttwrcfg\t12,0,124"},
        {0x02000000, "ttnop"},
    };
    for (const auto& line : lines) {
        EXPECT_EQ(disassemble(line.word, Arch::blackhole), line.text);
        EXPECT_EQ(word(line.text), line.word);
    }
}

TEST(Instructions, NulIsNoEndOfALine) {
    expect_error(std::string_view("NOP\0 SETADCXX x1=1", 18), "asm.operand-count", 1, 4);
    expect_error(std::string_view("SEMGET sem_sel=1\0", 17), "asm.syntax", 1, 17);
}

TEST(Disassembly, NamedSpellingLeavesOutZeros) {
    EXPECT_EQ(disassemble_named(0x5E23FC00, Arch::blackhole), "SETADCXX CntSetMask=A x_end2=255");
    EXPECT_EQ(disassemble_named(0x02000000, Arch::blackhole), "NOP");
}

TEST(Disassembly, NamedSpellingTellsAFormWithItsOperands) {
    EXPECT_EQ(disassemble_named(0x45000712, Arch::blackhole), "SETDMAREG.immediate NewValue=7 ResultHalfReg=18");
    EXPECT_EQ(disassemble_named(0x48200012, Arch::blackhole), "REG2FLOP.adc InputReg=18");
    EXPECT_EQ(word("SETDMAREG.immediate ResultHalfReg=18, NewValue=7"), 0x45000712u);
    EXPECT_EQ(word("setdmareg.Special"), 0x45000080u);
    // Operands without a meaning in the form are printed with the vendor's names.
    EXPECT_EQ(disassemble_named(0x43000004, Arch::blackhole).find("UNPACR_NOP."), std::string::npos);
    EXPECT_EQ(word(disassemble_named(0x43000004, Arch::blackhole)), 0x43000004u);
    expect_error("SETDMAREG.adc", "asm.unknown-form", 1, 11,
                 "no form 'adc' with operands of its own; such forms: immediate, special");
    expect_error("NOP.quiet", "asm.unknown-form", 1, 5, "no form 'quiet'");
    expect_error("ttsetdmareg.immediate NewValue=7", "asm.syntax", 1, 12);
}

TEST(Disassembly, NamedSpellingSeparatesTheThreadOverride) {
    const std::uint32_t overridden = 0x5160000B | 2u << 18 | 5u << 15;
    EXPECT_EQ(disassemble_named(overridden, Arch::blackhole),
              "SETADCXY CntSetMask=AB Ch1_Y=5 ThreadOverride=t1 BitMask=ch0_x|ch0_y|ch1_y");
    EXPECT_EQ(disassemble(overridden, Arch::blackhole), "ttsetadcxy\t3,21,0,0,0,11");
}

TEST(Disassembly, PrintsTheWordWhenTextCannotSayIt) {
    EXPECT_EQ(disassemble(0x02000001, Arch::blackhole), ".ttinsn\t0x02000001");
    EXPECT_EQ(disassemble_named(0x02000001, Arch::blackhole), ".ttinsn\t0x02000001");
    EXPECT_EQ(disassemble(0xFF000000, Arch::wormhole), ".ttinsn\t0xFF000000");
    EXPECT_EQ(disassemble(0x99000000, Arch::wormhole), ".ttinsn\t0x99000000");
    EXPECT_EQ(disassemble(0x99000000, Arch::blackhole), "ttsfparecip\t0,0,0,0");
}

class RoundTrip : public testing::TestWithParam<Arch> {};

TEST_P(RoundTrip, AnyWordSurvivesBothSpellings) {
    constexpr int words_per_text = 1000, texts = 100;
    std::mt19937 random(1);
    for (int t = 0; t < texts; ++t) {
        std::vector<std::uint32_t> words;
        std::string vendor, named;
        for (int i = 0; i < words_per_text; ++i) {
            words.push_back(static_cast<std::uint32_t>(random()));
            vendor += disassemble(words.back(), GetParam()) + "\n";
            named += disassemble_named(words.back(), GetParam()) + "\n";
        }
        for (const auto& text : {vendor, named}) {
            const auto ops = thread_ops(text, GetParam());
            ASSERT_EQ(ops.size(), words.size());
            for (std::size_t i = 0; i < words.size(); ++i)
                ASSERT_EQ(ops[i].value, words[i]) << disassemble(words[i], GetParam());
        }
    }
}

TEST_P(RoundTrip, EveryBitOfEveryInstructionSurvives) {
    for (const auto& spec : isa::table) {
        if (!isa::includes(spec.archs, GetParam())) continue;
        for (unsigned bit = 0; bit <= 24; ++bit) {
            const std::uint32_t original = std::uint32_t{spec.opcode} << 24 | (bit < 24 ? 1u << bit : 0xFFFFFFu);
            EXPECT_EQ(word(disassemble(original, GetParam()), GetParam()), original);
            EXPECT_EQ(word(disassemble_named(original, GetParam()), GetParam()), original);
        }
    }
}

TEST_P(RoundTrip, OperandsAreToldApartByName) {
    for (const auto& spec : isa::table) {
        if (!isa::includes(spec.archs, GetParam())) continue;
        for (unsigned i = 0; i < spec.operand_count; ++i) {
            const auto& operand = spec.operands[i];
            std::string name(operand.name);
            for (char& c : name) c = c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            EXPECT_EQ(word(fmt::format("{} {}=1", spec.name, name), GetParam()),
                      std::uint32_t{spec.opcode} << 24 | 1u << operand.lo);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, RoundTrip, testing::ValuesIn(all_archs),
                         [](const auto& chosen) { return std::string(name(chosen.param)); });

// --- instructions

TEST(Instructions, BothSpellingsMayBeMixed) {
    const auto ops = thread_ops(
        "ttsetadcxx 1,255,0\nSETADCXX CntSetMask=1 x_end2=255 x_start=0\n"
        "SETADCXX unpackers=A x1=255 x0=0\nSETADCXX 1, 0xff, 0b0\n\tSETADCXX X1 = 255, UNPACKERS = A\n");
    ASSERT_EQ(ops.size(), 5u);
    for (std::size_t i = 0; i < ops.size(); ++i) EXPECT_EQ(ops[i], ins(0x5E23FC00, static_cast<int>(i) + 1));
}

TEST(Instructions, CounterSetsHaveNames) {
    EXPECT_EQ(word("SETADCXX CntSetMask=A"), 0x5E200000u);
    EXPECT_EQ(word("SETADCXX CntSetMask=B"), 0x5E400000u);
    EXPECT_EQ(word("SETADCXX CntSetMask=AB"), 0x5E600000u);
    EXPECT_EQ(word("SETADCXX CntSetMask=PAC"), 0x5E800000u);
    EXPECT_EQ(word("ttsetadcxx PAC,0,0"), 0x5E800000u);
    EXPECT_EQ(word("SETADCZW unpackers=AB w1=1 z1=2 w0=3 z0=4 BitMask=15"), word("ttsetadczw 3,1,2,3,4,15"));
}

TEST(Instructions, UnprintedOperandsCanBeNamed) {
    EXPECT_EQ(word("SETADCXY ThreadOverride=3"), 0x510C0000u);
    EXPECT_EQ(word("SFPLUTFP32 lreg_dest=2 instr_mod1=10 mod1_mirror=10"), 0x950A002Au);
    expect_error("SETADCXY Ch1_Y=8 ThreadOverride=1", "asm.operand-range", 1, 18);
}

TEST(Instructions, MissingNamesAreZero) { EXPECT_EQ(word("UNPACR Last=1"), 0x42000001u); }

TEST(Instructions, Errors) {
    expect_error("NOP\n  ttstalwait 8,1024", "asm.unknown-instruction", 2, 3, "did you mean ttstallwait?");
    expect_error("SETADCX x=1", "asm.unknown-instruction", 1, 1, "did you mean SETADC");
    expect_error("SFPARECIP", "asm.unknown-instruction", 1, 1, "blackhole", Arch::wormhole);
    expect_error("SETADCXX x_end=255", "asm.unknown-operand", 1, 10, "did you mean x_end2?");
    expect_error("ttsetadcxx 8,255,0", "asm.operand-range", 1, 12, "CntSetMask, which takes 0 to 7");
    expect_error("ttsetadcxx 1, 2048,0", "asm.operand-range", 1, 15);
    expect_error("SETADCXX x_start=-1", "asm.operand-range", 1, 18);
    expect_error("ttsetadcxx 1,255", "asm.operand-count", 1, 17, "takes 3 operands: CntSetMask, x_end2, x_start");
    expect_error("ttsetadcxx", "asm.operand-count", 1, 11);
    expect_error("ttsetadcxx 1,255,0,4", "asm.operand-count", 1, 19);
    expect_error("ttnop 1", "asm.operand-count", 1, 7);
    expect_error("ttsetadcxx 1 255,0", "asm.syntax", 1, 14, "expected ','");
    expect_error("ttsetadcxx 1,255,0 x", "asm.syntax", 1, 20);
    expect_error("SETADCXX x0=1 2", "asm.syntax", 1, 15);
    expect_error("SETADCXX x0=1 x_start=2", "asm.syntax", 1, 15, "given twice");
    expect_error("ttsetadcxx 1,,0", "asm.syntax", 1, 14, "expected a value");
    expect_error("SETADCXX x0=Z", "asm.unknown-symbol", 1, 13);
    // The name of an operand in place of a value
    expect_error("ELWADD addr_mode", "asm.unknown-symbol", 1, 8, "addr_mode needs a value: addr_mode=...");
    expect_error("ELWADD 0, Addr_Mode", "asm.unknown-symbol", 1, 11, "addr_mode needs a value: addr_mode=...");
    expect_error("ELWADD addr_modes", "asm.unknown-symbol", 1, 8, "'addr_modes' is not a value of");
    expect_error("!", "asm.syntax", 1, 1);
}

// --- expressions

TEST(Expressions, FollowC) {
    constexpr std::pair<std::string_view, std::uint32_t> cases[] = {
        {"1 + 2 * 3", 7},   {"(1 + 2) * 3", 9}, {"1 << 2 + 1", 8},
        {"7 & 3 | 8", 11},  {"6 ^ 3 & 1", 7},   {"10 - 4 - 3", 3},
        {"17 / 5 * 2", 6},  {"17 % 5", 2},      {"0xFF >> 4", 15},
        {"~0", 0xFFFFFFFF}, {"-1", 0xFFFFFFFF}, {"- -1", 1},
        {"0b101", 5},       {"0XaB", 0xAB},     {"1<<31", 0x80000000},
        {"~(1|2) & 7", 4},  {"Float16_b", 5},   {"Bfp2_b*16+Tf32", 244},
        {"010", 10},        {"+3", 3},          {"4294967295", 0xFFFFFFFF},
    };
    for (const auto& [text, value] : cases) {
        const auto ops = thread_ops(fmt::format(".gpr 0 = {}", text));
        ASSERT_EQ(ops.size(), 1u);
        EXPECT_EQ(ops[0].value, value) << text;
    }
}

// Two operators of neighbouring rows of C's table, in the order in which reading from left to right is wrong.
TEST(Expressions, EachRowOfOperatorsBindsMoreThanTheOneBefore) {
    constexpr std::pair<std::string_view, std::uint32_t> cases[] = {
        {"1 | 3 ^ 1", 3},  {"6 ^ 3 & 1", 7}, {"6 & 1 << 1", 2}, {"5 & 4 >> 1", 0}, {"1 << 3 - 1", 4},
        {"8 >> 1 + 1", 2}, {"1 + 2 * 3", 7}, {"7 - 2 * 3", 1},  {"6 + 4 / 2", 8},  {"7 + 5 % 3", 9},
    };
    for (const auto& [text, value] : cases)
        EXPECT_EQ(thread_ops(fmt::format(".gpr 0 = {}", text)).at(0).value, value) << text;
}

TEST(Expressions, OperatorsOfOneRowAreReadFromTheLeft) {
    constexpr std::pair<std::string_view, std::uint32_t> cases[] = {
        {"10 - 4 + 3", 9}, {"16 >> 1 << 2", 32}, {"1 << 4 >> 1", 8}, {"17 / 5 * 2", 6},
        {"7 % 4 * 2", 6},  {"3 * 5 % 4", 3},     {"9 % 5 / 2", 2},   {"9 / 2 % 3", 1},
    };
    for (const auto& [text, value] : cases)
        EXPECT_EQ(thread_ops(fmt::format(".gpr 0 = {}", text)).at(0).value, value) << text;
}

// The last results that 64 bits with sign hold, and the first that they do not.
TEST(Expressions, EndsOfSixtyFourBits) {
    constexpr std::string_view lowest = "(-9223372036854775807 - 1)";
    const std::pair<std::string, std::uint32_t> fit[] = {
        {"(1 << 62) >> 61", 2},
        {"0 << 63", 0},
        {"-1 << 63 >> 62", 0xFFFF'FFFE},
        {"-1 >> 63", 0xFFFF'FFFF},
        {"9223372036854775807 >> 63", 0},
        {fmt::format("{} >> 63", lowest), 0xFFFF'FFFF},
        {fmt::format("{} / 1 >> 62", lowest), 0xFFFF'FFFE},
        {"-9223372036854775807 / -1 >> 62", 1},
        {"5 / -1", 0xFFFF'FFFB},
        {"5 % -1", 0},
        {fmt::format("{} % 3", lowest), 0xFFFF'FFFE},
    };
    for (const auto& [text, value] : fit) EXPECT_EQ(thread_ops(".gpr 0 = " + text).at(0).value, value) << text;
    for (const std::string_view text :
         {"1 << 63", "1 << -1", "1 >> 64", "3 << 62", "-2 << 63", "0 << 64", "9223372036854775807 * 2", "-9223372036854775807 - 2"}) {
        const auto program = assemble(fmt::format(".gpr 0 = {}", text), Arch::blackhole);
        ASSERT_FALSE(program) << text;
        EXPECT_EQ(program.error().message, fmt::format("{} has no 64-bit result", text));
    }
    for (const std::string_view op : {"/", "%"}) {
        const auto divided = assemble(fmt::format(".gpr 0 = {} {} -1", lowest, op), Arch::blackhole);
        ASSERT_FALSE(divided);
        EXPECT_EQ(divided.error().message, fmt::format("-9223372036854775808 {} -1 has no 64-bit result", op));
    }
    expect_error(fmt::format(".gpr 0 = 1 + -{}", lowest), "asm.range", 1, 14, "the value does not fit 64 bits");
}

TEST(Expressions, AnUnknownNameBringsTheNearestOne) {
    const std::string equ = ".equ WIDTH, 3\n";
    expect_error(equ + "SETADCXX x0=WIDHT", "asm.unknown-symbol", 2, 13,
                 "'WIDHT' has no value: .equ gives it one, or [symbols] of a job, or --symbol (did you mean WIDTH?)");
    expect_error(equ + ".gpr 0 = width", "asm.unknown-symbol", 2, 10, "did you mean WIDTH?");
    expect_error(equ + ".gpr 0 = Flaot16_b", "asm.unknown-symbol", 2, 10, "did you mean Float16_b?");
    // The operand's values have names, too.
    expect_error(".equ FULL, 4\nSEMWAIT sem_sel=FULLL", "asm.unknown-symbol", 2, 17, "did you mean FULL?");
}

TEST(Expressions, Errors) {
    expect_error(".gpr 0 = 1 / 0", "asm.range", 1, 12);
    expect_error(".gpr 0 = 1 % (2-2)", "asm.range", 1, 12);
    expect_error(".gpr 0 = 1 << 64", "asm.range", 1, 12);
    expect_error(".gpr 0 = 1 >> -1", "asm.range", 1, 12);
    expect_error(".gpr 0 = 0x7fffffffffffffff + 1", "asm.range", 1, 29);
    expect_error(".gpr 0 = 9223372036854775808", "asm.range", 1, 10);
    expect_error(".gpr 0 = (1", "asm.syntax", 1, 12, "')'");
    expect_error(".gpr 0 = 12ab", "asm.syntax", 1, 10);
    expect_error(".gpr 0 = 0x", "asm.syntax", 1, 10);
    expect_error(".gpr 0 = 1 +", "asm.syntax", 1, 13);
    expect_error(".gpr 0 = two", "asm.unknown-symbol", 1, 10,
                 "'two' has no value: .equ gives it one, or [symbols] of a job, or --symbol");
    expect_error(".gpr 0 = 0xFFFFFFFFFFFFFFFF", "asm.range", 1, 10, "0xFFFFFFFFFFFFFFFF does not fit 64 bits with a sign");
    expect_error(".gpr 0 = " + std::string(1'000'000, '('), "asm.nesting", 1, 111);
    expect_error(".gpr 0 = " + std::string(1'000'000, '-'), "asm.nesting", 1, 111);
}

// --- directives

TEST(Directives, EachMakesItsOp) {
    const auto ops = thread_ops(
        ".gpr 63 = -2\n.mop 8 = 7\n.drain\n.sem_post 7\n.sem_get 0\n.sem_wait 1, nonzero\n"
        ".sem_wait 2,below_max\n.ttinsn 0xFFFFFFFF\n.cfg 447 = 1\n");
    const std::vector<Op> expected = {
        {Kind::gpr, 63, 0xFFFFFFFE, 1},
        {Kind::mop, 8, 7, 2},
        {Kind::drain, 0, 0, 3},
        {Kind::sem_post, 7, 0, 4},
        {Kind::sem_get, 0, 0, 5},
        {Kind::sem_wait, 1, Op::until_nonzero, 6},
        {Kind::sem_wait, 2, Op::until_below_max, 7},
        {Kind::ins, 0, 0xFFFFFFFF, 8},
        {Kind::cfg, 447, 1, 9},
    };
    EXPECT_EQ(ops, expected);
}

// The instruction that a MOP emits is written as an instruction. Both spellings; a symbol of that name takes precedence
// over the instruction.
TEST(Directives, MopTakesInstructions) {
    const auto ops = thread_ops(
        ".equ MODE, 5\n.mop 6 = MVMUL addr_mode=MODE clear_dvalid=2\n.mop 2 = ttnop\n.mop 5=REPLAY len=15 # all\n"
        ".equ NOP, 7\n.mop 2 = NOP\n");
    const std::vector<Op> expected = {{Kind::mop, 6, 0x26814000, 2},
                                      {Kind::mop, 2, 0x02000000, 3},
                                      {Kind::mop, 5, 0x040000F0, 4},
                                      {Kind::mop, 2, 7, 6}};
    EXPECT_EQ(ops, expected);
    expect_error(".mop 6 = MVMUL addr_mod=5", "asm.unknown-operand", 1, 16);
    expect_error(".gpr 6 = MVMUL", "asm.unknown-symbol", 1, 10);
}

TEST(Directives, MopTellsInstructionsFromSymbols) {
    EXPECT_EQ(thread_ops(".mop 5 = Ttnop\n"), thread_ops(".mop 5 = ttnop\n"));
    expect_error(".mop 6 = MVMULL addr_mode=5", "asm.unknown-instruction", 1, 10, "did you mean MVMUL?");
    expect_error(".mop 6 = ttmvmull 0,0,0,0", "asm.unknown-instruction", 1, 10, "did you mean ttmvmul?");
    expect_error(".mop 6 = SETDMAREGG.immediate NewValue=7", "asm.unknown-instruction", 1, 10, "did you mean SETDMAREG?");
    for (const std::string text : {".mop 6 = SFPARECIP", ".mop 6 = SFPARECIP lreg_dest=1", ".mop 6 = ttsfparecip"})
        expect_error(text, "asm.unknown-instruction", 1, 10, "is an instruction of blackhole, not of wormhole", Arch::wormhole);
    expect_error(".mop 6 = MVMULL", "asm.unknown-symbol", 1, 10,
                 "'MVMULL' is neither an instruction nor a symbol (did you mean MVMUL?)");
    expect_error(".mop 6 = ttmvmull", "asm.unknown-symbol", 1, 10, "did you mean ttmvmul?");
    expect_error(".equ WIDTH, 3\n.mop 6 = WIDHT + 1", "asm.unknown-symbol", 2, 10, "did you mean WIDTH?");
}

TEST(Directives, CommentsAndBlankLinesSayNothing) {
    EXPECT_EQ(thread_ops("# a\n; b\n// c\n\n   \t\r\nNOP # d\r\nNOP;e\nNOP//f\n").size(), 3u);
    EXPECT_TRUE(thread_ops("").empty());
    EXPECT_EQ(thread_ops("NOP").size(), 1u);
}

TEST(Directives, ThreadsAreSelected) {
    const auto program =
        assemble("NOP\n.thread math\nNOP\nNOP\n.thread 2\n.drain\n.thread unpack\nNOP", Arch::wormhole, "x.tts");
    ASSERT_TRUE(program);
    EXPECT_EQ(program->threads[0].size(), 2u);
    EXPECT_EQ(program->threads[1].size(), 2u);
    EXPECT_EQ(program->threads[2].size(), 1u);
    EXPECT_EQ(program->place(0, 1), "x.tts:8");
    EXPECT_EQ(program->place(2, 0), "x.tts:6");
    EXPECT_EQ(program->place(2, 1), "");
    EXPECT_EQ(program->place(3, 0), "");
    const auto started = assemble("NOP", Arch::wormhole, {}, 2);
    ASSERT_TRUE(started);
    EXPECT_EQ(started->threads[2].size(), 1u);
    EXPECT_EQ(started->place(2, 0), "");
    EXPECT_FALSE(assemble("NOP", Arch::wormhole, {}, 3));
}

TEST(Directives, AThreadWithoutOpsHasNoFile) {
    const auto program = assemble(".thread pack\n.thread math\nNOP\n", Arch::wormhole, "x.tts");
    ASSERT_TRUE(program);
    EXPECT_EQ(program->files, (std::array<std::string, 3>{"", "x.tts", ""}));
}

TEST(Directives, SymbolsMayBeRedefined) {
    const auto ops = thread_ops(".equ N, 1\n.repeat 3\n.gpr N = N * N\n.equ N = N + 1\n.end\n");
    ASSERT_EQ(ops.size(), 3u);
    EXPECT_EQ(ops[2], (Op{Kind::gpr, 3, 9, 3}));
}

// A repeated instruction is read again when a symbol has another value, and only then comes out as before.
// A value from outside without effect is a mistake of the caller.
TEST(Directives, SymbolsFromOutsideHaveAnEffect) {
    const auto refused = [](std::string_view text, const std::map<std::string, std::int64_t>& symbols) {
        const auto program = assemble(text, Arch::blackhole, "a.tts", 0, symbols);
        return program ? "" : program.error().describe();
    };
    const std::string replaced =
        "a.tts: a value for 'W' has no effect, since .equ defines it before it is used: remove the .equ [asm.unknown-symbol]";
    EXPECT_EQ(refused(".equ W, 3\n.gpr 0 = W", {{"W", 4}}), replaced);
    EXPECT_EQ(refused(".equ W, 4\n.gpr 0 = W", {{"W", 4}}), replaced) << "whatever its value";
    EXPECT_EQ(refused(".equ W, W + 1\n.gpr 0 = W", {{"W", 4}}), "");
    EXPECT_EQ(refused(".gpr 0 = W\n.equ W, 3\n.gpr 0 = W", {{"W", 4}}), "");
    EXPECT_EQ(refused(".thread math\n.equ W, 3\n", {{"W", 4}}), "a.tts: the text uses no symbol 'W' [asm.unknown-symbol]");
    // Here A is the name of an unpacker.
    EXPECT_EQ(refused("SETADCXX unpackers=A x0=5", {{"A", 3}}), "a.tts: the text uses no symbol 'A' [asm.unknown-symbol]");
    EXPECT_EQ(refused("SETADCXX unpackers=A x0=A", {{"A", 3}}), "");
}

TEST(Directives, RepeatedInstructionsFollowTheirSymbols) {
    const auto repeated = thread_ops(
        ".equ N, 0\n.equ M, 7\n.repeat 4\n.repeat 2\nSETADCXX 1, N, M\nSETADCXX 2, M, 3\nNOP\n.end\n.equ N = N + 1\n.equ M = M\n.end");
    std::string text;
    for (int n = 0; n < 4; ++n)
        for (int twice = 0; twice < 2; ++twice) text += fmt::format("SETADCXX 1, {}, 7\nSETADCXX 2, 7, 3\nNOP\n", n);
    const auto written = thread_ops(text);
    ASSERT_EQ(repeated.size(), written.size());
    for (std::size_t i = 0; i < written.size(); ++i) EXPECT_EQ(repeated[i].value, written[i].value) << i;
    expect_error(".repeat 2\nSTALLWAIT block=PACK wait=PACK0\n.equ PACK = 5\n.end", "asm.ambiguous-name", 2, 17);
}

TEST(Directives, RepetitionsNest) {
    EXPECT_EQ(thread_ops(".equ N, 3\n.repeat N\n.repeat 2*2\nNOP\n.end\n.drain\n.end").size(), 15u);
    EXPECT_TRUE(thread_ops(".repeat 0\n nonsense\n.end").empty());
    EXPECT_TRUE(thread_ops(".repeat 5\n.end").empty());
}

TEST(Directives, RepetitionsAreBounded) {
    EXPECT_EQ(thread_ops(".repeat 4000000\nNOP\n.end").size(), 4'000'000u);
    expect_error("NOP\n .repeat 4000001\nNOP\n.end", "asm.range", 2, 2);
    expect_error(".repeat 3000\n.repeat 3000\nNOP\n.end\n.end", "asm.range", 1, 1);
    expect_error(".repeat 1<<60\n.repeat 1<<60\n.end\n.end", "asm.range", 1, 1, "more than 4000000 statements");
}

TEST(Directives, TextThatRepetitionsReadIsBounded) {
    // Each pass reads the line of a directive anew, here 1 MiB, and the count of an inner .repeat.
    const std::string blanks(std::size_t{1} << 20, ' ');
    const auto values = [&](int passes) { return fmt::format(".repeat {}\n.equ N ={}1\n.end", passes, blanks); };
    EXPECT_TRUE(thread_ops(values(255)).empty());
    expect_error(values(256), "asm.range", 1, 1, "more than 268435456 bytes of text");
    expect_error(fmt::format(".repeat 256\n.repeat{}0\n.end\n.end", blanks), "asm.range", 1, 1, "bytes of text");
    // An instruction is read once.
    EXPECT_EQ(thread_ops(fmt::format(".repeat 1000\nNOP{}\n.end", blanks)).size(), 1000u);
    // So is an instruction with a symbol that gets the value that it has.
    EXPECT_EQ(thread_ops(fmt::format(".equ N = 1\n.repeat 1000\n.equ N = 1\nSETADCXX x0=N{}\n.end", blanks)).size(), 1000u);
    // Each pass reads the .equ and the .end, here 1 MiB together.
    const auto exact = [&](std::size_t more) {
        return fmt::format(".repeat 256\n.equ N ={}1\n.end",
                           std::string(blanks.size() - std::string_view(".equ N =1.end").size() + more, ' '));
    };
    EXPECT_TRUE(thread_ops(exact(0)).empty());
    expect_error(exact(1), "asm.range", 1, 1, "more than 268435456 bytes of text");
}

TEST(Operands, FractionsAndNegativeValues) {
    expect_error("SFPLOADI lreg_ind=L0 imm16=1.0", "asm.syntax", 1, 29,
                 "values are whole numbers: write the bits of a fraction");
    expect_error("SFPLOADI lreg_ind=L0 imm16=-1", "asm.operand-range", 1, 28,
                 "-1 does not fit imm16, which takes 0 to 65535; -1 & 65535 has its low bits");
    expect_error("SFPLOADI lreg_ind=L0 imm16=65536", "asm.operand-range", 1, 28,
                 "65536 does not fit imm16, which takes 0 to 65535");
}

TEST(Directives, Errors) {
    expect_error("NOP\n .dran", "asm.unknown-directive", 2, 2, "did you mean drain?");
    expect_error(".foo", "asm.unknown-directive", 1, 1, "unknown directive '.foo'; known are .thread, ");
    expect_error(".thread 3", "asm.syntax", 1, 9);
    expect_error(".thread", "asm.syntax", 1, 8, "'' is not a thread");
    expect_error(".repeat 2\nNOP", "asm.nesting", 1, 1, ".repeat without .end");
    expect_error("NOP\n  .end", "asm.nesting", 2, 3, ".end without .repeat");
    expect_error(".thread math\n  .rept 7\nNOP\n.end", "asm.unknown-directive", 2, 3, "did you mean repeat?");
    expect_error(".repeat 2\n.dran\nNOP", "asm.unknown-directive", 2, 1, "did you mean drain?");
    expect_error(".repeat 2\n.thread 1\n.end", "asm.nesting", 2, 1);
    expect_error(".repeat -1\n.end", "asm.range", 1, 9);
    expect_error(".repeat 1 1\n.end", "asm.syntax", 1, 11);
    expect_error(".repeat 1\n.end 1", "asm.syntax", 2, 6);
    expect_error(".gpr 64 = 0", "asm.register-range", 1, 6, "0 to 63");
    expect_error(".gpr -1 = 0", "asm.register-range", 1, 6);
    expect_error(".gpr 65536 = 0", "asm.register-range", 1, 6);
    expect_error(".mop 9 = 0", "asm.register-range", 1, 6);
    expect_error(".sem_post 8", "asm.register-range", 1, 11);
    expect_error(".sem_wait 1 nonzero", "asm.syntax", 1, 13);
    expect_error(".sem_wait 1, zero", "asm.syntax", 1, 14);
    expect_error(".gpr 0, 1", "asm.syntax", 1, 7, "'='");
    expect_error(".gpr 0 = 4294967296", "asm.operand-range", 1, 10);
    expect_error(".ttinsn -2147483649", "asm.operand-range", 1, 9);
    expect_error(".drain 1", "asm.syntax", 1, 8);
    expect_error(".equ Float16, 3", "asm.syntax", 1, 6);
    expect_error(".equ 3, 3", "asm.syntax", 1, 6);
    expect_error(".equ N, two", "asm.unknown-symbol", 1, 9, "'two' has no value");
    expect_error(".repeat two\n.end", "asm.unknown-symbol", 1, 9, "'two' has no value");
}

// --- programs and formats

TEST(Validate, FindsOpsWithoutMeaning) {
    const Op bad[] = {
        {.kind = Kind::cfg, .index = 376},    {.kind = Kind::gpr, .index = 64},    {.kind = Kind::mop, .index = 9},
        {.kind = Kind::sem_post, .index = 8}, {.kind = Kind::sem_get, .index = 8}, {.kind = Kind::sem_wait, .index = 8},
        {.kind = Kind::sem_wait, .value = 2}, {.kind = static_cast<Kind>(99)},
    };
    for (const auto& op : bad) {
        Program program;
        program.arch = Arch::wormhole;
        program.threads[2] = {Op{.kind = Kind::drain}, op};
        EXPECT_FALSE(validate(program));
    }
    Program program;
    program.threads[0] = {Op{.kind = Kind::cfg, .index = 376}, Op{.kind = Kind::ins, .value = 0xFFFFFFFF}};
    EXPECT_TRUE(validate(program));
}

TEST(Validate, TellsTheOpAndItsLine) {
    const std::pair<Op, std::string_view> rows[] = {
        {{.kind = Kind::cfg, .index = 376}, "configuration word 376 does not exist: numbers are 0 to 375"},
        {{.kind = Kind::gpr, .index = 64}, "GPR 64 does not exist: numbers are 0 to 63"},
        {{.kind = Kind::mop, .index = 9}, "MOP configuration word 9 does not exist: numbers are 0 to 8"},
        {{.kind = Kind::sem_get, .index = 8}, "semaphore 8 does not exist: numbers are 0 to 7"},
        {{.kind = Kind::sem_wait, .value = 2}, "2 is not a condition of a semaphore"},
        {{.kind = static_cast<Kind>(8)}, "8 is not a kind of op"},
    };
    for (const auto& [op, what] : rows)
        for (unsigned thread = 0; thread < 3; ++thread) {
            Program program;
            program.arch = Arch::wormhole;
            program.files[thread] = "a.tts";
            program.threads[thread] = {{.kind = Kind::ins, .index = 9999}, {.kind = Kind::drain, .index = 9999}, op};
            program.threads[thread][2].line = 30 + static_cast<int>(thread);
            const auto done = validate(program);
            ASSERT_FALSE(done);
            EXPECT_EQ(done.error().code, "program.op");
            EXPECT_EQ(done.error().message, fmt::format("T{} op 2: {}", thread, what));
            EXPECT_EQ(done.error().file, "a.tts");
            EXPECT_EQ(done.error().line, 30 + static_cast<int>(thread));
        }
}

TEST(Programs, AnOpWithoutLineOrFileHasNoPlace) {
    Program program;
    program.threads[2] = {Op{.line = 1}, Op{.line = 0}, Op{.line = -1}};
    EXPECT_EQ(program.place(2, 0), "");
    program.files[2] = "a.tts";
    EXPECT_EQ(program.place(2, 0), "a.tts:1");
    EXPECT_EQ(program.place(2, 1), "");
    EXPECT_EQ(program.place(2, 2), "");
}

TEST(DataFormats, NamesAndCodesAreInverse) {
    for (unsigned code = 0; code < 16; ++code) {
        const auto format = static_cast<DataFormat>(code);
        if (code == 12 || code == 13) {
            EXPECT_EQ(name(format), std::to_string(code));
            EXPECT_FALSE(parse_data_format(name(format)));
        } else {
            EXPECT_EQ(parse_data_format(name(format)), format);
        }
    }
    for (const DataFormat format : all_data_formats) EXPECT_EQ(parse_data_format(name(format)), format);
    EXPECT_EQ(name(DataFormat::Bfp8_b), "Bfp8_b");
    EXPECT_EQ(hardware_format(DataFormat::UInt32), DataFormat::Int32);
    EXPECT_EQ(hardware_format(DataFormat::Fp8_e4m3), DataFormat::Lf8);
    EXPECT_EQ(hardware_format(DataFormat::UInt8), DataFormat::Int8);
    EXPECT_FALSE(parse_data_format("Invalid"));
    EXPECT_FALSE(parse_data_format("no format"));
    EXPECT_FALSE(parse_data_format("float32"));
    EXPECT_FALSE(parse_data_format(""));
}

// Names that PyTorch and numpy have, in any case; whole ones only.
TEST(DataFormats, NamesOfOthersAreHints) {
    const auto said = [](std::string_view text) { return read_data_format(text).error().message; };
    const std::pair<std::string_view, std::string_view> others[] = {
        {"BRAINFLOAT16", "Float16_b"}, {"Brainfloat16", "Float16_b"}, {"bf16", "Float16_b"}, {"HALF", "Float16"},
        {"half", "Float16"},           {"FP16", "Float16"},           {"fp32", "Float32"},   {"Fp32", "Float32"}};
    for (const auto& [other, meant] : others)
        EXPECT_NE(said(other).find(fmt::format("'{}' is not a data format (did you mean {}?): ", other, meant)),
                  std::string::npos)
            << said(other);
    for (const std::string_view none : {"halfs", "hal", "fp3", "xxxxxxxxxxxx"})
        EXPECT_TRUE(said(none).find("did you mean Float") == std::string::npos) << said(none);
    EXPECT_EQ(read_data_format("Float16"), DataFormat::Float16);
}

TEST(Robustness, RandomTextGivesErrorsOnly) {
    constexpr std::string_view pieces[] = {".cfg ",     ".repeat 3", ".end",  "\n", "NOP", " = ",
                                           "(",         ")",         "0x1",   "-",  "x1",  ",",
                                           "SETADCXX ", "ttnop",     ".equ ", "[",  "]",   "STATE_RESET_EN",
                                           "\xff",      ".thread ",  "2",     "<<"};
    std::mt19937 random(7);
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (auto n = random() % 20; n > 0; --n) text += pieces[random() % std::size(pieces)];
        const auto program = assemble(text, Arch::blackhole);
        if (!program) {
            EXPECT_TRUE(program.error().line > 0 && program.error().column > 0) << text;
        }
    }
}

}  // namespace
}  // namespace tessera
