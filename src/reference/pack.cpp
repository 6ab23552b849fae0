// SPDX-License-Identifier: Apache-2.0
// PACR; Packers: Input address generator, Output address generator, Edge masking (tile position); with spec-notes
// E12, E13, H12, H13, B23.
#include "reference/pack.hpp"

#include <string_view>

#include "reference/dst.hpp"
#include "reference/numerics.hpp"

namespace tessera::reference {

namespace {

using registers::Field;
using registers::field;
using registers::fields;
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

/// The configuration of the four packers: THCON SEC0 REG1, SEC0 REG8, SEC1 REG1, SEC1 REG8.
using PerPacker = std::array<Field, 4>;
constexpr PerPacker L1_Dest_addr = {field("THCON_SEC0_REG1_L1_Dest_addr"), field("THCON_SEC0_REG8_L1_Dest_addr"),
                                    field("THCON_SEC1_REG1_L1_Dest_addr"), field("THCON_SEC1_REG8_L1_Dest_addr")};
constexpr PerPacker Sub_l1_tile_header_size = {
    field("THCON_SEC0_REG1_Sub_l1_tile_header_size"), field("THCON_SEC0_REG8_Sub_l1_tile_header_size"),
    field("THCON_SEC1_REG1_Sub_l1_tile_header_size"), field("THCON_SEC1_REG8_Sub_l1_tile_header_size")};
constexpr PerPacker Disable_zero_compress = {
    field("THCON_SEC0_REG1_Disable_zero_compress"), field("THCON_SEC0_REG8_Disable_zero_compress"),
    field("THCON_SEC1_REG1_Disable_zero_compress"), field("THCON_SEC1_REG8_Disable_zero_compress")};
constexpr PerPacker In_data_format = {field("THCON_SEC0_REG1_In_data_format"), field("THCON_SEC0_REG8_In_data_format"),
                                      field("THCON_SEC1_REG1_In_data_format"), field("THCON_SEC1_REG8_In_data_format")};
constexpr PerPacker Out_data_format = {
    field("THCON_SEC0_REG1_Out_data_format"), field("THCON_SEC0_REG8_Out_data_format"),
    field("THCON_SEC1_REG1_Out_data_format"), field("THCON_SEC1_REG8_Out_data_format")};
constexpr PerPacker Source_interface_selection = {
    field("THCON_SEC0_REG1_Source_interface_selection"), field("THCON_SEC0_REG8_Source_interface_selection"),
    field("THCON_SEC1_REG1_Source_interface_selection"), field("THCON_SEC1_REG8_Source_interface_selection")};
constexpr PerPacker Pack_L1_Acc = {field("THCON_SEC0_REG1_Pack_L1_Acc"), field("THCON_SEC0_REG8_Pack_L1_Acc"),
                                   field("THCON_SEC1_REG1_Pack_L1_Acc"), field("THCON_SEC1_REG8_Pack_L1_Acc")};
constexpr PerPacker Addr_cnt_context = {
    field("THCON_SEC0_REG1_Addr_cnt_context"), field("THCON_SEC0_REG8_Addr_cnt_context"),
    field("THCON_SEC1_REG1_Addr_cnt_context"), field("THCON_SEC1_REG8_Addr_cnt_context")};
constexpr PerPacker Pack_limit_address = {
    field("THCON_SEC0_REG9_Pack_0_2_limit_address"), field("THCON_SEC0_REG9_Pack_1_3_limit_address"),
    field("THCON_SEC1_REG9_Pack_0_2_limit_address"), field("THCON_SEC1_REG9_Pack_1_3_limit_address")};
constexpr PerPacker Pack_fifo_size = {
    field("THCON_SEC0_REG9_Pack_0_2_fifo_size"), field("THCON_SEC0_REG9_Pack_1_3_fifo_size"),
    field("THCON_SEC1_REG9_Pack_0_2_fifo_size"), field("THCON_SEC1_REG9_Pack_1_3_fifo_size")};
constexpr auto PACK_SEC_Offset = fields<4>("DEST_TARGET_REG_CFG_PACK_SEC#_Offset");
constexpr auto pack_reads_per_xy_plane = fields<4>("PACK_COUNTERS_SEC#_pack_reads_per_xy_plane");
constexpr auto All_pack_disable_zero_compress_ovrd = field("THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd");
constexpr auto All_pack_disable_zero_compress = field("THCON_SEC0_REG1_All_pack_disable_zero_compress");

constexpr auto REG_0_Base = field("PCK0_ADDR_BASE_REG_0_Base"), REG_1_Base = field("PCK0_ADDR_BASE_REG_1_Base"),
               REG_0_Xstride = field("PCK0_ADDR_CTRL_XY_REG_0_Xstride"),
               REG_0_Ystride = field("PCK0_ADDR_CTRL_XY_REG_0_Ystride"),
               REG_0_Zstride = field("PCK0_ADDR_CTRL_ZW_REG_0_Zstride"),
               REG_0_Wstride = field("PCK0_ADDR_CTRL_ZW_REG_0_Wstride"),
               REG_1_Ystride = field("PCK0_ADDR_CTRL_XY_REG_1_Ystride"),
               REG_1_Zstride = field("PCK0_ADDR_CTRL_ZW_REG_1_Zstride"),
               REG_1_Wstride = field("PCK0_ADDR_CTRL_ZW_REG_1_Wstride");
constexpr auto Read_32b_data = field("PCK_DEST_RD_CTRL_Read_32b_data"), Read_int8 = field("PCK_DEST_RD_CTRL_Read_int8"),
               Read_unsigned = field("PCK_DEST_RD_CTRL_Read_unsigned"),
               Round_10b_mant = field("PCK_DEST_RD_CTRL_Round_10b_mant");
constexpr auto Dstacc_override = field("ALU_FORMAT_SPEC_REG_Dstacc_override"),
               Dstacc_val = field("ALU_FORMAT_SPEC_REG_Dstacc_val"), Dstacc = field("ALU_FORMAT_SPEC_REG2_Dstacc");
constexpr auto ApplyRelu = field("STACC_RELU_ApplyRelu");

constexpr auto YsrcIncr = fields<4>("ADDR_MOD_PACK_SEC#_YsrcIncr"), YsrcCR = fields<4>("ADDR_MOD_PACK_SEC#_YsrcCR"),
               YsrcClear = fields<4>("ADDR_MOD_PACK_SEC#_YsrcClear"),
               YdstIncr = fields<4>("ADDR_MOD_PACK_SEC#_YdstIncr"), YdstCR = fields<4>("ADDR_MOD_PACK_SEC#_YdstCR"),
               YdstClear = fields<4>("ADDR_MOD_PACK_SEC#_YdstClear"),
               ZsrcIncr = fields<4>("ADDR_MOD_PACK_SEC#_ZsrcIncr"),
               ZsrcClear = fields<4>("ADDR_MOD_PACK_SEC#_ZsrcClear"),
               ZdstIncr = fields<4>("ADDR_MOD_PACK_SEC#_ZdstIncr"),
               ZdstClear = fields<4>("ADDR_MOD_PACK_SEC#_ZdstClear");

/// One packer's output buffer before L1.
struct DataStream {
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

struct PackMachine : Machine {
    using Machine::Machine;

    state::Cell packer(unsigned i, Packer item) const { return state::cells::packer(i, item); }
    state::Cell adc(unsigned thread, unsigned Channel, Adc c) const {
        return state::cells::adc(thread, AdcUnit::packers, Channel, c);
    }
    state::Cell buffer(unsigned i, unsigned word) const {
        return packer(i, Packer(static_cast<unsigned>(Packer::data_0) + word));
    }

    DataStream load(unsigned i) const {
        DataStream s;
        s.ByteAddress = (*this)[packer(i, Packer::data_address)];
        s.Filled = (*this)[packer(i, Packer::data_filled)];
        for (unsigned b = 0; b < s.Filled; ++b)
            s.Buffer[b] = static_cast<std::uint8_t>((*this)[buffer(i, b / 4)] >> b % 4 * 8);
        return s;
    }
    void store(unsigned i, const DataStream& s) {
        set(packer(i, Packer::data_address), s.ByteAddress);
        set(packer(i, Packer::data_filled), s.Filled);
        for (unsigned w = 0; w < 4; ++w) {
            std::uint32_t word = 0;
            for (unsigned b = 0; b < 4; ++b) word |= std::uint32_t{s.Buffer[4 * w + b]} << 8 * b;
            set(buffer(i, w), word);
        }
    }

    // Modes that this reference has not, for packer i.
    bool unsupported(unsigned i) const {
        const bool DisableCompress = (*this)[All_pack_disable_zero_compress_ovrd]
                                         ? (*this)[All_pack_disable_zero_compress] >> i & 1
                                         : (*this)[Disable_zero_compress[i]];
        return !DisableCompress || (*this)[Source_interface_selection[i]] || (*this)[Pack_L1_Acc[i]];
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

    std::uint32_t output_byte_address(unsigned i, unsigned WhichADC) const {
        const auto ADC = [&](Adc c) { return (*this)[adc(WhichADC, 1, c)]; };
        const std::uint32_t Packer0InitialAddr = (*this)[L1_Dest_addr[0]] + !(*this)[Sub_l1_tile_header_size[0]];
        std::uint32_t Addr = (*this)[L1_Dest_addr[i]] + !(*this)[Sub_l1_tile_header_size[i]];
        if (i != 0 && Packer0InitialAddr >> 31) Addr += Packer0InitialAddr;
        const std::uint32_t YZW_Addr = (*this)[REG_1_Base] + ADC(Adc::y) * (*this)[REG_1_Ystride] +
                                       ADC(Adc::z) * (*this)[REG_1_Zstride] + ADC(Adc::w) * (*this)[REG_1_Wstride];
        Addr += blackhole() ? YZW_Addr >> 4 : YZW_Addr & ~0xFu;  // E12
        if (Addr > (*this)[Pack_limit_address[i]] * 2 + 1) Addr -= (*this)[Pack_fifo_size[i]] * 2;
        return (Addr & 0x1FFFF) << 4;
    }

    // TilePositionGenerator.Advance() of Wormhole, for one datum; Y and Z have eight bits.
    void advance_tile_position(unsigned i) {
        add(packer(i, Packer::tile_x), 1, 4);
        if ((*this)[packer(i, Packer::tile_x)] != 0) return;
        add(packer(i, Packer::tile_y), 1, 8);
        if ((*this)[packer(i, Packer::tile_y)] != (*this)[pack_reads_per_xy_plane[i]]) return;
        set(packer(i, Packer::tile_y), 0);
        add(packer(i, Packer::tile_z), 1, 8);
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

unsigned datum_size(std::uint32_t format) { return format == FP32 ? 4 : 2; }

}  // namespace

Outcome pacr(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    PackMachine m(state, CurrentThread, word);
    if (m[ZeroWrite] || m[CtxtCtrl] || m[AddrCntContext] || m[DstAccessMode] || m[RowPadZero] || m[CfgContext])
        return Outcome::unsupported;
    if (m.blackhole() && m[OvrdThreadId]) return Outcome::unsupported;
    if ((m[ApplyRelu] & 3) || m[Read_unsigned] || m[Round_10b_mant]) return Outcome::unsupported;
    // Wormhole: which packers. Blackhole: which read interfaces of the one packer.
    const std::uint32_t PackerMask = m.blackhole() ? 1 : m[PackerMaskBits] ? m[PackerMaskBits] : 1;
    const std::uint32_t ReadIntfMask = m[PackerMaskBits] ? m[PackerMaskBits] : 0xF;

    Early early;
    early.Read_32b_data = m[Read_32b_data];
    early.Read_raw = m[Read_int8];
    early.IntermediateFormat = m[Dstacc_override] ? m[Dstacc_val] : m[Dstacc];
    for (unsigned i = 0; i < 4; ++i) {
        if (!(PackerMask >> i & 1)) continue;
        if (m.unsupported(i) || m[In_data_format[i]] != early.IntermediateFormat) return Outcome::unsupported;
        const auto zero = EarlyFormatConversion(early, 0);
        if (!zero || !LateFormatConversion(m[In_data_format[i]], m[Out_data_format[i]], *zero))
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

        // Output address:
        DataStream stream = m.load(i);
        if (m[m.packer(i, Packer::data_needs_address)]) {
            stream.ByteAddress = m.output_byte_address(i, WhichADC);
            m.set(m.packer(i, Packer::data_needs_address), 0);
        }

        // Datums:
        const std::uint32_t X0 = m[m.adc(WhichADC, 0, Adc::x)], X1 = m[m.adc(WhichADC, 1, Adc::x)];
        const std::uint32_t InputSourceAddr = m.input_datum(i, WhichADC);
        if (!m[Flush] && X1 + 1 < X0) return Outcome::undefined;
        const std::uint32_t InputNumDatums = m[Flush] ? 0 : X1 - X0 + 1;
        const auto pack = [&](std::uint32_t addr) {
            const std::uint32_t Row = addr >> 4 & 0x3FF, Column = addr & 0xF;
            const std::uint32_t stored = early.Read_32b_data ? Dst.read32(Row, Column) : Dst.read16(Row, Column);
            const std::uint32_t intermediate = *EarlyFormatConversion(early, stored);
            const std::uint32_t out = *LateFormatConversion(m[In_data_format[i]], m[Out_data_format[i]], intermediate);
            for (unsigned b = 0; b < datum_size(m[Out_data_format[i]]); ++b)
                stream.append(static_cast<std::uint8_t>(out >> 8 * b), state.l1);
        };
        if (m.blackhole()) {
            if ((InputSourceAddr & 0xF) + InputNumDatums > 16) return Outcome::undefined;  // an interface has one row
            std::uint32_t interfaces = 0;
            for (std::uint32_t k = 0; k < 4; ++k) {
                if (!(ReadIntfMask >> k & 1) || m[Flush]) continue;
                ++interfaces;
                for (std::uint32_t j = 0; j < InputNumDatums; ++j) pack(InputSourceAddr + 16 * k + j);  // H13
            }
            if (interfaces) {
                m.add(m.packer(i, Packer::tile_y), interfaces, 8);
                if (m[m.packer(i, Packer::tile_y)] == m[pack_reads_per_xy_plane[0]])
                    m.set(m.packer(i, Packer::tile_y), 0);
            }
        } else {
            for (std::uint32_t j = 0; j < InputNumDatums; ++j) {
                pack(InputSourceAddr + j);
                m.advance_tile_position(i);
            }
        }

        if (m[Last] || m[Flush]) {
            stream.pad_and_write(state.l1);
            m.set(m.packer(i, Packer::rsi_needs_address), 1);
            m.set(m.packer(i, Packer::exp_needs_address), 1);
            m.set(m.packer(i, Packer::data_needs_address), 1);
        }
        m.store(i, stream);
        if (stream.OutsideL1) return Outcome::undefined;
    }

    for (unsigned thread = 0; thread < 3; ++thread) {
        if (!ADCsToAdvance[thread]) continue;
        m.apply_addr_mod(thread, 0);
        m.apply_addr_mod(thread, 1);
    }
    return Outcome::done;
}

}  // namespace tessera::reference
