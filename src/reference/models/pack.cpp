// SPDX-License-Identifier: Apache-2.0
// PACR of both architectures through the stages of Packers, README; with spec-notes C5, E12, E13, E20 to E40, H12, H13.
// Rules: units/packer/rules/pacr.cpp; loops: units/packer/direct_loops.cpp.
#include "reference/pack.hpp"

#include "reference/dst.hpp"
#include "reference/models.hpp"
#include "reference/pack_output.hpp"

namespace tessera::reference {

namespace {

constexpr auto Last = isa::operand("PACR", "Last"), Flush = isa::operand("PACR", "Flush"),
               Concat = isa::operand("PACR", "Concat"), PackerMaskBits = isa::operand("PACR", "ReadIntfSel", "PackSel"),
               OvrdThreadId = isa::operand("PACR", "OvrdThreadId"), ZeroWrite = isa::operand("PACR", "ZeroWrite"),
               AddrModBits = isa::operand("PACR", "AddrMode"), AddrCntContext = isa::operand("PACR", "AddrCntContext"),
               DstAccessMode = isa::operand("PACR", "DstAccessMode"), RowPadZero = isa::operand("PACR", "RowPadZero"),
               CfgContext = isa::operand("PACR", "CfgContext");

/// One packer's part of a PACR.
class PackerWork {
public:
    PackerWork(PackMachine& machine, unsigned thread) : m(machine), Dst(machine), WhichADC(thread) {
        c = m.conversions(WhichADC);
        InL1 = m.FromL1();
        const auto zero = InL1 ? FromL1(c, 0) : EarlyFormatConversion(c, 0);
        supported = zero && supports(*zero);
        if (supported) Zeroed = *zero;
        gasket.State = m[m.packer(Packer::gasket_random)];
        packer.State = m[m.packer(Packer::packer_random)];
        if (m[Gasket_srnd_en]) c.EarlyRandom = &gasket;
    }

    bool supported = false;

    Outcome run() {
        PackOutput out(m, c, Zeroed, m[Packer_srnd_en] ? &packer : nullptr);
        out.SetAddresses(m.OutputAddr(WhichADC));
        const std::uint32_t X0 = m[m.adc(WhichADC, 0, Adc::x)], X1 = m[m.adc(WhichADC, 1, Adc::x)];
        if (!m[Flush] && X1 + 1 < X0) return Outcome::undefined;
        const std::uint32_t InputNumDatums = m[Flush] ? 0 : X1 - X0 + 1;
        const bool Ends = m[Last] || m[Flush];
        const bool FromDst = !m[ZeroWrite] && !InL1 && !m[Flush];
        Mask = m[Downsample_mask] ? m[Downsample_mask] : 0xFFFF;
        Addr = m.InputSourceAddr(WhichADC);
        if (m.blackhole() && !m[Flush]) {
            if ((FromDst ? Addr & 0xF : 0) + InputNumDatums > 16)
                return Outcome::undefined;  // an interface has one row
            if (!blackhole_rows(InputNumDatums, FromDst)) return Outcome::undefined;
        } else {
            for (std::uint32_t j = 0; j < InputNumDatums; ++j) {
                if (!ProcessInputDatum(j, 0, FromDst)) return Outcome::undefined;
                if (FromDst) m.advance_datum();
            }
        }
        out.Pack(Packed, !m[Concat] || Ends);
        if (Ends) out.End(m[Last]);
        m.set(m.packer(Packer::gasket_random), gasket.State);
        m.set(m.packer(Packer::packer_random), packer.State);
        return out.Store() ? Outcome::done : Outcome::undefined;
    }

private:
    bool supports(const Datum& zero) const {
        if (IsBFP(c.LateToFormat) && m[Dis_shared_exp_assembler]) return false;
        if (!LateFormatConversion(c, zero)) return false;
        if (m[Pack_L1_Acc] && (!Accumulate(c.LateToFormat, 0, 0) || m.Compressing())) return false;
        if (m.Compressing() && DatumBits(c.LateToFormat) < 4) return false;
        if (m.FromL1()) return true;
        if (m.Masks() && m[EDGE_MODE_mode] && (zero.ExpBits != 8 || zero.IsFP16)) return false;
        return ReLUStage(c, zero).has_value();
    }

    bool blackhole_rows(std::uint32_t D, bool FromDst) {
        std::uint32_t ReadIntfMask = m[PackerMaskBits] ? m[PackerMaskBits] : 0xF;
        if (m[Auto_set_last_pacr_intf_sel]) {  // E39
            const auto Row = m[m.packer(m[pack_yz_transposed[0]] ? Packer::tile_z : Packer::tile_y)];
            const std::uint32_t Remaining = m[pack_reads_per_xy_plane[0]] - Row;
            if (Remaining >= 1 && Remaining <= 3) ReadIntfMask = (1u << Remaining) - 1;
        }
        const std::uint32_t Pad = padding();
        std::uint32_t interfaces = 0;
        for (std::uint32_t n = 0; n < 4; ++n) {
            if (!(ReadIntfMask >> n & 1)) continue;
            for (std::uint32_t j = 0; j < D; ++j)
                if (!ProcessInputDatum(FromDst ? (m[DstAccessMode] ? 256 : 16) * n + j : interfaces * D + j, interfaces,
                                       FromDst))
                    return false;
            ++interfaces;
            while (Pad == every_row && Packed.size() % 16) Packed.push_back(Zeroed);
        }
        while (Pad == at_end && Packed.size() % 16) Packed.push_back(Zeroed);
        if (FromDst) m.advance_rows(interfaces);
        return true;
    }

    // RowPadZero (E37)
    enum Padding : std::uint32_t { none, every_row, at_end };
    Padding padding() const {
        const bool When[] = {false, true, !m[Concat], m[Last] != 0};
        if (!When[m[RowPadZero] & 3]) return none;
        return m[RowPadZero] & 4 ? at_end : every_row;
    }

    bool ProcessInputDatum(std::uint32_t Offset, std::uint32_t rows, bool FromDst) {
        Datum d = Zeroed;
        if (FromDst) {
            d = FetchFromDst(Addr + Offset, rows);
        } else if (!m[ZeroWrite]) {
            const unsigned Bytes = BytesPerDatum(m[In_data_format]);
            const std::uint32_t at = Addr + Offset * Bytes;
            if (!m.state.l1.contains(at, Bytes)) return false;
            std::uint32_t x = 0;
            for (unsigned b = 0; b < Bytes; ++b) x |= std::uint32_t{m.state.l1.bytes[at + b]} << 8 * b;
            Conversions from = c;
            from.LateFromFormat = m[In_data_format];
            d = *FromL1(from, x);
        }
        if (Mask & 1) Packed.push_back(d);
        Mask = (Mask << 15 | Mask >> 1) & 0xFFFF;
        return true;
    }

    Datum FetchFromDst(std::uint32_t addr, std::uint32_t rows) {
        const std::uint32_t Row = addr >> 4 & 0x3FF, Column = addr & 0xF;
        Datum d = *EarlyFormatConversion(c, c.Read_32b_data ? Dst.read32(Row, Column) : Dst.read16(Row, Column));
        if (!(m.EdgeMask(rows) >> Column & 1)) {
            d = Zeroed;
            if (m[EDGE_MODE_mode]) d.Sign = 1, d.Exp = 255;
        }
        d = *ReLUStage(c, d);
        m.UpdateHistogram(c, d);
        return m[Exp_threshold_en] ? ApplyExponentThresholding(m[In_data_format], m[Exp_threshold], d) : d;
    }

    PackMachine& m;
    DstView Dst;
    unsigned WhichADC;
    Conversions c;
    bool InL1 = false;
    Datum Zeroed;
    Random gasket, packer;
    std::uint32_t Mask = 0xFFFF, Addr = 0;
    std::vector<Datum> Packed;
};

}  // namespace

Outcome pacr(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    PackMachine m(state, CurrentThread, word);
    // Wormhole: the packers. Blackhole has one packer with four configurations.
    const std::uint32_t PackerMask = m.blackhole() ? 1 : m[PackerMaskBits] ? m[PackerMaskBits] : 1;
    const auto select = [&](unsigned i) {
        m.i = i;
        m.k = m.blackhole() ? m[CfgContext] : i;
        if (!m[OvrdThreadId]) return CurrentThread;
        const std::uint32_t WhichADC = m.blackhole() ? m[AddrCntContext] : m[Addr_cnt_context];
        return WhichADC == 3 ? 0 : WhichADC;
    };
    for (unsigned i = 0; i < 4; ++i)
        if (PackerMask >> i & 1) {
            const unsigned WhichADC = select(i);
            if (!PackerWork(m, WhichADC).supported) return Outcome::unsupported;
        }

    bool ADCsToAdvance[3] = {false, false, false};
    for (unsigned i = 0; i < 4; ++i) {
        if (!(PackerMask >> i & 1)) continue;
        const unsigned WhichADC = select(i);
        ADCsToAdvance[WhichADC] = true;
        if (PackerWork(m, WhichADC).run() != Outcome::done) return Outcome::undefined;
    }
    for (unsigned thread = 0; thread < 3; ++thread) {
        if (!ADCsToAdvance[thread]) continue;
        m.apply_addr_mod(thread, 0, m[AddrModBits]);
        m.apply_addr_mod(thread, 1, m[AddrModBits]);
    }
    return Outcome::done;
}

namespace {

constexpr Registered models[] = {
    {isa::mnemonic("PACR"), pacr},
};

}  // namespace

std::span<const Registered> pack_models() { return models; }

}  // namespace tessera::reference
