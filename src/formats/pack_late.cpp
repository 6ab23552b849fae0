// SPDX-License-Identifier: Apache-2.0
// Late conversions: from an intermediate type to the output format, and the assembly of block floats (Packers, Format
// conversion; numerics 9; spec-notes E21). Denormals follow the widths: they are flushed if an exponent of equal
// width keeps less mantissa. If the exponent widens, they are flushed on the way to BF16, and widened without rebias
// to FP32.
#include <algorithm>
#include <cstring>

#include "formats/datum_size.hpp"
#include "formats/layouts.hpp"
#include "formats/pack_convert.hpp"
#include "formats/random_rounding.hpp"

namespace tessera::formats {

namespace {

using U32 = std::uint32_t;

constexpr U32 same(U32 x) { return x; }

// From FP32 and TF32.
constexpr U32 bf16_of_wide(U32 x) { return x & 0x7F800000 ? x >> 16 : 0; }
constexpr U32 fp8_of_wide(U32 x) { return fp16_from_fp32(x) >> 8; }
// From BF16.
constexpr U32 fp32_of_bf16(U32 x) { return x << 16; }
constexpr U32 fp16_of_bf16(U32 x) { return fp16_from_fp32(x << 16); }
constexpr U32 fp8_of_bf16(U32 x) { return fp8_of_wide(x << 16); }
// From FP16 and the types in its form.
constexpr U32 normal_fp16(U32 x) { return x & 0x7C00 ? x : 0; }
constexpr U32 bf16_of_fp16(U32 x) { return fp32_from_fp16(normal_fp16(x)) >> 16; }
constexpr U32 fp8_of_fp16(U32 x) { return normal_fp16(x) >> 8; }
constexpr U32 fp8_of_fp8(U32 x) { return x >> 8; }
constexpr U32 e4m3_of_fp16(U32 x) {
    const U32 sign = x >> 8 & 0x80, magnitude = x & 0x7FFF;
    if (magnitude < 9 << 10) return sign;
    return sign | std::min((magnitude - (8 << 10)) >> 7, 0x7Fu);
}
constexpr U32 e4m3_of_wide(U32 x) { return e4m3_of_fp16(fp16_from_fp32(x)); }

// Input for a block with 5-bit exponents: the exponent follows the sign as in BF16.
constexpr U32 block_of_e5m7(U32 x) { return (x & 0x8000) | (x >> 3 & 0x0FFF); }
constexpr U32 block_of_fp16(U32 x) { return block_of_e5m7(normal_fp16(x)); }
constexpr U32 block_of_bf16(U32 x) { return block_of_e5m7(fp16_of_bf16(x)); }
constexpr U32 block_of_wide(U32 x) { return block_of_e5m7(fp16_from_fp32(x)); }

template <class Out, auto Convert>
void loop(const U32* in, std::uint8_t* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const Out word = static_cast<Out>(Convert(in[i]));
        std::memcpy(out + i * sizeof(Out), &word, sizeof(Out));
    }
}

// Magnitudes aligned to the largest exponent, rounded to 7 bits with ties away from zero, then truncated to Bits - 1. A
// magnitude of zero has no sign: a sign alone means infinity.
template <unsigned Bits, class Round>
std::uint8_t assemble(const std::uint16_t* in, std::uint8_t* out, Round&& round) {
    U32 shared = 0;
    for (unsigned i = 0; i < block_datums; ++i) shared = std::max<U32>(shared, in[i] >> 7 & 0xFF);
    U32 datums[block_datums];
    for (unsigned i = 0; i < block_datums; ++i) {
        const U32 exponent = in[i] >> 7 & 0xFF, mantissa = (in[i] & 0x7Fu) | (exponent ? 0x80u : 0);
        const U32 magnitude = std::min(round(mantissa, shared - exponent), 0x7Fu) >> (8 - Bits);
        datums[i] = magnitude | (magnitude ? in[i] >> 15 << (Bits - 1) : 0);
    }
    constexpr unsigned per_byte = 8 / Bits;
    for (unsigned b = 0; b < block_datums / per_byte; ++b) {
        U32 byte = 0;
        for (unsigned k = 0; k < per_byte; ++k) byte |= datums[b * per_byte + k] << k * Bits;
        out[b] = static_cast<std::uint8_t>(byte);
    }
    return static_cast<std::uint8_t>(shared);
}
template <unsigned Bits>
std::uint8_t block(const std::uint16_t* in, std::uint8_t* out) {
    return assemble<Bits>(in, out, [](U32 mantissa, U32 distance) {
        distance = std::min(distance, 8u);  // from 8 on nothing remains
        return (mantissa + (1u << distance)) >> (distance + 1);
    });
}
template <unsigned Bits>
std::uint8_t random_block(const std::uint16_t* in, std::uint8_t* out, U32& random) {
    return assemble<Bits>(in, out, [&](U32 mantissa, U32 distance) -> U32 {
        const unsigned drop = std::min(distance, 7u) + 1;
        const bool up = rounds_up(mantissa & ((1u << drop) - 1), drop, random);
        return distance >= 8 ? 0 : (mantissa >> drop) + up;
    });
}

struct Row {
    PackType from;
    DataFormat to;
    bool e4m3;
    Late late;
};

template <auto Convert>
constexpr bool is_same = false;
template <>
constexpr bool is_same<same> = true;

template <auto Convert>
constexpr Late bytes4{loop<std::uint32_t, Convert>, nullptr, nullptr, 4, 32, is_same<Convert>};
template <auto Convert>
constexpr Late bytes2{loop<std::uint16_t, Convert>, nullptr, nullptr, 2, 16, is_same<Convert>};
template <auto Convert>
constexpr Late bytes1{loop<std::uint8_t, Convert>, nullptr, nullptr, 1, 8, is_same<Convert>};

using T = PackType;
using D = DataFormat;

constexpr Row rows[] = {
    {T::fp32, D::Float32, false, bytes4<same>},
    {T::fp32, D::Float16_b, false, bytes2<bf16_of_wide>},
    {T::fp32, D::Float16, false, bytes2<fp16_from_fp32>},
    {T::fp32, D::Lf8, false, bytes1<fp8_of_wide>},

    {T::tf32, D::Float32, false, bytes4<same>},
    {T::tf32, D::Tf32, false, bytes4<same>},
    {T::tf32, D::Float16_b, false, bytes2<bf16_of_wide>},
    {T::tf32, D::Float16, false, bytes2<fp16_from_fp32>},
    {T::tf32, D::Lf8, false, bytes1<fp8_of_wide>},

    {T::wide_fp16, D::Float16, false, bytes2<fp16_from_fp32>},
    {T::wide_fp16, D::Lf8, true, bytes1<e4m3_of_wide>},

    {T::bf16, D::Float32, false, bytes4<fp32_of_bf16>},
    {T::bf16, D::Tf32, false, bytes4<fp32_of_bf16>},
    {T::bf16, D::Float16_b, false, bytes2<same>},
    {T::bf16, D::Float16, false, bytes2<fp16_of_bf16>},
    {T::bf16, D::Lf8, false, bytes1<fp8_of_bf16>},

    {T::fp16, D::Float32, false, bytes4<fp32_from_fp16>},
    {T::fp16, D::Tf32, false, bytes4<fp32_from_fp16>},
    {T::fp16, D::Float16_b, false, bytes2<bf16_of_fp16>},
    {T::fp16, D::Float16, false, bytes2<same>},
    {T::fp16, D::Lf8, false, bytes1<fp8_of_fp16>},
    {T::fp16, D::Lf8, true, bytes1<e4m3_of_fp16>},

    {T::e5m7, D::Float32, false, bytes4<fp32_from_fp16>},
    {T::e5m7, D::Tf32, false, bytes4<fp32_from_fp16>},
    {T::e5m7, D::Float16_b, false, bytes2<bf16_of_fp16>},
    {T::e5m7, D::Float16, false, bytes2<same>},
    {T::e5m7, D::Lf8, false, bytes1<fp8_of_fp16>},

    {T::fp8, D::Float32, false, bytes4<fp32_from_fp16>},
    {T::fp8, D::Tf32, false, bytes4<fp32_from_fp16>},
    {T::fp8, D::Float16_b, false, bytes2<bf16_of_fp16>},
    {T::fp8, D::Float16, false, bytes2<same>},
    {T::fp8, D::Lf8, false, bytes1<fp8_of_fp8>},

    {T::int32, D::Int32, false, bytes4<same>},
    {T::int16, D::UInt16, false, bytes2<same>},
    {T::int8, D::Int8, false, bytes1<same>},
};

// The datums of a block with exponents of 8 bits are BF16, those of one with 5 bits are E5M7.
PackLate block_datum(PackType from, bool wide_exponent) {
    using U16 = std::uint16_t;
    switch (from) {
        case T::fp32:
        case T::tf32: return wide_exponent ? loop<U16, bf16_of_wide> : loop<U16, block_of_wide>;
        case T::bf16: return wide_exponent ? loop<U16, same> : loop<U16, block_of_bf16>;
        case T::fp16: return wide_exponent ? loop<U16, bf16_of_fp16> : loop<U16, block_of_fp16>;
        case T::e5m7:
        case T::fp8: return wide_exponent ? loop<U16, bf16_of_fp16> : loop<U16, block_of_e5m7>;
        default: return nullptr;
    }
}

std::optional<Late> pack_block(PackType from, DataFormat to) {
    const PackLate convert = block_datum(from, has_wide_exponent(to));
    if (!convert) return std::nullopt;
    const bool unchanged = convert == loop<std::uint16_t, same>;
    switch (to) {
        case D::Bfp8:
        case D::Bfp8_b: return Late{convert, block<8>, random_block<8>, 2, 8, unchanged};
        case D::Bfp4:
        case D::Bfp4_b: return Late{convert, block<4>, random_block<4>, 2, 4, unchanged};
        default: return Late{convert, block<2>, random_block<2>, 2, 2, unchanged};
    }
}

}  // namespace

std::optional<Late> pack_late(PackType from, DataFormat to, bool e4m3) {
    if (is_block_float(to)) return pack_block(from, to);
    for (const Row& row : rows)
        if (row.from == from && row.to == to && row.e4m3 == (e4m3 && to == D::Lf8)) return row.late;
    return std::nullopt;
}

}  // namespace tessera::formats
