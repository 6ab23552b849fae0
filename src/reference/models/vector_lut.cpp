// SPDX-License-Identifier: Apache-2.0
// SFPLUT, SFPLUTFP32, SFPARECIP, Functional models; spec-notes V35, V36.
// Rules: units/vector/rules/multiply_add.cpp, units/vector/rules/sfparecip.cpp; loops: units/vector/loops/sfparecip_loops.cpp,
//    units/vector/loops/sfplut_sfplutfp32_loops.cpp, units/vector/loops/sfpmad_loops.cpp, units/vector/loops/sfpmul24_loops.cpp.
#include <cmath>

#include "reference/vector_models.hpp"

namespace tessera::reference::vector {

namespace {

enum Mod : std::uint32_t {
    FP16_6ENTRY_TABLE1 = 2,
    FP16_6ENTRY_TABLE2 = 3,
    FP16_3ENTRY_TABLE = 10,
    SGN_RETAIN = 4,
    INDIRECT_VD = 8,
};

constexpr std::uint32_t half = 0x3F000000, one = 0x3F800000, one_and_a_half = 0x3FC00000, two = 0x40000000,
                        three = 0x40400000, four = 0x40800000;

std::uint32_t copysign(std::uint32_t d, std::uint32_t l3) { return (d & 0x7FFFFFFF) | (l3 & 0x80000000); }

void write_table_result(VectorMachine& m, const Insn& i, std::uint32_t Lane, std::uint32_t d) {
    if (i.Mod & SGN_RETAIN) d = copysign(d, m.LReg(3, Lane));
    m.write_result((i.Mod & INDIRECT_VD) && i.VD != 16 ? m.LReg(7, Lane) & 15 : i.VD, Lane, d);
}

std::uint32_t Lut8ToFp32(std::uint32_t x) {
    if (x == 0xFF) return 0;
    const std::uint32_t Sign = x >> 7, Exp = x >> 4 & 7, Man = x & 0xF;
    return Sign << 31 | (127 - Exp) << 23 | Man << 19;
}

Outcome SFPLUT(VectorMachine& m, const Insn& i) {
    m.lanewise_executed(i, [&](std::uint32_t Lane) {
        const std::uint32_t b = m.LReg(3, Lane) & 0x7FFFFFFF;
        const std::uint32_t coeffs = m.LReg(b < one ? 0 : b < two ? 1 : 2, Lane);
        const std::uint32_t a = Lut8ToFp32(coeffs >> 8 & 0xFF), c = Lut8ToFp32(coeffs & 0xFF);
        write_table_result(m, i, Lane, fma_model(a, b, c, !m.blackhole()));
    });
    return Outcome::done;
}

std::uint32_t Lut16ToFp32(std::uint32_t x) {
    const std::uint32_t Sign = x >> 15, Exp = x >> 10 & 0x1F, Man = x & 0x3FF;
    return Sign << 31 | (Exp == 0x1F ? 0 : 112 + Exp) << 23 | Man << 13;
}

Outcome SFPLUTFP32(VectorMachine& m, const Insn& insn) {
    const auto mode = [&](Mod which) { return (insn.Mod & which) == which; };
    m.lanewise_executed(insn, [&](std::uint32_t Lane) {
        const std::uint32_t b = m.LReg(3, Lane) & 0x7FFFFFFF;
        const std::uint32_t i = b < one ? 0 : b < two ? 1 : 2;
        std::uint32_t a, c;
        if (mode(FP16_3ENTRY_TABLE)) {
            a = Lut16ToFp32(m.LReg(i, Lane) >> 16);
            c = Lut16ToFp32(m.LReg(i, Lane) & 0xFFFF);
        } else if (mode(FP16_6ENTRY_TABLE1)) {
            const std::uint32_t cut = mode(FP16_6ENTRY_TABLE2) ? four : three;
            const std::uint32_t j = b < half             ? 0
                                    : b < one            ? 16
                                    : b < one_and_a_half ? 0
                                    : b < two            ? 16
                                    : b < cut            ? 0
                                                         : 16;
            a = Lut16ToFp32(m.LReg(0 + i, Lane) >> j & 0xFFFF);
            c = Lut16ToFp32(m.LReg(4 + i, Lane) >> j & 0xFFFF);
        } else {
            a = m.LReg(0 + i, Lane);
            c = m.LReg(4 + i, Lane);
        }
        write_table_result(m, insn, Lane, fma_model(a, b, c, !m.blackhole()));
    });
    return Outcome::done;
}

// --- SFPARECIP, Supporting definitions; the tables in closed form (V36)

std::uint32_t ApproxRecip(std::uint32_t x) {
    if (x < 0x00800000) return 0x7F800000;
    if (x >= 0x7E800000) return 0;
    const std::uint32_t d = 2 * (x >> 16 & 0x7F) + 257;
    const std::uint32_t entry = (131072 - 255 * d) / (2 * d);  // 65536 / d - 127.5
    return (253 - (x >> 23)) << 23 | entry << 16;
}

// The table's entry for the number with upper half Hi, 0.015625 <= number < 2.
std::uint32_t exp_entry(std::uint32_t Hi) {
    const double x = std::ldexp(1.0 + (Hi & 0x7F) / 128.0, static_cast<int>(Hi >> 7) - 127), e_x = std::exp(x);
    const auto fraction = [](double y) { return static_cast<std::uint32_t>((y - 1) * 128); };
    if (x < 0.6953125) return fraction(e_x);
    return e_x < 4 ? fraction(e_x / 2) : 128 + fraction(e_x / 4);
}

std::uint32_t ApproxExp(std::uint32_t x) {
    const std::uint32_t Lo = x & 0xFFFF;
    if (x < 0x00800000) return 0x3F800000;
    if (x < 0x3C800000) return 0x3F810000 | Lo;
    if (x < 0x3F320000) return 0x3F800000 | exp_entry(x >> 16) << 16 | Lo;
    if (x < 0x40000000) return 0x40000000 | exp_entry(x >> 16) << 16 | Lo;
    return 0x40800000 | Lo;
}

Outcome SFPARECIP(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t MOD1_RECIP = 0, MOD1_COND_RECIP = 1;
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        std::uint32_t x = m.LReg(*i.VC, Lane);
        const std::uint32_t Sign = x & 0x80000000;
        switch (i.Mod) {
            case MOD1_RECIP: x = Sign + ApproxRecip(x - Sign); break;
            case MOD1_COND_RECIP:
                if (m.LReg(*i.VB, Lane) >> 31) x = ApproxRecip(x - Sign);
                break;
            default: x = Sign + ApproxExp(x - Sign); break;
        }
        m.set_LReg(i.VD, Lane, x);
    });
    return Outcome::done;
}

constexpr Registered models[] = {
    of_unit(isa::mnemonic("SFPLUT"), SFPLUT, SubUnit::MAD),
    of_unit(isa::mnemonic("SFPLUTFP32"), SFPLUTFP32, SubUnit::MAD),
    of_unit(isa::mnemonic("SFPARECIP"), SFPARECIP, SubUnit::Simple),
};

}  // namespace

}  // namespace tessera::reference::vector

namespace tessera::reference {

std::span<const Registered> vector_lut_models() { return vector::models; }

}  // namespace tessera::reference
