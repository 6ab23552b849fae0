// SPDX-License-Identifier: Apache-2.0
// docs/internals/numerics.md 1 to 5; UNPACR_Regular (Supporting definitions); spec-notes A47, A48, A52, A68, E4.
#include "reference/numerics.hpp"

#include <algorithm>
#include <bit>

namespace tessera::reference {

// --- the matrix unit

std::uint32_t acc(const Term& t0, const Term& t1, std::uint32_t D, bool acc32, bool E8, bool wh,
                  std::optional<std::uint32_t> Random) {
    const std::int64_t sD = D >> 31, eD = D >> 23 & 255, fD = D & 0x7FFFFF;
    std::int64_t mD = eD ? (std::int64_t{1} << 23) + fD : 0;
    std::int64_t E = std::max({t0.e, t1.e, eD});
    if (E <= 0) return 0;

    std::int64_t s = sD, man = 0;
    for (const Term& t : {t0, t1}) {
        // Unsigned 32 bits: a negative term, which only ELWADD has, wraps (spec-notes E55).
        auto m = static_cast<std::uint32_t>(t.m);
        const auto sign = static_cast<std::uint32_t>(t.s);
        const std::int64_t d = E - t.e;
        if (d > 0) m = d < 31 ? (m + (1u << (d - 1)) - sign) >> d : 0;
        if (!acc32) m = (m + 4096 - sign) & ~8191u;
        man += t.s == sD ? static_cast<std::int32_t>(m) : -static_cast<std::int64_t>(static_cast<std::int32_t>(m));
    }
    if (const std::int64_t d = E - eD; d > 0) mD = d < 31 ? (mD + (std::int64_t{1} << (d - 1))) >> d : 0;
    if (!acc32) mD = (mD + 4096) & ~std::int64_t{8191};
    man = static_cast<std::int32_t>(man + mD);

    if (man < 0) {
        man = -man;
        s ^= 1;
    }
    if (man == 0) return 0;
    std::int64_t sh = 24 - static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(man)));
    const bool miscounted = wh && s && man == 1;
    if (miscounted) sh -= 27;
    E -= sh;
    const std::int64_t drop = acc32 ? 0 : E8 ? 16 : 13;
    sh -= drop;
    if (sh < 0 && Random && !miscounted) {
        const std::int64_t discarded = man & ((std::int64_t{1} << -sh) - 1);
        man = (man >> -sh) + (discarded >= std::int64_t{*Random} >> (32 + sh));
    } else {
        man = sh < 0 ? (man + (std::int64_t{1} << (-sh - 1))) >> -sh : man << sh;
    }
    man <<= drop;
    if (man & std::int64_t{1} << 24) E += 1;
    man &= 0x7FFFFF;
    if (E <= 0) return 0;
    const std::uint32_t sign = static_cast<std::uint32_t>(s) << 31;
    const auto finite = static_cast<std::uint32_t>(E << 23 | man);
    if (E8 || acc32) return E >= 255 ? sign | 0x7F800000 : sign | finite;
    return E >= 32 ? sign | 31u << 23 | 0x3FFu << 13 : sign | finite;
}

std::uint32_t elwadd(std::uint32_t a, std::uint32_t b, std::uint32_t D, const MathMode& how) {
    if ((a >> 10 & 255) == 0) a = 0;
    if (how.flush_b && (b >> 10 & 255) == 0) b = 0;
    if ((a & 0x3FFFF) < (b & 0x3FFFF)) std::swap(a, b);
    const std::int64_t sa = a >> 18, ea = a >> 10 & 255, sb = b >> 18, eb = b >> 10 & 255;
    const std::int64_t ma = a ? (a & 1023) + 1024 : 0;
    std::int64_t mb = b ? (b & 1023) + 1024 : 0;
    if (const std::int64_t d = ea - eb; d > 0) mb = d < 12 ? (mb + (std::int64_t{1} << (d - 1))) >> d : 0;
    const std::int64_t m = (sa == sb ? ma + mb : ma - mb) * 8192;
    std::int64_t E = ea;
    if (how.acc32 && !how.E8) E = E ? E + 112 : 97;
    if (how.phase & 1) E -= 5;
    if (how.phase & 2) E -= 7;
    return acc({sa, E, m}, {0, 0, 0}, how.en ? D : 0, how.acc32, how.E8, how.wh, how.Random);
}

namespace {

// Section 1. The rebias of a product's exponents.
std::int64_t adjustment(const MathMode& how) {
    return (how.E8 ? -127 : how.acc32 ? 97 : -15) - (how.phase & 1 ? 5 : 0) - (how.phase & 2 ? 7 : 0);
}
// Mantissa with 1024 as 1.0; none if an operand is zero.
std::optional<Term> product(std::uint32_t a, std::uint32_t b, bool flush_b, const MathMode& how) {
    const std::int64_t sa = a >> 18, ea = a >> 10 & 255, sb = b >> 18, eb = b >> 10 & 255;
    if (ea == 0 || (eb == 0 && flush_b)) return std::nullopt;
    const std::int64_t MA = 1024 + (a & 1023), MB = 1024 + (b & 1023);
    const std::int64_t a5 = how.phase & 1 ? MA >> 1 & 31 : MA >> 6;
    const std::int64_t b7 = how.phase & 2 ? (MB & 15) << 3 : MB >> 4;
    return Term{sa ^ sb, ea + eb + adjustment(how), a5 * b7};
}
Term zero_product(const MathMode& how) { return {0, std::max<std::int64_t>(adjustment(how), 0), 0}; }

}  // namespace

std::uint32_t elwmul(std::uint32_t a, std::uint32_t b, std::uint32_t D, const MathMode& how) {
    Term t = zero_product(how);
    if (const auto p = product(a, b, how.flush_b, how); p && p->e > 0) t = {p->s, p->e, p->m * 8192};
    return acc(t, {0, 0, 0}, D, how.acc32, how.E8, how.wh, how.Random);
}

std::uint32_t mvmul(const std::array<std::uint32_t, 16>& A, const std::array<std::uint32_t, 16>& B, std::uint32_t D,
                    const MathMode& how) {
    Term group[2] = {{0, 0, 0}, {0, 0, 0}};
    for (std::size_t g = 0; g < 2; ++g) {
        std::array<Term, 8> lane;
        for (std::size_t i = 0; i < 8; ++i)
            lane[i] = product(A[8 * g + i], B[8 * g + i], true, how).value_or(zero_product(how));
        std::int64_t E = lane[0].e;
        for (const Term& t : lane) E = std::max(E, t.e);
        if (E <= 0) continue;
        std::int64_t S = 0;
        for (const Term& t : lane) {
            const std::int64_t d = std::min<std::int64_t>(E - t.e, 30);
            const std::int64_t m = (2 * t.m + (std::int64_t{1} << d)) >> (d + 1);
            S += t.s ? -m : m;
        }
        group[g] = {S < 0, E, (S < 0 ? -S : S) * 8192};
    }
    return acc(group[0], group[1], D, how.acc32, how.E8, how.wh, how.Random);
}

// Section 5; ELWMUL, Supporting definitions. Src holds INT8 as Sign, Mag(10b), Zero(3b), Exp(5b).
std::int32_t ReadSrcInt8(std::uint32_t stored, bool flush) {
    if (flush && !(stored & 0xFF)) return 0;
    const auto Mag = static_cast<std::int32_t>(stored >> 8 & 0x3FF);
    return stored >> 18 & 1 ? -Mag : Mag;
}
std::uint32_t SrcAInt8Bits(std::uint32_t stored, unsigned phase) { return stored & (phase & 1 ? 0x41FFF : 0x4E0FF); }
std::uint32_t SrcBInt8Bits(std::uint32_t stored, unsigned phase) { return stored & (phase & 2 ? 0x40FFF : 0x7F0FF); }
std::int32_t SaturateAddInt32(std::int32_t x, std::int32_t y) {
    constexpr std::int64_t largest = 0x7FFFFFFF;
    return static_cast<std::int32_t>(std::clamp(std::int64_t{x} + y, -largest, largest));
}
std::int32_t ReadDstInt32(std::uint32_t stored) {
    const std::uint32_t x = ReadDstFP32(stored);
    const auto Mag = static_cast<std::int32_t>(x & 0x7FFFFFFF);
    return x >> 31 ? -Mag : Mag;
}
std::uint32_t WriteDstInt32(std::int32_t x) {
    return WriteDstFP32(x < 0 ? 0x80000000 | static_cast<std::uint32_t>(-x) : static_cast<std::uint32_t>(x));
}

// --- bit layouts

std::uint32_t WriteSrcTF32(std::uint32_t x) {
    const std::uint32_t Sign = x & 0x40000, Exp = x & 0x3FC00, Man = x & 0x003FF;
    return Sign | (Man << 8) | (Exp >> 10);
}
std::uint32_t WriteSrcBF16(std::uint32_t x) { return WriteSrcTF32(x << 3); }
std::uint32_t WriteSrcFP16(std::uint32_t x) { return WriteSrcTF32(((x & 0x8000) << 3) | (x & 0x7FFF)); }
std::uint32_t ReadSrcTF32(std::uint32_t x) {
    const std::uint32_t Sign = x >> 18, Man = x >> 8 & 0x3FF, Exp = x & 0xFF;
    return Sign << 18 | Exp << 10 | Man;
}

std::uint32_t WriteDstBF16(std::uint32_t x) {
    const std::uint32_t Sign = x & 0x8000, Exp = x & 0x7F80, Man = x & 0x007F;
    return Sign | (Man << 8) | (Exp >> 7);
}
std::uint32_t WriteDstFP16(std::uint32_t x) {
    const std::uint32_t Sign = x & 0x8000, Exp = x & 0x7C00, Man = x & 0x03FF;
    return Sign | (Man << 5) | (Exp >> 10);
}
std::uint32_t WriteDstFP32(std::uint32_t x) { return WriteDstBF16(x >> 16) << 16 | (x & 0xFFFF); }

// Dst page, Pseudocode helpers.
std::uint32_t ReadDstBF16(std::uint32_t x) {
    const std::uint32_t e = x & 255, m = x >> 8 & 127;
    return (x & 0x8000) | e << 7 | m;
}
std::uint32_t ReadDstFP16(std::uint32_t x) {
    const std::uint32_t e = x & 31, m = x >> 5 & 1023;
    return (x & 0x8000) | e << 10 | m;
}
std::uint32_t ReadDstFP32(std::uint32_t x) { return ReadDstBF16(x >> 16) << 16 | (x & 0xFFFF); }

// --- the unpackers

std::uint32_t FP32ToFP16(std::uint32_t x) {
    const std::uint32_t Sign = x >> 31 << 15;
    const std::uint32_t Exp = x >> 23 & 255;
    if (Exp < 112) return Sign;  // e < 0
    if (Exp > 112 + 31) return Sign | 0x7FFF;
    return Sign | (Exp - 112) << 10 | (x & 0x7FFFFF) >> 13;
}

bool IsBFPFormat(std::uint32_t x) {
    return x == BFP8 || x == BFP8a || x == BFP4 || x == BFP4a || x == BFP2 || x == BFP2a;
}

namespace {

unsigned leading_zeros_of_byte(std::uint32_t x) {
    unsigned zeros = 0;
    for (std::uint32_t bit = 0x80; bit && !(x & bit); bit >>= 1) ++zeros;
    return zeros;
}

std::uint32_t BFP8ToBF16(std::uint32_t DatumBits, std::uint32_t ExpBits) {
    const std::uint32_t Sign = DatumBits >> 7 & 1;
    std::uint32_t Mag = (DatumBits << 1) & 0xFF;
    if (Mag == 0) return Sign ? 0xFF80 : 0;
    const unsigned LZ = leading_zeros_of_byte(Mag);
    Mag = (Mag << LZ) & 0xFF;
    ExpBits = (ExpBits - LZ) & 0xFF;
    return Sign << 15 | ExpBits << 7 | (Mag & 0x7E);
}

std::uint32_t BFP8aToFP16(std::uint32_t DatumBits, std::uint32_t ExpBits) {
    const std::uint32_t Sign = DatumBits >> 7 & 1;
    std::uint32_t Mag = (DatumBits << 1) & 0xFF;
    if (Mag == 0) return Sign ? 0xFC00 : 0;
    const unsigned LZ = leading_zeros_of_byte(Mag);
    Mag = (Mag << LZ) & 0xFF;
    ExpBits = (ExpBits - LZ) & 0x1F;  // beyond 5 bits undefined; decided (A40)
    return Sign << 15 | ExpBits << 10 | (Mag & 0x7E) << 3;
}

// A45; E4M3 keeps the mantissa of exponent 0.
std::uint32_t FP8ToFP16(std::uint32_t x, const ConversionModes& modes) {
    const std::uint32_t Sign = x >> 7 & 1;
    if (!modes.LF8_4b_exp) {
        if (modes.blackhole && (x & 0x7F) == 0x7F) return Sign ? 0xFFFF : 0x7FFF;
        return x << 8;
    }
    const std::uint32_t e = x >> 3 & 15, m = x & 7;
    if (e == 15 && m == 7) return Sign << 15 | 23u << 10 | m << 7 | 0x7F;
    return Sign << 15 | (e ? e + 8 : 0) << 10 | m << 7;
}

// Sign-magnitude or unsigned; the dummy exponent of the FP16 overlay.
std::uint32_t INT8ToFP16(std::uint32_t DatumBits, bool Int8MeansUnsigned) {
    const std::uint32_t Sign = Int8MeansUnsigned ? 0 : DatumBits & 0x80;
    DatumBits -= Sign;
    if (DatumBits) DatumBits |= 16 << 10;
    return DatumBits | Sign << 8;
}

}  // namespace

std::optional<std::uint32_t> FormatConversion(std::uint32_t InDataFormat, std::uint32_t OutDataFormat,
                                              std::uint32_t DatumBits, std::uint32_t ExpBits,
                                              const ConversionModes& modes) {
    const bool UnpackToDst = modes.UnpackToDst;
    if (InDataFormat == FP32) {
        switch (OutDataFormat) {
            case FP32: break;
            case TF32:
                // When unpacking to Dst, TF32 means FP32.
                return UnpackToDst ? WriteDstFP32(DatumBits) : WriteSrcTF32(DatumBits >> 13);
            case BF16:
                if (!(DatumBits & 0x7F800000)) DatumBits &= 0x80000000;  // Flush denormals to zero.
                DatumBits >>= 16;
                InDataFormat = BF16;
                break;
            case FP16:
                DatumBits = FP32ToFP16(DatumBits);
                InDataFormat = FP16;
                break;
            default: return std::nullopt;
        }
    } else {
        // InDataFormat != OutDataFormat is undefined; decided for InDataFormat (A68). First normalises to a format of
        // 16 or 32 bits.
        const auto normalised = [&](std::uint32_t bits, std::uint32_t format) {
            DatumBits = bits;
            InDataFormat = format;
        };
        switch (InDataFormat) {
            case FP8: normalised(FP8ToFP16(DatumBits, modes), FP16); break;
            case BFP8: normalised(BFP8ToBF16(DatumBits, ExpBits), BF16); break;
            case BFP4: normalised(BFP8ToBF16(DatumBits << 4, ExpBits), BF16); break;
            case BFP2: normalised(BFP8ToBF16(DatumBits << 6, ExpBits), BF16); break;
            case BFP8a: normalised(BFP8aToFP16(DatumBits, ExpBits), FP16); break;
            case BFP4a: normalised(BFP8aToFP16(DatumBits << 4, ExpBits), FP16); break;
            case BFP2a: normalised(BFP8aToFP16(DatumBits << 6, ExpBits), FP16); break;
            case INT8: normalised(INT8ToFP16(DatumBits, modes.Int8MeansUnsigned), FP16); break;
            default: break;
        }
    }
    // Only the bits remain to be rearranged into the form of Dst or of SrcA / SrcB.
    switch (InDataFormat) {
        case INT16: return UnpackToDst ? DatumBits : (DatumBits & 0xFF00) << 3 | (DatumBits & 0xFF);
        case TF32:   // to a source register undefined; decided (A49)
        case INT32:  // the same (A52)
        case FP32: return UnpackToDst ? WriteDstFP32(DatumBits) : WriteSrcTF32(DatumBits >> 13);
        case BF16: return UnpackToDst ? WriteDstBF16(DatumBits) : WriteSrcBF16(DatumBits);
        case FP16: return UnpackToDst ? WriteDstFP16(DatumBits) : WriteSrcFP16(DatumBits);
        default: return std::nullopt;
    }
}

}  // namespace tessera::reference
