// SPDX-License-Identifier: Apache-2.0
#include "reference/pack_numerics.hpp"

#include "reference/numerics.hpp"
#include "reference/prng.hpp"

namespace tessera::reference {

namespace {

constexpr std::uint32_t mask(unsigned bits) { return (1u << bits) - 1; }

Datum integer(std::uint32_t x) {
    Datum d;
    d.Integer = x;
    return d;
}

Datum truncate(Datum d, unsigned ManBits) {
    d.Man >>= d.ManBits - ManBits;
    d.ManBits = ManBits;
    return d;
}

// "Rounding": ties away from zero. NaN becomes infinity with 8-bit exponents. Denormal results and minus zero become
// zero. There is no infinity with 5-bit exponents.
Datum round(Datum d, unsigned ManBits, Random* random) {
    if (d.ExpBits == 8 && d.Exp == 255) d.Man = 0;
    const unsigned Drop = d.ManBits - ManBits;
    std::uint32_t Magnitude = d.Exp << d.ManBits | d.Man;
    if (Drop && !random) Magnitude += 1u << (Drop - 1);
    const bool Infinite = d.ExpBits == 8 && d.Exp == 255;
    if (Drop && random && random->rounds_up(d.Man & mask(Drop), Drop) && !Infinite) Magnitude += 1u << Drop;
    d.Exp = Magnitude >> d.ManBits;
    d.Man = (Magnitude & mask(d.ManBits)) >> Drop;
    d.ManBits = ManBits;
    if (d.ExpBits == 5 && d.Exp == 32) {
        d.Exp = 31;
        d.Man = mask(ManBits);
    }
    return d.Exp == 0 ? Zero(d) : d;
}

// Late conversion between numbers, by the page's tables of widths.
Datum convert(const Datum& d, unsigned ExpBits, unsigned ManBits) {
    Datum out = d;
    out.ExpBits = ExpBits;
    out.ManBits = ManBits;
    if (ManBits < d.ManBits)
        out.Man = d.Man >> (d.ManBits - ManBits);
    else
        out.Man = d.Man << (ManBits - d.ManBits);
    if (ExpBits >= d.ExpBits) {
        const bool ToBF16 = ExpBits > d.ExpBits && ManBits == 7;  // E21
        if ((ManBits < d.ManBits || ToBF16) && d.Exp == 0) return Zero(out);  // "Denormals flushed to zero"
        if (ExpBits > d.ExpBits && d.Exp != 0) out.Exp = d.Exp + 112;
        return out;
    }
    // A47: an exponent of 0 is not flushed.
    if (d.Exp < 112) {
        out.Exp = out.Man = 0;
    } else if (d.Exp > 112 + 31) {
        out.Exp = 31;
        out.Man = mask(ManBits);
    } else {
        out.Exp = d.Exp - 112;
    }
    return out;
}

std::uint32_t bits(const Datum& d) { return (d.Sign << d.ExpBits | d.Exp) << d.ManBits | d.Man; }

// "From FP32 or INT32", 32 bits.
std::optional<Datum> early32(const Conversions& c, std::uint32_t stored) {
    const std::uint32_t x = ReadDstFP32(stored);
    const bool ToFP16 = c.LateToFormat == FP16;
    const auto identity = [&]() -> std::optional<Datum> {
        if (c.LateFromFormat == INT32) return integer(x);
        if (c.LateFromFormat == FP32) return number(x, 8, 23);
        return std::nullopt;
    };
    switch (c.IntermediateFormat) {
        case INT32: return identity();
        case FP32:
            if (!c.Round_10b_mant || c.Read_raw) return identity();
            if (c.LateFromFormat == TF32) return round(number(x, 8, 23), 10, c.EarlyRandom);
            return std::nullopt;
        case TF32:
            if (c.Read_raw) return identity();
            if (c.LateFromFormat == TF32) return round(number(x, 8, 23), 10, c.EarlyRandom);
            return std::nullopt;
        case BF16:
            if (c.LateFromFormat == TF32 && ToFP16 && c.Round_10b_mant && !c.Read_raw)
                return round(number(x, 8, 23), 10, c.EarlyRandom);
            if (c.LateFromFormat != BF16 || (ToFP16 && c.Round_10b_mant)) return std::nullopt;
            return c.Read_raw ? truncate(number(x, 8, 23), 7) : round(number(x, 8, 23), 7, c.EarlyRandom);
        case BFP8:
            if (c.Read_raw && (c.LateFromFormat == BF16 || c.LateFromFormat == BFP8))
                return truncate(number(x, 8, 23), 7);
            if (c.Read_raw || c.LateFromFormat != BFP8) return std::nullopt;
            return round(truncate(number(x, 8, 23), 7), 6,
                         c.EarlyRandom);  // docs/internals/numerics.md 9: truncated to BF16 first
        case INT8: {
            if (c.LateFromFormat != INT8) return std::nullopt;
            const std::uint32_t Sign = x >> 31;
            if (c.Read_raw) return integer(c.Read_unsigned ? x & 255 : Sign << 7 | (x & 127));
            std::uint64_t Magnitude = x & 0x7FFFFFFF;
            if (c.ShiftAmount && c.EarlyRandom)
                Magnitude =
                    (Magnitude >> c.ShiftAmount) + c.EarlyRandom->rounds_up(x & mask(c.ShiftAmount), c.ShiftAmount);
            else if (c.ShiftAmount)
                Magnitude = (Magnitude + (std::uint64_t{1} << (c.ShiftAmount - 1))) >> c.ShiftAmount;
            if (c.Read_unsigned)
                return integer(Sign ? 0 : Magnitude > 255 ? 255 : static_cast<std::uint32_t>(Magnitude));
            return integer(Sign << 7 | (Magnitude > 127 ? 127 : static_cast<std::uint32_t>(Magnitude)));
        }
        case INT16:  // E22
            if (c.LateFromFormat != INT16) return std::nullopt;
            return integer(stored >> 16);
        case FP16: {  // E22
            if (!c.Blackhole || !c.Round_10b_mant || c.LateFromFormat != FP16) return std::nullopt;
            Datum d = round(number(x, 8, 23), 10, c.EarlyRandom);
            d.IsFP16 = true;
            return d;
        }
        default: return std::nullopt;
    }
}

// "From BF16", "From FP16" and "From INT16".
std::optional<Datum> early16(const Conversions& c, std::uint32_t stored) {
    const Datum bf16 = number(ReadDstBF16(stored), 8, 7), fp16 = number(ReadDstFP16(stored), 5, 10);
    const bool ToFP16 = c.LateToFormat == FP16;
    Datum tf32 = round(bf16, 7, nullptr);
    tf32.Man <<= 3;
    tf32.ManBits = 10;
    switch (c.IntermediateFormat) {
        case TF32:
            if (c.Read_raw || c.LateFromFormat != TF32) return std::nullopt;
            return tf32;
        case FP32:
            if (!c.Read_raw && !c.Round_10b_mant && c.LateFromFormat == FP32) {  // E66
                Datum fp32 = bf16;
                fp32.Man <<= 16;
                fp32.ManBits = 23;
                return fp32;
            }
            if (c.Read_raw || !c.Round_10b_mant || c.LateFromFormat != TF32) return std::nullopt;
            return tf32;
        case BF16:
            if (c.LateFromFormat == TF32 && ToFP16 && c.Round_10b_mant && !c.Read_raw) return tf32;
            if (c.LateFromFormat != BF16 || (ToFP16 && c.Round_10b_mant)) return std::nullopt;
            return c.Read_raw ? bf16 : round(bf16, 7, nullptr);
        case BFP8:
            if (c.Read_raw && (c.LateFromFormat == BF16 || c.LateFromFormat == BFP8)) return bf16;
            if (c.Read_raw || c.LateFromFormat != BFP8) return std::nullopt;
            return round(round(bf16, 7, nullptr), 6, c.EarlyRandom);  // E20: flushed before it is rounded
        case FP16:
            if (c.LateFromFormat != FP16) return std::nullopt;
            if (c.Blackhole && c.Round_10b_mant) return convert(bf16, 5, 10);  // E22
            return c.Read_raw ? fp16 : round(fp16, 10, nullptr);
        case BFP8a:
            if (c.LateFromFormat != BFP8a) return std::nullopt;
            return c.Read_raw ? truncate(fp16, 7) : round(fp16, 6, c.EarlyRandom);
        case FP8:
            if (c.LateFromFormat != FP8 || !c.Read_raw) return std::nullopt;
            return truncate(fp16, 2);
        case INT8:
            if (c.LateFromFormat != INT8 || !c.Read_raw || c.Read_unsigned) return std::nullopt;
            return integer(stored >> 15 << 7);
        case INT16:
            if (c.LateFromFormat != INT16) return std::nullopt;
            return integer(stored);
        default: return std::nullopt;
    }
}

// docs/internals/numerics.md 9.
std::uint32_t fp16_to_e4m3(const Datum& d) {
    if (d.Exp <= 8) return d.Sign << 7;
    if (d.Exp >= 24) return d.Sign << 7 | 0x7F;
    return d.Sign << 7 | (d.Exp - 8) << 3 | d.Man >> 7;
}

}  // namespace

Datum number(std::uint32_t x, unsigned ExpBits, unsigned ManBits) {
    Datum d;
    d.ExpBits = ExpBits;
    d.ManBits = ManBits;
    d.Sign = x >> (ExpBits + ManBits) & 1;
    d.Exp = x >> ManBits & mask(ExpBits);
    d.Man = x & mask(ManBits);
    return d;
}

bool Random::rounds_up(std::uint32_t Discarded, unsigned Bits) {
    State = NextPRNG(State);
    return Discarded >= State >> (32 - Bits);
}

std::optional<Datum> EarlyFormatConversion(const Conversions& c, std::uint32_t stored) {
    return c.Read_32b_data ? early32(c, stored) : early16(c, stored);
}

std::optional<Datum> ReLUStage(const Conversions& c, const Datum& d) {
    const std::uint32_t mode = c.ApplyRelu & 3;
    if (mode == 0) return d;
    if (!d.ExpBits) {
        if (mode != 1 || (c.IntermediateFormat == INT8 && c.Read_unsigned)) return std::nullopt;
        const unsigned SignBit = c.LateFromFormat == INT32 ? 31 : c.LateFromFormat == INT16 ? 15 : 7;
        return d.Integer >> SignBit & 1 ? integer(0) : d;
    }
    // The threshold is a BF16, or an FP16 for types with 5-bit exponents. Compared as numbers of its type (numerics
    // 9; E16): a NaN exceeds everything, and so does a threshold with a sign (E29).
    const Datum Threshold = d.ExpBits == 8 ? number(c.ReluThreshold, 8, 7) : number(c.ReluThreshold, 5, 10);
    const auto magnitude = [](const Datum& x) {
        return std::uint64_t{x.Sign} << 31 | x.Exp << 23 | x.Man << (23 - x.ManBits);
    };
    if (d.Sign) return Zero(d);
    if (mode == 2) return magnitude(d) <= magnitude(Threshold) ? Zero(d) : d;
    const unsigned Ignored = d.ManBits == 23 ? 13 : 0;  // E16
    if (mode == 1 || magnitude(d) >> Ignored <= magnitude(Threshold) >> Ignored) return d;
    Datum clamped = Threshold;
    if (d.ExpBits == 5) {
        clamped = truncate(Threshold, d.ManBits == 6 ? 7 : d.ManBits);
    } else if (d.ManBits > 7) {
        clamped.Man <<= d.ManBits - 7;
        clamped.ManBits = d.ManBits;
    }
    clamped.IsFP16 = d.IsFP16;
    return clamped;
}

std::optional<std::uint32_t> LateFormatConversion(const Conversions& c, const Datum& d) {
    if (!d.ExpBits) {
        if (c.LateFromFormat != c.LateToFormat) return std::nullopt;
        return d.Integer;
    }
    const bool E4M3 = c.LateToFormat == FP8 && c.Pac_LF8_4b_exp;
    if (d.IsFP16 && c.LateToFormat != FP16 && !E4M3) return std::nullopt;
    switch (c.LateToFormat) {
        case FP32: return bits(convert(d, 8, 23));
        case TF32:
            if (d.ManBits > 10) return std::nullopt;  // "No (use early conversion)"
            return bits(convert(d, 8, 10)) << 13;
        case BF16:
        case BFP8:
        case BFP4:
        case BFP2: return bits(convert(d, 8, 7));
        case FP16: return bits(convert(d, 5, 10));
        case FP8:
            if (!E4M3) return bits(convert(d, 5, 2));
            if (c.LateFromFormat != FP16) return std::nullopt;
            return fp16_to_e4m3(convert(d, 5, 10));
        case BFP8a:
        case BFP4a:
        case BFP2a: {
            const Datum e5m7 = convert(d, 5, 7);
            return e5m7.Sign << 15 | e5m7.Exp << 7 | e5m7.Man;
        }
        default: return std::nullopt;
    }
}

bool IsBFP(std::uint32_t format) {
    return format == BFP8 || format == BFP4 || format == BFP2 || format == BFP8a || format == BFP4a || format == BFP2a;
}

unsigned DatumBits(std::uint32_t format) {
    switch (format) {
        case FP32:
        case TF32:
        case INT32: return 32;
        case FP16:
        case BF16:
        case INT16: return 16;
        case BFP4:
        case BFP4a: return 4;
        case BFP2:
        case BFP2a: return 2;
        default: return 8;
    }
}

// docs/internals/numerics.md 9.
BFPGroup AssembleBFP(const std::array<std::uint32_t, 16>& datums, unsigned bits, Random* random) {
    BFPGroup group;
    for (const std::uint32_t x : datums)
        if ((x >> 7 & 255) > group.Exponent) group.Exponent = x >> 7 & 255;
    for (unsigned i = 0; i < 16; ++i) {
        const std::uint32_t Sign = datums[i] >> 15, Exp = datums[i] >> 7 & 255;
        std::uint32_t Mag = datums[i] & 127;
        if (Exp) Mag += 128;
        const std::uint32_t d = group.Exponent - Exp;
        if (random) {
            const unsigned Drop = d >= 8 ? 8 : d + 1;
            const bool Up = random->rounds_up(Mag & mask(Drop), Drop);
            Mag = d >= 8 ? 0 : (Mag >> Drop) + Up;
            if (Mag > 127) Mag = 127;
        } else if (d >= 8) {
            Mag = 0;
        } else {
            Mag = (Mag + (1u << d)) >> (d + 1);
            if (Mag > 127) Mag = 127;
        }
        Mag >>= 8 - bits;
        if (Mag) group.Datums[i] = Sign << (bits - 1) | Mag;
    }
    return group;
}

}  // namespace tessera::reference
