// SPDX-License-Identifier: Apache-2.0
// UNPACR_Regular, Functional model, from the output address on; with spec-notes A10, A11, A13, A14, A16, A17, A20, A25,
// A26, A29, A57, A64, A70, B23. UNPACR_IncrementContextCounter, UNPACR_FlushCache.
// Rules: units/unpacker/rules/unpacr.cpp.
#include "reference/unpack.hpp"

#include <cmath>
#include <utility>

#include "reference/dst.hpp"
#include "reference/models.hpp"
#include "reference/numerics.hpp"
#include "reference/unpack_fields.hpp"
#include "reference/unpack_input.hpp"

namespace tessera::reference {

using namespace unpack;
using state::Adc;
using state::AdcUnit;
using state::Unpacker;

namespace {

/// One past the last context of the counter's cycle.
std::uint32_t ContextLimit(const Machine& m, std::uint32_t WhichUnpacker) {
    return m[Context_count_non_log2_en[WhichUnpacker]] ? m[Context_count_non_log2[WhichUnpacker]]  // A25
                                                       : 1u << m[Context_count[WhichUnpacker]];
}

void AdvanceContextCounter(Machine& m, std::uint32_t WhichUnpacker, std::uint32_t WhichContext) {
    std::uint32_t IncrementedCounter = (WhichContext + 1) & 7;
    if (IncrementedCounter >= ContextLimit(m, WhichUnpacker)) IncrementedCounter = 0;
    m.set(state::cells::unpacker(WhichUnpacker, Unpacker::context_counter_t0, m.CurrentThread), IncrementedCounter);
}

}  // namespace

Outcome unpacr(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    Machine m(state, CurrentThread, word);
    const std::uint32_t WhichUnpacker = m[Unpack_block_selection];
    if (m[SearchCacheFlush]) {
        for (unsigned i = 0; i < 4; ++i)
            if (m[OvrdThreadId] || i == CurrentThread)
                m.set(state::cells::row_cache(WhichUnpacker, i, state::RowCache::line), 0);
        return Outcome::done;
    }
    if (m[CfgContextCntInc]) {
        AdvanceContextCounter(m, WhichUnpacker,
                              m[state::cells::unpacker(WhichUnpacker, Unpacker::context_counter_t0, CurrentThread)]);
        return Outcome::done;
    }
    const bool AllDatumsAreZero = m[ZeroWrite2], FlipSrc = m[SetDatValid];
    const std::uint32_t Ch0ZInc = m[AddrMode] & 3, Ch0YInc = m[AddrMode] >> 2 & 3;
    const std::uint32_t Ch1ZInc = m[AddrMode] >> 4 & 3, Ch1YInc = m[AddrMode] >> 6 & 3;
    const auto CurrentUnpacker = [&](Unpacker item, unsigned thread = 0) {
        return state::cells::unpacker(WhichUnpacker, item, thread);
    };
    const auto ADC_Out = [&](Adc c) { return m[state::cells::adc(CurrentThread, AdcUnit(WhichUnpacker), 1, c)]; };

    const auto request = read_request(m);
    if (!request) return Outcome::undefined;
    const auto input = read_input(m, *request);
    if (!input) return Outcome::undefined;
    double InAddr_Datums = input->InAddr_Datums, InAddr_Exponents = input->InAddr_Exponents;
    double InAddr_Deltas = input->InAddr_Deltas;
    const bool MultiContextMode = request->MultiContextMode;
    const std::uint32_t WhichContext = request->WhichContext;
    const std::uint32_t InDataFormat = input->InDataFormat, OutDataFormat = input->OutDataFormat;
    const double DatumSizeBytes = input->DatumSizeBytes;

    bool UnpackToDst = false, Transpose = false;
    if (WhichUnpacker == 0) {
        UnpackToDst = MultiContextMode ? m[Unpack_if_sel_cntx[WhichContext]] : m[Unpack_If_Sel[0]];
        Transpose = m[Haloize_mode[0]];
    }
    const ConversionModes modes = {m[SrcUnsigned[WhichUnpacker]] != 0, m[Unp_LF8_4b_exp[WhichUnpacker]] != 0,
                                   m.blackhole(), UnpackToDst};
    if (!FormatConversion(InDataFormat, OutDataFormat, 0, 0, modes)) return Outcome::undefined;

    // Determine initial output address:
    std::uint32_t OutAddr = m[ADDR_BASE_REG_1_Base[WhichUnpacker]] + ADC_Out(Adc::y) * m[Ystride[WhichUnpacker]] +
                            ADC_Out(Adc::z) * m[Zstride[WhichUnpacker]] + ADC_Out(Adc::w) * m[Wstride[WhichUnpacker]];
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
    const std::uint32_t ColShift =
        input->DiscontiguousInputRows || WhichUnpacker == 1 ? 0 : m[Shift_amount_cntx[0][WhichContext & 3]];

    // Check that various settings are compatible with each other:
    if (Transpose || input->DiscontiguousInputRows) {
        if (InAddr_Datums != std::floor(InAddr_Datums / 16.) * 16.) return Outcome::undefined;
    }
    if (input->DiscontiguousInputRows && (UpsampleZeroes > 0 || !input->IsUncompressed)) return Outcome::undefined;
    if (UnpackToDst && (ColShift || Transpose)) return Outcome::undefined;

    // Main unpack loop:
    const std::uint32_t Bank = m[CurrentUnpacker(Unpacker::bank)];
    const std::uint32_t SrcRow = m[CurrentUnpacker(Unpacker::src_row_t0, CurrentThread)];
    const bool SetOvrdWithAddr = m[SRCA_SET_SetOvrdWithAddr];
    DstView Dst(m);
    const bool Broadcast = WhichUnpacker == 1 && m.blackhole() && m[srcb_bcast];  // A57
    std::uint32_t DecompressDrop = input->DecompressDrop, DecompressNumDatums = input->DecompressNumDatums;
    for (std::uint32_t i = 0; i < input->InputNumDatums && DecompressNumDatums;) {
        // Read a datum from L1:
        const auto DatumBits = ReadL1Bytes(state, InAddr_Datums, DatumSizeBytes);
        if (!DatumBits) return Outcome::undefined;
        InAddr_Datums += DatumSizeBytes;
        if ((++i % input->RowDatums) == 0) {  // A7
            InAddr_Datums -= DatumSizeBytes * input->RowDatums;
            InAddr_Datums += input->RowStride;
            InAddr_Datums = input->WrapAddr(InAddr_Datums);
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
                    InAddr_Exponents = input->WrapAddr(InAddr_Exponents);
                }
            }
        }
        std::uint32_t DecompressionZeroes = 0;
        if (!input->IsUncompressed) {
            const auto Delta = ReadL1Bytes(state, InAddr_Deltas, 0.5);
            if (!Delta) return Outcome::undefined;
            DecompressionZeroes = *Delta;
            InAddr_Deltas += 0.5;
            if (InAddr_Deltas == std::floor(InAddr_Deltas / 16.) * 16.) {
                InAddr_Datums += 16;
                InAddr_Deltas += 32 * DatumSizeBytes;
                InAddr_Deltas = input->WrapAddr(InAddr_Deltas);
            }
        }
        std::uint32_t Datum = *FormatConversion(InDataFormat, OutDataFormat, *DatumBits, ExpBits, modes);
        if (AllDatumsAreZero) {
            Datum = 0;
            DecompressionZeroes = 0;
        }
        for (std::uint32_t j = 0; j <= DecompressionZeroes; ++j, Datum = 0) {
            if (DecompressDrop) {
                --DecompressDrop;
                continue;
            }
            for (std::uint32_t k = 0; k <= UpsampleZeroes; ++k, Datum = 0, ++OutAddr) {
                if (UpsampleInterleave && k != 0) continue;
                std::uint32_t Row = OutAddr / 16;
                std::uint32_t Col = OutAddr & 15;
                if (WhichUnpacker == 1) {
                    for (std::uint32_t b = 0; b < (Broadcast ? 8 : 1); ++b)
                        m.set_src(state::Src::b, Bank, (Row + SrcRow + b) & 0x3F, Col, Datum);
                } else if (!UnpackToDst) {
                    if (Row < 4 || Col < ColShift) continue;
                    Row -= 4;
                    Col -= ColShift;
                    if (!SetOvrdWithAddr) Row += SrcRow;  // A11
                    if (Transpose) {
                        std::uint32_t RowLowBits = Row & 0xF;
                        std::swap(RowLowBits, Col);
                        Row = (Row & ~0xFu) | RowLowBits;
                    }
                    Row &= 0x3F;  // A10
                    m.set_src(state::Src::a, Bank, Row, Col, Datum);
                } else {
                    Row -= 4;
                    Row &= SetOvrdWithAddr ? 0x3CF : 0x3FF;  // A16
                    // Any write makes its row valid (B23). SrcA[Bank] is unchanged (A17).
                    if (OutDataFormat == FP32 || OutDataFormat == TF32 || OutDataFormat == INT32) {
                        Dst.write32(Row, Col, Datum);
                        Dst.make_valid32(Row);
                    } else {
                        Dst.write16(Row, Col, Datum);
                        Dst.make_valid16(Row);
                    }
                }
            }
            if (--DecompressNumDatums == 0) break;
        }
    }

    // Update counters in preparation for next instruction:
    const bool CountsContexts = request->UseContextCounter || m[CfgContextCntIncAlways[WhichUnpacker]];  // A26
    if (MultiContextMode && CountsContexts) AdvanceContextCounter(m, WhichUnpacker, WhichContext);
    const unsigned zw_bits = m.blackhole() ? 13 : 8;
    for (unsigned i = 0; i < 3; ++i) {
        if (i == CurrentThread || i == request->WhichADC) {
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

namespace {

constexpr Registered models[] = {
    {isa::mnemonic("UNPACR"), unpacr},
};

}  // namespace

std::span<const Registered> unpack_models() { return models; }

}  // namespace tessera::reference
