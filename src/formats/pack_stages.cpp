// SPDX-License-Identifier: Apache-2.0
#include "formats/pack_stages.hpp"

#include <cstring>

namespace tessera::formats {

namespace {

using U32 = std::uint32_t;

constexpr U32 same(U32 x) { return x; }
constexpr U32 e8m7(U32 x) { return (x & 0x80) << 8 | (x & 0x7F); }       // exponent 0
constexpr U32 e5m7(U32 x) { return (x & 0x80) << 8 | (x & 0x7F) << 3; }  // exponent 0
template <unsigned Places>
constexpr U32 left(U32 x) {
    return x << Places;
}
template <unsigned Places>
constexpr U32 right(U32 x) {
    return x >> Places;
}

template <class In, auto Convert>
void from_l1(const std::uint8_t* in, U32* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        In x;
        std::memcpy(&x, in + i * sizeof(In), sizeof(In));
        out[i] = Convert(x);
    }
}
template <class In, auto Convert>
constexpr FromL1 of(PackType type) {
    return {type, from_l1<In, Convert>, sizeof(In)};
}

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using T = PackType;
using D = DataFormat;

struct Row {
    DataFormat format;
    DataFormat integer;  ///< the intermediate format, for integers
    FromL1 how;
};
constexpr Row rows[] = {
    {D::Float32, {}, of<U32, same>(T::fp32)},
    {D::Float16_b, {}, of<U16, same>(T::bf16)},
    {D::Float16, {}, of<U16, same>(T::fp16)},
    {D::Bfp8_b, {}, of<U8, e8m7>(T::bf16)},
    {D::Bfp8, {}, of<U8, e5m7>(T::e5m7)},
    {D::Lf8, {}, of<U8, left<8>>(T::fp8)},
    {D::Int32, D::Int32, of<U32, same>(T::int32)},
    {D::Int32, D::UInt16, of<U32, right<16>>(T::int16)},
    {D::UInt16, D::Int32, of<U16, left<16>>(T::int32)},
    {D::UInt16, D::UInt16, of<U16, same>(T::int16)},
    {D::UInt16, D::Int8, of<U16, right<8>>(T::int8)},
    {D::Int8, D::Int32, of<U8, left<24>>(T::int32)},
    {D::Int8, D::UInt16, of<U8, left<8>>(T::int16)},
    {D::Int8, D::Int8, of<U8, same>(T::int8)},
};

constexpr bool is_integer(DataFormat format) { return format == D::Int32 || format == D::UInt16 || format == D::Int8; }

template <unsigned Low, U32 Mask>
void exponents(const U32* in, U32* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = in[i] >> Low & Mask;
}
template <unsigned Low, U32 Mask>
void threshold(U32* datums, std::size_t n, U32 least) {
    for (std::size_t i = 0; i < n; ++i) datums[i] = (datums[i] >> Low & Mask) < least ? 0 : datums[i];
}

}  // namespace

std::optional<FromL1> pack_from_l1(DataFormat format, DataFormat intermediate) {
    const DataFormat integer = is_integer(format) ? is_integer(intermediate) ? intermediate : format : DataFormat{};
    for (const Row& row : rows)
        if (row.format == format && row.integer == integer) return row.how;
    return std::nullopt;
}

PackExponents pack_exponents(PackType type) {
    switch (type) {
        case T::fp32:
        case T::tf32:
        case T::wide_fp16:
        case T::int32: return exponents<23, 0xFF>;
        case T::bf16: return exponents<7, 0xFF>;
        case T::fp16:
        case T::e5m7:
        case T::fp8: return exponents<10, 0x1F>;
        case T::int16: return exponents<0, 0xFF>;
        case T::int8: break;
    }
    return nullptr;
}

PackRelu pack_exponent_threshold(PackType type) {
    switch (type) {
        case T::fp32:
        case T::tf32:
        case T::wide_fp16: return threshold<23, 0xFF>;
        case T::bf16: return threshold<7, 0xFF>;
        case T::fp16:
        case T::e5m7:
        case T::fp8: return threshold<10, 0x1F>;
        default: return nullptr;
    }
}

}  // namespace tessera::formats
