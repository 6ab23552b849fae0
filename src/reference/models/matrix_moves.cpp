// SPDX-License-Identifier: Apache-2.0
// MOVA2D, MOVB2D, MOVD2A, MOVD2B, MOVB2A, Functional models; spec-notes A64, E1, E5 to E8, E54.
// Rules: units/matrix/rules/mova2d_movb2d.cpp, units/matrix/rules/movd2a_movd2b_movb2a.cpp; loops:
//    units/matrix/loops/mova2d_movb2d_loops.cpp, units/matrix/loops/movd2a_movd2b_loops.cpp.
#include "reference/dst.hpp"
#include "reference/matrix.hpp"
#include "reference/matrix_machine.hpp"
#include "reference/models.hpp"

namespace tessera::reference {

namespace {

using state::Rwc;
using state::Src;

std::uint32_t RemoveLowMantissa(std::uint32_t x) {
    const std::uint32_t Sign = x & (1 << 18), ManHi = x & (0x7F << 11), Exp = x & 0xFF;
    return (Sign >> 3) | (ManHi >> 3) | Exp;
}
std::uint32_t RemoveHighExponent(std::uint32_t x) {
    const std::uint32_t Sign = x & (1 << 18), Man = x & (0x3FF << 8), ExpLo = x & 0x1F;
    return (Sign >> 3) | (Man >> 3) | ExpLo;
}

// Keeps the bits that a datum of the format has (E5; docs/internals/numerics.md 1).
std::uint32_t TruncateSrc(std::uint32_t x, std::uint32_t SrcFmt) {
    if (SrcFmt == TF32) return x;
    if (one_of(SrcFmt, {FP32, BF16, BFP8, BFP4, BFP2, INT32, INT16})) return x & ~(7u << 8);
    return x & ~(7u << 5);
}

constexpr auto SFPU_DEST_FMT_Base = registers::field("SFPU_DEST_FMT_Base");

// LaneConfig[Column / 2].BLOCK_DEST_MOV.Bit[Column & 1] (SFPCONFIG, LaneConfig)
bool BLOCK_DEST_MOV(const MatrixMachine& m, std::uint32_t Column) {
    return m[state::cells::lane_config_block[Column / 2]] >> (9 + (Column & 1)) & 1;
}

bool FiveBitExponent(std::uint32_t Fmt) { return !one_of(Fmt, {FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32, INT16}); }

// The bits of a datum of SrcB that MOVB2D moves (E5). For formats with 5-bit exponents other than FP16 these are all
// of the page's bits only if SrcA's format has a 5-bit exponent, too.
std::uint32_t TruncateMoved(std::uint32_t x, std::uint32_t SrcAFmt, std::uint32_t SrcBFmt) {
    if (!FiveBitExponent(SrcBFmt) || SrcBFmt == FP16) return TruncateSrc(x, SrcBFmt);
    return FiveBitExponent(SrcAFmt) && SrcAFmt != FP16 ? x : x & ~(7u << 8);
}

// Shared by MOVA2D and MOVB2D: the loop over rows.
struct Rows {
    Src src;
    std::uint32_t Bank, NumRows, SrcRow, DstRow, SrcAFmt;
    bool UseDst32bLo, SrcRowAdvances, BroadcastCol0;
    std::uint32_t SrcBFmt = TF32;  // for TruncateMoved
};

void move_rows(MatrixMachine& m, Rows r) {
    DstView Dst(m);
    bool Use8bExponent;
    if (m[FP16A_FORCE_Enable]) {
        Use8bExponent = false;
    } else {
        Use8bExponent = !FiveBitExponent(r.SrcAFmt);
    }
    const bool FlushDenormals = !m[Zero_Flag_disabled_src];
    for (; r.NumRows; --r.NumRows, ++r.DstRow, r.SrcRow += r.SrcRowAdvances) {
        bool Writes = false;
        for (std::uint32_t Column = 0; Column < 16; ++Column) {
            if (BLOCK_DEST_MOV(m, Column)) continue;
            Writes = true;
            std::uint32_t SrcVal = m.src(r.src, r.Bank, r.SrcRow, r.BroadcastCol0 ? 0 : Column);
            if (FlushDenormals && !(SrcVal & 0xFF)) SrcVal = 0;
            SrcVal = TruncateMoved(SrcVal, r.SrcAFmt, r.SrcBFmt);
            const std::uint32_t Val16b = Use8bExponent ? RemoveLowMantissa(SrcVal) : RemoveHighExponent(SrcVal);
            if (r.SrcAFmt == TF32) {
                std::uint32_t LowMantissa = ((SrcVal >> 8) & 7) << 13;
                if (r.UseDst32bLo) LowMantissa |= Val16b;
                Dst.write32(r.DstRow, Column, (Val16b << 16) | LowMantissa);
            } else if (r.UseDst32bLo) {
                Dst.write32(r.DstRow, Column, (Dst.read32(r.DstRow, Column) & 0xFFFF0000) | Val16b);
            } else {
                Dst.write16(r.DstRow, Column, Val16b);
            }
        }
        if (!Writes) continue;
        if (r.SrcAFmt == TF32 || r.UseDst32bLo)
            Dst.make_valid32(r.DstRow);
        else
            Dst.make_valid16(r.DstRow);
    }
}

std::uint32_t ShuffleBF16(std::uint32_t x) { return ((x & 0xFF00) << 3) | (x & 0xFF); }
std::uint32_t ShuffleFP16(std::uint32_t x) { return ((x & 0xFFE0) << 3) | (x & 0x1F); }
std::uint32_t ShuffleTF32(std::uint32_t x) {
    const std::uint32_t SignHiMan = x & 0x7F800, Exp = x & 0x7F8, LoMan = x & 7;  // all ten bits of mantissa (E8)
    return SignHiMan | (LoMan << 8) | (Exp >> 3);
}

struct MoveBackOperands {
    isa::Operand dest_32b_lo, src, addr_mode, instr_mod, dst;
};
consteval MoveBackOperands move_back_operands(std::string_view name) {
    return {isa::operand(name, "dest_32b_lo"), isa::operand(name, "src"), isa::operand(name, "addr_mode"),
            isa::operand(name, "instr_mod"), isa::operand(name, "dst")};
}

// MOVD2A and MOVD2B: SrcAFmt decides for both.
Outcome move_back(MatrixMachine m, const MoveBackOperands& op, Src to, std::uint32_t SrcAFmt) {
    bool UseDst32b;
    std::uint32_t SrcStyle;
    if (m[FP16A_FORCE_Enable]) {
        UseDst32b = false;
        SrcStyle = FP16;
    } else {
        if (!is_format(SrcAFmt)) return Outcome::unsupported;
        UseDst32b = m[Fp32_enabled] || m[INT8_math_enabled];
        if (one_of(SrcAFmt, {FP32, BF16, BFP8, BFP4, BFP2, INT32, INT16})) {
            SrcStyle = BF16;
        } else if (SrcAFmt == TF32) {
            SrcStyle = TF32;
        } else {
            SrcStyle = FP16;
        }
    }
    const bool Move4Rows = m[op.instr_mod] & 2, UseDst32bLo = m[op.dest_32b_lo];
    const bool DBG_FEATURE_DISABLE_11 = m[state::cells::feature_disable] >> 11 & 1;
    if (DBG_FEATURE_DISABLE_11 && UseDst32bLo) UseDst32b = true;  // T21
    std::uint32_t NumRows = Move4Rows ? 4 : 1;
    std::uint32_t DstRow = m.DstRow(m[op.dst]) & (Move4Rows ? 0x3FC : 0x3FF);
    std::uint32_t SrcRow = (m[op.src] + m.RWC(to == Src::a ? Rwc::src_a : Rwc::src_b)) & (Move4Rows ? 0x3C : 0x3F);
    m.set(state::cells::last_src_a_row, to == Src::a ? SrcRow : m.RWC(Rwc::src_a));  // E51
    const DstView Dst(m);
    for (; NumRows; --NumRows, ++DstRow, ++SrcRow) {
        for (std::uint32_t Column = 0; Column < 16; ++Column) {
            if (BLOCK_DEST_MOV(m, Column)) continue;
            std::uint32_t SrcVal;
            if (UseDst32b) {
                std::uint32_t DstVal = Dst.read32(DstRow, Column);
                if (UseDst32bLo) DstVal = (DstVal << 16) | (DstVal & 0xFFFF);
                if (SrcStyle == BF16) {
                    SrcVal = ShuffleBF16(DstVal >> 16);
                } else if (SrcStyle == FP16) {
                    SrcVal = ShuffleFP16(DstVal >> 16);
                } else if (!UseDst32bLo) {
                    SrcVal = ShuffleTF32(DstVal >> 13);
                } else {
                    SrcVal = DstVal & 0x1FFF;
                }
            } else {
                // UseDst32bLo with TF32 is undefined; decided: the 16 bits count as BF16 (E7).
                const std::uint32_t DstVal = Dst.read16(DstRow, Column);
                SrcVal = SrcStyle == FP16 ? ShuffleFP16(DstVal) : ShuffleBF16(DstVal);
            }
            m.set_src(to, m[state::cells::matrix_bank(to)], SrcRow, Column, SrcVal);
        }
    }
    m.ApplyAddrMod(m[op.addr_mode]);
    return Outcome::done;
}

// The format that the bank implies. MOVDBGA2D and MOVDBGB2D do not wait for a valid bank; an invalid one implies
// SFPU_DEST_FMT_Base (E54).
std::uint32_t ImpliedFmt(const MatrixMachine& m, Src src, bool Waits) {
    const std::uint32_t Owner = m[state::cells::bank_owner(src, m[state::cells::matrix_bank(src)])];
    const bool Valid = Owner == static_cast<std::uint32_t>(state::Owner::matrix);
    return Waits || Valid ? m.ImpliedSrcFmt(src) : m[SFPU_DEST_FMT_Base];
}

Outcome move_from_a(state::State& state, unsigned CurrentThread, std::uint32_t word, bool Waits) {
    constexpr auto dest_32b_lo = isa::operand("MOVA2D", "dest_32b_lo"), src = isa::operand("MOVA2D", "src"),
                   addr_mode = isa::operand("MOVA2D", "addr_mode"), instr_mod = isa::operand("MOVA2D", "instr_mod"),
                   dst = isa::operand("MOVA2D", "dst");
    MatrixMachine m(state, CurrentThread, word);
    const bool Move8Rows = m[instr_mod] & 2;
    Rows r{};
    r.src = Src::a;
    r.Bank = m.SrcABank();
    r.SrcAFmt = m.ImpliesSrcAFmt() ? ImpliedFmt(m, Src::a, Waits) : m.ConfiguredSrcAFmt();
    if (!is_format(r.SrcAFmt)) return Outcome::unsupported;
    r.UseDst32bLo = m[dest_32b_lo];
    r.SrcRowAdvances = true;
    r.DstRow = m.DstRow(m[dst]);
    r.SrcRow = m[src] + m.RWC(Rwc::src_a);
    if (Move8Rows) {
        r.NumRows = 8;
        r.DstRow &= 0x3F8;
        r.SrcRow &= 0x38;
    } else {
        r.NumRows = 1;
        r.DstRow &= 0x3FF;
        r.SrcRow &= 0x3F;
    }
    m.set(state::cells::last_src_a_row, r.SrcRow);
    move_rows(m, r);
    m.ApplyAddrMod(m[addr_mode]);
    return Outcome::done;
}

Outcome move_from_b(state::State& state, unsigned CurrentThread, std::uint32_t word, bool Waits) {
    constexpr auto dest_32b_lo = isa::operand("MOVB2D", "dest_32b_lo"), src = isa::operand("MOVB2D", "src"),
                   addr_mode = isa::operand("MOVB2D", "addr_mode"),
                   instr_mod = isa::operand("MOVB2D", "movb2d_instr_mod", "instr_mod"),
                   dst = isa::operand("MOVB2D", "dst");
    MatrixMachine m(state, CurrentThread, word);
    const bool BroadcastCol0 = m[instr_mod] & 1, Broadcast1RowTo8 = m[instr_mod] & 2, Move4Rows = m[instr_mod] & 4;
    Rows r{};
    r.src = Src::b;
    r.Bank = m.SrcBBank();
    // "This is not a documentation typo"; implied by SrcB's bank (E1).
    r.SrcAFmt = m.ImpliesSrcAFmt() ? ImpliedFmt(m, Src::b, Waits) : m.ConfiguredSrcAFmt();
    if (!is_format(r.SrcAFmt)) return Outcome::unsupported;
    r.SrcBFmt = m.ImpliesSrcBFmt() ? ImpliedFmt(m, Src::b, Waits) : m.ConfiguredSrcBFmt();
    r.UseDst32bLo = m[dest_32b_lo];
    r.BroadcastCol0 = BroadcastCol0;
    r.SrcRowAdvances = !Broadcast1RowTo8;
    r.DstRow = m.DstRow(m[dst]);
    r.SrcRow = m[src] + m.RWC(Rwc::src_b);
    if (Broadcast1RowTo8) {
        r.NumRows = 8;
        r.DstRow &= 0x3F8;
        r.SrcRow &= 0x3F;
    } else if (Move4Rows) {
        r.NumRows = 4;
        r.DstRow &= 0x3FC;
        r.SrcRow &= 0x3C;
    } else {
        r.NumRows = 1;
        r.DstRow &= 0x3FF;
        r.SrcRow &= 0x3F;
    }
    m.set(state::cells::last_src_a_row, m.RWC(Rwc::src_a));  // E51
    move_rows(m, r);
    m.ApplyAddrMod(m[addr_mode]);
    return Outcome::done;
}

}  // namespace

Outcome mova2d(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    return move_from_a(state, CurrentThread, word, true);
}
Outcome movdbga2d(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    return move_from_a(state, CurrentThread, word, false);
}
Outcome movb2d(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    return move_from_b(state, CurrentThread, word, true);
}
Outcome movdbgb2d(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    return move_from_b(state, CurrentThread, word, false);
}

Outcome movd2a(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = move_back_operands("MOVD2A");
    const MatrixMachine m(state, CurrentThread, word);
    return move_back(m, op, Src::a, m.SrcAFmt());
}

Outcome movd2b(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = move_back_operands("MOVD2B");
    const MatrixMachine m(state, CurrentThread, word);
    // "This is not a documentation typo"; implied by SrcB's bank.
    return move_back(m, op, Src::b, m.ImpliesSrcBFmt() ? m.ImpliedSrcFmt(Src::b) : m.ConfiguredSrcAFmt());
}

Outcome movb2a(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto srca = isa::operand("MOVB2A", "srca"), addr_mode = isa::operand("MOVB2A", "addr_mode"),
                   instr_mod = isa::operand("MOVB2A", "instr_mod"), srcb = isa::operand("MOVB2A", "srcb");
    MatrixMachine m(state, CurrentThread, word);
    const std::uint32_t SrcBFmt = m.SrcBFmt();
    if (!is_format(SrcBFmt)) return Outcome::unsupported;
    const bool FlushDenormals = !m[Zero_Flag_disabled_src], Move4Rows = m[instr_mod] & 2;
    std::uint32_t NumRows = Move4Rows ? 4 : 1;
    std::uint32_t SrcARow = (m[srca] + m.RWC(Rwc::src_a)) & (Move4Rows ? 0x3C : 0x3F);
    m.set(state::cells::last_src_a_row, SrcARow);
    std::uint32_t SrcBRow = (m[srcb] + m.RWC(Rwc::src_b)) & (Move4Rows ? 0x3C : 0x3F);
    for (; NumRows; --NumRows, ++SrcARow, ++SrcBRow) {
        for (std::uint32_t Column = 0; Column < 16; ++Column) {
            if (BLOCK_DEST_MOV(m, Column)) continue;
            std::uint32_t SrcVal = m.src(Src::b, m.SrcBBank(), SrcBRow, Column);
            if (FlushDenormals && !(SrcVal & 0xFF)) SrcVal = 0;
            m.set_src(Src::a, m.SrcABank(), SrcARow, Column, TruncateSrc(SrcVal, SrcBFmt));
        }
    }
    m.ApplyAddrMod(m[addr_mode]);
    return Outcome::done;
}

namespace {

constexpr Registered models[] = {
    {isa::mnemonic("MOVA2D"), mova2d},
    {isa::mnemonic("MOVDBGA2D"), movdbga2d},
    {isa::mnemonic("MOVB2D"), movb2d},
    {isa::mnemonic("MOVDBGB2D"), movdbgb2d},
    {isa::mnemonic("MOVD2A"), movd2a},
    {isa::mnemonic("MOVD2B"), movd2b},
    {isa::mnemonic("MOVB2A"), movb2a},
};

}  // namespace

std::span<const Registered> matrix_moves_models() { return models; }

}  // namespace tessera::reference
