// SPDX-License-Identifier: Apache-2.0
// The packers' other stages: Packers, Format conversion (datums of L1), Exponent histogram, Exponent thresholding,
// and accumulation (numerics 9; spec-notes E31).
#include <cmath>

#include "reference/pack_numerics.hpp"

namespace tessera::reference {

namespace {

bool IsInteger(std::uint32_t format) { return format == INT32 || format == INT16 || format == INT8; }

// The value of a number without NaN or infinity, its exponent taken literally; 0 if the exponent is 0.
long double value(std::uint32_t x, unsigned ExpBits, unsigned ManBits, int Bias) {
    const Datum d = number(x, ExpBits, ManBits);
    const long double Fraction = static_cast<long double>((1u << ManBits) + d.Man);
    const long double Magnitude =
        d.Exp ? std::ldexp(Fraction, static_cast<int>(d.Exp) - Bias - static_cast<int>(ManBits)) : 0.0L;
    return d.Sign ? -Magnitude : Magnitude;
}

/// A finite number rounded to nearest even; its exponent may exceed the format.
struct Rounded {
    int Exp;  ///< biased as in the format, before a carry from rounding
    std::uint32_t ExpMan;
};
Rounded rounded(long double x, unsigned ManBits, int Bias) {
    int Exponent = 0;
    const long double Fraction = std::frexp(std::fabs(x), &Exponent);  // 0.5 to 1
    const auto Man = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(Fraction, static_cast<int>(ManBits) + 1)));
    const int Exp = Exponent - 1 + Bias;
    return {Exp, (static_cast<std::uint32_t>(Exp) << ManBits) + (Man - (1u << ManBits))};
}

bool negative_zero_sum(std::uint32_t a, std::uint32_t b, unsigned SignBit) { return (a & b) >> SignBit & 1; }

std::uint32_t accumulate_fp32(std::uint32_t L1, std::uint32_t x) {
    const auto is_nan = [](std::uint32_t y) { return (y & 0x7FFFFFFF) > 0x7F800000; };
    const auto is_infinite = [](std::uint32_t y) { return (y & 0x7FFFFFFF) == 0x7F800000; };
    if (is_nan(L1) || is_nan(x) || (is_infinite(L1) && is_infinite(x) && L1 != x)) return 0x7FC00000;
    if (is_infinite(L1)) return L1;
    if (is_infinite(x)) return x;
    // Two numbers of 24 bits in a double: rounding twice changes nothing (53 >= 2 * 24 + 2).
    const double Sum = static_cast<double>(value(L1, 8, 23, 127)) + static_cast<double>(value(x, 8, 23, 127));
    if (Sum == 0) return negative_zero_sum(L1, x, 31) ? 0x80000000 : 0;
    const std::uint32_t Sign = Sum < 0 ? 0x80000000 : 0;
    const Rounded r = rounded(Sum, 23, 127);
    // Denormal sums are exact, so none becomes normal by rounding.
    if (r.Exp <= 0) return Sign;
    return Sign | (r.Exp >= 255 || r.ExpMan >= 0x7F800000 ? 0x7F800000 : r.ExpMan);
}

std::uint32_t accumulate_bf16(std::uint32_t L1, std::uint32_t x) {
    const std::uint32_t Infinity = 0x7F80;
    const auto magnitude = [](std::uint32_t y) { return y & 0x7FFF; };
    const std::uint32_t Sign1 = L1 & 0x8000, Sign2 = x & 0x8000;
    if (magnitude(L1) == Infinity && magnitude(x) == Infinity) return Sign1 == Sign2 ? L1 : 0x7FC0;
    if (magnitude(L1) == Infinity) return L1;
    if (magnitude(x) == Infinity) return x;
    if (magnitude(L1) > Infinity) return Sign1 | Infinity;               // a NaN in L1: larger than everything finite
    const long double Sum = value(L1, 8, 7, 127) + value(x, 8, 7, 127);  // a NaN that comes: an exponent of 255
    if (Sum == 0) return negative_zero_sum(L1, x, 15) ? 0x8000 : 0;
    const std::uint32_t Sign = Sum < 0 ? 0x8000 : 0;
    const Rounded r = rounded(Sum, 7, 127);
    if (r.Exp <= 0) return Sign;
    return Sign | (r.Exp >= 255 || r.ExpMan >= Infinity ? Infinity : r.ExpMan);
}

std::uint32_t accumulate_fp16(std::uint32_t L1, std::uint32_t x) {
    const long double Sum = value(L1, 5, 10, 15) + value(x, 5, 10, 15);
    if (Sum == 0) {
        const std::uint32_t Sign = negative_zero_sum(L1, x, 15) ? 0x8000 : 0;
        return Sign | ((L1 >> 10 & 31) >= 30 ? 0x7FFF : 0);
    }
    const std::uint32_t Sign = Sum < 0 ? 0x8000 : 0;
    const Rounded r = rounded(Sum, 10, 15);
    if (r.Exp < 0) return Sign | 0x7FFF;
    if (r.Exp == 0) return Sign;
    return Sign | (r.Exp > 31 || r.ExpMan >= 0x8000 ? 0x7FFF : r.ExpMan);
}

// Sign and magnitude, saturated.
std::uint32_t accumulate_int32(std::uint32_t L1, std::uint32_t x) {
    const auto number = [](std::uint32_t y) {
        const auto Magnitude = static_cast<std::int64_t>(y & 0x7FFFFFFF);
        return y >> 31 ? -Magnitude : Magnitude;
    };
    const std::int64_t Sum = number(L1) + number(x);
    const std::int64_t Magnitude = Sum < 0 ? -Sum : Sum;
    return (Sum < 0 ? 0x80000000 : 0) | (Magnitude > 0x7FFFFFFF ? 0x7FFFFFFF : static_cast<std::uint32_t>(Magnitude));
}

}  // namespace

unsigned BytesPerDatum(std::uint32_t In_data_format) {
    switch (In_data_format & 3) {
        case 0: return 4;
        case 1: return 2;
        default: return 1;
    }
}

std::optional<Datum> FromL1(Conversions& c, std::uint32_t x) {
    const unsigned Bits = 8 * BytesPerDatum(c.LateFromFormat);
    if (IsInteger(c.LateFromFormat) && IsInteger(c.IntermediateFormat)) c.LateFromFormat = c.IntermediateFormat;  // E33
    Datum d;
    switch (c.LateFromFormat) {
        case FP32: return number(x, 8, 23);
        case BF16: return number(x, 8, 7);
        case FP16: return number(x, 5, 10);
        case FP8: return number(x, 5, 2);
        case BFP8:
        case BFP8a:
            d.ExpBits = c.LateFromFormat == BFP8 ? 8 : 5;
            d.ManBits = 7;
            d.Sign = x >> 7;
            d.Man = x & 127;
            return d;
        case INT32: d.Integer = x << (32 - Bits); return d;
        case INT16: d.Integer = Bits == 32 ? x >> 16 : x << (16 - Bits); return d;
        case INT8:
            if (Bits == 32) return std::nullopt;
            d.Integer = x >> (Bits - 8);
            return d;
        default: return std::nullopt;
    }
}

std::optional<std::uint32_t> HistogramExponent(const Conversions& c, const Datum& d) {
    if (d.ExpBits) return d.Exp;
    if (c.LateFromFormat == INT32) return d.Integer >> 23 & 255;  // "Bitcast from INT32 to FP32"
    if (c.LateFromFormat == INT16) return d.Integer & 255;
    return std::nullopt;
}

Datum ApplyExponentThresholding(std::uint32_t DataFormat, std::uint32_t Threshold, const Datum& d) {
    switch (DataFormat) {
        case FP32:
        case TF32:
        case BF16:
        case BFP8:
        case BFP4:
        case FP16:
        case FP8:
        case BFP8a:
        case BFP4a: return d.Exp < Threshold ? Zero(d) : d;
        default: return d;
    }
}

bool IsZero(const Datum& d) { return d.Sign == 0 && d.Exp == 0 && d.Man == 0 && d.Integer == 0; }

Datum Zero(const Datum& like) {
    Datum zero = like;
    zero.Sign = zero.Exp = zero.Man = zero.Integer = 0;
    return zero;
}

std::optional<std::uint32_t> Accumulate(std::uint32_t Format, std::uint32_t L1, std::uint32_t x) {
    switch (Format) {
        case FP32: return accumulate_fp32(L1, x);
        case BF16: return accumulate_bf16(L1, x);
        case FP16: return accumulate_fp16(L1, x);
        case INT32: return accumulate_int32(L1, x);
        default: return std::nullopt;
    }
}

}  // namespace tessera::reference
