// SPDX-License-Identifier: Apache-2.0
// SFPMAD, SFPADD, SFPMUL, SFPADDI, SFPMULI, SFPMUL24, Functional models.
// Rules: units/vector/rules/multiply_add.cpp; loops: units/vector/loops/sfplut_sfplutfp32_loops.cpp, units/vector/loops/sfpmad_loops.cpp,
//    units/vector/loops/sfpmul24_loops.cpp.
#include "reference/vector_models.hpp"

namespace tessera::reference::vector {

namespace {

enum Mod1 : std::uint32_t {
    NEGATE_VA = 1,  // Blackhole
    NEGATE_VC = 2,  // Blackhole
    INDIRECT_VA = 4,
    INDIRECT_VD = 8,
    MUL24_UPPER = 1,
};

std::uint32_t BF16ToFP32(std::uint32_t x) { return x << 16; }
std::uint32_t negate(std::uint32_t x) { return x ^ 0x80000000; }

std::uint32_t result_register(const VectorMachine& m, const Insn& i, std::uint32_t Lane) {
    return (i.Mod & INDIRECT_VD) && i.VD != 16 ? m.LReg(7, Lane) & 15 : i.VD;
}

Outcome SFPMAD(VectorMachine& m, const Insn& i) {
    m.lanewise_executed(i, [&](std::uint32_t Lane) {
        const std::uint32_t va = i.Mod & INDIRECT_VA ? m.LReg(7, Lane) & 15 : i.VA;
        std::uint32_t a = m.LReg(va, Lane), c = m.LReg(*i.VC, Lane);
        const std::uint32_t b = m.LReg(*i.VB, Lane);
        if (m.blackhole() && (i.Mod & NEGATE_VA)) a = negate(a);
        if (m.blackhole() && (i.Mod & NEGATE_VC)) c = negate(c);
        m.write_result(result_register(m, i, Lane), Lane, fma_model(a, b, c, !m.blackhole()));
    });
    return Outcome::done;
}

Outcome with_immediate(VectorMachine& m, const Insn& i, bool multiply) {
    m.lanewise_executed(i, [&](std::uint32_t Lane) {
        std::uint32_t c = m.LReg(*i.VC, Lane);
        if (m.blackhole() && (i.Mod & NEGATE_VC)) c = negate(c);
        const std::uint32_t imm = BF16ToFP32(i.Imm), one = 0x3F800000;
        const std::uint32_t d =
            multiply ? fma_model(imm, c, 0, !m.blackhole()) : fma_model(imm, one, c, !m.blackhole());
        m.write_result(result_register(m, i, Lane), Lane, d);
    });
    return Outcome::done;
}

Outcome SFPADDI(VectorMachine& m, const Insn& i) { return with_immediate(m, i, false); }

Outcome SFPMULI(VectorMachine& m, const Insn& i) { return with_immediate(m, i, true); }

// The floating-point datapath adds z, with its exponent against 129, to the product.
std::uint32_t Mul24ShiftAdd(std::uint32_t p_m, std::uint32_t z) {
    const std::uint32_t z_e = z >> 23 & 0xFF;
    if (!z_e) return p_m;
    const std::uint32_t p_e = 129, r_e = p_e > z_e ? p_e : z_e;
    const std::uint32_t s = (r_e - z_e) & 31;
    const std::uint32_t z_m_grs = ((1u << 23) + (z & 0x7FFFFF)) << 3;
    p_m >>= (r_e - p_e) & 31;
    if (const std::uint32_t z_m = z_m_grs >> s) {
        p_m += z_m;
        p_m += std::uint32_t{((z_m << s) ^ z_m_grs) > 0xFFFF} << 16;
        p_m &= 0x7FFFFF;
    }
    return p_m;
}

Outcome SFPMUL24(VectorMachine& m, const Insn& i) {
    m.lanewise_executed(i, [&](std::uint32_t Lane) {
        const std::uint32_t va = i.Mod & INDIRECT_VA ? m.LReg(7, Lane) & 15 : i.VA;
        const std::uint32_t a = m.LReg(va, Lane), b = m.LReg(*i.VB, Lane), c = m.LReg(*i.VC, Lane);
        std::uint32_t d;
        if (i.Mod & MUL24_UPPER) {
            d = static_cast<std::uint32_t>((std::uint64_t{a & 0x7FFFFF} * (b & 0x7FFFFF)) >> 23);
        } else {
            d = (a * b) & 0x7FFFFF;
        }
        if (c) d = Mul24ShiftAdd(d, c);
        m.write_result(result_register(m, i, Lane), Lane, d);
    });
    return Outcome::done;
}

constexpr Registered models[] = {
    of_unit(isa::mnemonic("SFPADD"), SFPMAD, SubUnit::MAD),
    of_unit(isa::mnemonic("SFPMAD"), SFPMAD, SubUnit::MAD),
    of_unit(isa::mnemonic("SFPMUL"), SFPMAD, SubUnit::MAD),
    of_unit(isa::mnemonic("SFPADDI"), SFPADDI, SubUnit::MAD),
    of_unit(isa::mnemonic("SFPMULI"), SFPMULI, SubUnit::MAD),
    of_unit(isa::mnemonic("SFPMUL24"), SFPMUL24, SubUnit::MAD),
};

}  // namespace

}  // namespace tessera::reference::vector

namespace tessera::reference {

std::span<const Registered> vector_arithmetic_models() { return vector::models; }

}  // namespace tessera::reference
