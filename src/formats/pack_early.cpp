// SPDX-License-Identifier: Apache-2.0
// Early conversions: from Dst's datums to an intermediate type (Packers, Format conversion, "Configuring the
// conversions").
#include <algorithm>

#include "formats/layouts.hpp"
#include "formats/pack_convert.hpp"
#include "formats/random_rounding.hpp"

namespace tessera::formats {

namespace {

using U32 = std::uint32_t;

constexpr U32 infinity = 0x7F800000;

// NaN to infinity, to nearest with ties away from zero, then all below the normal numbers to +0.
constexpr U32 rounded(U32 fp32, U32 half) {
    const U32 magnitude = (std::min(fp32 & 0x7FFFFFFFu, infinity) + half) & ~(2 * half - 1);
    return magnitude < 0x00800000 ? 0 : (fp32 & 0x80000000) | magnitude;
}

constexpr U32 same(U32 x, unsigned) { return x; }
constexpr U32 tf32_of_32(U32 x, unsigned) { return rounded(x, 0x1000); }
constexpr U32 tf32_of_16(U32 x, unsigned) { return rounded(x << 16, 0x1000); }
constexpr U32 bf16_of_32(U32 x, unsigned) { return rounded(x, 0x8000) >> 16; }
constexpr U32 bf16_of_16(U32 x, unsigned) { return rounded(x << 16, 0x8000) >> 16; }
constexpr U32 bf16_truncated(U32 x, unsigned) { return x >> 16; }
constexpr U32 fp32_of_bf16(U32 x, unsigned) { return x << 16; }
// The 16 low bits are dropped before the rounding, which they could not change.
constexpr U32 e8m6_of_32(U32 x, unsigned) { return rounded(x, 0x10000) >> 16; }
// Denormals are flushed before the rounding (spec-notes E20).
constexpr U32 flushed_bf16(U32 x) { return x & 0x7F80 ? x : 0; }
constexpr U32 e8m6_of_16(U32 x, unsigned) { return rounded(flushed_bf16(x) << 16, 0x10000) >> 16; }

constexpr U32 fp16_raw(U32 x, unsigned) { return fp16_from_dst(x); }
constexpr U32 fp16_flushed(U32 x, unsigned) {
    const U32 fp16 = fp16_from_dst(x);
    return fp16 & 0x7C00 ? fp16 : 0;
}
constexpr U32 fp16_of_bf16(U32 x, unsigned) { return fp16_from_fp32(x << 16); }
constexpr U32 e5m7(U32 x, unsigned) { return fp16_from_dst(x) & 0xFFF8; }
constexpr U32 e5m6(U32 x, unsigned) {
    const U32 fp16 = fp16_from_dst(x);
    const U32 magnitude = (std::min(fp16 & 0x7FFFu, 0x7FF7u) + 8) & 0x7FF0;
    return magnitude < 0x0400 ? 0 : (fp16 & 0x8000) | magnitude;
}
constexpr U32 fp8(U32 x, unsigned) { return fp16_from_dst(x) & 0xFF00; }

constexpr U32 int16_of_16(U32 x, unsigned) { return dst_to_stored(x); }
constexpr U32 int16_of_32(U32 x, unsigned) { return dst_to_stored(x >> 16); }
constexpr U32 int8_sign(U32 x, unsigned) { return x >> 8 & 0x80; }
constexpr U32 int8_raw(U32 x, unsigned) { return (x >> 24 & 0x80) | (x & 0x7F); }
constexpr U32 uint8_raw(U32 x, unsigned) { return x & 0xFF; }
// The magnitude shifted to the right, to nearest with ties away from zero.
constexpr U32 shifted(U32 x, unsigned shift) { return ((x << 1 >> shift) + 1) >> 1; }
constexpr U32 int8_saturated(U32 x, unsigned shift) {
    return (x >> 24 & 0x80) | std::min(shifted(x & 0x7FFFFFFF, shift), 127u);
}
constexpr U32 uint8_saturated(U32 x, unsigned shift) { return x >> 31 ? 0 : std::min(shifted(x, shift), 255u); }

// With random bits: drops `drop` bits from `low` on and ignores lower ones. Infinity stays.
constexpr U32 randomly(U32 fp32, unsigned low, unsigned drop, U32& random) {
    U32 magnitude = std::min(fp32 & 0x7FFFFFFFu, infinity);
    const bool up = rounds_up(magnitude >> low & ((1u << drop) - 1), drop, random);
    magnitude &= ~((1u << (low + drop)) - 1);
    if (up && magnitude != infinity) magnitude += 1u << (low + drop);
    return magnitude < 0x00800000 ? 0 : (fp32 & 0x80000000) | magnitude;
}
constexpr U32 random_tf32_of_32(U32 x, unsigned, U32& random) { return randomly(x, 0, 13, random); }
constexpr U32 random_bf16_of_32(U32 x, unsigned, U32& random) { return randomly(x, 0, 16, random) >> 16; }
constexpr U32 random_e8m6_of_32(U32 x, unsigned, U32& random) { return randomly(x, 16, 1, random) >> 16; }
constexpr U32 random_e8m6_of_16(U32 x, unsigned, U32& random) {
    return randomly(flushed_bf16(x) << 16, 16, 1, random) >> 16;
}
constexpr U32 random_e5m6(U32 x, unsigned, U32& random) {
    const U32 fp16 = fp16_from_dst(x);
    const U32 up = rounds_up(fp16 & 0xF, 4, random) ? 0x10 : 0;
    const U32 magnitude = std::min((fp16 & 0x7FF0u) + up, 0x7FF0u);
    return magnitude < 0x0400 ? 0 : (fp16 & 0x8000) | magnitude;
}
constexpr U32 randomly_shifted(U32 x, unsigned shift, U32& random) {
    if (!shift) return x;
    return (x >> shift) + rounds_up(x & ((1u << shift) - 1), shift, random);
}
constexpr U32 random_int8(U32 x, unsigned shift, U32& random) {
    return (x >> 24 & 0x80) | std::min(randomly_shifted(x & 0x7FFFFFFF, shift, random), 127u);
}
constexpr U32 random_uint8(U32 x, unsigned shift, U32& random) {
    const U32 magnitude = randomly_shifted(x & 0x7FFFFFFF, shift, random);
    return x >> 31 ? 0 : std::min(magnitude, 255u);
}

template <auto Convert>
void loop(const U32* in, U32* out, std::size_t n, unsigned shift) {
    for (std::size_t i = 0; i < n; ++i) out[i] = Convert(in[i], shift);
}
template <auto Convert>
void random_loop(const U32* in, U32* out, std::size_t n, unsigned shift, U32& random) {
    for (std::size_t i = 0; i < n; ++i) out[i] = Convert(in[i], shift, random);
}

enum class Bit : std::uint8_t { clear, set, any };
constexpr Bit no = Bit::clear, yes = Bit::set, any = Bit::any;
constexpr bool matches(Bit wanted, bool is) { return wanted == any || (wanted == yes) == is; }

// The output formats of a row. TF32 from an intermediate BF16 is valid only for a late conversion to FP16; that in
// turn needs Round_10b_mant clear.
enum class To : std::uint8_t { all, fp16, not_fp16 };

struct Row {
    Bit read_32b, raw, is_unsigned, round_10b, wide_to_fp16;
    DataFormat intermediate, late_from;
    To to;
    PackType type;
    PackEarly convert;
    PackRandomEarly random = nullptr;
};

using T = PackType;
constexpr auto F32 = DataFormat::Float32, TF32 = DataFormat::Tf32, B16 = DataFormat::Float16_b,
               F16 = DataFormat::Float16, BFP8 = DataFormat::Bfp8_b, BFP8A = DataFormat::Bfp8, FP8 = DataFormat::Lf8,
               I32 = DataFormat::Int32, I16 = DataFormat::UInt16, I8 = DataFormat::Int8;

// clang-format off
constexpr Row rows[] = {
    // 32b raw  unsigned r10 wide
    {yes, any, any, any, any, I32,   F32,   To::all,      T::fp32,  loop<same>},
    {yes, any, any, any, any, I32,   I32,   To::all,      T::int32, loop<same>},
    {yes, no,  any, no,  any, F32,   F32,   To::all,      T::fp32,  loop<same>},
    {yes, no,  any, no,  any, F32,   I32,   To::all,      T::int32, loop<same>},
    {yes, yes, any, any, any, F32,   F32,   To::all,      T::fp32,  loop<same>},
    {yes, yes, any, any, any, F32,   I32,   To::all,      T::int32, loop<same>},
    {yes, yes, any, any, any, TF32,  F32,   To::all,      T::fp32,  loop<same>},
    {yes, yes, any, any, any, TF32,  I32,   To::all,      T::int32, loop<same>},
    {yes, no,  any, any, any, TF32,  TF32,  To::all,      T::tf32,  loop<tf32_of_32>, random_loop<random_tf32_of_32>},
    {yes, no,  any, yes, any, F32,   TF32,  To::all,      T::tf32,  loop<tf32_of_32>, random_loop<random_tf32_of_32>},
    {yes, no,  any, yes, any, B16,   TF32,  To::fp16,     T::tf32,  loop<tf32_of_32>, random_loop<random_tf32_of_32>},
    {yes, any, any, yes, yes, F16,   F16,   To::all,      T::wide_fp16, loop<tf32_of_32>, random_loop<random_tf32_of_32>},
    {yes, no,  any, no,  any, B16,   B16,   To::fp16,     T::bf16,  loop<bf16_of_32>, random_loop<random_bf16_of_32>},
    {yes, no,  any, any, any, B16,   B16,   To::not_fp16, T::bf16,  loop<bf16_of_32>, random_loop<random_bf16_of_32>},
    {yes, yes, any, no,  any, B16,   B16,   To::fp16,     T::bf16,  loop<bf16_truncated>},
    {yes, yes, any, any, any, B16,   B16,   To::not_fp16, T::bf16,  loop<bf16_truncated>},
    {yes, yes, any, any, any, BFP8,  B16,   To::all,      T::bf16,  loop<bf16_truncated>},
    {yes, yes, any, any, any, BFP8,  BFP8,  To::all,      T::bf16,  loop<bf16_truncated>},
    {yes, no,  any, any, any, BFP8,  BFP8,  To::all,      T::bf16,  loop<e8m6_of_32>, random_loop<random_e8m6_of_32>},
    {yes, yes, no,  any, any, I8,    I8,    To::all,      T::int8,  loop<int8_raw>},
    {yes, yes, yes, any, any, I8,    I8,    To::all,      T::int8,  loop<uint8_raw>},
    {yes, no,  no,  any, any, I8,    I8,    To::all,      T::int8,  loop<int8_saturated>, random_loop<random_int8>},
    {yes, no,  yes, any, any, I8,    I8,    To::all,      T::int8,  loop<uint8_saturated>, random_loop<random_uint8>},
    {yes, any, any, any, any, I16,   I16,   To::all,      T::int16, loop<int16_of_32>},

    {no,  no,  any, any, any, TF32,  TF32,  To::all,      T::tf32,  loop<tf32_of_16>},
    {no,  no,  any, yes, any, F32,   TF32,  To::all,      T::tf32,  loop<tf32_of_16>},
    {no,  no,  any, no,  any, F32,   F32,   To::all,      T::fp32,  loop<fp32_of_bf16>},
    {no,  no,  any, yes, any, B16,   TF32,  To::fp16,     T::tf32,  loop<tf32_of_16>},
    {no,  no,  any, no,  any, B16,   B16,   To::fp16,     T::bf16,  loop<bf16_of_16>},
    {no,  no,  any, any, any, B16,   B16,   To::not_fp16, T::bf16,  loop<bf16_of_16>},
    {no,  yes, any, no,  any, B16,   B16,   To::fp16,     T::bf16,  loop<same>},
    {no,  yes, any, any, any, B16,   B16,   To::not_fp16, T::bf16,  loop<same>},
    {no,  yes, any, any, any, BFP8,  B16,   To::all,      T::bf16,  loop<same>},
    {no,  yes, any, any, any, BFP8,  BFP8,  To::all,      T::bf16,  loop<same>},
    {no,  no,  any, any, any, BFP8,  BFP8,  To::all,      T::bf16,  loop<e8m6_of_16>, random_loop<random_e8m6_of_16>},
    {no,  any, any, yes, yes, F16,   F16,   To::all,      T::fp16,  loop<fp16_of_bf16>},
    {no,  no,  any, no,  yes, F16,   F16,   To::all,      T::fp16,  loop<fp16_flushed>},
    {no,  yes, any, no,  yes, F16,   F16,   To::all,      T::fp16,  loop<fp16_raw>},
    {no,  no,  any, any, no,  F16,   F16,   To::all,      T::fp16,  loop<fp16_flushed>},
    {no,  yes, any, any, no,  F16,   F16,   To::all,      T::fp16,  loop<fp16_raw>},
    {no,  yes, any, any, any, BFP8A, BFP8A, To::all,      T::e5m7,  loop<e5m7>},
    {no,  no,  any, any, any, BFP8A, BFP8A, To::all,      T::e5m7,  loop<e5m6>, random_loop<random_e5m6>},
    {no,  yes, any, any, any, FP8,   FP8,   To::all,      T::fp8,   loop<fp8>},
    {no,  yes, no,  any, any, I8,    I8,    To::all,      T::int8,  loop<int8_sign>},
    {no,  any, any, any, any, I16,   I16,   To::all,      T::int16, loop<int16_of_16>},
};
// clang-format on

bool matches(const Row& row, const EarlyConversion& how) {
    return matches(row.read_32b, how.read_32b) && matches(row.raw, how.raw) &&
           matches(row.is_unsigned, how.is_unsigned) && matches(row.round_10b, how.round_10b) &&
           matches(row.wide_to_fp16, how.wide_to_fp16) && row.intermediate == how.intermediate &&
           row.late_from == how.late_from && (row.to == To::all || (row.to == To::fp16) == (how.late_to == F16));
}

EarlyLanes lanes_of(const Row& row) {
    if (row.convert == loop<same>) return row.read_32b == yes ? EarlyLanes::same_32 : EarlyLanes::same_16;
    if (row.convert == loop<bf16_of_16>) return EarlyLanes::bf16_of_16;
    if (row.convert == loop<bf16_of_32>) return EarlyLanes::bf16_of_32;
    if (row.convert == loop<bf16_truncated>) return EarlyLanes::high_half;
    if (row.convert == loop<fp16_flushed>) return EarlyLanes::fp16;
    if (row.convert == loop<fp16_raw>) return EarlyLanes::fp16_raw;
    return EarlyLanes::none;
}

DstNumbers taken_as(const Row& row) {
    if (row.intermediate == I32) return DstNumbers::any;
    switch (row.type) {
        case T::fp32:
        case T::tf32:
        case T::bf16:
        case T::wide_fp16: return DstNumbers::exponent_8;
        case T::fp16: return row.convert == loop<fp16_of_bf16> ? DstNumbers::exponent_8 : DstNumbers::exponent_5;
        case T::e5m7:
        case T::fp8: return DstNumbers::exponent_5;
        case T::int8: return row.read_32b == yes ? DstNumbers::integer : DstNumbers::any;
        case T::int32:
        case T::int16: break;
    }
    return DstNumbers::any;
}

}  // namespace

std::optional<Early> pack_early(const EarlyConversion& how) {
    for (const Row& row : rows)
        if (matches(row, how))
            return Early{row.type,      row.convert,   row.random,
                         lanes_of(row), taken_as(row), row.convert == loop<fp32_of_bf16>};
    return std::nullopt;
}

}  // namespace tessera::formats
