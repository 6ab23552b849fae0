// SPDX-License-Identifier: Apache-2.0
#include "formats/unpack_convert.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "formats/block_float.hpp"
#include "formats/byte_formats.hpp"
#include "formats/datum_size.hpp"
#include "formats/layouts.hpp"

namespace tessera::formats {

namespace {

// Rows are loaded into, converted in and stored from arrays of their own, of fixed length: nothing can alias, so that
// every compiler makes vector instructions of the conversion.
constexpr std::size_t row_datums = 16;
using Row = std::array<std::uint32_t, row_datums>;

/// The forms that datums of 16 and 32 bits take in a source register.
struct Src {
    static constexpr std::uint32_t bf16(std::uint32_t x) { return src_from_bf16(x); }
    static constexpr std::uint32_t fp16(std::uint32_t x) { return src_from_fp16(x); }
    static constexpr std::uint32_t int16(std::uint32_t x) { return src_from_int16(x); }
    static constexpr std::uint32_t fp32(std::uint32_t x) { return src_from_tf32(x >> 13); }
    template <std::uint32_t ExponentMask>
    static constexpr std::uint32_t block(std::uint32_t datum, std::uint32_t exponent) {
        return src_from_block<ExponentMask>(datum, exponent);
    }
};

/// The same for Dst.
struct Dst {
    static constexpr std::uint32_t bf16(std::uint32_t x) { return x; }
    static constexpr std::uint32_t fp16(std::uint32_t x) { return dst_from_fp16(x); }
    static constexpr std::uint32_t int16(std::uint32_t x) { return dst_from_stored(x); }
    static constexpr std::uint32_t fp32(std::uint32_t x) { return (x & 0xFFFF0000) | dst_low(x); }
    template <std::uint32_t ExponentMask>
    static constexpr std::uint32_t block(std::uint32_t datum, std::uint32_t exponent) {
        const std::uint32_t x = src_from_block<ExponentMask>(datum, exponent);
        return ExponentMask == wide_exponent ? x >> 16 : dst_from_fp16(fp16_from_src(x));
    }
};

template <class Word, auto Convert>
void loop(const UnpackSource& from, std::size_t at, std::uint32_t* out, std::size_t n) {
    const std::uint8_t* in = from.datums + at * sizeof(Word);
    for (; n >= row_datums; n -= row_datums, in += sizeof(Word) * row_datums, out += row_datums) {
        std::array<Word, row_datums> words;
        Row row;
        std::memcpy(words.data(), in, sizeof words);
        for (std::size_t i = 0; i < row_datums; ++i) row[i] = Convert(words[i]);
        std::memcpy(out, row.data(), sizeof row);
    }
    for (std::size_t i = 0; i < n; ++i) {
        Word word;
        std::memcpy(&word, in + i * sizeof(Word), sizeof(Word));
        out[i] = Convert(word);
    }
}

template <class To, unsigned Bits, std::uint32_t ExponentMask>
void whole_block(const std::uint8_t* packed, std::uint32_t exponent, std::uint32_t* out) {
    std::array<std::uint8_t, block_datums * Bits / 8> bytes;
    Row row;
    std::memcpy(bytes.data(), packed, sizeof bytes);
    constexpr std::size_t per_byte = 8 / Bits;
    for (std::size_t byte = 0; byte < bytes.size(); ++byte)
        for (std::size_t i = 0; i < per_byte; ++i) row[byte * per_byte + i] = block_datum<Bits>(&bytes[byte], i);
    for (std::size_t i = 0; i < block_datums; ++i) row[i] = To::template block<ExponentMask>(row[i], exponent);
    std::memcpy(out, row.data(), sizeof row);
}

template <class To, unsigned Bits, std::uint32_t ExponentMask, bool Forced>
void block_loop(const UnpackSource& from, std::size_t at, std::uint32_t* out, std::size_t n) {
    const auto exponent_of = [&](std::size_t index) -> std::uint32_t {
        return Forced ? from.shared_exponent : from.exponents[index / block_datums];
    };
    const auto part = [&](std::size_t index, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            out[i] = To::template block<ExponentMask>(block_datum<Bits>(from.datums, index + i), exponent_of(index));
        out += count;
    };
    const std::size_t end = at + n;
    const std::size_t head = std::min(n, (block_datums - at % block_datums) % block_datums);
    if (head) part(at, head);
    for (at += head; at + block_datums <= end; at += block_datums, out += block_datums)
        whole_block<To, Bits, ExponentMask>(from.datums + at * Bits / 8, exponent_of(at), out);
    if (at < end) part(at, end - at);
}

template <class To>
constexpr std::uint32_t bf16_of_fp32(std::uint32_t x) {
    return To::bf16(bf16_from_fp32_truncated(x));
}

template <class To, auto ToFp16>
constexpr std::uint32_t by_fp16(std::uint32_t x) {
    return To::fp16(ToFp16(x));
}

template <class To, unsigned Bits, std::uint32_t ExponentMask>
UnpackLoop block(const UnpackConversion& conversion) {
    return conversion.forced_exponent ? block_loop<To, Bits, ExponentMask, true>
                                      : block_loop<To, Bits, ExponentMask, false>;
}

template <class To>
UnpackLoop from_fp8(const UnpackConversion& conversion) {
    if (conversion.fp8_e4m3) return loop<std::uint8_t, by_fp16<To, fp16_from_e4m3>>;
    if (conversion.fp8_saturated) return loop<std::uint8_t, by_fp16<To, fp16_from_saturated_e5m2>>;
    return loop<std::uint8_t, by_fp16<To, fp16_from_e5m2>>;
}

template <class To>
UnpackLoop from_fp32(DataFormat out) {
    switch (out) {
        case DataFormat::Float32:
        case DataFormat::Tf32: return loop<std::uint32_t, To::fp32>;
        case DataFormat::Float16_b: return loop<std::uint32_t, bf16_of_fp32<To>>;
        case DataFormat::Float16: return loop<std::uint32_t, by_fp16<To, fp16_from_fp32>>;
        default: return nullptr;
    }
}

template <class To>
UnpackLoop unpack_to(const UnpackConversion& conversion) {
    switch (conversion.in) {
        case DataFormat::Float32: return from_fp32<To>(conversion.out);
        case DataFormat::Float16: return loop<std::uint16_t, To::fp16>;
        case DataFormat::Float16_b: return loop<std::uint16_t, To::bf16>;
        case DataFormat::UInt16: return loop<std::uint16_t, To::int16>;
        case DataFormat::Tf32:
        case DataFormat::Int32: return loop<std::uint32_t, To::fp32>;
        case DataFormat::Lf8: return from_fp8<To>(conversion);
        case DataFormat::Int8:
            return conversion.int8_unsigned ? loop<std::uint8_t, by_fp16<To, fp16_from_uint8>>
                                            : loop<std::uint8_t, by_fp16<To, fp16_from_int8>>;
        case DataFormat::Bfp8: return block<To, 8, narrow_exponent>(conversion);
        case DataFormat::Bfp4: return block<To, 4, narrow_exponent>(conversion);
        case DataFormat::Bfp2: return block<To, 2, narrow_exponent>(conversion);
        case DataFormat::Bfp8_b: return block<To, 8, wide_exponent>(conversion);
        case DataFormat::Bfp4_b: return block<To, 4, wide_exponent>(conversion);
        case DataFormat::Bfp2_b: return block<To, 2, wide_exponent>(conversion);
        default: return nullptr;
    }
}

}  // namespace

UnpackLoop unpack_to_src(const UnpackConversion& conversion) { return unpack_to<Src>(conversion); }
UnpackLoop unpack_to_dst(const UnpackConversion& conversion) { return unpack_to<Dst>(conversion); }

unsigned datum_bytes(DataFormat format) { return datum_bits(format) / 8; }

}  // namespace tessera::formats
