// SPDX-License-Identifier: Apache-2.0
// SFPSWAP, SFPSHFT2, SFPTRANSP, Functional models; spec-notes V33, V38, V40, V77.
// Rules: units/vector/rules/sfpshft2_sfptransp.cpp, units/vector/rules/sfpswap.cpp; loops: units/vector/loops/sfpswap_loops.cpp.
#include <array>

#include "reference/vector_models.hpp"

namespace tessera::reference::vector {

namespace {

// --- SFPSWAP

std::uint32_t VDGetsMin(std::uint32_t Mod1) {
    switch (Mod1) {
        case 1: return 0xFFFFFFFF;
        case 2: return 0x0000FFFF;
        case 3: return 0x00FF00FF;
        case 4: return 0xFF0000FF;
        case 5: return 0x000000FF;
        case 6: return 0x0000FF00;
        case 7: return 0x00FF0000;
        case 8: return 0xFF000000;
        default: return 0;
    }
}

Outcome SFPSWAP(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t MOD1_SWAP = 0;
    const std::uint32_t VB = *i.VB, VC = *i.VC, VD = i.VD;
    m.lanewise_executed(i, [&](std::uint32_t Lane) {
        const std::uint32_t VCVal = m.LReg(VC, Lane), VDVal = m.LReg(VB, Lane);
        bool ShouldSwap = true;
        if (i.Mod != MOD1_SWAP) {
            ShouldSwap = SignMagIsSmaller(VCVal, VDVal);
            if (!(VDGetsMin(i.Mod) >> Lane & 1)) ShouldSwap = !ShouldSwap;
            if (m.LaneConfig(Lane, EXCHANGE_SRCB_SRCC)) ShouldSwap = !ShouldSwap;
        }
        if (!ShouldSwap) return;
        const std::uint32_t writable = m.LaneConfig(Lane, ENABLE_DEST_INDEX) ? 4 : 8;
        if (VD < writable) m.set_LReg(VD, Lane, VCVal);
        if (VC < writable) m.set_LReg(VC, Lane, VDVal);
        if (!m.LaneConfig(Lane, ENABLE_DEST_INDEX)) return;
        const std::uint32_t VCA = 4 + (VC & 3), VDA = 4 + (VD & 3);
        const std::uint32_t VCAVal = m.LReg(VCA, Lane), VDAVal = m.LReg(VDA, Lane);
        m.set_LReg(VCA, Lane, VDAVal);
        m.set_LReg(VDA, Lane, VCAVal);
    });
    return Outcome::done;
}

// --- SFPSHFT2

using Vector = std::array<std::uint32_t, Lanes>;

Vector copy_of(const VectorMachine& m, std::uint32_t i) {
    Vector v;
    for (std::uint32_t Lane = 0; Lane < Lanes; ++Lane) v[Lane] = m.LReg(i, Lane);
    return v;
}

void copy4(VectorMachine& m, std::uint32_t Lane, std::uint32_t last) {
    for (std::uint32_t r = 0; r < 3; ++r) m.set_LReg(r, Lane, m.LReg(r + 1, Lane));
    m.set_LReg(3, Lane, last);
}

std::uint32_t rotated(const Vector& vc, std::uint32_t Lane) { return Lane & 7 ? vc[Lane - 1] : vc[Lane + 7]; }

// The lanes that a later shift on Wormhole takes instead of zeros.
void remember_rotated(VectorMachine& m, const Insn& i, const Vector& vc) {
    if (m.blackhole() || i.VD >= 12) return;
    for (std::uint32_t row = 0; row < 4; ++row) m.set(state::cells::last_rotated(row), vc[row * 8 + 7]);
}

std::uint32_t shift(std::uint32_t x, std::int32_t by) {
    const auto amount = static_cast<std::uint32_t>(by);
    return by >= 0 ? x << (amount & 31) : x >> ((0 - amount) & 31);
}

Outcome SFPSHFT2(VectorMachine& m, const Insn& i) {
    enum : std::uint32_t {
        COPY4,
        SUBVEC_CHAINED_COPY4,
        SUBVEC_SHFLROR1_AND_COPY4,
        SUBVEC_SHFLROR1,
        SUBVEC_SHFLSHR1,
        SHFT_LREG,
        SHFT_IMM,
    };
    const Vector vc = copy_of(m, *i.VC);
    switch (i.Mod) {
        case COPY4: m.lanewise_executed(i, [&](std::uint32_t Lane) { copy4(m, Lane, 0); }); break;
        case SUBVEC_CHAINED_COPY4: {
            const Vector v0 = copy_of(m, 0);
            m.lanewise_executed(i, [&](std::uint32_t Lane) { copy4(m, Lane, Lane < 24 ? v0[Lane + 8] : 0); });
            break;
        }
        case SUBVEC_SHFLROR1_AND_COPY4:
            m.lanewise_executed(i, [&](std::uint32_t Lane) { copy4(m, Lane, rotated(vc, Lane)); });
            remember_rotated(m, i, vc);
            break;
        case SUBVEC_SHFLROR1:
            m.lanewise_executed(i, [&](std::uint32_t Lane) { m.write_result(i.VD, Lane, rotated(vc, Lane)); });
            remember_rotated(m, i, vc);
            break;
        case SUBVEC_SHFLSHR1:
            if (!i.VD_is_writable()) break;
            m.lanewise_enabled([&](std::uint32_t Lane) {
                const std::uint32_t first = m.blackhole() ? 0 : m[state::cells::last_rotated(Lane / 8)];
                m.set_LReg(i.VD, Lane, Lane & 7 ? vc[Lane - 1] : first);
            });
            break;
        case SHFT_LREG:
            if (!i.VD_is_writable()) break;
            m.lanewise_enabled([&](std::uint32_t Lane) {
                m.set_LReg(i.VD, Lane, shift(m.LReg(*i.VB, Lane), static_cast<std::int32_t>(m.LReg(*i.VC, Lane))));
            });
            break;
        case SHFT_IMM: {
            if (!i.VD_is_writable()) break;
            const auto Imm12 = static_cast<std::int32_t>(i.Imm & 0x800 ? i.Imm | 0xFFFFF000 : i.Imm);
            m.lanewise_enabled([&](std::uint32_t Lane) { m.set_LReg(i.VD, Lane, shift(m.LReg(*i.VB, Lane), Imm12)); });
            break;
        }
        default: break;  // V38
    }
    return Outcome::done;
}

// --- SFPTRANSP

void Transpose4(VectorMachine& m, const Insn& insn, std::uint32_t Base) {
    for (std::uint32_t Column = 0; Column < 8; ++Column) {
        if (!m.executes(insn, Column)) continue;  // V40
        for (std::uint32_t i = 0; i < 4; ++i) {
            for (std::uint32_t j = 0; j < i; ++j) {
                const std::uint32_t ij = m.LReg(Base + i, j * 8 + Column), ji = m.LReg(Base + j, i * 8 + Column);
                if (m.LaneEnabled(j * 8 + Column)) m.set_LReg(Base + i, j * 8 + Column, ji);
                if (m.LaneEnabled(i * 8 + Column)) m.set_LReg(Base + j, i * 8 + Column, ij);
            }
        }
    }
}

Outcome SFPTRANSP(VectorMachine& m, const Insn& i) {
    Transpose4(m, i, 0);
    Transpose4(m, i, 4);
    return Outcome::done;
}

constexpr Registered models[] = {
    of_unit(isa::mnemonic("SFPSWAP"), SFPSWAP, SubUnit::Simple),
    of_unit(isa::mnemonic("SFPSHFT2"), SFPSHFT2, SubUnit::Round),
    of_unit(isa::mnemonic("SFPTRANSP"), SFPTRANSP, SubUnit::Simple),
};

}  // namespace

}  // namespace tessera::reference::vector

namespace tessera::reference {

std::span<const Registered> vector_shuffles_models() { return vector::models; }

}  // namespace tessera::reference
