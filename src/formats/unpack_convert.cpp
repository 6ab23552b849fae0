// SPDX-License-Identifier: Apache-2.0
// Conversions of single datums are in layouts.hpp, byte_formats.hpp and block_float.hpp. The loops over them are
// compiled for every target of Highway. Whole blocks have vector code of their own.
#include "formats/unpack_convert.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "formats/block_float.hpp"
#include "formats/byte_formats.hpp"
#include "formats/datum_size.hpp"
#include "formats/layouts.hpp"
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "formats/unpack_convert.cpp"
#include <hwy/foreach_target.h>

#include "formats/block_float-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::formats::HWY_NAMESPACE {

namespace {

// Rows are converted in local arrays of fixed length: nothing can alias, so every compiler vectorises the conversion.
constexpr std::size_t row_datums = 16;
using Row = std::array<std::uint32_t, row_datums>;

/// The forms that datums of 16 and 32 bits take in a source register.
struct Src {
    static constexpr std::uint32_t bf16(std::uint32_t x) { return src_from_bf16(x); }
    static constexpr std::uint32_t fp16(std::uint32_t x) { return src_from_fp16(x); }
    static constexpr std::uint32_t int16(std::uint32_t x) { return src_from_int16(x); }
    static constexpr std::uint32_t fp32(std::uint32_t x) { return src_from_tf32(x >> 13); }
    template <std::uint32_t ExponentMask>
    static constexpr std::uint32_t block(std::uint32_t src) {
        return src;
    }
};

/// The same for Dst.
struct Dst {
    static constexpr std::uint32_t bf16(std::uint32_t x) { return x; }
    static constexpr std::uint32_t fp16(std::uint32_t x) { return dst_from_fp16(x); }
    static constexpr std::uint32_t int16(std::uint32_t x) { return dst_from_stored(x); }
    static constexpr std::uint32_t fp32(std::uint32_t x) { return (x & 0xFFFF0000) | dst_low(x); }
    /// From a source register's datum.
    template <std::uint32_t ExponentMask>
    static constexpr std::uint32_t block(std::uint32_t src) {
        return ExponentMask == wide_exponent ? src >> 16 : dst_from_fp16(fp16_from_src(src));
    }
};

template <class To>
constexpr std::uint32_t bf16_of_fp32(std::uint32_t x) {
    return To::bf16(bf16_from_fp32_truncated(x));
}

template <class To, auto ToFp16>
constexpr std::uint32_t by_fp16(std::uint32_t x) {
    return To::fp16(ToFp16(x));
}

using Columns = hn::CappedTag<std::uint32_t, row_datums>;
using Words = hn::Vec<Columns>;

template <class Word>
HWY_INLINE Words load(const std::uint8_t* in) {
    const hn::Rebind<Word, Columns> narrow;
    const auto words = hn::LoadU(narrow, reinterpret_cast<const Word*>(in));
    if constexpr (sizeof(Word) == 4)
        return words;
    else
        return hn::PromoteTo(Columns(), words);
}

// Vector code for the most frequent conversions; the others have none.
template <auto Convert>
struct Lanes {};

template <>
struct Lanes<&Src::bf16> {
    static HWY_INLINE Words of(Words x) { return hn::ShiftLeft<16>(x); }
};
template <>
struct Lanes<&Src::fp32> {
    static HWY_INLINE Words of(Words x) { return hn::And(x, hn::Set(Columns(), src_bits)); }
};
template <>
struct Lanes<&Src::fp16> {
    static HWY_INLINE Words of(Words x) {
        const Words number = hn::And(hn::ShiftLeft<13>(x), hn::Set(Columns(), 0x7FFF << 13));
        return hn::OrAnd(number, hn::Set(Columns(), 0x80000000), hn::ShiftLeft<16>(x));
    }
};
template <>
struct Lanes<&by_fp16<Src, fp16_from_int8>> {
    static HWY_INLINE Words of(Words x) {
        const Columns d;
        const Words magnitude = hn::And(hn::ShiftLeft<13>(x), hn::Set(d, 0x7F << 13));
        const auto nothing = hn::Eq(magnitude, hn::Zero(d));
        const Words number = hn::Or(magnitude, hn::IfThenZeroElse(nothing, hn::Set(d, 16 << 23)));
        return hn::OrAnd(number, hn::Set(d, 0x80000000), hn::ShiftLeft<24>(x));
    }
};

template <auto Convert>
concept HasLanes = requires(Words x) {
    Lanes<Convert>::of(x);
};

template <class Word, auto Convert>
void loop(const UnpackSource& from, std::size_t at, std::uint32_t* out, std::size_t n) {
    constexpr Columns d;
    const std::uint8_t* in = from.datums + at * sizeof(Word);
    for (; n >= row_datums; n -= row_datums, in += sizeof(Word) * row_datums, out += row_datums) {
        if constexpr (HasLanes<Convert>) {
            for (std::size_t i = 0; i < row_datums; i += hn::Lanes(d))
                hn::StoreU(Lanes<Convert>::of(load<Word>(in + i * sizeof(Word))), d, out + i);
        } else {
            HWY_ALIGN Row row;
            for (std::size_t i = 0; i < row_datums; i += hn::Lanes(d))
                hn::Store(load<Word>(in + i * sizeof(Word)), d, row.data() + i);
            for (std::uint32_t& x : row) x = Convert(x);
            std::memcpy(out, row.data(), sizeof row);
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        Word word;
        std::memcpy(&word, in + i * sizeof(Word), sizeof(Word));
        out[i] = Convert(word);
    }
}

// Blocks decoded at a time: those of a tile, or of a face at the end.
constexpr std::size_t tile_blocks = 64, face_blocks = 16;

// `n` blocks, at most `Blocks`.
template <class To, unsigned Bits, std::uint32_t ExponentMask, bool Forced, std::size_t Blocks>
HWY_INLINE void chunk(const UnpackSource& from, std::size_t block, std::size_t n, std::uint32_t* out) {
    std::array<std::uint8_t, Blocks> exponents;
    if (Forced)
        exponents.fill(from.shared_exponent);
    else if (n == Blocks)
        std::memcpy(exponents.data(), from.exponents + block, Blocks);
    else
        std::fill(std::copy_n(from.exponents + block, n, exponents.begin()), exponents.end(), least_scaled);
    const std::uint8_t* datums = from.datums + block * (block_datums * Bits / 8);
    HWY_ALIGN std::array<std::uint8_t, Blocks * block_datums> spread;
    const auto spread_out = [&] {
        if constexpr (Bits == 8) return datums;
        spread_blocks<Bits>(datums, n, spread.data());
        return static_cast<const std::uint8_t*>(spread.data());
    };
    HWY_ALIGN std::array<std::int8_t, Blocks * block_datums> integers;
    HWY_ALIGN std::array<std::uint32_t, Blocks> terms;
    const bool scaled = has_scales<ExponentMask, Blocks>(exponents.data()) &&
                        (Bits == 4 ? integers_of_nibbles(datums, n, integers.data())
                                   : integers_of_datums(spread_out(), n, integers.data()));
    exponent_fields<Blocks>(exponents.data(), scaled ? scale_bias : term_bias, terms.data());
    if (HWY_LIKELY(scaled))
        src_from_integers(integers.data(), terms.data(), n, out);
    else
        src_from_blocks<ExponentMask>(spread_out(), terms.data(), n, out);
    if constexpr (!std::is_same_v<To, Src>)
        for (std::size_t i = 0; i < n; ++i) {
            Row row;
            std::memcpy(row.data(), out + i * block_datums, sizeof row);
            for (std::uint32_t& x : row) x = To::template block<ExponentMask>(x);
            std::memcpy(out + i * block_datums, row.data(), sizeof row);
        }
}

// Runs while that many blocks are left, so that their number is a compile-time constant.
template <class To, unsigned Bits, std::uint32_t ExponentMask, bool Forced, std::size_t Blocks>
HWY_INLINE void chunks(const UnpackSource& from, std::size_t& block, std::size_t end, std::uint32_t*& out) {
    for (; end - block >= Blocks; block += Blocks, out += Blocks * block_datums)
        chunk<To, Bits, ExponentMask, Forced, Blocks>(from, block, Blocks, out);
}

template <class To, unsigned Bits, std::uint32_t ExponentMask, bool Forced>
void whole_blocks(const UnpackSource& from, std::size_t block, std::size_t blocks, std::uint32_t* out) {
    const std::size_t end = block + blocks;
    chunks<To, Bits, ExponentMask, Forced, tile_blocks>(from, block, end, out);
    chunks<To, Bits, ExponentMask, Forced, face_blocks>(from, block, end, out);
    if (block < end) chunk<To, Bits, ExponentMask, Forced, face_blocks>(from, block, end - block, out);
}

template <class To, unsigned Bits, std::uint32_t ExponentMask, bool Forced>
void block_loop(const UnpackSource& from, std::size_t at, std::uint32_t* out, std::size_t n) {
    const auto part = [&](std::size_t index, std::size_t count) {
        const std::uint32_t exponent = Forced ? from.shared_exponent : from.exponents[index / block_datums];
        for (std::size_t i = 0; i < count; ++i)
            out[i] = To::template block<ExponentMask>(
                src_from_block<ExponentMask>(block_datum<Bits>(from.datums, index + i), exponent));
        out += count;
    };
    const std::size_t end = at + n;
    const std::size_t head = std::min(n, (block_datums - at % block_datums) % block_datums);
    if (head) part(at, head);
    at += head;
    const std::size_t blocks = (end - at) / block_datums;
    whole_blocks<To, Bits, ExponentMask, Forced>(from, at / block_datums, blocks, out);
    at += blocks * block_datums;
    out += blocks * block_datums;
    if (at < end) part(at, end - at);
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

UnpackLoop to_src(const UnpackConversion& conversion) { return unpack_to<Src>(conversion); }
UnpackLoop to_dst(const UnpackConversion& conversion) { return unpack_to<Dst>(conversion); }

}  // namespace

}  // namespace tessera::formats::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::formats {

namespace {

TESSERA_VERSIONS(to_src);
TESSERA_VERSIONS(to_dst);

}  // namespace

UnpackLoop unpack_to_src(const UnpackConversion& conversion) { return TESSERA_BEST_VERSION(to_src)(conversion); }
UnpackLoop unpack_to_dst(const UnpackConversion& conversion) { return TESSERA_BEST_VERSION(to_dst)(conversion); }

}  // namespace tessera::formats

#endif  // HWY_ONCE
