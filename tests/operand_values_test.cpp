// SPDX-License-Identifier: Apache-2.0
// Operand values by name: against the vendor's headers and pages, in both directions, and errors for wrong names.
#include "isa/operand_values.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "isa/names.hpp"
#include "support/assembly.hpp"
#include "support/run_cli.hpp"
#include "tessera/assembly.hpp"
#include "tessera/instruction_set.hpp"

namespace tessera {
namespace {

using namespace test;
using isa::OperandSpec;
using isa::ValueSpec;
using testing::HasSubstr;

/// Calls f(spec, form, operand) for each operand that means something; the form of the instruction's own has no name.
template <class F>
void for_each_operand(Arch arch, F&& f) {
    for (const auto& spec : isa::table) {
        if (!isa::includes(spec.archs, arch)) continue;
        for (const auto& o : isa::operands(spec))
            if (o.bits) f(spec, isa::Form{}, o);
        for (std::size_t i = 0; i < spec.forms.size(); ++i)
            if (spec.forms[i].operand_count)
                for (const auto& o : isa::form(spec, i).operands) f(spec, isa::form(spec, i), o);
    }
}

std::string line(const isa::InstructionSpec& spec, const isa::Form& form, const OperandSpec& o,
                 std::string_view value) {
    return fmt::format("{}{}{} {}={}", spec.name, form.name.empty() ? "" : ".", form.name, isa::spelled(o.name), value);
}

/// The word that a value of the operand makes, all other operands 0.
std::uint32_t expected(const isa::InstructionSpec& spec, const isa::Form& form, const OperandSpec& o,
                       std::uint32_t value) {
    return std::uint32_t{spec.opcode} << 24 | (value << o.lo & ~form.mask) | form.value;
}

class OperandValues : public testing::TestWithParam<Arch> {};

TEST_P(OperandValues, EachOperandSaysWhatItsValuesMean) {
    for_each_operand(GetParam(), [&](const auto& spec, const isa::Form& form, const OperandSpec& o) {
        const auto* set = isa::values_of(o);
        ASSERT_TRUE(set) << spec.name << "." << form.name << " " << o.name;
        EXPECT_FALSE(set->title.empty()) << o.name;
        EXPECT_FALSE(set->about.empty() && set->values.empty()) << set->title;
    });
}

TEST_P(OperandValues, EachNameAssemblesToItsBitsAlone) {
    std::size_t names = 0;
    for_each_operand(GetParam(), [&](const auto& spec, const isa::Form& form, const OperandSpec& o) {
        isa::for_each_value(*isa::values_of(o), GetParam(), [&](const ValueSpec& value) {
            ASSERT_EQ(value.on(GetParam()) << o.lo & ~o.used_mask(), 0u) << spec.name << " " << value.name;
            const auto program = assemble(line(spec, form, o, value.name), GetParam());
            ASSERT_TRUE(program) << program.error().describe();
            ASSERT_EQ(program->threads[0][0].value, expected(spec, form, o, value.on(GetParam())))
                << line(spec, form, o, value.name);
            ++names;
        });
    });
    EXPECT_GT(names, 1000u);
}

TEST_P(OperandValues, NamesOfAnOperandDiffer) {
    for_each_operand(GetParam(), [&](const auto& spec, const isa::Form&, const OperandSpec& o) {
        const auto* set = isa::values_of(o);
        std::set<std::string> seen;
        isa::for_each_value(*set, GetParam(), [&](const ValueSpec& value) {
            std::istringstream all(std::string(value.name) + " " + std::string(value.also));
            for (std::string name; all >> name;) {
                for (char& c : name) c = static_cast<char>(std::tolower(c));
                EXPECT_TRUE(seen.insert(name).second) << spec.name << " " << o.name << " " << name;
                EXPECT_EQ(isa::find_value(*set, name, GetParam()), &value) << name;
            }
        });
    });
}

TEST_P(OperandValues, TextOfEachValueIsReadAsThatValue) {
    std::size_t named = 0;
    for_each_operand(GetParam(), [&](const auto& spec, const isa::Form& form, const OperandSpec& o) {
        const auto* set = isa::values_of(o);
        if (set->values.empty()) return;
        const std::uint32_t last = std::min(o.span_max(), (1u << o.bits) - 1);
        for (std::uint32_t value = 0; value <= last && value < 0x8000; ++value) {
            const auto text = isa::value_text(*set, value, GetParam());
            if (!text) continue;
            ++named;
            if (value % 7 && value > 512) continue;  // each is as good as the next one
            const auto program = assemble(line(spec, form, o, *text), GetParam());
            ASSERT_TRUE(program) << program.error().describe();
            ASSERT_EQ(program->threads[0][0].value, expected(spec, form, o, value)) << line(spec, form, o, *text);
        }
    });
    EXPECT_GT(named, 10000u);
}

// A form's condition may cover a part of an operand: the operand's whole value has the name.
TEST_P(OperandValues, EachNamedValueIsDisassembledByName) {
    std::size_t named = 0;
    for_each_operand(GetParam(), [&](const auto& spec, const isa::Form& form, const OperandSpec& o) {
        const bool given_by_form = !(o.used_mask() & ~form.mask);
        if (given_by_form) return;
        const auto* set = isa::values_of(o);
        isa::for_each_value(*set, GetParam(), [&](const ValueSpec& value) {
            const std::uint32_t wanted = std::uint32_t{spec.opcode} << 24 | (form.value & ~o.used_mask()) | value.on(GetParam()) << o.lo;
            const auto found = isa::form_of(isa::decode(wanted, GetParam()));
            const auto says = isa::value_text(*set, value.on(GetParam()), GetParam());
            const bool of_other_form = !found || (found->operands.data() != isa::operands(spec).data() && found->name != form.name);
            if (value.on(GetParam()) == 0 || !says || of_other_form) return;
            const std::string text = disassemble_named(wanted, GetParam());
            ASSERT_THAT(text + " ", HasSubstr(fmt::format(" {}={} ", isa::spelled(o.name), *says))) << form.name;
            ASSERT_EQ(word(text, GetParam()), wanted) << text;
            ++named;
        });
    });
    EXPECT_GT(named, 1000u);
}

TEST_P(OperandValues, NamesThatExcludeEachOtherAreRefused) {
    std::size_t pairs = 0;
    for_each_operand(GetParam(), [&](const auto& spec, const isa::Form& form, const OperandSpec& o) {
        const auto* set = isa::values_of(o);
        isa::for_each_value(*set, GetParam(), [&](const ValueSpec& a) {
            isa::for_each_value(*set, GetParam(), [&](const ValueSpec& b) {
                if (&a >= &b || a.kind != ValueSpec::Kind::part || b.kind != ValueSpec::Kind::part ||
                    a.mask(GetParam()) != b.mask(GetParam()) || a.on(GetParam()) == b.on(GetParam()))
                    return;
                const auto refused = assemble(line(spec, form, o, fmt::format("{}|{}", a.name, b.name)), GetParam());
                ASSERT_FALSE(refused) << spec.name << " " << o.name << " " << a.name << " " << b.name;
                EXPECT_EQ(refused.error().code, "asm.operand-range");
                EXPECT_THAT(refused.error().message, HasSubstr("exclude each other"));
                ++pairs;
            });
        });
    });
    EXPECT_GT(pairs, 10u);
}

INSTANTIATE_TEST_SUITE_P(Archs, OperandValues, testing::ValuesIn(all_archs),
                         [](const auto& chosen) { return std::string(name(chosen.param)); });

TEST(VendorNames, AreReadAsWhatTheVendorsHeadersSay) {
    std::ifstream file(TESSERA_SOURCE_DIR "/tests/data/vendor_values.tsv");
    std::size_t rows = 0;
    for (std::string text; std::getline(file, text);) {
        if (text.starts_with('#')) continue;
        std::istringstream columns(text);
        std::string arch, instruction, operand, value_name;
        std::uint32_t lo = 0, value = 0;
        ASSERT_TRUE(columns >> arch >> instruction >> operand >> lo >> value_name >> value) << text;
        // The third bit of the mode means nothing on Blackhole, whose header has the names all the same.
        if (arch == "blackhole" && (value_name == "CLR_HALF_32B" || value_name == "CLR_ALL_32B")) continue;
        const auto program = assemble(fmt::format("{} {}={}", instruction, operand, value_name),
                                      arch == "wormhole" ? Arch::wormhole : Arch::blackhole);
        ASSERT_TRUE(program) << text << ": " << program.error().describe();
        EXPECT_EQ(program->threads[0][0].value & 0xFFFFFF, value << lo) << text;
        ++rows;
    }
    EXPECT_GE(rows, 690u);
}

TEST(ValueNames, StandByPositionToo) {
    EXPECT_EQ(word("STALLWAIT block=math wait=unpack0"), word("ttstallwait 64,2"));
    EXPECT_EQ(word("ttstallwait math,unpack0|pack"), word("ttstallwait 64,10"));
    EXPECT_EQ(word("STALLWAIT BLOCK=Math|Sfpu, wait=(thcon | srca_vld)"), word("ttstallwait 320,129"));
    EXPECT_EQ(word("SEMWAIT block=sync sem_sel=sem1|sem3 wait=zero"), word("ttsemwait 2,10,1"));
    EXPECT_EQ(word("ttsetrwc a|b,0,0,0,0,SET_ABD_F"), word("ttsetrwc 3,0,0,0,0,15"));
    EXPECT_EQ(word("SFPLOAD lreg_ind=L3 instr_mod0=MOD0_FMT_BF16"), word("SFPLOAD lreg_ind=3 instr_mod0=2"));
}

TEST(ValueNames, DifferBetweenTheArchitectures) {
    const auto at = [](std::string_view text, Arch arch) { return assemble(text, arch)->threads[0][0].value & 0x7FFF; };
    EXPECT_EQ(at("STALLWAIT wait=math", Arch::blackhole), 0x10u);
    EXPECT_EQ(at("STALLWAIT wait=math", Arch::wormhole), 0x80u);
    EXPECT_EQ(at("STALLWAIT wait=pack", Arch::blackhole), 0x08u);
    EXPECT_EQ(at("STALLWAIT wait=pack", Arch::wormhole), 0x78u);
    EXPECT_EQ(at("STALLWAIT wait=sfpu|trisc_cfg", Arch::blackhole), 0xC00u);
    EXPECT_EQ(at("STALLWAIT wait=sfpu|trisc_cfg", Arch::wormhole), 0x6000u);
}

TEST(ValueNames, OfRegistersOfMop) {
    const auto program =
        assemble(".mop loop_op = 7\n.mop outer_count = 3\n.mop SKIP_B = 1\n.mop flags0 = 2", Arch::blackhole);
    ASSERT_TRUE(program);
    std::vector<std::uint32_t> numbers;
    for (const Op& op : program->threads[0]) numbers.push_back(op.index);
    EXPECT_EQ(numbers, (std::vector<std::uint32_t>{5, 0, 8, 1}));
    const auto refused = assemble(".mop looop_op = 7", Arch::blackhole);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("did you mean loop_op?"));
}

std::string refusal(std::string_view text, Arch arch = Arch::blackhole) {
    const auto program = assemble(text, arch, "t.tts");
    return program ? "accepted" : program.error().describe();
}

TEST(UnknownValues, AreRefusedWithAllThereAre) {
    EXPECT_EQ(refusal("SEMWAIT wait=zerro"),
              "t.tts:1:14: 'zerro' is not a value of wait_sem_cond and not a symbol (did you mean zero?); the values are "
              "zero, max [asm.unknown-symbol]");
    EXPECT_EQ(refusal("STALLWAIT wait=pack2"),
              "t.tts:1:16: 'pack2' is a value of wait_res on wormhole, not on blackhole [asm.unknown-symbol]");
    EXPECT_EQ(refusal("STALLWAIT wait=cfgexu", Arch::wormhole),
              "t.tts:1:16: 'cfgexu' is a value of wait_res on blackhole, not on wormhole [asm.unknown-symbol]");
}

TEST(UnknownValues, ASymbolThatSaysSomethingElseIsAmbiguous) {
    EXPECT_EQ(refusal(".equ math, 3\nSTALLWAIT block=math"),
              "t.tts:2:17: 'math' is the symbol 3 here, and the name of the value 64: rename the symbol "
              "[asm.ambiguous-name]");
    EXPECT_EQ(refusal(".equ math, 64\nSTALLWAIT block=math"), "accepted");
    EXPECT_EQ(refusal(".equ math, 3\nSETADCXX x1=math"), "accepted");
    EXPECT_EQ(refusal(".equ A, 0x1000\nSETADCXX unpackers=A"), "accepted");
    // The name of a data format gives way: the mode of SFPLOAD is meant.
    EXPECT_EQ(word("SFPLOAD instr_mod0=Int32"), word("SFPLOAD instr_mod0=4"));
    // a0 is word 3 of the MOP's configuration in template 0.
    EXPECT_EQ(refusal(".equ a0, 5\n.mop a0 = 1"),
              "t.tts:2:6: 'a0' is the symbol 5 here, and the name of the value 3: rename the symbol [asm.ambiguous-name]");
    EXPECT_EQ(refusal(".equ a0, 3\n.mop a0 = 1"), "accepted");
}

TEST(NamedDisassembly, SaysValuesByName) {
    EXPECT_EQ(disassemble_named(word("ttstallwait 64,2"), Arch::blackhole),
              "STALLWAIT stall_res=math wait_res=unpack0");
    EXPECT_EQ(disassemble_named(0xA2200080, Arch::wormhole), "STALLWAIT stall_res=math wait_res=math");
    EXPECT_EQ(disassemble_named(word("ttstallwait 511,14"), Arch::blackhole),
              "STALLWAIT stall_res=thread wait_res=pack0|unpack");
    EXPECT_EQ(disassemble_named(word("ttsemwait 2,6,1"), Arch::blackhole),
              "SEMWAIT stall_res=sync sem_sel=sem1|sem2 wait_sem_cond=zero");
    EXPECT_EQ(disassemble_named(word("ttsfpiadd 1,3,3,5"), Arch::blackhole),
              "SFPIADD imm12_math=1 lreg_c=L3 lreg_dest=L3 instr_mod1=arg_imm|cc_none");
    EXPECT_EQ(disassemble_named(0x8E0000D6, Arch::blackhole),
              "SFP_STOCH_RND.float-to-integer lreg_dest=L13 instr_mod1=fp32_to_uint16");
    EXPECT_EQ(disassemble_named(0x8E000002, Arch::wormhole), "SFP_STOCH_RND.float-to-integer instr_mod1=fp32_to_uint8");
    EXPECT_EQ(disassemble_named(word("MOP mop_type=1"), Arch::blackhole), "MOP.template-1");
    // 7 is no mode: what has no name is a number.
    EXPECT_EQ(disassemble_named(word("SFPSETCC instr_mod1=7"), Arch::blackhole), "SFPSETCC instr_mod1=7");
    EXPECT_EQ(disassemble(word("ttstallwait 64,2"), Arch::blackhole), "ttstallwait\t64,2");
}

TEST(NamedDisassembly, OfRandomWordsAssemblesToThem) {
    std::mt19937 random(9);
    for (const Arch arch : all_archs)
        for (int i = 0; i < 40000; ++i) {
            const auto& spec = isa::table[random() % isa::table.size()];
            if (!isa::includes(spec.archs, arch)) continue;
            const std::uint32_t wanted =
                std::uint32_t{spec.opcode} << 24 | (static_cast<std::uint32_t>(random()) & 0xFFFFFF);
            const std::string text = disassemble_named(wanted, arch);
            ASSERT_EQ(word(text, arch), wanted) << text;
        }
}

TEST(IsaCli, TellsWhatValuesMean) {
    const auto text = run_cli({"isa", "STALLWAIT", "--arch", "wormhole"});
    EXPECT_EQ(text.status, 0);
    EXPECT_THAT(text.out, HasSubstr("0x4000  sfpu       the vector unit has an instruction of the thread"));
    EXPECT_THAT(text.out, HasSubstr("also wait"));
    EXPECT_THAT(run_cli({"isa", "MOP"}).out, HasSubstr("outer_count"));
    EXPECT_THAT(run_cli({"isa", "ELWMUL"}).out,
                testing::AllOf(HasSubstr("Dst is always added to"), testing::Not(HasSubstr("Dst becomes the result"))));
    const auto json = nlohmann::json::parse(run_cli({"isa", "SFPIADD", "--arch", "blackhole", "--json"}).out);
    const auto& mode = json.at(0).at("operands").at(3);
    EXPECT_EQ(mode.at("name"), "instr_mod1");
    EXPECT_EQ(mode.at("says").at("values").at(5),
              (nlohmann::json{{"name", "cc_gte0"},
                              {"value", 8},
                              {"mask", 12},
                              {"meaning", "the lane flag becomes whether the result is not negative"},
                              {"also", nlohmann::json::array()}}));
}

TEST(IsaCli, DisassemblesWithNames) {
    EXPECT_EQ(run_cli({"disasm", "--named", "0xA2200002"}).out, "STALLWAIT stall_res=math wait_res=unpack0\n");
    EXPECT_EQ(run_cli({"disasm", "0xA2200002"}).out, "ttstallwait\t64,2\n");
}

TEST(InstructionInfoValues, HaveNumbersAndMeanings) {
    const auto found = describe_instruction("STALLWAIT");
    ASSERT_TRUE(found);
    const auto& wormhole = (*found)[1].operands[1].says;
    EXPECT_EQ(wormhole.title, "wait conditions");
    const auto at = std::find_if(wormhole.values.begin(), wormhole.values.end(),
                                 [](const auto& value) { return value.name == "sfpu"; });
    ASSERT_NE(at, wormhole.values.end());
    EXPECT_EQ(at->value, 0x4000u);
    EXPECT_EQ(at->mask, 0x4000u);
    EXPECT_EQ(at->also, (std::vector<std::string>{"SFPU1", "WAIT_SFPU"}));
    EXPECT_EQ((*describe_instruction("MOP"))[0].registers.size(), 2u);
}

}  // namespace
}  // namespace tessera
