// SPDX-License-Identifier: Apache-2.0
// SFPIADD, SFPSHFT, SFPAND, SFPOR, SFPXOR, SFPNOT, SFPLZ, Functional models.
// Rules: units/vector/rules/bitwise.cpp, units/vector/rules/integers.cpp; loops: units/vector/loops/bitwise_loops.cpp,
//    units/vector/loops/integers_loops.cpp.
#include <bit>

#include "reference/vector_models.hpp"

namespace tessera::reference::vector {

namespace {

std::int32_t SignExtend(std::uint32_t Imm12) {
    return static_cast<std::int32_t>(Imm12 & 0x800 ? Imm12 | 0xFFFFF000 : Imm12);
}

Outcome SFPIADD(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t ARG_IMM = 1, ARG_2SCOMP_LREG_DST = 2, CC_NONE = 4, CC_GTE0 = 8;
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        const std::uint32_t c = m.LReg(*i.VC, Lane), b = m.LReg(*i.VB, Lane);
        std::uint32_t d;
        if (i.Mod & ARG_IMM) {
            d = c + static_cast<std::uint32_t>(SignExtend(i.Imm));
        } else if (i.Mod & ARG_2SCOMP_LREG_DST) {
            d = c - b;
        } else {
            d = c + b;
        }
        m.set_LReg(i.VD, Lane, d);
        if (i.VD >= 8) return;
        if (!(i.Mod & CC_NONE)) m.set_LaneFlags(Lane, d >> 31);
        if (i.Mod & CC_GTE0) m.set_LaneFlags(Lane, !m.LaneFlags(Lane));
    });
    return Outcome::done;
}

Outcome SFPSHFT(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t ARG_IMM = 1, ARITHMETIC = 2, ARG_IMM_USE_VC = 4;
    // Modifiers without a meaning act as they do in silicon (V38).
    std::uint32_t Mod1 = i.Mod;
    if (!m.blackhole()) {
        Mod1 &= ARG_IMM;
    } else if (Mod1 == 4 || Mod1 == 6) {
        Mod1 &= ~4u;
    } else {
        Mod1 &= 7;
    }
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        std::uint32_t x = m.LReg(*i.VB, Lane);
        auto ShiftAmount = static_cast<std::int32_t>(m.LReg(*i.VC, Lane));
        if (Mod1 & ARG_IMM) {
            if (Mod1 & ARG_IMM_USE_VC) x = m.LReg(*i.VC, Lane);
            ShiftAmount = SignExtend(i.Imm);
        }
        const std::uint32_t left = static_cast<std::uint32_t>(ShiftAmount) & 31;
        const std::uint32_t right = (0 - static_cast<std::uint32_t>(ShiftAmount)) & 31;
        if (ShiftAmount >= 0) {
            x <<= left;
        } else if (Mod1 & ARITHMETIC) {
            x = static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> right);
        } else {
            x >>= right;
        }
        m.set_LReg(i.VD, Lane, x);
    });
    return Outcome::done;
}

template <class Operation>
Outcome bitwise(VectorMachine& m, const Insn& i, Operation operation) {
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled(
        [&](std::uint32_t Lane) { m.set_LReg(i.VD, Lane, operation(m.LReg(*i.VB, Lane), m.LReg(*i.VC, Lane))); });
    return Outcome::done;
}

Outcome SFPAND(VectorMachine& m, const Insn& i) {
    return bitwise(m, i, [](std::uint32_t b, std::uint32_t c) { return b & c; });
}

Outcome SFPOR(VectorMachine& m, const Insn& i) {
    return bitwise(m, i, [](std::uint32_t b, std::uint32_t c) { return b | c; });
}

Outcome SFPXOR(VectorMachine& m, const Insn& i) {
    return bitwise(m, i, [](std::uint32_t b, std::uint32_t c) { return b ^ c; });
}

Outcome SFPNOT(VectorMachine& m, const Insn& i) {
    return bitwise(m, i, [](std::uint32_t, std::uint32_t c) { return ~c; });
}

Outcome SFPLZ(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t CC_NE0 = 2, NOSGN_MASK = 4, CC_COMP = 8;
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        std::uint32_t c = m.LReg(*i.VC, Lane);
        if (i.Mod & NOSGN_MASK) c &= 0x7FFFFFFF;
        m.set_LReg(i.VD, Lane, static_cast<std::uint32_t>(std::countl_zero(c)));
        if (i.VD >= 8) return;
        if (i.Mod & CC_NE0) m.set_LaneFlags(Lane, c != 0);
        if (i.Mod & CC_COMP) m.set_LaneFlags(Lane, !m.LaneFlags(Lane));
    });
    return Outcome::done;
}

constexpr Registered models[] = {
    of_unit(isa::mnemonic("SFPIADD"), SFPIADD, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPSHFT"), SFPSHFT, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPAND"), SFPAND, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPOR"), SFPOR, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPXOR"), SFPXOR, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPNOT"), SFPNOT, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPLZ"), SFPLZ, SubUnit::Simple),
};

}  // namespace

}  // namespace tessera::reference::vector

namespace tessera::reference {

std::span<const Registered> vector_integer_models() { return vector::models; }

}  // namespace tessera::reference
