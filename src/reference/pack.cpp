// SPDX-License-Identifier: Apache-2.0
// PACR; Packers: Input address generator, Output address generator, Edge masking (tile position); with spec-notes
// E12, E13, E20 to E23, H12, H13, B23.
#include "reference/pack.hpp"

#include <string_view>

#include "reference/dst.hpp"
#include "reference/pack_fields.hpp"
#include "reference/pack_numerics.hpp"

namespace tessera::reference {

namespace {

using state::Adc;
using state::AdcUnit;
using state::Packer;

constexpr auto Last = isa::operand("PACR", "Last"), Flush = isa::operand("PACR", "Flush"),
               PackerMaskBits = isa::operand("PACR", "ReadIntfSel", "PackSel"),
               OvrdThreadId = isa::operand("PACR", "OvrdThreadId"), ZeroWrite = isa::operand("PACR", "ZeroWrite"),
               AddrModBits = isa::operand("PACR", "AddrMode"), CtxtCtrl = isa::operand("PACR", "CtxtCtrl"),
               AddrCntContext = isa::operand("PACR", "AddrCntContext"),
               DstAccessMode = isa::operand("PACR", "DstAccessMode"), RowPadZero = isa::operand("PACR", "RowPadZero"),
               CfgContext = isa::operand("PACR", "CfgContext");

/// One packer's output buffer before L1.
struct Stream {
    std::uint32_t ByteAddress = 0;
    std::uint8_t Buffer[16] = {};
    unsigned Filled = 0;
    bool OutsideL1 = false;

    void append(std::uint8_t byte, state::L1& l1) {
        Buffer[Filled++] = byte;
        if (Filled == 16) write(l1);
    }
    void pad_and_write(state::L1& l1) {
        while (Filled) append(0, l1);
    }
    void write(state::L1& l1) {
        if (!l1.contains(ByteAddress, 16)) {
            OutsideL1 = true;
        } else {
            for (unsigned i = 0; i < 16; ++i) l1.bytes[ByteAddress + i] = Buffer[i];
            l1.mark_written(ByteAddress, 16);
        }
        ByteAddress += 16;
        Filled = 0;
        for (auto& byte : Buffer) byte = 0;
    }
};

/// The cells in which a packer's stream is kept.
struct StreamCells {
    Packer NeedsNewAddress, ByteAddress, Filled, Buffer;
};
constexpr StreamCells DataStream = {Packer::data_needs_address, Packer::data_address, Packer::data_filled,
                                    Packer::data_0};
constexpr StreamCells ExponentStream = {Packer::exp_needs_address, Packer::exp_address, Packer::exp_filled,
                                        Packer::exp_0};

/// Datums of a block float that are not 16 yet.
struct Group {
    std::array<std::uint32_t, 16> Datums{};
    unsigned Filled = 0;
};

struct PackMachine : Machine {
    using Machine::Machine;

    state::Cell packer(unsigned i, Packer item) const { return state::cells::packer(i, item); }
    state::Cell adc(unsigned thread, unsigned Channel, Adc c) const {
        return state::cells::adc(thread, AdcUnit::packers, Channel, c);
    }
    state::Cell nth(unsigned i, Packer first, unsigned n) const {
        return packer(i, Packer(static_cast<unsigned>(first) + n));
    }

    Stream load(unsigned i, const StreamCells& cells) const {
        Stream s;
        s.ByteAddress = (*this)[packer(i, cells.ByteAddress)];
        s.Filled = (*this)[packer(i, cells.Filled)];
        for (unsigned b = 0; b < s.Filled; ++b)
            s.Buffer[b] = static_cast<std::uint8_t>((*this)[nth(i, cells.Buffer, b / 4)] >> b % 4 * 8);
        return s;
    }
    void store(unsigned i, const StreamCells& cells, const Stream& s) {
        set(packer(i, cells.ByteAddress), s.ByteAddress);
        set(packer(i, cells.Filled), s.Filled);
        for (unsigned w = 0; w < 4; ++w) {
            std::uint32_t word = 0;
            for (unsigned b = 0; b < 4; ++b) word |= std::uint32_t{s.Buffer[4 * w + b]} << 8 * b;
            set(nth(i, cells.Buffer, w), word);
        }
    }
    Group load_group(unsigned i) const {
        Group g;
        g.Filled = (*this)[packer(i, Packer::group_filled)];
        for (unsigned k = 0; k < g.Filled; ++k)
            g.Datums[k] = (*this)[nth(i, Packer::group_0, k / 2)] >> k % 2 * 16 & 0xFFFF;
        return g;
    }
    void store(unsigned i, const Group& g) {
        set(packer(i, Packer::group_filled), g.Filled);
        for (unsigned w = 0; w < 8; ++w) set(nth(i, Packer::group_0, w), g.Datums[2 * w] | g.Datums[2 * w + 1] << 16);
    }

    // Modes that this reference has not, for packer i.
    bool unsupported(unsigned i) const {
        const bool DisableCompress = (*this)[All_pack_disable_zero_compress_ovrd]
                                         ? (*this)[All_pack_disable_zero_compress] >> i & 1
                                         : (*this)[Disable_zero_compress[i]];
        return !DisableCompress || (*this)[Source_interface_selection[i]] || (*this)[Pack_L1_Acc[i]] ||
               (IsBFP((*this)[Out_data_format[i]]) && (*this)[Dis_shared_exp_assembler[i]]);
    }

    std::uint32_t input_datum(unsigned i, unsigned WhichADC) const {
        const auto ADC = [&](Adc c) { return (*this)[adc(WhichADC, 0, c)]; };
        std::uint32_t Addr = (*this)[REG_0_Base] + ADC(Adc::x) * ((*this)[REG_0_Xstride] & 0xF) +
                             ADC(Adc::y) * (*this)[REG_0_Ystride] + ADC(Adc::z) * (*this)[REG_0_Zstride] +
                             ADC(Adc::w) * (*this)[REG_0_Wstride];
        std::uint32_t BytesPerDatum, ADC_X_Mask;
        switch ((*this)[In_data_format[i]] & 3) {
            case 0: BytesPerDatum = 4, ADC_X_Mask = 0x3; break;
            case 1: BytesPerDatum = 2, ADC_X_Mask = 0x7; break;
            default: BytesPerDatum = 1, ADC_X_Mask = 0xF; break;
        }
        Addr = ((Addr / BytesPerDatum) & ~ADC_X_Mask) + (ADC(Adc::x) & ADC_X_Mask);
        Addr += (*this)[PACK_SEC_Offset[i]] << 4;
        return Addr & 0x3FFF;
    }

    Conversions conversions(unsigned i) const {
        Conversions c;
        c.Read_32b_data = (*this)[Read_32b_data];
        c.Round_10b_mant = (*this)[Round_10b_mant];
        c.Read_raw = (*this)[Read_int8];
        c.Read_unsigned = (*this)[Read_unsigned];
        c.IntermediateFormat = (*this)[Dstacc_override] ? (*this)[Dstacc_val] : (*this)[Dstacc];
        c.LateFromFormat = (*this)[In_data_format[i]];
        c.LateToFormat = (*this)[Out_data_format[i]];
        if ((*this)[INT_DESCALE_Enable]) c.ShiftAmount = (*this)[INT_DESCALE_VALUES_SEC0_Value] & 31;
        c.Pac_LF8_4b_exp = (*this)[Pac_LF8_4b_exp];
        c.ApplyRelu = (*this)[ApplyRelu];
        c.ReluThreshold = (*this)[ReluThreshold];
        c.Blackhole = blackhole();
        return c;
    }

    // In units of 16 bytes, before the sections.
    std::uint32_t output_address(unsigned i, unsigned WhichADC) const {
        const auto ADC = [&](Adc c) { return (*this)[adc(WhichADC, 1, c)]; };
        const std::uint32_t Packer0InitialAddr = (*this)[L1_Dest_addr[0]] + !(*this)[Sub_l1_tile_header_size[0]];
        std::uint32_t Addr = (*this)[L1_Dest_addr[i]] + !(*this)[Sub_l1_tile_header_size[i]];
        if (i != 0 && Packer0InitialAddr >> 31) Addr += Packer0InitialAddr;
        const std::uint32_t YZW_Addr = (*this)[REG_1_Base] + ADC(Adc::y) * (*this)[REG_1_Ystride] +
                                       ADC(Adc::z) * (*this)[REG_1_Zstride] + ADC(Adc::w) * (*this)[REG_1_Wstride];
        Addr += blackhole() ? YZW_Addr >> 4 : YZW_Addr & ~0xFu;  // E12
        if (Addr > (*this)[Pack_limit_address[i]] * 2 + 1) Addr -= (*this)[Pack_fifo_size[i]] * 2;
        return Addr;
    }

    // TilePositionGenerator.Advance() of Wormhole, for one datum; Y and Z have eight bits.
    void advance_tile_position(unsigned i) {
        add(packer(i, Packer::tile_x), 1, 4);
        if ((*this)[packer(i, Packer::tile_x)] != 0) return;
        if ((*this)[pack_yz_transposed[i]]) {
            add(packer(i, Packer::tile_z), 1, 8);
            if ((*this)[packer(i, Packer::tile_z)] != (*this)[pack_reads_per_xy_plane[i]]) return;
            set(packer(i, Packer::tile_z), 0);
            add(packer(i, Packer::tile_y), 1, 8);
        } else {
            add(packer(i, Packer::tile_y), 1, 8);
            if ((*this)[packer(i, Packer::tile_y)] != (*this)[pack_reads_per_xy_plane[i]]) return;
            set(packer(i, Packer::tile_y), 0);
            add(packer(i, Packer::tile_z), 1, 8);
        }
    }

    // FetchFromDst's EdgeMask, with Blackhole's row of the tile.
    std::uint32_t edge_mask(unsigned i, std::uint32_t TileRow) const {
        std::uint32_t b;
        if ((*this)[FACE_SET_SELECT_enable]) {
            const std::uint32_t Z = (*this)[ZOffset[i]] + (*this)[packer(i, Packer::tile_z)];
            const std::uint32_t a = (*this)[FACE_SET_SELECT_select] >> 2 * i & 3;
            b = (*this)[face_set_mapping[a][Z & 0xF]];
        } else {
            b = (*this)[ROW_SET_SELECT_select] >> 2 * i & 3;
        }
        const std::uint32_t c = (*this)[row_set_mapping[b][TileRow & 0xF]];
        return (*this)[EDGE_OFFSET_mask[c]];
    }
    // Modes of edge masking that this reference has not.
    bool unsupported_edges(unsigned i, const Datum& d) const {
        if (blackhole() && (*this)[pack_yz_transposed[i]]) return true;
        if (!blackhole() && (*this)[EDGE_MODE_mode] == 0) return false;
        bool Masks = false;
        for (std::uint32_t Y = 0; Y < 16; ++Y)
            for (std::uint32_t Z = 0; Z < 16; ++Z) {
                const std::uint32_t a = (*this)[FACE_SET_SELECT_select] >> 2 * i & 3;
                const std::uint32_t b = (*this)[FACE_SET_SELECT_enable] ? (*this)[face_set_mapping[a][Z]]
                                                                        : (*this)[ROW_SET_SELECT_select] >> 2 * i & 3;
                Masks |= (*this)[EDGE_OFFSET_mask[(*this)[row_set_mapping[b][Y]]]] != 0xFFFF;
            }
        if (!Masks) return false;
        return (blackhole() && (*this)[FACE_SET_SELECT_enable]) ||
               ((*this)[EDGE_MODE_mode] && (d.ExpBits != 8 || d.IsFP16));
    }

    void apply_addr_mod(unsigned thread, unsigned Channel) {
        const std::uint32_t i = (*this)[AddrModBits];
        const Field& YClear = Channel ? YdstClear[i] : YsrcClear[i];
        const Field& YCR = Channel ? YdstCR[i] : YsrcCR[i];
        const Field& YIncr = Channel ? YdstIncr[i] : YsrcIncr[i];
        const Field& ZClear = Channel ? ZdstClear[i] : ZsrcClear[i];
        const Field& ZIncr = Channel ? ZdstIncr[i] : ZsrcIncr[i];
        const auto ADC = [&](Adc c) { return adc(thread, Channel, c); };
        if ((*this)[YClear]) {
            set(ADC(Adc::y), 0);
            set(ADC(Adc::y_cr), 0);
        } else if ((*this)[YCR]) {
            add(ADC(Adc::y_cr), (*this)[YIncr], 13);
            set(ADC(Adc::y), (*this)[ADC(Adc::y_cr)]);
        } else {
            add(ADC(Adc::y), (*this)[YIncr], 13);
        }
        if ((*this)[ZClear]) {
            set(ADC(Adc::z), 0);
            set(ADC(Adc::z_cr), 0);
        } else {
            add(ADC(Adc::z), (*this)[ZIncr], blackhole() ? 13 : 8);
        }
    }
};

}  // namespace

Outcome pacr(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    PackMachine m(state, CurrentThread, word);
    if (m[CtxtCtrl] || m[AddrCntContext] || m[DstAccessMode] || m[RowPadZero] || m[CfgContext])
        return Outcome::unsupported;
    if (m.blackhole() && m[OvrdThreadId]) return Outcome::unsupported;
    // Wormhole: which packers. Blackhole: which read interfaces of the one packer.
    const std::uint32_t PackerMask = m.blackhole() ? 1 : m[PackerMaskBits] ? m[PackerMaskBits] : 1;
    const std::uint32_t ReadIntfMask = m[PackerMaskBits] ? m[PackerMaskBits] : 0xF;

    for (unsigned i = 0; i < 4; ++i) {
        if (!(PackerMask >> i & 1)) continue;
        const Conversions c = m.conversions(i);
        const auto zero = EarlyFormatConversion(c, 0);
        if (m.unsupported(i) || !zero || m.unsupported_edges(i, *zero) || !ReLUStage(c, *zero) ||
            !LateFormatConversion(c, *zero))
            return Outcome::unsupported;
        if (c.IntermediateFormat == INT8 && !c.Read_raw && m[INT_DESCALE_Enable] && m[INT_DESCALE_Mode])
            return Outcome::unsupported;
    }

    DstView Dst(m);
    bool ADCsToAdvance[3] = {false, false, false};
    for (unsigned i = 0; i < 4; ++i) {
        if (!(PackerMask >> i & 1)) continue;
        std::uint32_t WhichADC = CurrentThread;
        if (m[OvrdThreadId]) {
            WhichADC = m[Addr_cnt_context[i]];
            if (WhichADC == 3) WhichADC = 0;
        }
        ADCsToAdvance[WhichADC] = true;

        // Output addresses:
        const Conversions c = m.conversions(i);
        std::uint32_t Addr = m.output_address(i, WhichADC);
        const bool OutputFormatLessThan16Bits = c.LateToFormat & 2;
        Stream exponents = m.load(i, ExponentStream);
        if (OutputFormatLessThan16Bits) {
            if (m[m.packer(i, ExponentStream.NeedsNewAddress)]) {
                exponents.ByteAddress = (Addr & 0x1FFFF) << 4;
                m.set(m.packer(i, ExponentStream.NeedsNewAddress), 0);
            }
            Addr += m[Exp_section_size[i]];
        }
        Stream data = m.load(i, DataStream);
        if (m[m.packer(i, DataStream.NeedsNewAddress)]) {
            data.ByteAddress = (Addr & 0x1FFFF) << 4;
            m.set(m.packer(i, DataStream.NeedsNewAddress), 0);
        }

        // Datums:
        const std::uint32_t X0 = m[m.adc(WhichADC, 0, Adc::x)], X1 = m[m.adc(WhichADC, 1, Adc::x)];
        const std::uint32_t InputSourceAddr = m.input_datum(i, WhichADC);
        if (!m[Flush] && X1 + 1 < X0) return Outcome::undefined;
        const std::uint32_t InputNumDatums = m[Flush] ? 0 : X1 - X0 + 1;
        const unsigned Bits = DatumBits(c.LateToFormat);
        Group group = m.load_group(i);
        const auto assemble = [&] {
            const BFPGroup bfp = AssembleBFP(group.Datums, Bits);
            exponents.append(static_cast<std::uint8_t>(bfp.Exponent), state.l1);
            std::uint32_t byte = 0;
            for (unsigned k = 0; k < group.Filled; ++k) {
                byte |= bfp.Datums[k] << k * Bits % 8;
                if ((k + 1) * Bits % 8 && k + 1 != group.Filled) continue;
                data.append(static_cast<std::uint8_t>(byte), state.l1);
                byte = 0;
            }
            group = {};
        };
        const auto FetchFromDst = [&](std::uint32_t addr, std::uint32_t TileRow) {
            const std::uint32_t Row = addr >> 4 & 0x3FF, Column = addr & 0xF;
            if (m.edge_mask(i, TileRow) >> Column & 1)
                return *EarlyFormatConversion(c, c.Read_32b_data ? Dst.read32(Row, Column) : Dst.read16(Row, Column));
            Datum d = *EarlyFormatConversion(c, 0);
            if (m[EDGE_MODE_mode]) d.Sign = 1, d.Exp = 255;
            return d;
        };
        const auto pack = [&](std::uint32_t addr, std::uint32_t TileRow) {
            const Datum d = m[ZeroWrite] ? *EarlyFormatConversion(c, 0) : *ReLUStage(c, FetchFromDst(addr, TileRow));
            const std::uint32_t out = *LateFormatConversion(c, d);
            if (IsBFP(c.LateToFormat)) {
                group.Datums[group.Filled++] = out;
                if (group.Filled == 16) assemble();
                return;
            }
            for (unsigned b = 0; b < Bits / 8; ++b) data.append(static_cast<std::uint8_t>(out >> 8 * b), state.l1);
        };
        if (m.blackhole()) {
            if ((m[ZeroWrite] ? 0 : InputSourceAddr & 0xF) + InputNumDatums > 16)
                return Outcome::undefined;  // an interface has one row
            std::uint32_t interfaces = 0;
            for (std::uint32_t k = 0; k < 4; ++k) {
                if (!(ReadIntfMask >> k & 1) || m[Flush]) continue;
                ++interfaces;
                for (std::uint32_t j = 0; j < InputNumDatums; ++j)  // H13
                    pack(InputSourceAddr + 16 * k + j, m[m.packer(i, Packer::tile_y)] + interfaces - 1);
            }
            if (interfaces && !m[ZeroWrite]) {
                m.add(m.packer(i, Packer::tile_y), interfaces, 8);
                if (m[m.packer(i, Packer::tile_y)] == m[pack_reads_per_xy_plane[0]])
                    m.set(m.packer(i, Packer::tile_y), 0);
            }
        } else {
            for (std::uint32_t j = 0; j < InputNumDatums; ++j) {
                pack(InputSourceAddr + j, m[m.packer(i, Packer::tile_y)]);
                if (!m[ZeroWrite]) m.advance_tile_position(i);
            }
        }

        if (m[Last] || m[Flush]) {
            if (group.Filled && IsBFP(c.LateToFormat)) assemble();
            group = {};  // E23
            exponents.pad_and_write(state.l1);
            data.pad_and_write(state.l1);
            m.set(m.packer(i, Packer::rsi_needs_address), 1);
            m.set(m.packer(i, ExponentStream.NeedsNewAddress), 1);
            m.set(m.packer(i, DataStream.NeedsNewAddress), 1);
        }
        m.store(i, ExponentStream, exponents);
        m.store(i, DataStream, data);
        m.store(i, group);
        if (exponents.OutsideL1 || data.OutsideL1) return Outcome::undefined;
    }

    for (unsigned thread = 0; thread < 3; ++thread) {
        if (!ADCsToAdvance[thread]) continue;
        m.apply_addr_mod(thread, 0);
        m.apply_addr_mod(thread, 1);
    }
    return Outcome::done;
}

}  // namespace tessera::reference
