// SPDX-License-Identifier: Apache-2.0
// SFPCONFIG, SFPMOV, SFPNOP, Functional models; spec-notes V30, V38.
// Rules: units/vector/rules/sfpconfig.cpp, units/vector/rules/sfpmov.cpp, units/vector/rules/sfpnop.cpp; loops:
//    units/vector/loops/bitwise_loops.cpp, units/vector/loops/rounding_loops.cpp.
#include "reference/vector_models.hpp"

namespace tessera::reference::vector {

namespace {

constexpr std::uint32_t IMM16_IS_VALUE = 1, BITWISE_OR = 2, BITWISE_AND = 4, BITWISE_XOR = 6, IMM16_IS_LANE_MASK = 8;

std::uint32_t manipulate(std::uint32_t Original, std::uint32_t Value, std::uint32_t Mod1) {
    switch (Mod1 & 6) {
        case BITWISE_OR: return Original | Value;
        case BITWISE_AND: return Original & Value;
        case BITWISE_XOR: return Original ^ Value;
        default: return Value;
    }
}

std::uint32_t default_constant(std::uint32_t VD) {
    switch (VD) {
        case 11: return 0xBF800000;  // -1.0
        case 12: return 0x3B000000;  // 1/512 (V30)
        case 13: return 0xBF2CC4C7;  // -0.67487759
        default: return 0xBEB08FF9;  // -0.34484843
    }
}

// The lanes written, and the values, depend on the column only.
bool written(const VectorMachine& m, const Insn& i, std::uint32_t Column) {
    if ((i.Mod & IMM16_IS_LANE_MASK) && !(i.Imm >> Column * 2 & 1)) return false;
    return !m.UseLaneFlagsForLaneEnable() || m.LaneFlags(Column);
}

void write_macro_config(VectorMachine& m, const Insn& i) {
    for (std::uint32_t Column = 0; Column < Columns; ++Column) {
        if (!written(m, i, Column)) continue;
        std::uint32_t Value = m.LReg(0, Column);
        if (i.VD >= MacroSequence && (i.Mod & IMM16_IS_VALUE)) Value = i.Imm;
        if (i.VD == MacroMisc) Value = manipulate(m.LoadMacroConfig(Column, MacroMisc), Value & 0xFFF, i.Mod);
        m.set(VectorMachine::macro(Column, i.VD), Value);
    }
}

void write_constant(VectorMachine& m, const Insn& i) {
    for (std::uint32_t Lane = 0; Lane < Lanes; ++Lane)
        if (written(m, i, Lane & 7))
            m.set_LReg(i.VD, Lane, i.Mod & IMM16_IS_VALUE ? default_constant(i.VD) : m.LReg(0, Lane & 7));
}

void write_lane_config(VectorMachine& m, const Insn& i) {
    for (std::uint32_t Column = 0; Column < Columns; ++Column) {
        if (!written(m, i, Column)) continue;
        const std::uint32_t Original = m.LaneConfig(Column);
        const std::uint32_t Value = i.Mod & IMM16_IS_VALUE ? i.Imm : m.LReg(0, Column) & 0x3FFFF;
        std::uint32_t config = manipulate(Original, Value, i.Mod);
        if (i.Mod & IMM16_IS_VALUE) config |= Original & ~0xFFFFu;
        m.set(state::cells::lane_config_block[Column], config);
    }
}

Outcome SFPCONFIG(VectorMachine& m, const Insn& i) {
    if (i.VD <= MacroMisc) {
        write_macro_config(m, i);
    } else if (i.VD == 15) {
        write_lane_config(m, i);
    } else if (i.VD >= 11 && i.VD <= 14) {
        write_constant(m, i);
    }
    return Outcome::done;  // 9 and 10 do nothing (V38)
}

Outcome SFPMOV(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t NEGATE = 1, ALL_LANES_ENABLED = 2, FROM_SPECIAL = 8;
    const std::uint32_t Mod1 = i.Mod & ~4u;
    for (std::uint32_t Lane = 0; Lane < Lanes; ++Lane) {
        if (!m.executes(i, Lane) || !(m.LaneEnabled(Lane) || Mod1 == ALL_LANES_ENABLED)) continue;
        std::uint32_t x;
        if (!(Mod1 & FROM_SPECIAL)) {
            x = m.LReg(*i.VC, Lane);
            if (Mod1 & NEGATE) x ^= 0x80000000;
        } else if (*i.VC <= MacroMisc) {
            x = m.LoadMacroConfig(Lane, *i.VC);
        } else if (*i.VC == 9) {
            x = m.AdvancePRNG(Lane);
        } else {
            x = *i.VC == 15 ? m.LaneConfig(Lane) : 0;
        }
        m.write_result(i.VD, Lane, x);
    }
    return Outcome::done;
}

Outcome SFPNOP(VectorMachine&, const Insn&) { return Outcome::done; }

constexpr Registered models[] = {
    of_unit(isa::mnemonic("SFPCONFIG"), SFPCONFIG, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPMOV"), SFPMOV, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPNOP"), SFPNOP, SubUnit::Load),
};

}  // namespace

}  // namespace tessera::reference::vector

namespace tessera::reference {

std::span<const Registered> vector_config_models() { return vector::models; }

}  // namespace tessera::reference
