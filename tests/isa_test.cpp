// SPDX-License-Identifier: Apache-2.0
// Declarations of instructions: forms, operands, unused bits, and the pages generated from them.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "isa/form.hpp"
#include "tessera/assembly.hpp"
#include "tessera/instruction_set.hpp"

namespace tessera {
namespace {

constexpr unsigned bits(std::uint32_t word, unsigned hi, unsigned lo) { return word >> lo & ((2u << (hi - lo)) - 1); }

/// The form of a word by the instructions' pages; empty if they describe one form only.
std::string_view form_by_the_pages(std::uint32_t word, Arch arch) {
    const bool blackhole = arch == Arch::blackhole;
    switch (word >> 24) {
        case 0x01: return bits(word, 23, 23) ? "template-1" : "template-0";
        case 0x04:
            if (!bits(word, 0, 0)) return "execute";
            return bits(word, 1, 1) ? "load-and-execute" : "load";
        case 0x42:
            if (bits(word, 1, 1)) return "flush-cache";
            return bits(word, 13, 13) ? "increment-context-counter" : "regular";
        case 0x43:
            if (blackhole) switch (bits(word, 1, 0)) {
                    case 0: return "pop";
                    case 1: return bits(word, 7, 6) == 3 ? "set-dvalid" : "clear";
                    case 2: return "nop";
                    default: return bits(word, 2, 2) ? "set-register" : "explicit-pop";
                }
            switch (bits(word, 2, 0)) {
                case 0: return "pop";
                case 1:
                case 5: return "clear";
                case 2: return "nop";
                case 3: return "explicit-pop";
                case 4: return "set-register";
                case 7: return "set-dvalid";
                default: return "unspecified";
            }
        case 0x45: return bits(word, 7, 7) ? "special" : "immediate";
        case 0x48:
            if (bits(word, 21, 20) >= 2) return "adc";
            if (bits(word, 21, 20) == 1) return "unspecified";
            return bits(word, 23, 22) ? "configuration-32" : "configuration-128";
        case 0x66:
            if (bits(word, 23, 23)) return "l1";
            return bits(word, 22, 22) ? "mmio" : "src";
        case 0x8E:
            switch (bits(word, 2, 0)) {
                case 0:
                case 1: return "float-to-float";
                case 4:
                case 5: return "integer-to-integer";
                default: return "float-to-integer";
            }
        case 0x90:
            if (!blackhole || bits(word, 1, 0) < 2) return blackhole ? "integer-to-float" : "";
            return bits(word, 1, 0) == 2 ? "absolute" : "integer-to-integer";
        default: return {};
    }
}

class Forms : public testing::TestWithParam<Arch> {};

TEST_P(Forms, EachWordHasExactlyOne) {
    std::mt19937 random(1);
    for (std::uint32_t opcode = 0; opcode < 256; ++opcode) {
        for (int i = 0; i < 4096; ++i) {
            const std::uint32_t word = opcode << 24 | (static_cast<std::uint32_t>(random()) & 0xFFFFFF);
            const auto instruction = isa::decode(word, GetParam());
            const auto form = isa::form_of(instruction);
            ASSERT_EQ(form.has_value(), instruction.spec != nullptr) << std::hex << word;
            if (!form) continue;
            ASSERT_EQ(form->name, form_by_the_pages(word, GetParam())) << std::hex << word;
            ASSERT_EQ(word & form->mask, form->value) << std::hex << word;
        }
    }
}

TEST_P(Forms, EachIsReachedAndHasAName) {
    std::mt19937 random(3);
    for (const auto& spec : isa::table) {
        if (!isa::includes(spec.archs, GetParam())) continue;
        for (const auto& form : spec.forms) {
            EXPECT_FALSE(form.name.empty() || form.meaning.empty()) << spec.name;
            EXPECT_EQ(form.value & ~form.mask, 0u) << spec.name << " " << form.name;
            bool reached = false;
            for (int i = 0; i < 64 && !reached; ++i) {
                const std::uint32_t rest = static_cast<std::uint32_t>(random()) & 0xFFFFFF & ~form.mask;
                const std::uint32_t word = std::uint32_t{spec.opcode} << 24 | rest | form.value;
                reached = isa::form_of(isa::decode(word, GetParam()))->name == form.name;
            }
            EXPECT_TRUE(reached) << spec.name << " " << form.name;
        }
    }
}

TEST_P(Forms, OwnOperandsStandApart) {
    for (const auto& spec : isa::table) {
        for (const auto& form : spec.forms) {
            std::uint32_t taken = isa::opcode_mask;
            for (unsigned i = 0; i < form.operand_count; ++i) {
                EXPECT_EQ(taken & form.operands[i].span_mask(), 0u) << spec.name << " " << form.operands[i].name;
                taken |= form.operands[i].span_mask();
            }
        }
    }
}

TEST_P(Forms, EncodingAndDecodingAreInverse) {
    std::mt19937 random(2);
    for (const auto& spec : isa::table) {
        if (!isa::includes(spec.archs, GetParam())) continue;
        for (std::size_t f = 0; f < isa::form_count(spec); ++f) {
            const auto form = isa::form(spec, f);
            for (int round = 0; round < 200; ++round) {
                std::vector<std::uint32_t> values;
                for (const auto& o : form.operands) {
                    const std::uint32_t most = o.used_mask() >> o.lo;
                    const std::uint32_t choices[] = {0, most & 1, most, static_cast<std::uint32_t>(random()) & most};
                    values.push_back(choices[round < 4 ? static_cast<unsigned>(round) : random() % 4]);
                }
                const auto word = isa::encode(spec, form, values);
                const auto decoded = isa::decode(word, GetParam());
                ASSERT_EQ(decoded.spec, &spec);
                ASSERT_EQ(isa::form_of(decoded)->name, form_by_the_pages(word, GetParam()));
                // Operand values of one form may select another, which stands above it.
                if (isa::form_of(decoded)->name != form.name) continue;
                ASSERT_EQ(isa::undefined_bits(decoded), 0u) << spec.name << " " << form.name;
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const auto& o = form.operands[i];
                    // Operands that name the selecting bits have the form's value in them, and others lie upon others.
                    std::uint32_t own = o.used_mask() & ~form.mask;
                    for (std::size_t j = 0; j < values.size(); ++j)
                        if (j != i) own &= ~form.operands[j].used_mask();
                    ASSERT_EQ(word & own, values[i] << o.lo & own) << spec.name << " " << o.name;
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, Forms, testing::ValuesIn(all_archs),
                         [](const auto& chosen) { return std::string(name(chosen.param)); });

std::uint32_t undefined(std::uint32_t word, Arch arch = Arch::blackhole) {
    return isa::undefined_bits(isa::decode(word, arch));
}

TEST(UndefinedBits, AreThoseNoOperandDeclares) {
    EXPECT_EQ(undefined(0x02000001), 0x000001u);                   // NOP has no operands
    EXPECT_EQ(undefined(0xA2007FFF), 0x006000u);                   // STALLWAIT: 13 conditions on Blackhole,
    EXPECT_EQ(undefined(0xA2007FFF, Arch::wormhole), 0u);          // 15 on Wormhole
    EXPECT_EQ(undefined(0x510C0000), 0u);                          // SETADCXY: ThreadOverride counts
    EXPECT_EQ(undefined(0x51100000), 0x100000u);                   // but not the bit above it
    EXPECT_EQ(undefined(0x77FFF000), 0xFFF000u);                   // SFPEXEXP takes no immediate
    EXPECT_EQ(undefined(0x73FFFFFF), 0x00FFFFu);                   // SFPLUT no address
    EXPECT_EQ(undefined(0x95FFFFFF), 0xF0FF00u);                   // SFPLUTFP32: the mode's mirror counts
    EXPECT_EQ(undefined(0x95FFFFFF, Arch::wormhole), 0xFFFF00u);   // on Blackhole
    EXPECT_EQ(undefined(0x42000002 | 1u << 13), 1u << 13);         // UNPACR: flushing wins
    EXPECT_EQ(undefined(0x42000009 | 1u << 13), 0x000008u);        // counting takes no AutoIncContextID
    EXPECT_EQ(undefined(0x42004000), 0x004000u);                   // regular: [14] is nothing
    EXPECT_EQ(undefined(0x43000007 | 0x408FF8), 0u);               // UNPACR_NOP: the long form on Blackhole
    EXPECT_EQ(undefined(0x43000007 | 0x8, Arch::wormhole), 0x8u);  // is set-dvalid on Wormhole
    EXPECT_EQ(undefined(0x01800001), 0x000001u);                   // MOP: template 1 takes no count
    EXPECT_EQ(undefined(0x01000001), 0u);
    EXPECT_EQ(undefined(0x45380080), 0x380000u);             // SETDMAREG: the special form has a gap
    EXPECT_EQ(undefined(0x45380000), 0u);                    // the immediate one has not
    EXPECT_EQ(undefined(0x66200000 | 1u << 22), 0x200000u);  // STOREIND to MMIO has one size
    EXPECT_EQ(undefined(0x48040040 | 1u << 22), 0x040000u);  // REG2FLOP to configuration takes no ByteOffset
    EXPECT_EQ(undefined(0x48040040 | 2u << 20), 0u);
    EXPECT_EQ(undefined(0xFFFFFFFF), 0u);  // no instruction, no operands
    EXPECT_EQ(undefined(0x96FFFFFF, Arch::wormhole), 0u);
}

TEST(WaitClass, IsTheUnits) {
    auto blocked = [](std::string_view name, std::size_t arch) {
        return block_names((*describe_instruction(name))[arch].block_bits);
    };
    EXPECT_EQ(blocked("SETADCXX", 0), "TDMA");
    EXPECT_EQ(blocked("STOREIND", 1), "TDMA, THCON");
    EXPECT_EQ(blocked("UNPACR", 0), "TDMA, UNPACK");
    EXPECT_EQ(blocked("MVMUL", 0), "MATH");
    EXPECT_EQ(blocked("SFPMAD", 1), "SFPU");
    EXPECT_EQ(blocked("MOP", 0), "");
    EXPECT_EQ(blocked("STALLWAIT", 0), "TDMA, SYNC, PACK, UNPACK, XMOV, THCON, MATH, CFG, SFPU");
    EXPECT_EQ(blocked("SEMWAIT", 1), "SYNC");
    EXPECT_TRUE((*describe_instruction("nop"))[0].blocked_by_all_only);
    EXPECT_FALSE((*describe_instruction("ttdmanop"))[0].blocked_by_all_only);
}

TEST(InstructionSet, IsTheVendors) {
    EXPECT_EQ(instruction_set(Arch::blackhole).size(), 137u);
    EXPECT_EQ(instruction_set(Arch::wormhole).size(), 128u);
    EXPECT_EQ(describe_instruction("SFPARECIP")->size(), 1u);
}

// Below the one before it, or within that one's span.
TEST(InstructionSet, OperandsGoFromTheHighestBitsDown) {
    const auto in_order = [](const InstructionInfo::Operand& a, const InstructionInfo::Operand& b) {
        return b.hi < a.lo || (b.lo > a.lo && b.hi <= a.hi);
    };
    for (const Arch arch : all_archs)
        for (const InstructionInfo& info : instruction_set(arch))
            for (std::size_t i = 1; i < info.operands.size(); ++i)
                EXPECT_TRUE(in_order(info.operands[i - 1], info.operands[i])) << info.name << ": " << info.operands[i].name;
}

TEST(InstructionSet, UnknownNamesGetTheNearest) {
    const auto found = describe_instruction("ttsetadcxz");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, "isa.unknown-instruction");
    EXPECT_NE(found.error().message.find("did you mean SETADCX"), std::string::npos) << found.error().message;
}

TEST(InstructionSet, OneArchitectureMayLackAName) {
    EXPECT_EQ(find_instruction("ttsfparecip", Arch::blackhole)->name, "SFPARECIP");
    EXPECT_EQ(find_instruction("setadcxx", Arch::wormhole)->arch, Arch::wormhole);
    const auto lacking = find_instruction("SFPARECIP", Arch::wormhole);
    ASSERT_FALSE(lacking);
    EXPECT_EQ(lacking.error().code, "isa.unknown-instruction");
    EXPECT_EQ(lacking.error().message, "wormhole has no instruction 'SFPARECIP'");
    EXPECT_FALSE(find_instruction("SETADCXZ", Arch::blackhole));
}

TEST(InstructionSet, ReferencePageIsUpToDate) {
    std::ifstream file(TESSERA_SOURCE_DIR "/docs/reference/instructions.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    EXPECT_TRUE(page == instruction_reference()) << "tessera isa --markdown > docs/reference/instructions.md";
}

}  // namespace
}  // namespace tessera
