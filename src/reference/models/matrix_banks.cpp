// SPDX-License-Identifier: Apache-2.0
// ZEROACC, ZEROSRC, TRNSPSRCB, SETRWC, INCRWC, CLEARDVALID, SHIFTXA, SHIFTXB, CLREXPHIST, Functional models; spec-notes B17, B20,
// B21, C11, E17, E50, E51.
// Rules: units/matrix/rules/clrexphist_gatesrcrst.cpp, units/matrix/rules/setrwc_incrwc_cleardvalid.cpp,
//    units/matrix/rules/shiftxa_shiftxb.cpp, units/matrix/rules/trnspsrcb_zerosrc.cpp, units/matrix/rules/zeroacc.cpp.
#include "reference/dst.hpp"
#include "reference/matrix.hpp"
#include "reference/matrix_machine.hpp"
#include "reference/models.hpp"

namespace tessera::reference {

namespace {

using state::Rwc;
using state::Src;

constexpr auto zeroacc_absolute_tile_mode = registers::field("DEST_ACCESS_CFG_zeroacc_absolute_tile_mode");

}  // namespace

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
            for (unsigned bank = 0; bank < 2 && m.blackhole(); ++bank)
                m.set(state::cells::implied_format(src, bank), 0);
        } else if (m[flip] >> which & 1) {
            const std::uint32_t Bank = m[state::cells::matrix_bank(src)];
            m.give_to_unpackers(src, Bank);
            if (!KeepReadingSameSrc) m.set(state::cells::matrix_bank(src), Bank ^ 1);
        }
    }
    return Outcome::done;
}

Outcome incrwc(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto rwc_cr = isa::operand("INCRWC", "rwc_cr"), DstInc = isa::operand("INCRWC", "rwc_d"),
                   SrcBInc = isa::operand("INCRWC", "rwc_b"), SrcAInc = isa::operand("INCRWC", "rwc_a");
    MatrixMachine m(state, CurrentThread, word);
    const bool SrcACr = m[rwc_cr] & 1, SrcBCr = m[rwc_cr] & 2, DstCr = m[rwc_cr] & 4;
    if (SrcACr) {
        m.add(m.rwc(Rwc::src_a_cr), m[SrcAInc], 6);
        m.set(m.rwc(Rwc::src_a), m.RWC(Rwc::src_a_cr));
    } else {
        m.add(m.rwc(Rwc::src_a), m[SrcAInc], 6);
    }
    if (SrcBCr) {
        m.add(m.rwc(Rwc::src_b_cr), m[SrcBInc], 6);
        m.set(m.rwc(Rwc::src_b), m.RWC(Rwc::src_b_cr));
    } else {
        m.add(m.rwc(Rwc::src_b), m[SrcBInc], 6);
    }
    if (DstCr) {
        m.add(m.rwc(Rwc::dst_cr), m[DstInc], 10);
        m.set(m.rwc(Rwc::dst), m.RWC(Rwc::dst_cr));
    } else {
        m.add(m.rwc(Rwc::dst), m[DstInc], 10);
    }
    return Outcome::done;
}

Outcome trnspsrcb(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    MatrixMachine m(state, CurrentThread, word);
    const std::uint32_t Bank = m.SrcBBank(), RowBase = 16;
    for (std::uint32_t i = 0; i < 16; ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
            const std::uint32_t ij = m.src(Src::b, Bank, RowBase + i, j);
            const std::uint32_t ji = m.src(Src::b, Bank, RowBase + j, i);
            m.set_src(Src::b, Bank, RowBase + i, j, ji);
            m.set_src(Src::b, Bank, RowBase + j, i, ij);
        }
    }
    return Outcome::done;
}

Outcome zerosrc(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto zero_val = isa::operand("ZEROSRC", "zero_val"), write_mode = isa::operand("ZEROSRC", "write_mode"),
                   bank_mask = isa::operand("ZEROSRC", "bank_mask"), src_mask = isa::operand("ZEROSRC", "src_mask");
    MatrixMachine m(state, CurrentThread, word);
    const bool NegativeInfSrcA = m[zero_val], SingleBankMatrixUnit = m[write_mode], BothBanks = m[bank_mask];
    for (Src src : {Src::a, Src::b}) {
        const auto which = static_cast<unsigned>(src);
        if (!(m[src_mask] >> which & 1)) continue;
        const std::uint32_t MatrixUnitBank = m[state::cells::matrix_bank(src)];
        const std::uint32_t UnpackerBank = m[state::cells::unpacker(which, state::Unpacker::bank)];
        for (std::uint32_t Bank = 0; Bank < 2; ++Bank) {
            if (!BothBanks && Bank != (SingleBankMatrixUnit ? MatrixUnitBank : UnpackerBank)) continue;
            for (std::uint32_t i = 0; i < 64; ++i)
                for (std::uint32_t j = 0; j < 16; ++j)
                    m.set_src(src, Bank, i, j, src == Src::a && NegativeInfSrcA ? 0x7FFFF : 0);
        }
    }
    return Outcome::done;
}

Outcome shiftxa(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto shift_mode = isa::operand("SHIFTXA", "shift_mode");
    enum : std::uint32_t { DIRECTION_RIGHT = 2, DIRECTION_LEFT = 3 };
    MatrixMachine m(state, CurrentThread, word);
    const std::uint32_t Direction = m[shift_mode], Bank = m.SrcABank();
    const std::uint32_t InRow = m[state::cells::last_src_a_row] & 0x30;  // HardwareBug()
    for (std::uint32_t i = 0; i < 16; ++i) {
        if (Direction == DIRECTION_RIGHT) {
            for (std::uint32_t Column = 15; Column > 0; --Column)
                m.set_src(Src::a, Bank, i, Column, m.src(Src::a, Bank, InRow + i, Column - 1));
            m.set_src(Src::a, Bank, i, 0, 0);
        } else if (Direction == DIRECTION_LEFT) {
            for (std::uint32_t Column = 0; Column < 15; ++Column)
                m.set_src(Src::a, Bank, i, Column, m.src(Src::a, Bank, InRow + i, Column + 1));
            m.set_src(Src::a, Bank, i, 15, 0);
        }
    }
    return Outcome::done;
}

// All columns move, as in the page's summary and figures (E50).
Outcome shiftxb(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr auto addr_mode = isa::operand("SHIFTXB", "addr_mode"), rot_shift = isa::operand("SHIFTXB", "rot_shift"),
                   shift_row = isa::operand("SHIFTXB", "shift_row");
    MatrixMachine m(state, CurrentThread, word);
    const std::uint32_t Bank = m.SrcBBank(), SrcRow = (m[shift_row] + m.RWC(Rwc::src_b)) & 0x3F;
    const std::uint32_t Column0 = m.src(Src::b, Bank, SrcRow, 0);
    for (std::uint32_t Column = 0; Column < 15; ++Column)
        m.set_src(Src::b, Bank, SrcRow, Column, m.src(Src::b, Bank, SrcRow, Column + 1));
    m.set_src(Src::b, Bank, SrcRow, 15, m[rot_shift] ? 0 : Column0);
    m.ApplyAddrMod(m[addr_mode]);
    return Outcome::done;
}

Outcome gatesrcrst(state::State&, unsigned, std::uint32_t) { return Outcome::done; }

Outcome clrexphist(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    MatrixMachine m(state, CurrentThread, word);
    for (unsigned i = 0; i < state.arch().packers; ++i) {
        for (unsigned bin = 0; bin < 32; ++bin) m.set(state::cells::exp_histogram_block[i * 32 + bin], 0);
        m.set(state::cells::packer(i, state::Packer::exp_histogram_max), 0);
    }
    return Outcome::done;
}

namespace {

constexpr Registered models[] = {
    {isa::mnemonic("ZEROACC"), zeroacc},
    {isa::mnemonic("SETRWC"), setrwc},
    {isa::mnemonic("CLEARDVALID"), cleardvalid},
    {isa::mnemonic("INCRWC"), incrwc},
    {isa::mnemonic("TRNSPSRCB"), trnspsrcb},
    {isa::mnemonic("ZEROSRC"), zerosrc},
    {isa::mnemonic("SHIFTXA"), shiftxa},
    {isa::mnemonic("SHIFTXB"), shiftxb},
    {isa::mnemonic("GATESRCRST"), gatesrcrst},
    {isa::mnemonic("CLREXPHIST"), clrexphist},
};

}  // namespace

std::span<const Registered> matrix_banks_models() { return models; }

}  // namespace tessera::reference
