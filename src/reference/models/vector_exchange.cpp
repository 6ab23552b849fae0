// SPDX-License-Identifier: Apache-2.0
// SFPLOAD, SFPSTORE (pages of both architectures), SFPLOADI, Functional models; spec-notes V1 to V3, V64.
// Rules: units/vector/rules/sfpload_sfpstore.cpp, units/vector/rules/sfploadi.cpp; loops: units/vector/loops/sfpload_sfpstore_loops.cpp.
#include "reference/dst.hpp"
#include "reference/numerics.hpp"
#include "reference/vector_models.hpp"

namespace tessera::reference::vector {

namespace {

using registers::field;
using state::Rwc;

constexpr auto SFPU_Fp32_enabled = field("ALU_ACC_CTRL_SFPU_Fp32_enabled");
constexpr auto SFPU_DEST_FMT_Enable = field("SFPU_DEST_FMT_Enable");
constexpr auto SFPU_DEST_FMT_Base = field("SFPU_DEST_FMT_Base");
constexpr auto DEST_SP_BASE_Base = field("DEST_SP_BASE_Base");
constexpr auto SFPU_STACK_Incr = field("SFPU_STACK_Incr");

enum Mod0 : std::uint32_t {
    MOD0_FMT_SRCB,
    MOD0_FMT_FP16,
    MOD0_FMT_BF16,
    MOD0_FMT_FP32,
    MOD0_FMT_INT32,
    MOD0_FMT_INT8,
    MOD0_FMT_UINT16,
    MOD0_FMT_HI16,
    MOD0_FMT_INT16,
    MOD0_FMT_LO16,
    MOD0_FMT_INT32_ALL,
    MOD0_FMT_ZERO,
    MOD0_FMT_INT32_SM,
    MOD0_FMT_INT8_COMP,
    MOD0_FMT_LO16_ONLY,
    MOD0_FMT_HI16_ONLY,
};

// Imm10 with the Dst address adjustments. `Sp` is Blackhole's, and 0 on Wormhole.
std::uint32_t Address(const VectorMachine& m, std::uint32_t Imm10, std::uint32_t Mod0) {
    const std::uint32_t DstOffset = m.RWC(Rwc::dst) + m[DEST_REGW_BASE_Base];
    const std::uint32_t SpOffset = m.blackhole() ? m.RWC(Rwc::sp) + m[DEST_SP_BASE_Base] : 0;
    const bool All = Mod0 == MOD0_FMT_INT32_ALL;
    return (Imm10 + m[MATH_Offset] + (All ? SpOffset + (DstOffset & 3) : DstOffset + (SpOffset & 3))) & 0x3FF;
}

std::uint32_t RowOf(std::uint32_t Addr, std::uint32_t Lane) { return ((Addr & ~3u) + Lane / 8) & 0x3FF; }
std::uint32_t ColumnOf(const VectorMachine& m, std::uint32_t Addr, std::uint32_t Lane, LaneConfigBit exchange) {
    return (Lane & 7) * 2 + ((Addr & 2) || m.LaneConfig(Lane, exchange));
}

// --- SFPLOAD, Supporting definitions

std::uint32_t ReadFP16(std::uint32_t x, bool FP16A_INF) {
    const std::uint32_t Sign = x >> 15;
    std::uint32_t Man = x >> 5 & 0x3FF, Exp = x & 0x1F;
    if (FP16A_INF && Exp == 0x1F && Man == 0x3FF) {
        Exp = 255;
        Man = 0;
    } else if (Exp != 0) {
        Exp += 112;
    }
    return Sign << 31 | Exp << 23 | Man << 13;
}
std::uint32_t SignMag8ToSignMag32(std::uint32_t x) { return x >> 15 << 31 | (x >> 5 & 0x7F); }
std::uint32_t SignMag9ToSignMag32(std::uint32_t x) { return x >> 15 << 31 | (x >> 5 & 0xFF); }
std::uint32_t SignMag11ToSignMag32(std::uint32_t x) { return x >> 15 << 31 | (x >> 5 & 0x3FF); }
std::uint32_t SignMag16ToSignMag32(std::uint32_t x) { return x >> 15 << 31 | (x & 0x7FFF); }
std::uint32_t SignMagToTwosComp(std::uint32_t x) {
    const std::uint32_t Sign = x & 0x80000000, Mag = x & 0x7FFFFFFF;
    return Sign ? 0 - Mag : Mag;
}

std::uint32_t Datum(const VectorMachine& m, std::uint32_t Mod0, std::uint32_t old, std::uint32_t row, std::uint32_t col,
                    bool FP16A_INF) {
    const DstView Dst(m);
    const bool wh = !m.blackhole();
    const std::uint32_t x16 = Dst.read16(row, col), x32 = ReadDstFP32(Dst.read32(row, col));
    switch (Mod0) {
        case MOD0_FMT_FP16: return ReadFP16(x16, FP16A_INF);
        case MOD0_FMT_BF16: return ReadDstBF16(x16) << 16;
        case MOD0_FMT_FP32:
        case MOD0_FMT_INT32:
        case MOD0_FMT_INT32_ALL: return x32;
        case MOD0_FMT_INT32_SM: return wh ? SignMagToTwosComp(x32) : x32;
        case MOD0_FMT_INT8: return wh ? SignMag8ToSignMag32(x16) : SignMag9ToSignMag32(x16);
        case MOD0_FMT_INT8_COMP: return wh ? SignMagToTwosComp(SignMag11ToSignMag32(x16)) : SignMag11ToSignMag32(x16);
        case MOD0_FMT_LO16_ONLY: return (old & 0xFFFF0000) | x16;
        case MOD0_FMT_HI16_ONLY: return x16 << 16 | (old & 0xFFFF);
        case MOD0_FMT_INT16: return SignMag16ToSignMag32(x16);
        case MOD0_FMT_UINT16:
        case MOD0_FMT_LO16: return x16;
        case MOD0_FMT_HI16: return x16 << 16;
        default: return 0;  // MOD0_FMT_ZERO
    }
}

// --- SFPSTORE, Supporting definitions

std::uint32_t ToFP16(std::uint32_t x) {
    const std::uint32_t Sign = x >> 31;
    std::int32_t Exp = static_cast<std::int32_t>(x >> 23 & 0xFF) - 112;
    std::uint32_t Man = x & 0x7FFFFF;
    if (Exp <= 0) {
        Exp = 0;
        Man = 0;
    } else if (Exp > 31) {
        Exp = 31;
        Man = 0x7FFFFF;
    }
    return Sign << 15 | static_cast<std::uint32_t>(Exp) << 10 | Man >> 13;
}
std::uint32_t ToFP32(std::uint32_t x) { return x & 0x7F800000 ? x : x & 0x80000000; }
std::uint32_t ToBF16(std::uint32_t x) { return ToFP32(x) >> 16; }
std::uint32_t ToSignMag(std::uint32_t x) {
    const std::uint32_t Sign = x & 0x80000000, Mag = Sign ? 0 - x : x;
    return Sign | (Mag & 0x7FFFFFFF);
}
std::uint32_t SignMag11ToFP16(std::uint32_t x) { return x >> 31 << 15 | 16 << 10 | (x & 0x3FF); }

void store(VectorMachine& m, std::uint32_t Mod0, std::uint32_t x, std::uint32_t row, std::uint32_t col) {
    DstView Dst(m);
    const auto Dst16b = [&](std::uint32_t datum) {
        Dst.write16(row, col, datum);
        Dst.make_valid16(row);
    };
    const auto Dst32b = [&](std::uint32_t datum) {
        Dst.write32(row, col, datum);
        Dst.make_valid32(row);
    };
    const bool wh = !m.blackhole();
    switch (Mod0) {
        case MOD0_FMT_FP16: return Dst16b(WriteDstFP16(ToFP16(x)));
        case MOD0_FMT_BF16: return Dst16b(WriteDstBF16(ToBF16(x)));
        case MOD0_FMT_FP32: return Dst32b(WriteDstFP32(ToFP32(x)));  // on Wormhole too (V1)
        case MOD0_FMT_INT32:
        case MOD0_FMT_INT32_ALL: return Dst32b(WriteDstFP32(x));
        case MOD0_FMT_INT32_SM: return Dst32b(WriteDstFP32(wh ? ToSignMag(x) : x));
        case MOD0_FMT_INT8: return Dst16b(WriteDstFP16(SignMag11ToFP16(x)));
        case MOD0_FMT_INT8_COMP: return Dst16b(WriteDstFP16(SignMag11ToFP16(wh ? ToSignMag(x) : x)));
        case MOD0_FMT_LO16_ONLY:
        case MOD0_FMT_UINT16: return Dst16b(x & 0xFFFF);
        case MOD0_FMT_HI16_ONLY: return Dst16b(x >> 16);
        case MOD0_FMT_INT16: return Dst16b(x >> 31 << 15 | (x & 0x7FFF));
        case MOD0_FMT_LO16: return Dst32b(x << 16 | x >> 16);
        case MOD0_FMT_HI16: return Dst32b(x);
        default: return Dst16b(0);  // MOD0_FMT_ZERO
    }
}

// --- SFPLOADI, Supporting definitions

std::uint32_t FP16toFP32(std::uint32_t x) {
    const std::uint32_t Sign = x >> 15, Exp = (x >> 10 & 0x1F) + 112, Man = x & 0x3FF;
    return Sign << 31 | Exp << 23 | Man << 13;
}
std::uint32_t SignExtend(std::uint32_t x) { return x & 0x8000 ? x | 0xFFFF0000 : x; }

// --- the models

}  // namespace

Outcome SFPLOAD(VectorMachine& m, const Insn& i) {
    const std::uint32_t Mod0 = resolve_Mod0(m, i.Mod);
    load_from(m, i, Mod0, load_address(m, i, Mod0));
    m.ApplyPartialAddrMod(i.AddrMod);
    return Outcome::done;
}

Outcome SFPSTORE(VectorMachine& m, const Insn& i) {
    const std::uint32_t Mod0 = resolve_Mod0(m, i.Mod);
    const std::uint32_t Addr = Address(m, i.Imm, Mod0);
    if (m.blackhole() && Mod0 == MOD0_FMT_INT32_ALL) m.add(m.rwc(Rwc::sp), m[SFPU_STACK_Incr], 10);
    store_to(m, i, Mod0, Addr);
    m.ApplyPartialAddrMod(i.AddrMod);
    return Outcome::done;
}

Outcome SFPLOADI(VectorMachine& m, const Insn& i) {
    enum { FLOATB = 0, FLOATA = 1, USHORT = 2, SHORT = 4, UPPER = 8, LOWER = 10 };
    if (i.VD >= 8) return Outcome::done;
    m.lanewise_enabled([&](std::uint32_t Lane) {
        const std::uint32_t Imm16 = i.Imm, old = m.LReg(i.VD, Lane);
        switch (i.Mod) {
            case FLOATB: m.set_LReg(i.VD, Lane, Imm16 << 16); break;
            case FLOATA: m.set_LReg(i.VD, Lane, FP16toFP32(Imm16)); break;
            case USHORT: m.set_LReg(i.VD, Lane, Imm16); break;
            case SHORT: m.set_LReg(i.VD, Lane, SignExtend(Imm16)); break;
            case UPPER: m.set_LReg(i.VD, Lane, Imm16 << 16 | (old & 0xFFFF)); break;
            case LOWER: m.set_LReg(i.VD, Lane, (old & 0xFFFF0000) | Imm16); break;
            default: break;  // V3
        }
    });
    return Outcome::done;
}

std::uint32_t resolve_Mod0(const VectorMachine& m, std::uint32_t Mod0) {
    if (Mod0 != MOD0_FMT_SRCB) return Mod0;
    if (m[SFPU_Fp32_enabled]) return MOD0_FMT_FP32;
    std::uint32_t SrcBFmt = m.ConfiguredSrcBFmt();
    if (m.blackhole() && m[SFPU_DEST_FMT_Enable]) SrcBFmt = m[SFPU_DEST_FMT_Base];
    return one_of(SrcBFmt, {FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32, INT16}) ? MOD0_FMT_BF16 : MOD0_FMT_FP16;
}

std::uint32_t load_address(VectorMachine& m, const Insn& i, std::uint32_t Mod0) {
    if (m.blackhole() && Mod0 == MOD0_FMT_INT32_ALL && m.RWC(Rwc::sp) != 0)
        m.add(m.rwc(Rwc::sp), 0 - m[SFPU_STACK_Incr], 10);
    return Address(m, i.Imm, Mod0);
}

void load_from(VectorMachine& m, const Insn& i, std::uint32_t Mod0, std::uint32_t Addr) {
    const std::uint32_t VD = i.VD;
    if (VD >= 8) return;
    for (std::uint32_t Lane = 0; Lane < Lanes; ++Lane) {
        if (m.LaneConfig(Lane, BLOCK_SFPU_RD_FROM_DEST)) continue;
        if (!m.LaneEnabled(Lane) && Mod0 != MOD0_FMT_INT32_ALL) continue;
        const std::uint32_t Row = RowOf(Addr, Lane), Column = ColumnOf(m, Addr, Lane, DEST_RD_COL_EXCHANGE);
        m.set_LReg(VD, Lane, Datum(m, Mod0, m.LReg(VD, Lane), Row, Column, m.LaneConfig(Lane, ENABLE_FP16A_INF)));
        if (VD < 4 && m.LaneConfig(Lane, ENABLE_DEST_INDEX) && m.LaneConfig(Lane, CAPTURE_DEFAULT_DEST_INDEX))
            m.set_LReg(VD + 4, Lane, Row << 4 | Column);
    }
}

void store_to(VectorMachine& m, const Insn& i, std::uint32_t Mod0, std::uint32_t Addr) {
    for (std::uint32_t Lane = 0; Lane < Lanes; ++Lane) {
        if (m.LaneConfig(Lane, BLOCK_DEST_WR_FROM_SFPU) || !m.executes(i, Lane)) continue;
        if (!m.LaneEnabled(Lane) && Mod0 != MOD0_FMT_INT32_ALL) continue;
        store(m, Mod0, m.LReg(i.VD, Lane), RowOf(Addr, Lane), ColumnOf(m, Addr, Lane, DEST_WR_COL_EXCHANGE));
    }
}

namespace {

constexpr Registered models[] = {
    of_unit(isa::mnemonic("SFPLOAD"), SFPLOAD, SubUnit::Load),
    of_unit(isa::mnemonic("SFPSTORE"), SFPSTORE, SubUnit::Store),
    of_unit(isa::mnemonic("SFPLOADI"), SFPLOADI, SubUnit::Load),
};

}  // namespace

}  // namespace tessera::reference::vector

namespace tessera::reference {

std::span<const Registered> vector_exchange_models() { return vector::models; }

}  // namespace tessera::reference
