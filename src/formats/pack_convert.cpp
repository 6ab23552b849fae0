// SPDX-License-Identifier: Apache-2.0
#include "formats/pack_convert.hpp"

#include <cstring>

#include "formats/layouts.hpp"

namespace tessera::formats {

namespace {

// Early conversions: from Dst's datum to the intermediate format.
constexpr std::uint32_t early_fp32(std::uint32_t x) { return x; }

constexpr std::uint32_t early_bf16_of_32(std::uint32_t x) {
    if ((x & 0x7FFFFFFF) > 0x7F800000) x = (x & 0x80000000) | 0x7F800000;
    if ((x & 0x7F800000) != 0x7F800000) x += 0x8000;  // ties away from zero
    return (x & 0x7F800000) ? x >> 16 : 0;
}

constexpr std::uint32_t early_bf16_of_16(std::uint32_t x) {
    if ((x & 0x7FFF) > 0x7F80) return (x & 0x8000) | 0x7F80;
    return (x & 0x7F80) ? x : 0;
}
constexpr std::uint32_t early_bf16_raw(std::uint32_t x) { return x; }

constexpr std::uint32_t early_fp16_of_16(std::uint32_t dst) {
    const std::uint32_t x = fp16_from_dst(dst);
    return (x & 0x7C00) ? x : 0;
}
constexpr std::uint32_t early_fp16_raw(std::uint32_t x) { return fp16_from_dst(x); }

// Late conversions: from the intermediate format to the output format.
constexpr std::uint32_t same(std::uint32_t x) { return x; }
constexpr std::uint32_t bf16_of_fp32(std::uint32_t x) { return (x & 0x7F800000) ? x >> 16 : 0; }
constexpr std::uint32_t fp32_of_bf16(std::uint32_t x) { return x << 16; }
constexpr std::uint32_t fp16_of_bf16(std::uint32_t x) { return fp16_from_fp32(x << 16); }
constexpr std::uint32_t bf16_of_fp16(std::uint32_t x) { return (x & 0x7C00) ? fp32_from_fp16(x) >> 16 : 0; }

template <class Out, auto Early, auto Late>
void loop(const std::uint32_t* in, std::uint8_t* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const Out word = static_cast<Out>(Late(Early(in[i])));
        std::memcpy(out + i * sizeof(Out), &word, sizeof(Out));
    }
}

using U16 = std::uint16_t;
using U32 = std::uint32_t;

struct Row {
    bool read_32b, raw;
    DataFormat intermediate, out;
    PackFromDst convert;
};

constexpr auto F32 = DataFormat::Float32, F16 = DataFormat::Float16, B16 = DataFormat::Float16_b;

constexpr Row rows[] = {
    {true, false, F32, F32, loop<U32, early_fp32, same>},
    {true, true, F32, F32, loop<U32, early_fp32, same>},
    {true, false, F32, F16, loop<U16, early_fp32, fp16_from_fp32>},
    {true, true, F32, F16, loop<U16, early_fp32, fp16_from_fp32>},
    {true, false, F32, B16, loop<U16, early_fp32, bf16_of_fp32>},
    {true, true, F32, B16, loop<U16, early_fp32, bf16_of_fp32>},
    {true, false, B16, B16, loop<U16, early_bf16_of_32, same>},
    {true, false, B16, F32, loop<U32, early_bf16_of_32, fp32_of_bf16>},
    {true, false, B16, F16, loop<U16, early_bf16_of_32, fp16_of_bf16>},
    {false, false, B16, B16, loop<U16, early_bf16_of_16, same>},
    {false, false, B16, F32, loop<U32, early_bf16_of_16, fp32_of_bf16>},
    {false, false, B16, F16, loop<U16, early_bf16_of_16, fp16_of_bf16>},
    {false, true, B16, B16, loop<U16, early_bf16_raw, same>},
    {false, true, B16, F32, loop<U32, early_bf16_raw, fp32_of_bf16>},
    {false, true, B16, F16, loop<U16, early_bf16_raw, fp16_of_bf16>},
    {false, false, F16, F16, loop<U16, early_fp16_of_16, same>},
    {false, false, F16, F32, loop<U32, early_fp16_of_16, fp32_from_fp16>},
    {false, false, F16, B16, loop<U16, early_fp16_of_16, bf16_of_fp16>},
    {false, true, F16, F16, loop<U16, early_fp16_raw, same>},
    {false, true, F16, F32, loop<U32, early_fp16_raw, fp32_from_fp16>},
    {false, true, F16, B16, loop<U16, early_fp16_raw, bf16_of_fp16>},
};

}  // namespace

PackFromDst pack_from_dst(const EarlyConversion& early, DataFormat out) {
    for (const Row& row : rows)
        if (row.read_32b == early.read_32b && row.raw == early.raw && row.intermediate == early.intermediate &&
            row.out == out)
            return row.convert;
    return nullptr;
}

}  // namespace tessera::formats
