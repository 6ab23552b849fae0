// SPDX-License-Identifier: Apache-2.0
// SFPLOAD, SFPSTORE (pages of both architectures), SFPLOADI, Functional models; spec-notes V1 to V3. Predication: Vector
// Unit, Lane Predication Masks.
#include "reference/vector.hpp"

#include "reference/dst.hpp"
#include "reference/matrix_machine.hpp"
#include "reference/numerics.hpp"

namespace tessera::reference {

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

struct VectorMachine : MatrixMachine {
    using MatrixMachine::MatrixMachine;

    std::uint32_t LReg(std::uint32_t VD, std::uint32_t Lane) const {
        return static_cast<std::uint32_t>(state::read(state, state::Storage::lreg, VD * 32 + Lane));
    }
    void set_LReg(std::uint32_t VD, std::uint32_t Lane, std::uint32_t u32) {
        state::write(state, state::Storage::lreg, VD * 32 + Lane, u32);
    }
    bool LaneEnabled(std::uint32_t Lane) const {
        const bool UseLaneFlagsForLaneEnable = (*this)[state::cells::cc_enable_block[0]];
        return UseLaneFlagsForLaneEnable ? (*this)[state::cells::cc_block[0]] >> Lane & 1 : true;
    }
    bool plain(std::uint32_t VD) const {
        for (unsigned i = 0; i < state::cells::lane_config_words; ++i)
            if ((*this)[state::cells::lane_config_block[i]]) return false;
        return VD < 12;
    }

    /// MOD0_FMT_SRCB resolved to something concrete.
    std::uint32_t resolve(std::uint32_t mod0) const {
        if (mod0 != MOD0_FMT_SRCB) return mod0;
        if ((*this)[SFPU_Fp32_enabled]) return MOD0_FMT_FP32;
        std::uint32_t SrcBFmt = ConfiguredSrcBFmt();
        if (blackhole() && (*this)[SFPU_DEST_FMT_Enable]) SrcBFmt = (*this)[SFPU_DEST_FMT_Base];
        return one_of(SrcBFmt, {FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32, INT16}) ? MOD0_FMT_BF16 : MOD0_FMT_FP16;
    }

    /// Imm10 with the Dst address adjustments. `Sp` is Blackhole's, and 0 elsewhere.
    std::uint32_t Addr(std::uint32_t Imm10, std::uint32_t mod0) const {
        const std::uint32_t DstOffset = RWC(Rwc::dst) + (*this)[DEST_REGW_BASE_Base];
        const std::uint32_t SpOffset = blackhole() ? RWC(Rwc::sp) + (*this)[DEST_SP_BASE_Base] : 0;
        const bool All = mod0 == MOD0_FMT_INT32_ALL;
        return (Imm10 + (*this)[MATH_Offset] + (All ? SpOffset + (DstOffset & 3) : DstOffset + (SpOffset & 3))) & 0x3FF;
    }
};

std::uint32_t Row(std::uint32_t Addr, std::uint32_t Lane) { return (Addr & ~3u) + Lane / 8; }
std::uint32_t Column(std::uint32_t Addr, std::uint32_t Lane) { return (Lane & 7) * 2 + (Addr & 2 ? 1 : 0); }

// --- SFPLOAD, Supporting definitions

std::uint32_t ReadFP16(std::uint32_t x) {
    const std::uint32_t Sign = x >> 15, Man = x >> 5 & 0x3FF;
    std::uint32_t Exp = x & 0x1F;
    if (Exp != 0) Exp += 112;
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

std::uint32_t load(const VectorMachine& m, std::uint32_t mod0, std::uint32_t old, std::uint32_t row,
                   std::uint32_t col) {
    const DstView Dst(m);
    const bool wh = !m.blackhole();
    const std::uint32_t x16 = Dst.read16(row, col), x32 = ReadDstFP32(Dst.read32(row, col));
    switch (mod0) {
        case MOD0_FMT_FP16: return ReadFP16(x16);
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

void store(VectorMachine& m, std::uint32_t mod0, std::uint32_t x, std::uint32_t row, std::uint32_t col) {
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
    switch (mod0) {
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

}  // namespace

Outcome sfpload(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto lreg_ind = isa::operand("SFPLOAD", "lreg_ind"), instr_mod0 = isa::operand("SFPLOAD", "instr_mod0"),
                   sfpu_addr_mode = isa::operand("SFPLOAD", "sfpu_addr_mode"),
                   dest_reg_addr = isa::operand("SFPLOAD", "dest_reg_addr");
    VectorMachine m(state, CurrentThread, word);
    const std::uint32_t VD = m[lreg_ind], mod0 = m.resolve(m[instr_mod0]);
    if (!m.plain(VD)) return Outcome::unsupported;
    if (m.blackhole() && mod0 == MOD0_FMT_INT32_ALL && m.RWC(Rwc::sp) != 0)
        m.add(m.rwc(Rwc::sp), 0 - m[SFPU_STACK_Incr], 10);
    const std::uint32_t Addr = m.Addr(m[dest_reg_addr], mod0);
    if (VD < 8)
        for (std::uint32_t Lane = 0; Lane < 32; ++Lane)
            if (m.LaneEnabled(Lane) || mod0 == MOD0_FMT_INT32_ALL)
                m.set_LReg(VD, Lane, load(m, mod0, m.LReg(VD, Lane), Row(Addr, Lane), Column(Addr, Lane)));
    m.ApplyPartialAddrMod(m[sfpu_addr_mode]);
    return Outcome::done;
}

Outcome sfpstore(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto lreg_ind = isa::operand("SFPSTORE", "lreg_ind"), instr_mod0 = isa::operand("SFPSTORE", "instr_mod0"),
                   sfpu_addr_mode = isa::operand("SFPSTORE", "sfpu_addr_mode"),
                   dest_reg_addr = isa::operand("SFPSTORE", "dest_reg_addr");
    VectorMachine m(state, CurrentThread, word);
    const std::uint32_t VD = m[lreg_ind], mod0 = m.resolve(m[instr_mod0]);
    if (!m.plain(VD)) return Outcome::unsupported;
    const std::uint32_t Addr = m.Addr(m[dest_reg_addr], mod0);
    if (m.blackhole() && mod0 == MOD0_FMT_INT32_ALL) m.add(m.rwc(Rwc::sp), m[SFPU_STACK_Incr], 10);
    for (std::uint32_t Lane = 0; Lane < 32; ++Lane)
        if (m.LaneEnabled(Lane) || mod0 == MOD0_FMT_INT32_ALL)
            store(m, mod0, m.LReg(VD, Lane), Row(Addr, Lane), Column(Addr, Lane));
    m.ApplyPartialAddrMod(m[sfpu_addr_mode]);
    return Outcome::done;
}

Outcome sfploadi(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto lreg_ind = isa::operand("SFPLOADI", "lreg_ind"), instr_mod0 = isa::operand("SFPLOADI", "instr_mod0"),
                   imm16 = isa::operand("SFPLOADI", "imm16");
    enum : std::uint32_t { FLOATB = 0, FLOATA = 1, USHORT = 2, SHORT = 4, UPPER = 8, LOWER = 10 };
    VectorMachine m(state, CurrentThread, word);
    const std::uint32_t VD = m[lreg_ind], Imm16 = m[imm16];
    if (!m.plain(VD)) return Outcome::unsupported;
    if (VD >= 8) return Outcome::done;
    for (std::uint32_t Lane = 0; Lane < 32; ++Lane) {
        if (!m.LaneEnabled(Lane)) continue;
        const std::uint32_t old = m.LReg(VD, Lane);
        const auto write = [&](std::uint32_t x) { m.set_LReg(VD, Lane, x); };
        switch (m[instr_mod0]) {
            case FLOATB: write(Imm16 << 16); break;
            case FLOATA: {
                const std::uint32_t Sign = Imm16 >> 15, Exp = (Imm16 >> 10 & 0x1F) + 112, Man = Imm16 & 0x3FF;
                write(Sign << 31 | Exp << 23 | Man << 13);
                break;
            }
            case USHORT: write(Imm16); break;
            case SHORT: write(Imm16 & 0x8000 ? Imm16 | 0xFFFF0000 : Imm16); break;
            case UPPER: write(Imm16 << 16 | (old & 0xFFFF)); break;
            case LOWER: write((old & 0xFFFF0000) | Imm16); break;
            default: break;  // V3
        }
    }
    return Outcome::done;
}

}  // namespace tessera::reference
