// SPDX-License-Identifier: Apache-2.0
// GMPOOL, Functional model; MPOOL3S1 and MPOOL3S2 as GMPOOL of zeros; spec-notes A64, E52, E53.
// Rules: units/matrix/rules/gmpool.cpp; loops: units/matrix/loops/gmpool_loops.cpp.
#include "reference/dst.hpp"
#include "reference/matrix.hpp"
#include "reference/matrix_machine.hpp"
#include "reference/models.hpp"

namespace tessera::reference {

namespace {

using state::Rwc;
using state::Src;

struct Datum {
    std::uint32_t Sign, Exponent, MagOrMan;  // 1, 9 and 10 bits
};

Datum ReadDst(std::uint32_t DstVal, std::uint32_t DstStyle) {
    Datum d{DstVal >> 31, 0, 0};
    switch (DstStyle) {
        case INT32:
            d.MagOrMan = DstVal & 0x3FF;
            d.Exponent = (DstVal >> 10) & 0x3F;
            d.Exponent += ((DstVal >> 24) & 7) << 6;
            break;
        case FP16:
            d.Exponent = ((DstVal >> 16) & 0x1F) + 15;
            d.MagOrMan = (DstVal >> 21) & 0x3FF;
            break;
        default:  // BF16, TF32
            d.Exponent = ((DstVal >> 16) & 0xFF) + 127;
            d.MagOrMan = ((DstVal >> 24) & 0x7F) << 3;
            if (DstStyle == TF32) d.MagOrMan += (DstVal >> 13) & 7;
            break;
    }
    return d;
}

std::uint32_t WriteDst(Datum d, std::uint32_t DstStyle) {
    switch (DstStyle) {
        case INT32: return (d.Sign << 31) | ((d.Exponent & 7) << 10) | d.MagOrMan;
        case FP16:
            if ((d.Exponent & 0x3F) == 0) return 0;
            d.Exponent -= 15;
            return (d.Sign << 31) | (d.MagOrMan << 21) | ((d.Exponent & 0x1F) << 16);
        default: {  // BF16, TF32
            if (d.Exponent == 0) return 0;
            d.Exponent -= 127;
            std::uint32_t x = (d.Sign << 31) | ((d.MagOrMan & 0x3F8) << 21) | ((d.Exponent & 0xFF) << 16);
            if (DstStyle == TF32) x += (d.MagOrMan & 7) << 13;
            return x;
        }
    }
}

Datum ReadAndScaleSrc(std::uint32_t SrcAVal, std::uint32_t SrcAStyle, std::uint32_t SrcBVal) {
    const std::uint32_t SrcAExponent = SrcAVal & 0xFF, SrcBExponent = SrcBVal & 0xFF;
    if (SrcBExponent == 0) return {1, 0x1FF, 0x3FF};
    if (SrcAExponent == 0) return {0, 0, 0};
    const std::uint32_t SrcAMagOrMan = (SrcAVal >> 8) & 0x3FF;
    Datum Result{SrcAVal >> 18, 0, SrcAMagOrMan};
    switch (SrcAStyle) {
        case INT8: Result.Exponent = 0; break;
        case FP16: Result.Exponent = (SrcAExponent & 0x1F) + (SrcBExponent & 0x1F); break;
        case TF32: Result.Exponent = SrcAExponent + SrcBExponent; break;
        default:  // BF16
            Result.Exponent = SrcAExponent + SrcBExponent;
            Result.MagOrMan = SrcAMagOrMan & 0x3F8;
            break;
    }
    return Result;
}

std::int32_t AsComparable(Datum x) {
    return (x.Sign ? -1 : 1) * static_cast<std::int32_t>((x.Exponent << 10) + x.MagOrMan);
}

struct PoolOperands {
    isa::Operand clear_dvalid, addr_mode, index_en, dst;
};

Outcome pool(MatrixMachine m, const PoolOperands& op, bool SrcAIsZero) {
    const bool ArgMax = m[op.index_en];
    std::uint32_t SrcAStyle, DstStyle;
    bool UseDst32b;
    if (m[FP16A_FORCE_Enable]) {
        SrcAStyle = FP16;
        DstStyle = FP16;
        UseDst32b = false;
    } else if (m[INT8_math_enabled]) {
        SrcAStyle = INT8;
        DstStyle = INT32;
        UseDst32b = true;
    } else {
        const std::uint32_t SrcAFmt = m.SrcAFmt();
        UseDst32b = m[Fp32_enabled];
        if (one_of(SrcAFmt, {FP32, BF16, BFP8, BFP4, BFP2, INT32, INT16})) {
            SrcAStyle = BF16;
            if (ArgMax && UseDst32b) {
                DstStyle = BF16;
            } else {
                DstStyle = UseDst32b ? TF32 : BF16;
            }
        } else if (one_of(SrcAFmt, {FP16, FP8, BFP8a, BFP4a, BFP2a, INT8})) {
            SrcAStyle = FP16;
            if (ArgMax && UseDst32b) {
                DstStyle = FP16;
            } else {
                DstStyle = UseDst32b ? TF32 : FP16;
            }
        } else if (SrcAFmt == TF32) {
            SrcAStyle = TF32;
            if (ArgMax) {
                DstStyle = INT32;
            } else {
                DstStyle = UseDst32b ? TF32 : BF16;
            }
        } else {
            return Outcome::unsupported;
        }
    }

    const std::uint32_t SrcARow = m.RWC(Rwc::src_a) & 0x30, SrcBRow = m.RWC(Rwc::src_b) & 0x38;
    const std::uint32_t DstRow = m.DstRow(m[op.dst]) & 0x3FC;
    m.set(state::cells::last_src_a_row, SrcARow);

    DstView Dst(m);
    // Invalid rows read as minus infinity: all bits set.
    const auto read32 = [&](std::uint32_t Row, std::uint32_t j) {
        return Dst.valid32(Row) ? Dst.read32(Row, j) : 0xFFFFFFFF;
    };
    const auto read16 = [&](std::uint32_t Row, std::uint32_t j) {
        return Dst.valid16(Row) ? Dst.read16(Row, j) : 0xFFFF;
    };
    for (std::uint32_t j = 0; j < 16; ++j) {
        std::uint32_t DstVal = UseDst32b ? read32(DstRow, j) : read16(DstRow, j) << 16;
        Datum Max = ReadDst(DstVal, DstStyle);
        std::uint32_t MaxIndex = DstVal & 0xFF;
        const std::uint32_t IndexPhase = (DstVal + 0x100) & 0xF00;
        for (std::uint32_t i_ = 0; i_ < 16; ++i_) {
            const std::uint32_t i = (i_ < 8) ? (i_ ^ 4) : i_;
            const std::uint32_t SrcAVal = SrcAIsZero ? 0 : m.src(Src::a, m.SrcABank(), SrcARow + i, j);
            const std::uint32_t SrcBVal = m.src(Src::b, m.SrcBBank(), SrcBRow, i);
            const Datum x = ReadAndScaleSrc(SrcAVal, SrcAStyle, SrcBVal);
            if (AsComparable(x) >= AsComparable(Max)) {
                Max = x;
                constexpr std::uint8_t NONLINEAR_I_TRANSFORM[] = {0, 3, 6, 1, 4, 7, 2, 5};
                if (i < sizeof(NONLINEAR_I_TRANSFORM)) MaxIndex = ((IndexPhase >> 4) + NONLINEAR_I_TRANSFORM[i]) & 0xFF;
            }
        }
        if (ArgMax) {
            const std::uint32_t IndexResult = IndexPhase | MaxIndex;
            if (DstStyle == INT32) {
                DstVal = IndexResult;
            } else {
                DstVal = WriteDst(Max, DstStyle) | IndexResult;
            }
        } else {
            DstVal = WriteDst(Max, DstStyle);
        }
        if (UseDst32b) {
            Dst.write32(DstRow, j, DstVal);
            for (std::uint32_t i = 1; i < 4; ++i)
                Dst.write32(DstRow + i, j, ArgMax ? (read32(DstRow + i, j) + 0x100) & 0xF00 : 0);
        } else {
            Dst.write16(DstRow, j, DstVal >> 16);
            for (std::uint32_t i = 1; i < 4; ++i) Dst.write16(DstRow + i, j, 0);
        }
    }
    if (m[op.clear_dvalid] & 1) m.FlipSrc(Src::a);
    if (m[op.clear_dvalid] & 2) m.FlipSrc(Src::b);
    m.ApplyAddrMod(m[op.addr_mode]);
    return Outcome::done;
}

}  // namespace

Outcome gmpool(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr PoolOperands op = {isa::operand("GMPOOL", "clear_dvalid"),
                                 isa::operand("GMPOOL", "pool_addr_mode", "addr_mode"),
                                 isa::operand("GMPOOL", "max_pool_index_en"), isa::operand("GMPOOL", "dst")};
    return pool({state, CurrentThread, word}, op, false);
}

Outcome mpool(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    constexpr PoolOperands op = {isa::operand("MPOOL3S1", "clear_dvalid"),
                                 isa::operand("MPOOL3S1", "pool_addr_mode", "addr_mode"),
                                 isa::operand("MPOOL3S1", "index_en"), isa::operand("MPOOL3S1", "dst")};
    return pool({state, CurrentThread, word}, op, true);
}

namespace {

constexpr Registered models[] = {
    {isa::mnemonic("GMPOOL"), gmpool},
    {isa::mnemonic("MPOOL3S1"), mpool},
    {isa::mnemonic("MPOOL3S2"), mpool},
};

}  // namespace

std::span<const Registered> matrix_pools_models() { return models; }

}  // namespace tessera::reference
