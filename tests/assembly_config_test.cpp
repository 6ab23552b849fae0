// SPDX-License-Identifier: Apache-2.0
// `.cfg` in assembly text: stores, instructions and errors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "registers/field.hpp"
#include "state/arch_description.hpp"
#include "support/assembly.hpp"

namespace tessera {
namespace {

using namespace test;

// The store of STATE_RESET_EN clears its bank, so the last line's word has no other field.
TEST(Configuration, FieldsOfOneWordAreOneStore) {
    const auto ops = thread_ops(
        ".cfg ALU_FORMAT_SPEC_REG_SrcA_val = Float16_b\n\n# still together\n"
        ".cfg ALU_FORMAT_SPEC_REG_SrcA_override = 1\n.cfg ALU_FORMAT_SPEC_REG_SrcB_val = 3\n"
        ".cfg STATE_RESET_EN = 1\n.cfg ALU_FORMAT_SPEC_REG_SrcB_val = 0\n");
    const std::vector<Op> expected = {cfg(0, 5 | 1 << 4 | 3 << 5, 1), cfg(4, 1, 6), cfg(0, 0, 7)};
    EXPECT_EQ(ops, expected);
}

TEST(Configuration, WhatStandsBetweenKeepsStoresApart) {
    constexpr std::string_view a = ".cfg ALU_FORMAT_SPEC_REG_SrcA_val = 5\n",
                               b = ".cfg ALU_FORMAT_SPEC_REG_SrcB_val = 3\n";
    auto count = [&](std::string_view between) { return thread_ops(fmt::format("{}{}\n{}", a, between, b)).size(); };
    EXPECT_EQ(count(""), 1u);
    EXPECT_EQ(count(".equ N, 1"), 1u);
    EXPECT_EQ(count("NOP"), 3u);
    EXPECT_EQ(count(".thread 0"), 2u);
    EXPECT_EQ(thread_ops(fmt::format(".repeat 2\n{}.end\n{}", a, b)).size(), 3u);
    EXPECT_EQ(thread_ops(fmt::format("{}.repeat 1\n{}.end\n", a, b)).size(), 2u);
    EXPECT_EQ(thread_ops(fmt::format("{}.repeat 0\nNOP\n.end\n{}", a, b)).size(), 2u);
    EXPECT_EQ(thread_ops(fmt::format("{}{}", a, a)).size(), 2u);
}

// Fields whose bits do not overlap are still apart in another word, bank or kind of configuration.
TEST(Configuration, OnlyFieldsOfTheSameWordAreOneStore) {
    EXPECT_EQ(thread_ops(".cfg ALU_FORMAT_SPEC_REG_SrcA_override = 1\n.cfg STATE_RESET_EN = 1\n"),
              (std::vector<Op>{cfg(0, 1 << 4, 1), cfg(4, 1, 2)}));
    EXPECT_EQ(thread_ops(".cfg ALU_FORMAT_SPEC_REG_SrcA_val = 5\n.cfg ALU_FORMAT_SPEC_REG_SrcA_override[1] = 1\n"),
              (std::vector<Op>{cfg(0, 5, 1), cfg(224, 1 << 4, 2)}));
    EXPECT_EQ(thread_ops(".cfg CFG_STATE_ID_StateID = 1\n.cfg ALU_FORMAT_SPEC_REG_SrcA_override = 1\n"),
              (std::vector<Op>{ins(0xB2000001, 1), cfg(0, 1 << 4, 2)}));
}

// A field named twice is a pulse, also when another field of its word came first.
TEST(Configuration, AFieldNamedAgainIsAnotherStore) {
    EXPECT_EQ(thread_ops(".cfg ALU_FORMAT_SPEC_REG_SrcA_val = 5\n.cfg ALU_FORMAT_SPEC_REG_SrcA_override = 1\n"
                         ".cfg ALU_FORMAT_SPEC_REG_SrcA_override = 0\n"),
              (std::vector<Op>{cfg(0, 5 | 1 << 4, 1), cfg(0, 5, 3)}));
}

TEST(Configuration, ThreadFieldsAreInstructions) {
    const auto ops = thread_ops(".cfg SRCA_SET_SetOvrdWithAddr = 1\nttsetc16 5,3\n.cfg SRCA_SET_SetOvrdWithAddr = 1\n");
    EXPECT_EQ(ops, (std::vector<Op>{ins(0xB2050004, 1), ins(0xB2050003, 2), ins(0xB2050007, 3)}));
    EXPECT_EQ(thread_ops(".cfg SRCA_SET_SetOvrdWithAddr = 1", Arch::wormhole), std::vector<Op>{ins(0xB2030004, 1)});
}

// SETDMAREG has other operands where SETC16 has its register and value.
TEST(Configuration, OnlySetc16IsAStoreOfThreadConfiguration) {
    const auto ops = thread_ops(".cfg SRCA_SET_SetOvrdWithAddr = 1\n.ttinsn 0x45050003\n.cfg SRCA_SET_Base = 1\n");
    EXPECT_EQ(ops, (std::vector<Op>{ins(0xB2050004, 1), ins(0x45050003, 2), ins(0xB2050005, 3)}));
}

// A word of the MOP is stored, and not executed: SRCA_SET (5) keeps its bit 2, and Base is bits 0 and 1.
TEST(Configuration, Setc16InAMopIsNoStoreOfThreadConfiguration) {
    const auto ops = thread_ops(".cfg SRCA_SET_SetOvrdWithAddr = 1\n.mop 5 = ttsetc16 5,3\n.cfg SRCA_SET_Base = 1\n");
    const Op stored = {.kind = Kind::mop, .index = 5, .value = 0xB2050003, .line = 2};
    EXPECT_EQ(ops, (std::vector<Op>{ins(0xB2050004, 1), stored, ins(0xB2050005, 3)}));
}

TEST(Configuration, FieldsThatAreNotNamedKeepTheirValue) {
    EXPECT_EQ(thread_ops(".cfg 0 = 0xFFFFFFFF\n.cfg ALU_FORMAT_SPEC_REG_SrcA_val = 0"),
              (std::vector<Op>{cfg(0, 0xFFFFFFFF, 1), cfg(0, 0xFFFFFFF0, 2)}));
}

TEST(Configuration, BanksAreApartAndSharedWordsAreNot) {
    EXPECT_EQ(thread_ops(".cfg STATE_RESET_EN = 1\n.cfg STATE_RESET_EN[1] = 1\n.cfg STATE_RESET_EN[0] = 0"),
              (std::vector<Op>{cfg(4, 1, 1), cfg(228, 1, 2), cfg(4, 0, 3)}));
    EXPECT_EQ(thread_ops(".cfg STATE_RESET_EN[1] = 1", Arch::wormhole), std::vector<Op>{cfg(192, 1, 1)});
    const auto& shared =
        registers::find_field("DEST_TARGET_REG_CFG_PACK_SEC0_Offset", Arch::blackhole)->spec->blackhole;
    ASSERT_GE(shared.addr32, state::describe(Arch::blackhole).shared_config_base);
    const auto ops = thread_ops(
        fmt::format(".cfg {} = 0xFFFFFFFF\n.cfg DEST_TARGET_REG_CFG_PACK_SEC0_Offset = 0\n", shared.addr32 + 224));
    ASSERT_EQ(ops.size(), 2u);
    EXPECT_EQ(ops[1].value, ~(shared.mask() << shared.lo));
}

// BackendConfiguration, Special cases: a store to STATE_RESET_EN, whatever its value, clears its bank and not what banks share.
TEST(Configuration, AResetForgetsTheWordsOfItsBank) {
    for (const Arch arch : all_archs) {
        const auto value_after = [&](unsigned word, std::string_view reset, std::string_view field) {
            return thread_ops(fmt::format(".cfg {} = 0xFFFFFFFF\n{}\n.cfg {} = 0\n", word, reset, field), arch).back().value;
        };
        const auto& chip = state::describe(arch);
        for (const auto& field : registers::backend_fields) {
            const auto& at = field.at(arch);
            if (!at.present()) continue;
            const std::uint32_t others = ~(at.mask() << at.lo);
            const bool banked = at.addr32 < chip.shared_config_base;
            EXPECT_EQ(value_after(at.addr32, ".cfg STATE_RESET_EN = 1", field.name), banked ? 0 : others) << field.name;
            if (field.name == "STATE_RESET_EN") continue;
            EXPECT_EQ(value_after(at.addr32, ".cfg STATE_RESET_EN[1] = 1", field.name), others) << field.name;
        }
        constexpr std::uint32_t others = ~(0xFu << 5);
        const std::string other_bank = "ALU_FORMAT_SPEC_REG_SrcB_val[1]";
        EXPECT_EQ(value_after(chip.config_words, ".cfg STATE_RESET_EN = 1", other_bank), others);
        for (const std::string_view reset : {".cfg STATE_RESET_EN[1] = 1", ".cfg STATE_RESET_EN[1] = 0"})
            EXPECT_EQ(value_after(chip.config_words, reset, other_bank), 0u) << reset;
        EXPECT_EQ(value_after(0, ".cfg 4 = 0", "ALU_FORMAT_SPEC_REG_SrcB_val"), 0u);
    }
}

TEST(Configuration, ThreadsKeepTheirOwnValues) {
    const auto program = assemble(
        ".cfg ALU_FORMAT_SPEC_REG_SrcA_val = 5\n.thread 1\n.cfg ALU_FORMAT_SPEC_REG_SrcB_val = 1\n", Arch::blackhole);
    ASSERT_TRUE(program);
    EXPECT_EQ(program->threads[1], std::vector<Op>{cfg(0, 1 << 5, 3)});
}

TEST(Configuration, AddressesMayBeSymbols) {
    EXPECT_EQ(thread_ops(".equ BASE, 220\n.cfg BASE + 4 = 9"), std::vector<Op>{cfg(224, 9, 2)});
}

TEST(Configuration, EveryFieldCanBeSet) {
    for (Arch arch : all_archs) {
        auto check = [&](const auto& fields, unsigned word_bits) {
            for (const auto& field : fields) {
                const auto& at = field.at(arch);
                if (!at.present()) continue;
                EXPECT_LE(at.lo + at.width, word_bits) << field.name;
                const auto ops = thread_ops(fmt::format(".cfg {} = {}", field.name, at.mask()), arch);
                ASSERT_EQ(ops.size(), 1u);
                EXPECT_EQ(ops[0].value & (word_bits == 16 ? 0xFFFF : ~0u), at.mask() << at.lo) << field.name;
            }
        };
        check(registers::backend_fields, 32);
        check(registers::thread_fields, 16);
    }
}

// docs/assembly.md: a 32-bit value may be signed or unsigned.
TEST(Configuration, AFieldOf32BitsMayBeSigned) {
    constexpr std::pair<std::string_view, std::uint32_t> cases[] = {
        {"-1", 0xFFFFFFFF}, {"-2147483648", 0x80000000}, {"0xFFFFFFFF", 0xFFFFFFFF}};
    for (const auto& [text, value] : cases)
        EXPECT_EQ(thread_ops(fmt::format(".cfg PRNG_SEED_Seed_Val = {}", text)).at(0).value, value) << text;
    expect_error(".cfg PRNG_SEED_Seed_Val = -2147483649", "asm.register-range", 1, 27, "-2147483648 to 4294967295");
    expect_error(".cfg PRNG_SEED_Seed_Val = 4294967296", "asm.register-range", 1, 27);
}

TEST(Configuration, Errors) {
    expect_error(".cfg ALU_FORMAT_SPEC_REG_SrcA_vol = 1", "asm.unknown-register", 1, 6,
                 "did you mean ALU_FORMAT_SPEC_REG_SrcA_val?");
    expect_error(".cfg state_reset_en = 1", "asm.unknown-register", 1, 6, "did you mean STATE_RESET_EN?");
    expect_error(".cfg SRCA_SET_Bas = 1", "asm.unknown-register", 1, 6, "did you mean SRCA_SET_Base?");
    expect_error(".cfg DEST_SP_BASE_Base = 1", "asm.unknown-register", 1, 6, "blackhole", Arch::wormhole);
    expect_error(".cfg DEST_SP_BASE_Bas = 1", "asm.unknown-register", 1, 6, "did you mean DEST_SP_BASE_Base?");
    const auto other = assemble(".cfg DEST_SP_BASE_Bas = 1", Arch::wormhole);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().message.find("DEST_SP_BASE_Base"), std::string::npos) << "a field of Blackhole";
    expect_error(".cfg STATE_RESET_EN = 2", "asm.register-range", 1, 23, "0 to 1");
    expect_error(".cfg STATE_RESET_EN = -1", "asm.register-range", 1, 23);
    expect_error(".cfg STATE_RESET_EN[2] = 1", "asm.register-range", 1, 21);
    expect_error(".cfg STATE_RESET_EN[1 = 1", "asm.syntax", 1, 23);
    expect_error(".cfg STATE_RESET_EN[one] = 1", "asm.unknown-symbol", 1, 21, "'one' has no value");
    expect_error(".cfg SRCA_SET_Base[1] = 1", "asm.register-range", 1, 19);
    expect_error(".cfg 448 = 1", "asm.register-range", 1, 6, "0 to 447");
    expect_error(".cfg 376 = 1", "asm.register-range", 1, 6, {}, Arch::wormhole);
    expect_error(".cfg 0 = 0x100000000", "asm.operand-range", 1, 10);
    expect_error(".cfg STATE_RESET_EN 1", "asm.syntax", 1, 21);
}

}  // namespace
}  // namespace tessera
