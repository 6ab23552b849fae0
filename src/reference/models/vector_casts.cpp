// SPDX-License-Identifier: Apache-2.0
// SFPCAST (IntFloat, IntAbs, IntInt), SFP_STOCH_RND (SFPSTOCHRND_FloatFloat, _FloatInt, _IntInt), Functional models;
// spec-notes V34, V38.
// Rules: units/vector/rules/sfpcast_sfp_stoch_rnd.cpp; loops: units/vector/loops/integers_loops.cpp,
//    units/vector/loops/rounding_loops.cpp.
#include <bit>

#include "reference/vector_models.hpp"

namespace tessera::reference::vector {

namespace {

// --- SFPCAST

std::uint32_t IntFloat(VectorMachine& m, std::uint32_t Lane, std::uint32_t c, bool stochastic) {
    const std::uint32_t Sign = c & 0x80000000, Mag = c & 0x7FFFFFFF;
    const std::uint32_t LZ = Mag ? static_cast<std::uint32_t>(std::countl_zero(Mag)) : 157;
    const std::uint32_t Norm = Mag << (LZ & 31);
    std::uint32_t d = Sign + ((157 - LZ) << 23) + (Norm >> 8);
    if (stochastic) {
        if ((Norm & 0xFE) > ((m.AdvancePRNG(Lane) >> 9) & 0xFE)) d += 1;
    } else {
        if ((Norm & 0x80) && (Norm & 0x17F)) d += 1;
    }
    return d;
}

Outcome SFPCAST(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t SM32_TO_FP32_RNS = 1, INT32_ABS = 2;
    const std::uint32_t Mod1 = i.Mod & (m.blackhole() ? 3 : 1);
    if (Mod1 <= SM32_TO_FP32_RNS) {
        m.lanewise_executed(i, [&](std::uint32_t Lane) {
            m.write_result(i.VD, Lane, IntFloat(m, Lane, m.LReg(*i.VC, Lane), Mod1 == SM32_TO_FP32_RNS));
        });
        return Outcome::done;
    }
    if (!i.VD_is_writable()) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        const std::uint32_t c = m.LReg(*i.VC, Lane), Sign = c & 0x80000000;
        const std::uint32_t magnitude = Sign ? 0 - c : c;
        m.set_LReg(i.VD, Lane, Mod1 == INT32_ABS ? magnitude : Sign | magnitude);
    });
    return Outcome::done;
}

// --- SFP_STOCH_RND

enum StochRndMod1 : std::uint32_t {
    FP32_TO_FP16A = 0,
    FP32_TO_FP16B = 1,
    FP32_TO_UINT8 = 2,
    FP32_TO_INT8 = 3,
    INT32_TO_UINT8 = 4,
    INT32_TO_INT8 = 5,
    FP32_TO_UINT16 = 6,
    FP32_TO_INT16 = 7,
};

std::uint32_t FloatFloat(std::uint32_t x, std::uint32_t Mod1, std::uint32_t PRNGBits) {
    const std::uint32_t Exp = x >> 23 & 0xFF;
    if (Exp == 0) return 0;
    if (Exp == 255) return x & 0xFF800000;
    if (Mod1 == FP32_TO_FP16A) {
        const std::uint32_t DiscardedBits = x & 0x1FFF;
        x -= DiscardedBits;
        if (DiscardedBits >= PRNGBits >> 10) x += 0x2000;
    } else {
        const std::uint32_t DiscardedBits = x & 0xFFFF;
        x -= DiscardedBits;
        if (DiscardedBits >= PRNGBits >> 7) x += 0x10000;
    }
    return x;
}

std::uint32_t FloatInt(std::uint32_t c, std::uint32_t Mod1, std::uint32_t PRNGBits) {
    const bool KeepSign = Mod1 == FP32_TO_INT8 || Mod1 == FP32_TO_INT16;
    const std::uint32_t MaxMagnitude = Mod1 == FP32_TO_INT8    ? 127
                                       : Mod1 == FP32_TO_UINT8 ? 255
                                       : Mod1 == FP32_TO_INT16 ? 32767
                                                               : 65535;
    const std::uint32_t Sign = KeepSign ? c & 0x80000000 : 0;
    const std::int32_t Exp = static_cast<std::int32_t>(c >> 23 & 0xFF) - 127;
    if (Exp < -1) return 0;
    if (Exp >= 16) return Sign + MaxMagnitude;
    std::uint64_t Mag = 0x800000 | (c & 0x7FFFFF);
    Mag = Exp >= 0 ? Mag << Exp : Mag >> -Exp;
    Mag = (Mag >> 23) + ((Mag & 0x7FFFFF) >= PRNGBits);
    if (Mag > MaxMagnitude) Mag = MaxMagnitude;
    return Mag == 0 ? 0 : Sign + static_cast<std::uint32_t>(Mag);
}

std::uint32_t IntInt(std::uint32_t c, std::uint32_t shift, std::uint32_t Mod1, std::uint32_t PRNGBits) {
    std::uint64_t Mag = c & 0x7FFFFFFF;
    Mag <<= 23;
    Mag >>= shift;
    Mag = (Mag >> 23) + ((Mag & 0x7FFFFF) >= PRNGBits);
    const std::uint32_t Max = Mod1 == INT32_TO_UINT8 ? 255 : 127;
    if (Mag > Max) Mag = Max;
    const std::uint32_t Sign = Mod1 == INT32_TO_UINT8 || Mag == 0 ? 0 : c & 0x80000000;
    return Sign + static_cast<std::uint32_t>(Mag);
}

Outcome SFP_STOCH_RND(VectorMachine& m, const Insn& i) {
    constexpr std::uint32_t RND_NEAREST = 0, RND_ZERO = 2, UseImm5 = 8;
    const std::uint32_t Mod1 = i.Mod & 7;
    m.lanewise_executed(i, [&](std::uint32_t Lane) {
        std::uint32_t PRNGBits = m.AdvancePRNG(Lane) & 0x7FFFFF;
        if (i.RoundingMode == RND_NEAREST) PRNGBits = 0x400000;
        if (i.RoundingMode == RND_ZERO) PRNGBits = 0x7FFFFF;
        const std::uint32_t c = m.LReg(*i.VC, Lane);
        std::uint32_t d;
        if (Mod1 == FP32_TO_FP16A || Mod1 == FP32_TO_FP16B) {
            d = FloatFloat(c, Mod1, PRNGBits);
        } else if (Mod1 == INT32_TO_UINT8 || Mod1 == INT32_TO_INT8) {
            d = IntInt(c, i.Mod & UseImm5 ? i.Imm : m.LReg(*i.VB, Lane) & 31, Mod1, PRNGBits);
        } else {
            d = FloatInt(c, Mod1, PRNGBits);
        }
        m.write_result(i.VD, Lane, d);
    });
    return Outcome::done;
}

constexpr Registered models[] = {
    of_unit(isa::mnemonic("SFPCAST"), SFPCAST, SubUnit::Simple),
    of_unit(isa::mnemonic("SFP_STOCH_RND"), SFP_STOCH_RND, SubUnit::Round),
};

}  // namespace

}  // namespace tessera::reference::vector

namespace tessera::reference {

std::span<const Registered> vector_casts_models() { return vector::models; }

}  // namespace tessera::reference
