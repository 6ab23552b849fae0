// SPDX-License-Identifier: Apache-2.0
// MOVA2D, MOVB2D, ELWADD (and ELWSUB), ZEROACC, SETRWC, CLEARDVALID, Functional models; ELWADD's arithmetic from
// docs/numerics.md; ApplyAddrMod from the seed rwc-and-addressing 3.4. With spec-notes A64, B13, B14, B17, B19 to
// B23, C11, E1 to E6, E17c. BLOCK_DEST_MOV belongs to the vector unit's lane configuration and is not modelled.
#include "reference/matrix.hpp"

#include "reference/dst.hpp"
#include "reference/numerics.hpp"

namespace tessera::reference {

namespace {

using registers::field;
using registers::fields;
using state::Rwc;
using state::Src;

constexpr auto SrcA_override = field("ALU_FORMAT_SPEC_REG_SrcA_override");
constexpr auto SrcA_val = field("ALU_FORMAT_SPEC_REG_SrcA_val");
constexpr auto REG0_SrcA = field("ALU_FORMAT_SPEC_REG0_SrcA");
constexpr auto SrcB_override = field("ALU_FORMAT_SPEC_REG_SrcB_override");
constexpr auto SrcB_val = field("ALU_FORMAT_SPEC_REG_SrcB_val");
constexpr auto REG1_SrcB = field("ALU_FORMAT_SPEC_REG1_SrcB");
constexpr auto DISABLE_IMPLIED_SRCA_FMT = field("DISABLE_IMPLIED_SRCA_FMT_Base");
constexpr auto DISABLE_IMPLIED_SRCB_FMT = field("DISABLE_IMPLIED_SRCB_FMT_Base");
constexpr auto FP16A_FORCE_Enable = field("FP16A_FORCE_Enable");
constexpr auto INT8_math_enabled = field("ALU_ACC_CTRL_INT8_math_enabled");
constexpr auto Fp32_enabled = field("ALU_ACC_CTRL_Fp32_enabled");
constexpr auto Zero_Flag_disabled_src = field("ALU_ACC_CTRL_Zero_Flag_disabled_src");
constexpr auto MATH_Offset = field("DEST_TARGET_REG_CFG_MATH_Offset");
constexpr auto DEST_REGW_BASE_Base = field("DEST_REGW_BASE_Base");
constexpr auto zeroacc_absolute_tile_mode = field("DEST_ACCESS_CFG_zeroacc_absolute_tile_mode");
constexpr auto FIDELITY_BASE_Phase = field("FIDELITY_BASE_Phase");
constexpr auto CLR_DVALID_SrcA_Disable = field("CLR_DVALID_SrcA_Disable");
constexpr auto CLR_DVALID_SrcB_Disable = field("CLR_DVALID_SrcB_Disable");
constexpr auto ADDR_MOD_SET_Base = field("ADDR_MOD_SET_Base");

constexpr auto SrcAIncr = fields<8>("ADDR_MOD_AB_SEC#_SrcAIncr"), SrcACR = fields<8>("ADDR_MOD_AB_SEC#_SrcACR"),
               SrcAClear = fields<8>("ADDR_MOD_AB_SEC#_SrcAClear"), SrcBIncr = fields<8>("ADDR_MOD_AB_SEC#_SrcBIncr"),
               SrcBCR = fields<8>("ADDR_MOD_AB_SEC#_SrcBCR"), SrcBClear = fields<8>("ADDR_MOD_AB_SEC#_SrcBClear"),
               DestIncr = fields<8>("ADDR_MOD_DST_SEC#_DestIncr"), DestCR = fields<8>("ADDR_MOD_DST_SEC#_DestCR"),
               DestClear = fields<8>("ADDR_MOD_DST_SEC#_DestClear"),
               DestCToCR = fields<8>("ADDR_MOD_DST_SEC#_DestCToCR"),
               FidelityIncr = fields<8>("ADDR_MOD_DST_SEC#_FidelityIncr"),
               FidelityClear = fields<8>("ADDR_MOD_DST_SEC#_FidelityClear"),
               BiasIncr = fields<8>("ADDR_MOD_BIAS_SEC#_BiasIncr"),
               BiasClear = fields<8>("ADDR_MOD_BIAS_SEC#_BiasClear");

constexpr bool one_of(std::uint32_t format, std::initializer_list<std::uint32_t> list) {
    for (std::uint32_t x : list)
        if (x == format) return true;
    return false;
}
constexpr bool is_format(std::uint32_t code) { return code != 12 && code != 13; }

struct MatrixMachine : Machine {
    using Machine::Machine;

    state::Cell rwc(Rwc counter) const { return state::cells::rwc(CurrentThread, counter); }
    std::uint32_t RWC(Rwc counter) const { return (*this)[rwc(counter)]; }

    std::uint32_t SrcABank() const { return (*this)[state::cells::matrix_bank(Src::a)]; }
    std::uint32_t SrcBBank() const { return (*this)[state::cells::matrix_bank(Src::b)]; }

    // On Blackhole a bank's implied format goes before the configured one; `bank_src` names the bank (A64).
    std::uint32_t SrcAFmt(Src bank_src) const {
        if (blackhole() && !(*this)[DISABLE_IMPLIED_SRCA_FMT]) return implied(bank_src);
        return (*this)[SrcA_override] ? (*this)[SrcA_val] : (*this)[REG0_SrcA];
    }
    std::uint32_t SrcBFmt() const {
        if (blackhole() && !(*this)[DISABLE_IMPLIED_SRCB_FMT]) return implied(Src::b);
        return (*this)[SrcB_override] ? (*this)[SrcB_val] : (*this)[REG1_SrcB];
    }
    std::uint32_t implied(Src src) const {
        return (*this)[state::cells::implied_format(src, (*this)[state::cells::matrix_bank(src)])];
    }

    std::uint32_t DstRow(std::uint32_t field_value) const {
        return field_value + (*this)[MATH_Offset] + RWC(Rwc::dst) + (*this)[DEST_REGW_BASE_Base];
    }

    void ApplyAddrMod(std::uint32_t AddrMod) {
        std::uint32_t Index = AddrMod;  // three bits on Blackhole, two and a set on Wormhole (B13)
        if (!blackhole() && (RWC(Rwc::extra_addr_mod_bit) || (*this)[ADDR_MOD_SET_Base])) Index += 4;

        if ((*this)[SrcAClear[Index]]) {
            set(rwc(Rwc::src_a), 0);
            set(rwc(Rwc::src_a_cr), 0);
        } else if ((*this)[SrcACR[Index]]) {
            add(rwc(Rwc::src_a_cr), (*this)[SrcAIncr[Index]], 6);
            set(rwc(Rwc::src_a), RWC(Rwc::src_a_cr));
        } else {
            add(rwc(Rwc::src_a), (*this)[SrcAIncr[Index]], 6);
        }
        if ((*this)[SrcBClear[Index]]) {
            set(rwc(Rwc::src_b), 0);
            set(rwc(Rwc::src_b_cr), 0);
        } else if ((*this)[SrcBCR[Index]]) {
            add(rwc(Rwc::src_b_cr), (*this)[SrcBIncr[Index]], 6);
            set(rwc(Rwc::src_b), RWC(Rwc::src_b_cr));
        } else {
            add(rwc(Rwc::src_b), (*this)[SrcBIncr[Index]], 6);
        }
        if ((*this)[DestClear[Index]]) {
            set(rwc(Rwc::dst), 0);
            set(rwc(Rwc::dst_cr), 0);
        } else if ((*this)[DestCToCR[Index]]) {
            add(rwc(Rwc::dst), (*this)[DestIncr[Index]], 10);
            set(rwc(Rwc::dst_cr), RWC(Rwc::dst));
        } else if ((*this)[DestCR[Index]]) {
            add(rwc(Rwc::dst_cr), (*this)[DestIncr[Index]], 10);
            set(rwc(Rwc::dst), RWC(Rwc::dst_cr));
        } else {
            add(rwc(Rwc::dst), (*this)[DestIncr[Index]], 10);
        }
        if ((*this)[FidelityClear[Index]]) {
            set(rwc(Rwc::fidelity), 0);
        } else {
            add(rwc(Rwc::fidelity), (*this)[FidelityIncr[Index]], 2);
        }
        if ((*this)[BiasClear[Index]]) {
            set(rwc(Rwc::extra_addr_mod_bit), 0);
        } else if ((*this)[BiasIncr[Index]] & 3) {
            add(rwc(Rwc::extra_addr_mod_bit), 1, 1);  // B14
        }
    }

    void FlipSrc(Src src) {
        const std::uint32_t Bank = (*this)[state::cells::matrix_bank(src)];
        if (!(*this)[src == Src::a ? CLR_DVALID_SrcA_Disable : CLR_DVALID_SrcB_Disable]) give_to_unpackers(src, Bank);
        set(state::cells::matrix_bank(src), Bank ^ 1);
    }
    void give_to_unpackers(Src src, std::uint32_t Bank) {
        set(state::cells::bank_owner(src, Bank), static_cast<std::uint32_t>(state::Owner::unpackers));
    }
};

std::uint32_t RemoveLowMantissa(std::uint32_t x) {
    const std::uint32_t Sign = x & (1 << 18), ManHi = x & (0x7F << 11), Exp = x & 0xFF;
    return (Sign >> 3) | (ManHi >> 3) | Exp;
}
std::uint32_t RemoveHighExponent(std::uint32_t x) {
    const std::uint32_t Sign = x & (1 << 18), Man = x & (0x3FF << 8), ExpLo = x & 0x1F;
    return (Sign >> 3) | (Man >> 3) | ExpLo;
}

// What MOVA2D and MOVB2D have in common: the loop over rows.
struct Rows {
    Src src;
    std::uint32_t Bank, NumRows, SrcRow, DstRow, SrcAFmt;
    bool UseDst32bLo, SrcRowAdvances, BroadcastCol0;
    std::uint32_t Kept = 0x7FFFF;  // bits of a stored datum that move
};

void move_rows(MatrixMachine& m, Rows r) {
    DstView Dst(m);
    bool Use8bExponent;
    if (m[FP16A_FORCE_Enable]) {
        Use8bExponent = false;
    } else {
        Use8bExponent = one_of(r.SrcAFmt, {FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32, INT16});
    }
    const bool FlushDenormals = !m[Zero_Flag_disabled_src];
    for (; r.NumRows; --r.NumRows, ++r.DstRow, r.SrcRow += r.SrcRowAdvances) {
        for (std::uint32_t Column = 0; Column < 16; ++Column) {
            std::uint32_t SrcVal = m.src(r.src, r.Bank, r.SrcRow, r.BroadcastCol0 ? 0 : Column);
            if (FlushDenormals && !(SrcVal & 0xFF)) SrcVal = 0;
            SrcVal &= r.Kept;
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
    }
}

// Before use: the bits that a datum of the format has (docs/numerics.md 1). Logical order.
std::uint32_t operand(std::uint32_t stored, std::uint32_t format) {
    const std::uint32_t x = ReadSrcTF32(stored);
    if (format == TF32) return x;
    if (one_of(format, {FP16, FP8, BFP8a, BFP4a, BFP2a, INT8})) return x & ~(7u << 15);  // keep s, e[4:0], m
    return x & ~7u;
}

struct ElwOperands {
    isa::Operand clear_dvalid, dest_accum_en, instr_mod19, addr_mode, dst;
};
consteval ElwOperands elw_operands(std::string_view name) {
    return {isa::operand(name, "clear_dvalid"), isa::operand(name, "dest_accum_en"), isa::operand(name, "instr_mod19"),
            isa::operand(name, "addr_mode"), isa::operand(name, "dst")};
}

Outcome elementwise(MatrixMachine m, const ElwOperands& op, bool subtract) {
    std::uint32_t SrcAFmt = m.SrcAFmt(Src::a), SrcBFmt = m.SrcBFmt();
    bool UseDst32b = m[Fp32_enabled];
    if (m[FP16A_FORCE_Enable]) {
        SrcAFmt = SrcBFmt = FP16;
        UseDst32b = false;
    } else if (m[INT8_math_enabled]) {
        return Outcome::unsupported;
    }
    if (!is_format(SrcAFmt) || !is_format(SrcBFmt)) return Outcome::unsupported;
    const bool E8 = !one_of(SrcAFmt, {FP16, FP8, BFP8a, BFP4a, BFP2a, INT8});

    const bool BroadcastSrcBRow = m[op.instr_mod19] & 2, BroadcastSrcBCol0 = m[op.instr_mod19] & 1;
    const std::uint32_t SrcARow = m.RWC(Rwc::src_a) & 0x38;
    const std::uint32_t SrcBRow = m.RWC(Rwc::src_b) & (BroadcastSrcBRow ? 0x3F : 0x38);
    const std::uint32_t DstRow = m.DstRow(m[op.dst]) & 0x3F8;
    Elwadd how;
    how.acc32 = UseDst32b;
    how.en = m[op.dest_accum_en];
    how.E8 = E8;
    how.wh = !m.blackhole();
    how.flush_b = !m[Zero_Flag_disabled_src];
    how.phase = (m.RWC(Rwc::fidelity) + m[FIDELITY_BASE_Phase]) & 3;

    DstView Dst(m);
    for (std::uint32_t i = 0; i < 8; ++i) {
        for (std::uint32_t j = 0; j < 16; ++j) {
            const std::uint32_t SrcAVal = m.src(Src::a, m.SrcABank(), SrcARow + i, j);
            const std::uint32_t SrcBVal =
                m.src(Src::b, m.SrcBBank(), SrcBRow + (BroadcastSrcBRow ? 0 : i), BroadcastSrcBCol0 ? 0 : j);
            const std::uint32_t a = operand(SrcAVal, SrcAFmt);
            const std::uint32_t b = operand(SrcBVal, SrcBFmt) ^ (subtract ? 1u << 18 : 0);
            if (UseDst32b) {
                const std::uint32_t D = ReadDstFP32(Dst.read32(DstRow + i, j));
                Dst.write32(DstRow + i, j, WriteDstFP32(elwadd(a, b, D, how)));
            } else if (E8) {
                const std::uint32_t D = ReadDstBF16(Dst.read16(DstRow + i, j)) << 16;
                Dst.write16(DstRow + i, j, WriteDstBF16(elwadd(a, b, D, how) >> 16));
            } else {
                const std::uint32_t x = ReadDstFP16(Dst.read16(DstRow + i, j));
                const std::uint32_t D = x >> 15 << 31 | (x & 0x7FFF) << 13;
                const std::uint32_t r = elwadd(a, b, D, how);
                Dst.write16(DstRow + i, j, WriteDstFP16(r >> 31 << 15 | (r >> 13 & 0x7FFF)));
            }
        }
    }
    if (m[op.clear_dvalid] & 1) m.FlipSrc(Src::a);
    if (m[op.clear_dvalid] & 2) m.FlipSrc(Src::b);
    m.ApplyAddrMod(m[op.addr_mode]);
    return Outcome::done;
}

}  // namespace

Outcome mova2d(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto dest_32b_lo = isa::operand("MOVA2D", "dest_32b_lo"), src = isa::operand("MOVA2D", "src"),
                   addr_mode = isa::operand("MOVA2D", "addr_mode"), instr_mod = isa::operand("MOVA2D", "instr_mod"),
                   dst = isa::operand("MOVA2D", "dst");
    MatrixMachine m(state, CurrentThread, word);
    const bool Move8Rows = m[instr_mod] & 2;
    Rows r{};
    r.src = Src::a;
    r.Bank = m.SrcABank();
    r.SrcAFmt = m.SrcAFmt(Src::a);
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
    move_rows(m, r);
    m.ApplyAddrMod(m[addr_mode]);
    return Outcome::done;
}

Outcome movb2d(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto dest_32b_lo = isa::operand("MOVB2D", "dest_32b_lo"), src = isa::operand("MOVB2D", "src"),
                   addr_mode = isa::operand("MOVB2D", "addr_mode"),
                   instr_mod = isa::operand("MOVB2D", "movb2d_instr_mod", "instr_mod"),
                   dst = isa::operand("MOVB2D", "dst");
    MatrixMachine m(state, CurrentThread, word);
    const bool BroadcastCol0 = m[instr_mod] & 1, Broadcast1RowTo8 = m[instr_mod] & 2, Move4Rows = m[instr_mod] & 4;
    Rows r{};
    r.src = Src::b;
    r.Bank = m.SrcBBank();
    r.SrcAFmt = m.SrcAFmt(Src::b);  // "This is not a documentation typo"; from SrcB's bank (A64)
    if (!is_format(r.SrcAFmt)) return Outcome::unsupported;
    const std::uint32_t SrcBFmt = m.SrcBFmt();  // E5: only the bits that SrcB's own format has
    if (SrcBFmt != TF32)
        r.Kept &= one_of(SrcBFmt, {FP32, BF16, BFP8, BFP4, BFP2, INT32, INT16}) ? ~(7u << 8) : ~(7u << 5);
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
    move_rows(m, r);
    m.ApplyAddrMod(m[addr_mode]);
    return Outcome::done;
}

Outcome elwadd(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = elw_operands("ELWADD");
    return elementwise({state, CurrentThread, word}, op, false);
}
Outcome elwsub(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    static constexpr auto op = elw_operands("ELWSUB");
    return elementwise({state, CurrentThread, word}, op, true);
}

Outcome zeroacc(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto where = isa::operand("ZEROACC", "where", "dst"),
                   addr_mode = isa::operand("ZEROACC", "addr_mode", "AddrMode"),
                   clear_mode = isa::operand("ZEROACC", "clear_mode"),
                   use_32_bit_mode = isa::operand("ZEROACC", "use_32_bit_mode"),
                   clear_zero_flags = isa::operand("ZEROACC", "clear_zero_flags");
    enum : std::uint32_t { ONE_ROW, ROWS_16, HALF_OF_DST, ALL_OF_DST };
    MatrixMachine m(state, CurrentThread, word);
    const std::uint32_t Mode = m[clear_mode] & 3;
    const bool UseDst32b = m.blackhole() ? m[use_32_bit_mode] : m[clear_mode] & 4;
    // With Revert "the assignments of DstRowValid set it to true instead of to false".
    const bool Valid = m[clear_zero_flags];
    std::uint32_t Imm10 = m[where];
    auto& DstRowValid = state.dst.valid;
    DstView Dst(m);
    if (Mode == ONE_ROW) {
        const std::uint32_t Row = m.DstRow(Imm10) & 0x3FF;
        if (m[Fp32_enabled] || m[INT8_math_enabled]) {
            DstRowValid[Dst.Adj32(Row)] = Valid;
        } else {
            DstRowValid[Dst.Adj16(Row)] = Valid;
        }
    } else if (Mode == ROWS_16) {
        Imm10 &= 0xFF;
        if (m.blackhole() && !m[zeroacc_absolute_tile_mode]) {  // C11
            const std::uint32_t offset = m[MATH_Offset] + m.RWC(Rwc::dst);
            if (UseDst32b) {
                if (offset & 768) Imm10 += 16;
            } else {
                if (offset & 512) Imm10 += 32;
            }
        }
        if (UseDst32b) {
            if (Imm10 < 32)
                for (std::uint32_t i = 0; i < 16; ++i) DstRowValid[Imm10 * 32 + (i & 8) * 2 + (i & 7)] = Valid;
        } else {
            if (Imm10 < 64)
                for (std::uint32_t i = 0; i < 16; ++i) DstRowValid[Imm10 * 16 + i] = Valid;
        }
    } else if (Mode == HALF_OF_DST) {
        const std::uint32_t first = Imm10 & 1 ? 512 : 0;
        for (std::uint32_t i = first; i < first + 512; ++i) DstRowValid[i] = Valid;
    } else {
        for (std::uint32_t i = 0; i < 1024; ++i) DstRowValid[i] = Valid;
    }
    if (Mode == ONE_ROW || Mode == ROWS_16) m.ApplyAddrMod(m[addr_mode]);
    return Outcome::done;
}

Outcome setrwc(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto clear_ab_vld = isa::operand("SETRWC", "clear_ab_vld"), rwc_cr = isa::operand("SETRWC", "rwc_cr"),
                   rwc_d = isa::operand("SETRWC", "rwc_d"), rwc_b = isa::operand("SETRWC", "rwc_b"),
                   rwc_a = isa::operand("SETRWC", "rwc_a"), BitMask = isa::operand("SETRWC", "BitMask");
    MatrixMachine m(state, CurrentThread, word);
    const bool SrcACr = m[rwc_cr] & 1, SrcBCr = m[rwc_cr] & 2, DstCr = m[rwc_cr] & 4, DstCtoCr = m[rwc_cr] & 8;
    if (m[BitMask] & 1) {
        std::uint32_t SrcAVal = m[rwc_a];
        if (SrcACr) SrcAVal += m.RWC(Rwc::src_a_cr);
        m.set(m.rwc(Rwc::src_a), SrcAVal & 0x3F);
        m.set(m.rwc(Rwc::src_a_cr), SrcAVal & 0x3F);
    }
    if (m[BitMask] & 2) {
        std::uint32_t SrcBVal = m[rwc_b];
        if (SrcBCr) SrcBVal += m.RWC(Rwc::src_b_cr);
        m.set(m.rwc(Rwc::src_b), SrcBVal & 0x3F);
        m.set(m.rwc(Rwc::src_b_cr), SrcBVal & 0x3F);
    }
    if ((m[BitMask] & 4) || DstCtoCr) {
        std::uint32_t DstVal = m[rwc_d];
        if (DstCtoCr) {
            DstVal += m.RWC(Rwc::dst);
        } else if (DstCr) {
            DstVal += m.RWC(Rwc::dst_cr);
        }
        m.set(m.rwc(Rwc::dst), DstVal & 0x3FF);
        m.set(m.rwc(Rwc::dst_cr), DstVal & 0x3FF);
    }
    if (m[BitMask] & 8) m.set(m.rwc(Rwc::fidelity), 0);
    if (m[clear_ab_vld] & 1) m.FlipSrc(Src::a);
    if (m[clear_ab_vld] & 2) m.FlipSrc(Src::b);
    return Outcome::done;
}

Outcome cleardvalid(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto flip = isa::operand("CLEARDVALID", "cleardvalid"), reset = isa::operand("CLEARDVALID", "reset");
    MatrixMachine m(state, CurrentThread, word);
    const bool Reset = m[reset] & 1, KeepReadingSameSrc = m[reset] & 2;
    for (Src src : {Src::a, Src::b}) {
        const auto which = static_cast<unsigned>(src);
        if (Reset) {
            m.set(state::cells::matrix_bank(src), 0);
            m.set(state::cells::unpacker(which, state::Unpacker::bank), 0);
            m.set(state::cells::unpacker(which, state::Unpacker::next_bank), 0);
            m.give_to_unpackers(src, 0);
            m.give_to_unpackers(src, 1);
        } else if (m[flip] >> which & 1) {
            const std::uint32_t Bank = m[state::cells::matrix_bank(src)];
            m.give_to_unpackers(src, Bank);
            if (!KeepReadingSameSrc) m.set(state::cells::matrix_bank(src), Bank ^ 1);
        }
    }
    return Outcome::done;
}

}  // namespace tessera::reference
