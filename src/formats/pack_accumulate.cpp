// SPDX-License-Identifier: Apache-2.0
// The adder between a packer and L1 (numerics 9; spec-notes E31). A sum of two numbers with 8 or 11 mantissa bits can
// be rounded in a wider type first without changing the result.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "formats/pack_stages.hpp"

namespace tessera::formats {

namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr U32 flushed(U32 fp32) { return fp32 & 0x7F800000 ? fp32 : fp32 & 0x80000000; }

U32 add_fp32(U32 l1, U32 x) {
    const float sum = std::bit_cast<float>(flushed(l1)) + std::bit_cast<float>(flushed(x));
    return std::isnan(sum) ? 0x7FC00000 : flushed(std::bit_cast<U32>(sum));
}

// Rounds the mantissa to `bits`, to nearest even; a carry goes into the exponent.
constexpr U32 nearest_even(U64 mantissa, unsigned from, unsigned bits) {
    const unsigned drop = from - bits;
    return static_cast<U32>((mantissa + (U64{1} << (drop - 1)) - 1 + (mantissa >> drop & 1)) >> drop);
}

// A NaN in L1 exceeds every finite number; an incoming NaN is a number with exponent 255.
U16 add_bf16(U16 l1, U16 x) {
    constexpr U32 infinity = 0x7F80, magnitude = 0x7FFF;
    if ((l1 & magnitude) == infinity && (x ^ l1) == 0x8000) return 0x7FC0;
    if ((l1 & magnitude) > infinity)
        return (x & magnitude) == infinity ? x : static_cast<U16>((l1 & 0x8000) | infinity);
    double other = std::bit_cast<float>(flushed(U32{x} << 16));
    if ((x & magnitude) > infinity)
        other = std::bit_cast<double>(U64{x & 0x8000u} << 48 | U64{255 - 127 + 1023} << 52 | U64{x & 0x7Fu} << 45);
    const double here = std::bit_cast<float>(flushed(U32{l1} << 16));
    const U64 sum = std::bit_cast<U64>(here + other);
    const U32 sign = static_cast<U32>(sum >> 48 & 0x8000);
    const int exponent = static_cast<int>(sum >> 52 & 0x7FF) - 1023 + 127;
    if (exponent <= 0) return static_cast<U16>(sign);
    if (exponent >= 255) return static_cast<U16>(sign | infinity);
    return static_cast<U16>(sign |
                            ((static_cast<U32>(exponent) << 7) + nearest_even(sum & ((U64{1} << 52) - 1), 52, 7)));
}

// No infinity, no NaN: exponent 31 is like the others. Too small results saturate like too large ones, except at
// exponent 0; so does zero if L1 held one of the two largest exponents.
U16 add_fp16(U16 l1, U16 x) {
    const auto widened = [](U16 y) {
        const U32 magnitude = y & 0x7FFFu;
        return std::bit_cast<float>((y & 0x8000u) << 16 | (magnitude < 0x0400 ? 0 : (magnitude << 13) + (112u << 23)));
    };
    const U32 sum = std::bit_cast<U32>(widened(l1) + widened(x));
    const U32 sign = sum >> 16 & 0x8000;
    // A zero of either sign.
    if (!(sum << 1)) return static_cast<U16>(sign | ((l1 >> 10 & 31) >= 30 ? 0x7FFF : 0));
    const int exponent = static_cast<int>(sum >> 23 & 0xFF) - 112;
    if (exponent <= 0) return static_cast<U16>(sign | (exponent < 0 ? 0x7FFF : 0));
    const U32 magnitude = (static_cast<U32>(exponent) << 10) + nearest_even(sum & 0x7FFFFF, 23, 10);
    return static_cast<U16>(sign | std::min(magnitude, 0x7FFFu));
}

// Sign and magnitude, saturated; a sum of 0 has no sign.
U32 add_int32(U32 l1, U32 x) {
    constexpr U32 sign = 0x80000000, most = 0x7FFFFFFF;
    const U32 a = l1 & most, b = x & most;
    if ((l1 ^ x) & sign) {
        if (a == b) return 0;
        return a > b ? (l1 & sign) | (a - b) : (x & sign) | (b - a);
    }
    const U32 sum = std::min(a + b, most);
    return sum ? (l1 & sign) | sum : 0;
}

template <class Datum, auto Add>
void accumulate(const std::uint8_t* line, std::uint8_t* l1) {
    std::array<Datum, 16 / sizeof(Datum)> here{}, x{};
    std::memcpy(here.data(), l1, sizeof here);
    std::memcpy(x.data(), line, sizeof x);
    std::transform(here.begin(), here.end(), x.begin(), here.begin(), [](Datum a, Datum b) { return Add(a, b); });
    std::memcpy(l1, here.data(), sizeof here);
}

}  // namespace

PackAccumulate pack_accumulate(DataFormat format) {
    switch (format) {
        case DataFormat::Float32: return accumulate<U32, add_fp32>;
        case DataFormat::Float16_b: return accumulate<U16, add_bf16>;
        case DataFormat::Float16: return accumulate<U16, add_fp16>;
        case DataFormat::Int32: return accumulate<U32, add_int32>;
        default: return nullptr;
    }
}

}  // namespace tessera::formats
