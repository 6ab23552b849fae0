// SPDX-License-Identifier: Apache-2.0
// UNPACR_Regular, Functional model, for uncompressed tiles; with spec-notes A3, A4, A10, A11, A13, A14, A16, A17, A20,
// A21, A23 to A25, A27 to A29, A53, A64, B23.
#include "reference/unpack.hpp"

#include <cmath>

#include "reference/dst.hpp"
#include "reference/numerics.hpp"

namespace tessera::reference {

namespace {

using registers::Field;
using registers::field;
using registers::fields;
using state::Adc;
using state::AdcUnit;
using state::Unpacker;

constexpr auto Unpack_block_selection = isa::operand("UNPACR", "Unpack_block_selection");
constexpr auto AddrMode = isa::operand("UNPACR", "AddrMode");
constexpr auto CfgContextCntInc = isa::operand("UNPACR", "CfgContextCntInc");
constexpr auto CfgContextId = isa::operand("UNPACR", "CfgContextId");
constexpr auto AddrCntContextId = isa::operand("UNPACR", "AddrCntContextId");
constexpr auto OvrdThreadId = isa::operand("UNPACR", "OvrdThreadId");
constexpr auto SetDatValid = isa::operand("UNPACR", "SetDatValid");
constexpr auto srcb_bcast = isa::operand("UNPACR", "srcb_bcast", "rareb_en");
constexpr auto ZeroWrite2 = isa::operand("UNPACR", "ZeroWrite2");
constexpr auto AutoIncContextID = isa::operand("UNPACR", "AutoIncContextID");
constexpr auto RowSearchBit = isa::operand("UNPACR", "RowSearch");
constexpr auto SearchCacheFlush = isa::operand("UNPACR", "SearchCacheFlush");

// THCON_SEC[WhichUnpacker]
constexpr auto InDataFormatField = fields<2>("THCON_SEC#_REG0_TileDescriptor_InDataFormat");
constexpr auto IsUncompressedField = fields<2>("THCON_SEC#_REG0_TileDescriptor_IsUncompressed");
constexpr auto XDimField = fields<2>("THCON_SEC#_REG0_TileDescriptor_XDim");
constexpr auto YDimField = fields<2>("THCON_SEC#_REG0_TileDescriptor_YDim");
constexpr auto WDimField = fields<2>("THCON_SEC#_REG0_TileDescriptor_WDim");
constexpr auto ZDimField = fields<2>("THCON_SEC#_REG0_TileDescriptor_ZDim");
constexpr auto DigestSize = fields<2>("THCON_SEC#_REG0_TileDescriptor_DigestSize");
constexpr auto NoBFPExpSection = fields<2>("THCON_SEC#_REG0_TileDescriptor_NoBFPExpSection");
constexpr auto Unp_LF8_4b_exp = fields<2>("THCON_SEC#_REG1_Unp_LF8_4b_exp");
constexpr auto Force_shared_exp = fields<2>("THCON_SEC#_REG2_Force_shared_exp");
constexpr auto Out_data_format = fields<2>("THCON_SEC#_REG2_Out_data_format");
constexpr auto Context_count = fields<2>("THCON_SEC#_REG2_Context_count");
constexpr auto Context_count_non_log2 = fields<2>("THCON_SEC#_REG2_Context_count_non_log2");
constexpr auto Context_count_non_log2_en = fields<2>("THCON_SEC#_REG2_Context_count_non_log2_en");
constexpr auto Haloize_mode = fields<2>("THCON_SEC#_REG2_Haloize_mode");
constexpr auto Tileize_mode = fields<2>("THCON_SEC#_REG2_Tileize_mode");
constexpr auto Unpack_Src_Reg_Set_Upd = fields<2>("THCON_SEC#_REG2_Unpack_Src_Reg_Set_Upd");
constexpr auto Unpack_If_Sel = fields<2>("THCON_SEC#_REG2_Unpack_If_Sel");
constexpr auto Upsample_rate = fields<2>("THCON_SEC#_REG2_Upsample_rate");
constexpr auto Upsample_and_interleave = fields<2>("THCON_SEC#_REG2_Upsample_and_interleave");
constexpr auto Ovrd_data_format = fields<2>("THCON_SEC#_REG2_Ovrd_data_format");
constexpr auto Unpack_limit_address = fields<2>("THCON_SEC#_REG2_Unpack_limit_address");
constexpr auto Unpack_fifo_size = fields<2>("THCON_SEC#_REG2_Unpack_fifo_size");
constexpr auto Base_address = fields<2>("THCON_SEC#_REG3_Base_address");
constexpr auto Offset_address = fields<2>("THCON_SEC#_REG7_Offset_address");
constexpr auto Tile_x_dim_cntx = fields<4>("THCON_SEC0_REG5_Tile_x_dim_cntx#");
constexpr auto Dest_cntx = fields<4>("THCON_SEC0_REG5_Dest_cntx#_address");
constexpr auto Unpack_if_sel_cntx = fields<8>("THCON_SEC0_REG2_Unpack_if_sel_cntx#");
constexpr auto Shift_amount_cntx = fields<4>("THCON_SEC0_REG2_Shift_amount_cntx#");
constexpr std::array<std::array<Field, 8>, 2> Disable_zero_compress_cntx = {
    fields<8>("THCON_SEC0_REG2_Disable_zero_compress_cntx#"), fields<8>("THCON_SEC1_REG2_Disable_zero_compress_cntx#")};
// Contexts 1 to 3 are in REG3, 4 to 7 in REG4 (A24).
constexpr std::array<std::array<Field, 3>, 2> Base_cntx1to3 = {fields<3>("THCON_SEC0_REG3_Base_cntx#_address", 1),
                                                               fields<3>("THCON_SEC1_REG3_Base_cntx#_address", 1)};
constexpr std::array<std::array<Field, 4>, 2> Base_cntx4to7 = {fields<4>("THCON_SEC0_REG4_Base_cntx#_address", 4),
                                                               fields<4>("THCON_SEC1_REG4_Base_cntx#_address", 4)};
constexpr std::array<std::array<Field, 3>, 2> Offset_cntx1to3 = {fields<3>("THCON_SEC0_REG7_Offset_cntx#_address", 1),
                                                                 fields<3>("THCON_SEC1_REG7_Offset_cntx#_address", 1)};

// UNP[WhichUnpacker]
constexpr auto ADDR_BASE_REG_1_Base = fields<2>("UNP#_ADDR_BASE_REG_1_Base");
constexpr auto Ystride = fields<2>("UNP#_ADDR_CTRL_XY_REG_1_Ystride");
constexpr auto Zstride = fields<2>("UNP#_ADDR_CTRL_ZW_REG_1_Zstride");
constexpr auto Wstride = fields<2>("UNP#_ADDR_CTRL_ZW_REG_1_Wstride");
constexpr auto add_dest_addr_cntr = fields<2>("UNP#_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr");

constexpr auto FORCED_SHARED_EXP_shared_exp = fields<2>("UNP#_FORCED_SHARED_EXP_shared_exp");

constexpr std::array<Field, 2> SrcUnsigned = {field("ALU_FORMAT_SPEC_REG0_SrcAUnsigned"),
                                              field("ALU_FORMAT_SPEC_REG0_SrcBUnsigned")};

// ThreadConfig
constexpr auto CfgContextOffset = fields<2>("UNPACK_MISC_CFG_CfgContextOffset_#");
constexpr auto CfgContextCntIncAlways = fields<2>("UNPACK_MISC_CFG_CfgContextCntInc_#");
constexpr auto SRCA_SET_SetOvrdWithAddr = field("SRCA_SET_SetOvrdWithAddr");
constexpr std::array<Field, 2> SRC_SET_Base = {field("SRCA_SET_Base"), field("SRCB_SET_Base")};

/// The bits of L1 from a fractional byte address on; nothing outside L1.
std::optional<std::uint32_t> ReadL1Bytes(const state::State& state, double Addr, double NumBytes) {
    if (Addr < 0 || Addr + NumBytes > static_cast<double>(state.l1.bytes.size())) return std::nullopt;
    auto BitAddr = static_cast<std::uint64_t>(Addr * 8.);
    const auto NumBits = static_cast<std::uint32_t>(NumBytes * 8.);
    std::uint32_t Result = 0;
    for (std::uint32_t i = 0; i < NumBits; ++i, ++BitAddr) {
        const std::uint32_t InByte = state.l1.bytes[BitAddr / 8];
        const std::uint32_t InBit = (InByte >> (BitAddr & 7)) & 1;
        Result |= InBit << i;
    }
    return Result;
}

}  // namespace

Outcome unpacr(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    Machine m(state, CurrentThread, word);
    if (m[CfgContextCntInc] || m[SearchCacheFlush] || m[srcb_bcast] || m[RowSearchBit]) return Outcome::unsupported;
    const std::uint32_t WhichUnpacker = m[Unpack_block_selection];
    const bool MultiContextMode = m[OvrdThreadId], UseContextCounter = m[AutoIncContextID];
    const bool AllDatumsAreZero = m[ZeroWrite2], FlipSrc = m[SetDatValid];
    const std::uint32_t Ch0ZInc = m[AddrMode] & 3, Ch0YInc = m[AddrMode] >> 2 & 3;
    const std::uint32_t Ch1ZInc = m[AddrMode] >> 4 & 3, Ch1YInc = m[AddrMode] >> 6 & 3;
    const auto CurrentUnpacker = [&](Unpacker item, unsigned thread = 0) {
        return state::cells::unpacker(WhichUnpacker, item, thread);
    };
    const auto ADCs = [&](unsigned thread, unsigned Channel, Adc c) {
        return m[state::cells::adc(thread, AdcUnit(WhichUnpacker), Channel, c)];
    };

    // Start by reading some configuration:
    std::uint32_t WhichContext, WhichADC;
    if (MultiContextMode) {
        if (UseContextCounter) {
            WhichContext = m[CurrentUnpacker(Unpacker::context_counter_t0, CurrentThread)];
        } else {
            WhichContext = m[CfgContextId];
        }
        WhichContext = (WhichContext + m[CfgContextOffset[WhichUnpacker]]) & 7;
        WhichADC = m[AddrCntContextId];
        // Unpacker 1 with a context of 2 or more is accepted (A24).
        if (WhichADC == 3) return Outcome::undefined;
    } else {
        WhichContext = 0;
        WhichADC = CurrentThread;
    }

    // Determine initial input address(es) and input datum count:
    const bool IsUncompressed = MultiContextMode ? m[Disable_zero_compress_cntx[WhichUnpacker][WhichContext]]
                                                 : m[IsUncompressedField[WhichUnpacker]];
    const std::uint32_t XDim =
        MultiContextMode && WhichUnpacker == 0 ? m[Tile_x_dim_cntx[WhichContext & 3]] : m[XDimField[WhichUnpacker]];
    const std::uint32_t YDim = m[YDimField[WhichUnpacker]];
    const std::uint32_t WDim = m[WDimField[WhichUnpacker]] ? m[WDimField[WhichUnpacker]] : 1;
    const std::uint32_t ZDim = m[ZDimField[WhichUnpacker]] ? m[ZDimField[WhichUnpacker]] : 1;
    if (MultiContextMode && m[Ovrd_data_format[WhichUnpacker]]) return Outcome::unsupported;
    const std::uint32_t InDataFormat = m[InDataFormatField[WhichUnpacker]];
    const std::uint32_t OutDataFormat = m[Out_data_format[WhichUnpacker]];
    double DatumSizeBytes;
    switch (InDataFormat) {
        case BFP2:
        case BFP2a: DatumSizeBytes = 0.25; break;
        case BFP4:
        case BFP4a: DatumSizeBytes = 0.5; break;
        case BFP8:
        case BFP8a:
        case FP8:
        case INT8: DatumSizeBytes = 1; break;
        case FP16:
        case BF16:
        case INT16: DatumSizeBytes = 2; break;
        case FP32:
        case TF32:
        case INT32: DatumSizeBytes = 4; break;
        default: return Outcome::undefined;  // A69
    }
    if (OutDataFormat == 12 || OutDataFormat == 13) return Outcome::undefined;  // A69
    bool UnpackToDst = false, Transpose = false;
    if (WhichUnpacker == 0) {
        UnpackToDst = MultiContextMode ? m[Unpack_if_sel_cntx[WhichContext]] : m[Unpack_If_Sel[0]];
        Transpose = m[Haloize_mode[0]];
    }
    const ConversionModes modes = {m[SrcUnsigned[WhichUnpacker]] != 0, m[Unp_LF8_4b_exp[WhichUnpacker]] != 0,
                                   m.blackhole(), UnpackToDst};
    if (!FormatConversion(InDataFormat, OutDataFormat, 0, 0, modes)) return Outcome::undefined;

    std::uint32_t InAddr;
    if (MultiContextMode && WhichContext != 0) {
        const Field& Base = WhichContext < 4 ? Base_cntx1to3[WhichUnpacker][WhichContext - 1]
                                             : Base_cntx4to7[WhichUnpacker][WhichContext - 4];
        const Field& Offset = (WhichContext & 3) == 0 ? Offset_address[WhichUnpacker]
                                                      : Offset_cntx1to3[WhichUnpacker][(WhichContext & 3) - 1];
        InAddr = m[Base] + (m[Offset] & 0xFFFF);
    } else {
        InAddr = m[Base_address[WhichUnpacker]] + (m[Offset_address[WhichUnpacker]] & 0xFFFF);
    }
    InAddr = (InAddr + 1 + m[DigestSize[WhichUnpacker]]) * 16;
    if (!IsUncompressed) return Outcome::unsupported;

    double InAddr_Exponents = 0;
    if (IsBFPFormat(InDataFormat) && !m[Force_shared_exp[WhichUnpacker]]) {
        InAddr_Exponents = InAddr;
        if (InDataFormat == BFP8 || InDataFormat == BFP8a || !m[NoBFPExpSection[WhichUnpacker]]) {
            const std::uint32_t NumElements = XDim * YDim * ZDim * WDim;
            const double NumExponents = std::ceil(NumElements / 16.);
            InAddr += static_cast<std::uint32_t>(std::ceil(NumExponents / 16.) * 16);
        }
    }

    const std::uint32_t XPos = ADCs(WhichADC, 0, Adc::x);
    const std::uint32_t YPos = ADCs(WhichADC, 0, Adc::y);
    const std::uint32_t XEnd = ADCs(WhichADC, 1, Adc::x) + 1;
    // Blackhole has wider Z and W counters, of which the input sees the low eight bits (A29).
    const std::uint32_t ADC_Z = ADCs(CurrentThread, 0, Adc::z) & 0xFF, ADC_W = ADCs(CurrentThread, 0, Adc::w) & 0xFF;
    const std::uint32_t FirstDatum = ((ADC_W * ZDim + ADC_Z) * YDim + YPos) * XDim + XPos;
    if (XEnd < XPos) return Outcome::undefined;  // count-negative (N20)
    const std::uint32_t InputNumDatums = XEnd - XPos;

    double InAddr_Datums = InAddr;
    InAddr_Exponents += FirstDatum / 16.;
    InAddr_Datums += FirstDatum * DatumSizeBytes;
    const auto WrapAddr = [&](double addr) {
        if (addr > m[Unpack_limit_address[WhichUnpacker]] * 16.) addr -= m[Unpack_fifo_size[WhichUnpacker]] * 16.;
        return addr;
    };
    InAddr_Exponents = WrapAddr(InAddr_Exponents);
    InAddr_Datums = WrapAddr(InAddr_Datums);
    if (m[Tileize_mode[WhichUnpacker]]) return Outcome::unsupported;
    const double RowStride = DatumSizeBytes * 16;

    // Determine initial output address:
    std::uint32_t OutAddr = m[ADDR_BASE_REG_1_Base[WhichUnpacker]] +
                            ADCs(CurrentThread, 1, Adc::y) * m[Ystride[WhichUnpacker]] +
                            ADCs(CurrentThread, 1, Adc::z) * m[Zstride[WhichUnpacker]] +
                            ADCs(CurrentThread, 1, Adc::w) * m[Wstride[WhichUnpacker]];
    if (OutDataFormat == FP32 || OutDataFormat == TF32 || OutDataFormat == INT32) {
        if (OutAddr & 3) return Outcome::undefined;
        OutAddr >>= 2;
    } else if (OutDataFormat == FP16 || OutDataFormat == BF16 || OutDataFormat == INT16) {
        if (OutAddr & 1) return Outcome::undefined;
        OutAddr >>= 1;
    }
    if (MultiContextMode && WhichUnpacker == 0) {
        const std::uint32_t CtxOutAddr = m[Dest_cntx[WhichContext & 3]];
        if (UnpackToDst || m[add_dest_addr_cntr[WhichUnpacker]]) {
            OutAddr += CtxOutAddr;
        } else {
            OutAddr = CtxOutAddr;
        }
    }
    const std::uint32_t UpsampleZeroes = (1u << m[Upsample_rate[WhichUnpacker]]) - 1;
    const bool UpsampleInterleave = m[Upsample_and_interleave[WhichUnpacker]];
    const std::uint32_t ColShift = WhichUnpacker == 1 ? 0 : m[Shift_amount_cntx[WhichContext & 3]];
    if (UnpackToDst && (ColShift || Transpose)) return Outcome::undefined;
    if (Transpose) return Outcome::unsupported;

    // Main unpack loop:
    const std::uint32_t Bank = m[CurrentUnpacker(Unpacker::bank)];
    const std::uint32_t SrcRow = m[CurrentUnpacker(Unpacker::src_row_t0, CurrentThread)];
    const bool SetOvrdWithAddr = m[SRCA_SET_SetOvrdWithAddr];
    DstView Dst(m);
    for (std::uint32_t i = 0; i < InputNumDatums;) {
        const auto DatumBits = ReadL1Bytes(state, InAddr_Datums, DatumSizeBytes);
        if (!DatumBits) return Outcome::undefined;
        InAddr_Datums += DatumSizeBytes;
        if ((++i % 16) == 0) {
            InAddr_Datums -= DatumSizeBytes * 16;
            InAddr_Datums += RowStride;
            InAddr_Datums = WrapAddr(InAddr_Datums);
        }
        std::uint32_t ExpBits = 0;
        if (IsBFPFormat(InDataFormat)) {
            if (m[Force_shared_exp[WhichUnpacker]]) {
                ExpBits = m[FORCED_SHARED_EXP_shared_exp[WhichUnpacker]];
            } else {
                const auto Byte = ReadL1Bytes(state, std::floor(InAddr_Exponents), 1);
                if (!Byte) return Outcome::undefined;
                ExpBits = *Byte;
                InAddr_Exponents += 1 / 16.;
                if (InAddr_Exponents == std::floor(InAddr_Exponents / 16.) * 16.) {
                    InAddr_Exponents = WrapAddr(InAddr_Exponents);
                }
            }
        }
        std::uint32_t Datum = *FormatConversion(InDataFormat, OutDataFormat, *DatumBits, ExpBits, modes);
        if (AllDatumsAreZero) Datum = 0;
        for (std::uint32_t k = 0; k <= UpsampleZeroes; ++k, Datum = 0, ++OutAddr) {
            if (UpsampleInterleave && k != 0) continue;
            std::uint32_t Row = OutAddr / 16;
            std::uint32_t Col = OutAddr & 15;
            if (WhichUnpacker == 1) {
                Row = (Row + SrcRow) & 0x3F;
                m.set_src(state::Src::b, Bank, Row, Col, Datum);
            } else if (!UnpackToDst) {
                if (Row < 4 || Col < ColShift) continue;
                Row -= 4;
                Col -= ColShift;
                if (!SetOvrdWithAddr) Row += SrcRow;  // A11
                Row &= 0x3F;                          // A10
                m.set_src(state::Src::a, Bank, Row, Col, Datum);
            } else {
                Row -= 4;
                Row &= SetOvrdWithAddr ? 0x3CF : 0x3FF;  // A16
                // Any write makes its row valid (B23). SrcA[Bank] stays as it is (A17).
                if (OutDataFormat == FP32 || OutDataFormat == TF32 || OutDataFormat == INT32) {
                    Dst.write32(Row, Col, Datum);
                    Dst.make_valid32(Row);
                } else {
                    Dst.write16(Row, Col, Datum);
                    Dst.make_valid16(Row);
                }
            }
        }
    }

    // Update counters in preparation for next instruction:
    const bool CountsContexts = UseContextCounter || m[CfgContextCntIncAlways[WhichUnpacker]];  // H1
    if (MultiContextMode && CountsContexts) {
        std::uint32_t IncrementedCounter = (WhichContext + 1) & 7;
        const std::uint32_t limit = m[Context_count_non_log2_en[WhichUnpacker]]
                                        ? m[Context_count_non_log2[WhichUnpacker]]
                                        : 1u << m[Context_count[WhichUnpacker]];  // A25
        if (IncrementedCounter >= limit) IncrementedCounter = 0;
        m.set(CurrentUnpacker(Unpacker::context_counter_t0, CurrentThread), IncrementedCounter);
    }
    const unsigned zw_bits = m.blackhole() ? 13 : 8;
    for (unsigned i = 0; i < 3; ++i) {
        if (i == CurrentThread || i == WhichADC) {
            const auto unit = AdcUnit(WhichUnpacker);
            m.add(state::cells::adc(i, unit, 0, Adc::y), Ch0YInc, 13);
            m.add(state::cells::adc(i, unit, 0, Adc::z), Ch0ZInc, zw_bits);
            m.add(state::cells::adc(i, unit, 1, Adc::y), Ch1YInc, 13);
            m.add(state::cells::adc(i, unit, 1, Adc::z), Ch1ZInc, zw_bits);
        }
    }
    const std::uint32_t SrcRowBase = (m[SRC_SET_Base[WhichUnpacker]] << 4) & 0x3F;
    const state::Cell SrcRowCell = CurrentUnpacker(Unpacker::src_row_t0, CurrentThread);
    if (FlipSrc) {
        const std::uint32_t SrcBank = m[CurrentUnpacker(Unpacker::bank)];
        m.set(state::cells::bank_owner(state::Src(WhichUnpacker), SrcBank),
              static_cast<std::uint32_t>(state::Owner::matrix));
        if (m.blackhole())
            m.set(state::cells::implied_format(state::Src(WhichUnpacker), SrcBank), OutDataFormat);  // A64
        m.set(CurrentUnpacker(Unpacker::bank), SrcBank ^ 1);
        m.set(CurrentUnpacker(Unpacker::next_bank), SrcBank ^ 1);  // nothing is queued
        m.set(SrcRowCell, SrcRowBase);
    } else if (m[Unpack_Src_Reg_Set_Upd[WhichUnpacker]]) {
        m.add(SrcRowCell, 16 + SrcRowBase, 6);
    }
    return Outcome::done;
}

}  // namespace tessera::reference
