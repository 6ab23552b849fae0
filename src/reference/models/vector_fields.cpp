// SPDX-License-Identifier: Apache-2.0
// SFPDIVP2, SFPEXEXP, SFPEXMAN, SFPSETEXP, SFPSETMAN, SFPSETSGN, SFPABS, Functional models.
// spec-notes V37.
// Rules: units/vector/rules/float_fields.cpp, units/vector/rules/integers.cpp; loops: units/vector/loops/float_fields_loops.cpp,
//    units/vector/loops/integers_loops.cpp.
#include "reference/vector_models.hpp"

namespace tessera::reference::vector {

namespace {

constexpr std::uint32_t ARG_IMM = 1;

std::uint32_t SignOf(std::uint32_t x) { return x >> 31; }
std::uint32_t ExpOf(std::uint32_t x) { return x >> 23 & 0xFF; }
std::uint32_t ManOf(std::uint32_t x) { return x & 0x7FFFFF; }
std::uint32_t FP32Of(std::uint32_t Sign, std::uint32_t Exp, std::uint32_t Man) { return Sign << 31 | Exp << 23 | Man; }

Outcome SFPDIVP2(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t MOD1_ADD = 1;
    const std::uint32_t Imm8 = i.Imm & 0xFF;
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        const std::uint32_t c = m.LReg(*i.VC, Lane);
        std::uint32_t Exp = ExpOf(c);
        if (i.Mod & MOD1_ADD) {
            if (Exp != 255) Exp = (Exp + Imm8) & 0xFF;
        } else {
            Exp = Imm8;
        }
        m.set_LReg(i.VD, Lane, FP32Of(SignOf(c), Exp, ManOf(c)));
    });
    return Outcome::done;
}

Outcome SFPEXEXP(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t MOD1_NODEBIAS = 1, MOD1_SET_CC_SGN_EXP = 2, MOD1_SET_CC_COMP_EXP = 8;
    const std::uint32_t Bias = i.Mod & MOD1_NODEBIAS ? 0 : 127;
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        const std::uint32_t d = ExpOf(m.LReg(*i.VC, Lane)) - Bias;
        m.set_LReg(i.VD, Lane, d);
        if (i.VD >= 8) return;
        if (i.Mod & MOD1_SET_CC_SGN_EXP) m.set_LaneFlags(Lane, static_cast<std::int32_t>(d) < 0);
        if (i.Mod & MOD1_SET_CC_COMP_EXP) m.set_LaneFlags(Lane, !m.LaneFlags(Lane));
    });
    return Outcome::done;
}

Outcome SFPEXMAN(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t MOD1_PAD9 = 1;
    const std::uint32_t HiddenBit = i.Mod & MOD1_PAD9 ? 0 : 1u << 23;
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) { m.set_LReg(i.VD, Lane, HiddenBit + ManOf(m.LReg(*i.VC, Lane))); });
    return Outcome::done;
}

Outcome SFPSETEXP(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t MOD1_ARG_EXPONENT = 2;
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        const std::uint32_t c = m.LReg(*i.VC, Lane), b = m.LReg(*i.VB, Lane);
        std::uint32_t Exp;
        if (i.Mod & ARG_IMM) {
            Exp = i.Imm & 0xFF;
        } else if (i.Mod & MOD1_ARG_EXPONENT) {
            Exp = ExpOf(b);
        } else {
            Exp = b & 0xFF;
        }
        m.set_LReg(i.VD, Lane, FP32Of(SignOf(c), Exp, ManOf(c)));
    });
    return Outcome::done;
}

Outcome SFPSETMAN(VectorMachine& m, const Insn& i) {
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        const std::uint32_t c = m.LReg(*i.VC, Lane);
        const std::uint32_t Man = i.Mod & ARG_IMM ? i.Imm << 11 : ManOf(m.LReg(*i.VB, Lane));
        m.set_LReg(i.VD, Lane, FP32Of(SignOf(c), ExpOf(c), Man));
    });
    return Outcome::done;
}

Outcome SFPSETSGN(VectorMachine& m, const Insn& i) {
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        const std::uint32_t c = m.LReg(*i.VC, Lane);
        const std::uint32_t Sign = i.Mod & ARG_IMM ? i.Imm & 1 : SignOf(m.LReg(*i.VB, Lane));
        m.set_LReg(i.VD, Lane, FP32Of(Sign, ExpOf(c), ManOf(c)));
    });
    return Outcome::done;
}

Outcome SFPABS(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t MOD1_FLOAT = 1;
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        std::uint32_t x = m.LReg(*i.VC, Lane);
        if (x >= 0x80000000) {
            if (!(i.Mod & MOD1_FLOAT)) {
                x = 0 - x;  // -2^31 stays
            } else if (x <= 0xFF800000) {
                x &= 0x7FFFFFFF;
            }
        }
        m.set_LReg(i.VD, Lane, x);
    });
    return Outcome::done;
}

constexpr Registered models[] = {
    of_unit(isa::mnemonic("SFPDIVP2"), SFPDIVP2, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPEXEXP"), SFPEXEXP, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPEXMAN"), SFPEXMAN, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPSETEXP"), SFPSETEXP, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPSETMAN"), SFPSETMAN, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPSETSGN"), SFPSETSGN, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPABS"), SFPABS, SubUnit::Simple),
};

}  // namespace

}  // namespace tessera::reference::vector

namespace tessera::reference {

std::span<const Registered> vector_fields_models() { return vector::models; }

}  // namespace tessera::reference
