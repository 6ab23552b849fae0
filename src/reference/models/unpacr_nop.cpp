// SPDX-License-Identifier: Apache-2.0
// UNPACR_NOP (ZEROSRC, SETDVALID, OverlayClear, SETREG) and SETDVALID, Functional models. All waits are over. The
// word's bits follow the pages for Wormhole, and spec-notes C4 for Blackhole.
//
// Rules: units/misc/rules/setdvalid.cpp, units/unpacker/rules/unpacr_nop.cpp.
#include "reference/unpacr_nop.hpp"

#include "reference/models.hpp"
#include "reference/tile_registers.hpp"

namespace tessera::reference {

namespace {

using registers::field;
using registers::fields;
using state::Src;
using state::Unpacker;

constexpr auto Out_data_format = fields<2>("THCON_SEC#_REG2_Out_data_format");
constexpr auto NOC_OVERLAY_MSG_CLEAR_StreamId = fields<2>("NOC_OVERLAY_MSG_CLEAR_StreamId_#");
constexpr auto nop_reg_clr_val = fields<2>("UNP#_NOP_REG_CLR_VAL_nop_reg_clr_val");
constexpr registers::Field SRC_SET_Base[] = {field("SRCA_SET_Base"), field("SRCB_SET_Base")};

struct UnpackerMachine : Machine {
    using Machine::Machine;

    std::uint32_t bits(unsigned hi, unsigned lo) const {
        return CurrentInstruction.word >> lo & ((1u << (hi - lo + 1)) - 1);
    }
    std::uint32_t SrcBank(unsigned u) const { return (*this)[state::cells::unpacker(u, Unpacker::bank)]; }

    void Flip(unsigned u) {
        const std::uint32_t Bank = SrcBank(u);
        set(state::cells::bank_owner(Src(u), Bank), static_cast<std::uint32_t>(state::Owner::matrix));
        set(state::cells::unpacker(u, Unpacker::bank), Bank ^ 1);
        set(state::cells::unpacker(u, Unpacker::next_bank), Bank ^ 1);
        set(state::cells::unpacker(u, Unpacker::src_row_t0, CurrentThread), (*this)[SRC_SET_Base[u]] << 4);
    }
    void SetDvalid(unsigned u) {
        if (blackhole()) set(state::cells::implied_format(Src(u), SrcBank(u)), (*this)[Out_data_format[u]]);
        Flip(u);
    }
    void Clear(unsigned WhichUnpacker, bool BothBanks, std::uint32_t ClearVal) {
        const std::uint32_t UnpackBank = SrcBank(WhichUnpacker);
        for (unsigned Bank = 0; Bank < 2; ++Bank) {
            if (!BothBanks && Bank != UnpackBank) continue;
            for (unsigned i = 0; i < 64; ++i)
                for (unsigned j = 0; j < 16; ++j) set_src(Src(WhichUnpacker), Bank, i, j, ClearVal);
        }
    }
    void OverlayClear(unsigned WhichUnpacker, std::uint32_t ClearCount, std::uint32_t WhichStream) {
        const std::uint32_t StreamId =
            ClearCount != 0 ? WhichStream : (*this)[NOC_OVERLAY_MSG_CLEAR_StreamId[WhichUnpacker]];
        set(state::cells::stream_data_clear(StreamId), 1);
    }
    Outcome SetReg(unsigned WhichUnpacker, std::uint32_t AddrSel) {
        const std::uint32_t AddrMid = bits(21, 16), Value11 = bits(14, 4);
        const bool Accumulate = bits(3, 3);
        const std::uint32_t Addr = 0xFFB00000 + (*this)[state::cells::set_reg_base(AddrSel)] + (AddrMid << 12);
        if (!Accumulate) return StoreRegister(*this, Addr, Value11, false) ? Outcome::done : Outcome::undefined;
        const state::Cell SetRegAcc = state::cells::unpacker(WhichUnpacker, Unpacker::setreg_acc);
        std::uint32_t AccValue = (*this)[SetRegAcc];
        if (Value11 == 0) {
            AccValue = 0;
        } else {
            AccValue = (AccValue + Value11) & 0x1ffff;
            if (!StoreRegister(*this, Addr, AccValue, false)) return Outcome::undefined;
        }
        set(SetRegAcc, AccValue);
        return Outcome::done;
    }
};

Outcome wormhole(UnpackerMachine& m) {
    const unsigned WhichUnpacker = m.bits(23, 23);
    switch (m.bits(2, 0)) {
        case 0: m.OverlayClear(WhichUnpacker, 0, 0); break;
        case 1:
        case 5: m.Clear(WhichUnpacker, m.bits(3, 3), m.bits(2, 2) && WhichUnpacker == 0 ? 0x7FFFF : 0); break;
        case 3: m.OverlayClear(WhichUnpacker, m.bits(14, 12), m.bits(21, 16)); break;
        case 4: return m.SetReg(WhichUnpacker, m.bits(22, 22));
        case 7: m.SetDvalid(WhichUnpacker); break;
        default: break;
    }
    return Outcome::done;
}

// 1.0 in a source register's form (spec-notes A81): FP16, BF16 or TF32, integer "8".
std::uint32_t One(std::uint32_t format) {
    if (format == 0) return 15;
    if (format == 1) return 127;
    return 1 << 8 | 16;
}

Outcome blackhole(UnpackerMachine& m) {
    const unsigned WhichUnpacker = m.bits(23, 23);
    switch (m.bits(1, 0)) {
        case 0: m.OverlayClear(WhichUnpacker, 0, 0); break;
        case 1: {
            if (m.bits(7, 6) == 3) {
                m.SetDvalid(WhichUnpacker);
                break;
            }
            const std::uint32_t values[] = {0, 0x7FFFF, One(m.bits(7, 6)), m[nop_reg_clr_val[WhichUnpacker]] & 0x7FFFF};
            m.Clear(WhichUnpacker, m.bits(4, 4), values[m.bits(3, 2)]);
            if (m.bits(8, 8)) m.SetDvalid(WhichUnpacker);
            break;
        }
        case 3:
            if (m.bits(2, 2)) return m.SetReg(WhichUnpacker, m.bits(22, 22) << 1 | m.bits(15, 15));
            m.OverlayClear(WhichUnpacker, m.bits(14, 12), m.bits(21, 16));
            break;
        default: break;
    }
    return Outcome::done;
}

}  // namespace

Outcome unpacr_nop(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    UnpackerMachine m(state, CurrentThread, word);
    return m.blackhole() ? blackhole(m) : wormhole(m);
}

// The bank's implied format is unchanged (A82).
Outcome setdvalid(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    UnpackerMachine m(state, CurrentThread, word);
    const bool FlipSrcA = m.bits(0, 0), FlipSrcB = m.bits(1, 1);
    if (FlipSrcA) m.Flip(0);
    if (FlipSrcB) m.Flip(1);
    return Outcome::done;
}

namespace {

constexpr Registered models[] = {
    {isa::mnemonic("UNPACR_NOP"), unpacr_nop},
    {isa::mnemonic("SETDVALID"), setdvalid},
};

}  // namespace

std::span<const Registered> unpacr_nop_models() { return models; }

}  // namespace tessera::reference
