// SPDX-License-Identifier: Apache-2.0
// docs/numerics.md 1 to 4; UNPACR_Regular (Supporting definitions); spec-notes A47, A48, A52, A68, E4.
#include "reference/numerics.hpp"

#include <algorithm>
#include <bit>

namespace tessera::reference {

// --- the matrix unit

std::uint32_t acc(const Term& t0, const Term& t1, std::uint32_t D, bool acc32, bool E8, bool wh) {
    const std::int64_t sD = D >> 31, eD = D >> 23 & 255, fD = D & 0x7FFFFF;
    std::int64_t mD = eD ? (std::int64_t{1} << 23) + fD : 0;
    std::int64_t E = std::max({t0.e, t1.e, eD});
    if (E <= 0) return 0;

    std::int64_t s = sD, man = 0;
    for (const Term& t : {t0, t1}) {
        std::int64_t m = t.m;
        const std::int64_t d = E - t.e;
        if (d > 0) m = d < 31 ? (m + (std::int64_t{1} << (d - 1)) - t.s) >> d : 0;
        if (!acc32) m = (m + 4096 - t.s) & ~std::int64_t{8191};
        man += t.s == sD ? m : -m;
    }
    if (const std::int64_t d = E - eD; d > 0) mD = d < 31 ? (mD + (std::int64_t{1} << (d - 1))) >> d : 0;
    if (!acc32) mD = (mD + 4096) & ~std::int64_t{8191};
    man += mD;

    if (man < 0) {
        man = -man;
        s ^= 1;
    }
    if (man == 0) return 0;
    std::int64_t sh = 24 - static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(man)));
    if (wh && s && man == 1) sh -= 27;
    E -= sh;
    const std::int64_t drop = acc32 ? 0 : E8 ? 16 : 13;
    sh -= drop;
    man = sh < 0 ? (man + (std::int64_t{1} << (-sh - 1))) >> -sh : man << sh;
    man <<= drop;
    if (man & std::int64_t{1} << 24) E += 1;
    man &= 0x7FFFFF;
    if (E <= 0) return 0;
    const std::uint32_t sign = static_cast<std::uint32_t>(s) << 31;
    const auto finite = static_cast<std::uint32_t>(E << 23 | man);
    if (E8 || acc32) return E >= 255 ? sign | 0x7F800000 : sign | finite;
    return E >= 32 ? sign | 31u << 23 | 0x3FFu << 13 : sign | finite;
}

std::uint32_t elwadd(std::uint32_t a, std::uint32_t b, std::uint32_t D, const Elwadd& how) {
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
    return acc({sa, E, m}, {0, 0, 0}, how.en ? D : 0, how.acc32, how.E8, how.wh);
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

std::optional<std::uint32_t> FormatConversion(std::uint32_t InDataFormat, std::uint32_t OutDataFormat,
                                              std::uint32_t DatumBits) {
    if (InDataFormat == FP32) {
        switch (OutDataFormat) {
            case FP32:  // undefined; decided as TF32 (A52)
            case TF32: return WriteSrcTF32(DatumBits >> 13);
            case BF16:
                if (!(DatumBits & 0x7F800000)) DatumBits &= 0x80000000;  // Flush denormals to zero.
                return WriteSrcBF16(DatumBits >> 16);
            case FP16: return WriteSrcFP16(FP32ToFP16(DatumBits));
            default: return std::nullopt;
        }
    }
    // InDataFormat != OutDataFormat is undefined; decided for InDataFormat (A68).
    if (InDataFormat == BF16) return WriteSrcBF16(DatumBits);
    if (InDataFormat == FP16) return WriteSrcFP16(DatumBits);
    return std::nullopt;
}

}  // namespace tessera::reference
