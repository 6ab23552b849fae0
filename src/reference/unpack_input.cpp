// SPDX-License-Identifier: Apache-2.0
// With spec-notes A7, A21, A24, A29, A32, A33, A35, A36, A69, A70, A71.
#include "reference/unpack_input.hpp"

#include <cmath>

#include "reference/numerics.hpp"
#include "reference/unpack_fields.hpp"

namespace tessera::reference::unpack {

using state::Adc;
using state::AdcUnit;
using state::Unpacker;

namespace {

std::optional<double> SizeOf(std::uint32_t Format) {
    switch (Format) {
        case BFP2:
        case BFP2a: return 0.25;
        case BFP4:
        case BFP4a: return 0.5;
        case BFP8:
        case BFP8a:
        case FP8:
        case INT8: return 1;
        case FP16:
        case BF16:
        case INT16: return 2;
        case FP32:
        case TF32:
        case INT32: return 4;
        default: return std::nullopt;  // A69
    }
}

double Ceil16(double bytes) { return std::ceil(bytes / 16.) * 16; }

// The sum is not wrapped here: the caller takes 32 bits of its 16-fold.
std::uint64_t TileAddress(const Machine& m, const Request& r) {
    const std::uint32_t u = r.WhichUnpacker, c = r.WhichContext;
    if (!r.MultiContextMode || c == 0) return std::uint64_t{m[Base_address[u]]} + (m[Offset_address[u]] & 0xFFFF);
    const Field& Base = c < 4 ? Base_cntx1to3[u][c - 1] : Base_cntx4to7[u][c - 4];
    const Field& Offset = (c & 3) == 0 ? Offset_address[u] : Offset_cntx1to3[u][(c & 3) - 1];
    return std::uint64_t{m[Base]} + (m[Offset] & 0xFFFF);
}

// InAddr_RowStart[…], through the cache of the thread or of the context: a line of 16 bytes, kept until another one
// is needed or it is flushed (A70).
std::optional<std::uint32_t> RowStart(Machine& m, const Request& r, double Addr) {
    if (!ReadL1Bytes(m.state, Addr, 2)) return std::nullopt;
    const std::uint32_t WhichCache = r.MultiContextMode ? r.WhichContext & 3 : m.CurrentThread;
    const auto Cache = [&](state::RowCache item, unsigned word = 0) {
        return state::cells::row_cache(r.WhichUnpacker, WhichCache, item, word);
    };
    const double Line = std::floor(Addr / 16.);
    if (m[Cache(state::RowCache::line)] != static_cast<std::uint32_t>(Line) + 1) {
        m.set(Cache(state::RowCache::line), static_cast<std::uint32_t>(Line) + 1);
        for (unsigned i = 0; i < 4; ++i)
            m.set(Cache(state::RowCache::word_0, i), *ReadL1Bytes(m.state, Line * 16. + i * 4, 4));
    }
    const auto Index = static_cast<std::uint32_t>((Addr - Line * 16.) / 2);
    const std::uint32_t Word = m[Cache(state::RowCache::word_0, Index / 2)];
    return Index % 2 ? Word >> 16 : Word & 0xFFFF;
}

}  // namespace

std::optional<std::uint32_t> ReadL1Bytes(const state::State& state, double Addr, double NumBytes) {
    if (Addr < 0 || Addr + NumBytes > static_cast<double>(state.l1.bytes.size())) return std::nullopt;
    const auto BitAddr = static_cast<std::uint64_t>(Addr * 8.);
    const auto NumBits = static_cast<std::uint32_t>(NumBytes * 8.);
    // Bits of a byte, lowest first; datums of a byte or more begin at a byte.
    if (NumBits < 8) return (state.l1.bytes[BitAddr / 8] >> (BitAddr & 7)) & ((1u << NumBits) - 1);
    std::uint32_t Result = 0;
    for (std::uint32_t i = 0; i < NumBits / 8; ++i) Result |= std::uint32_t{state.l1.bytes[BitAddr / 8 + i]} << 8 * i;
    return Result;
}

std::optional<Request> read_request(const Machine& m) {
    Request r;
    r.WhichUnpacker = m[Unpack_block_selection];
    r.MultiContextMode = m[OvrdThreadId];
    r.UseContextCounter = m[AutoIncContextID];
    r.RowSearch = m[RowSearchBit];
    if (!r.MultiContextMode) {
        r.WhichContext = 0;
        r.WhichADC = m.CurrentThread;
        return r;
    }
    if (r.UseContextCounter) {
        r.WhichContext = m[state::cells::unpacker(r.WhichUnpacker, Unpacker::context_counter_t0, m.CurrentThread)];
    } else {
        r.WhichContext = m[CfgContextId];
    }
    r.WhichContext = (r.WhichContext + m[CfgContextOffset[r.WhichUnpacker]]) & 7;
    r.WhichADC = m[AddrCntContextId];
    // Unpacker 1 with a context of 2 or more is accepted (A24).
    if (r.WhichADC == 3) return std::nullopt;
    return r;
}

std::optional<Input> read_input(Machine& m, const Request& r) {
    const std::uint32_t u = r.WhichUnpacker;
    Input in;
    in.IsUncompressed =
        r.MultiContextMode ? m[Disable_zero_compress_cntx[u][r.WhichContext]] : m[IsUncompressedField[u]];
    const std::uint64_t XDim = r.MultiContextMode && u == 0 ? m[Tile_x_dim_cntx[r.WhichContext & 3]] : m[XDimField[u]];
    std::uint64_t YDim = m[YDimField[u]];
    const std::uint64_t ZDim = m[ZDimField[u]] ? m[ZDimField[u]] : 1;
    const std::uint64_t WDim = m[WDimField[u]] ? m[WDimField[u]] : 1;
    const std::uint32_t Blobs = m[BlobsPerXYPlane[u]];
    if (r.MultiContextMode && m[Ovrd_data_format[u]]) {
        in.InDataFormat = m[Unpack_data_format_cntx[u][r.WhichContext]];
        in.OutDataFormat = m[Unpack_out_data_format_cntx[u][r.WhichContext]];
    } else {
        in.InDataFormat = m[InDataFormatField[u]];
        in.OutDataFormat = m[Out_data_format[u]];
    }
    if (!SizeOf(in.InDataFormat) || !SizeOf(in.OutDataFormat)) return std::nullopt;
    in.DatumSizeBytes = *SizeOf(in.InDataFormat);

    std::uint64_t InAddr = static_cast<std::uint32_t>((TileAddress(m, r) + 1 + m[DigestSize[u]]) * 16);
    std::uint64_t InAddr_RowStart = InAddr;
    if (!in.IsUncompressed) {
        const std::uint64_t Rows = (Blobs ? Blobs : YDim) * ZDim * WDim;
        InAddr += static_cast<std::uint64_t>(Ceil16(static_cast<double>((Rows + 1) * 2)));
    }
    if (IsBFPFormat(in.InDataFormat) && !m[Force_shared_exp[u]]) {
        in.InAddr_Exponents = static_cast<double>(InAddr);
        if (in.InDataFormat == BFP8 || in.InDataFormat == BFP8a || !m[NoBFPExpSection[u]]) {
            const std::uint64_t NumElements = XDim * YDim * ZDim * WDim;
            const double NumExponents = std::ceil(static_cast<double>(NumElements) / 16.);
            InAddr += static_cast<std::uint64_t>(Ceil16(NumExponents));
        }
    }

    const auto ADCs = [&](unsigned thread, unsigned Channel, Adc c) {
        return m[state::cells::adc(thread, AdcUnit(u), Channel, c)];
    };
    const std::uint32_t ADC_X = ADCs(r.WhichADC, 0, Adc::x), ADC_Y = ADCs(r.WhichADC, 0, Adc::y);
    const std::uint32_t ADC_X1 = ADCs(r.WhichADC, 1, Adc::x);
    // Blackhole's Z and W counters are wider; the input uses their low eight bits (A29).
    const std::uint32_t ADC_Z = ADCs(m.CurrentThread, 0, Adc::z) & 0xFF;
    const std::uint32_t ADC_W = ADCs(m.CurrentThread, 0, Adc::w) & 0xFF;
    std::uint64_t FirstDatum;
    if (in.IsUncompressed) {
        std::uint32_t XPos, YPos, XEnd;
        if (!r.RowSearch) {
            XPos = ADC_X;
            YPos = ADC_Y;
            XEnd = ADC_X1 + 1;
        } else if (Blobs) {
            const std::uint32_t BlobsYStart = r.MultiContextMode && u == 0
                                                  ? m[BLOBS_Y_START_CNTX[(r.WhichContext & 2) / 2]]
                                                  : m[BlobsYStart_hi[u]] << 16 | m[BlobsYStart_lo[u]];
            XPos = (BlobsYStart >> 4 * (ADC_Y & 7) & 15) << 4;
            YPos = 0;
            const std::uint32_t X71 = (ADC_X & 7) + 1;
            if (X71 == Blobs) {
                XEnd = static_cast<std::uint32_t>(XDim & 0x1F0);
            } else {
                if (X71 == 8) return std::nullopt;  // A71
                XEnd = (BlobsYStart >> 4 * X71 & 15) << 4;
            }
        } else {
            XPos = 0;
            YPos = ADC_Y;
            XEnd = ADC_X1;
        }
        FirstDatum = ((ADC_W * ZDim + ADC_Z) * YDim + YPos) * XDim + XPos;
        if (XEnd < XPos) return std::nullopt;  // A21
        in.InputNumDatums = XEnd - XPos;
    } else {
        if (r.RowSearch && Blobs) YDim = Blobs;
        InAddr_RowStart += (ADC_W * ZDim + ADC_Z) * YDim * 2;
        const auto At = [&](std::uint32_t i) { return RowStart(m, r, static_cast<double>(InAddr_RowStart) + i * 2.); };
        const auto First = At(ADC_Y & 0xFF);
        if (!First) return std::nullopt;
        FirstDatum = *First;
        if (r.RowSearch || (ADC_X == 0 && ADC_X1 + 1 == XDim)) {
            const auto End = At(((r.RowSearch ? ADC_X : ADC_Y) & 0xFF) + 1);
            if (!End || *End < *First) return std::nullopt;  // A21
            in.InputNumDatums = *End - *First;
        } else {
            if (ADC_X1 + 1 < ADC_X) return std::nullopt;  // A21
            in.DecompressDrop = ADC_X;
            in.DecompressNumDatums = ADC_X1 + 1 - ADC_X;
            in.InputNumDatums = 0xFFFFFFFF;
        }
    }

    const auto FirstDatumDouble = static_cast<double>(FirstDatum);
    in.InAddr_Datums = static_cast<double>(InAddr);
    in.InAddr_Exponents += FirstDatumDouble / 16.;
    if (in.IsUncompressed) {
        in.InAddr_Datums += FirstDatumDouble * in.DatumSizeBytes;
    } else {
        in.InAddr_Datums += static_cast<double>(FirstDatum / 32) * (32 * in.DatumSizeBytes + 32 * 0.5);
        in.InAddr_Deltas = in.InAddr_Datums + 32 * in.DatumSizeBytes;
        in.InAddr_Datums += static_cast<double>(FirstDatum % 32) * in.DatumSizeBytes;
        in.InAddr_Deltas += static_cast<double>(FirstDatum % 32) * 0.5;
    }
    in.LimitAddress = m[Unpack_limit_address[u]] * 16.;
    in.FifoSize = m[Unpack_fifo_size[u]] * 16.;
    in.InAddr_Exponents = in.WrapAddr(in.InAddr_Exponents);
    in.InAddr_Datums = in.WrapAddr(in.InAddr_Datums);
    in.InAddr_Deltas = in.WrapAddr(in.InAddr_Deltas);

    in.DiscontiguousInputRows = m[Tileize_mode[u]];
    in.RowDatums = m.blackhole() && in.DatumSizeBytes > 1 ? 32 : 16;
    in.RowStride = in.DatumSizeBytes * in.RowDatums;
    if (in.DiscontiguousInputRows)
        in.RowStride =
            m[Shift_amount_cntx[u][0]] << 4 | m[Shift_amount_cntx[u][1]] << 8 | m[Shift_amount_cntx[u][2]] << 12;
    return in;
}

}  // namespace tessera::reference::unpack
