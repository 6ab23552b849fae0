// SPDX-License-Identifier: Apache-2.0
// What a single value becomes is said once, in scalar_formats.hpp and integer_formats.hpp; the loops over it are compiled for
// every target that Highway knows here. What compilers make no vector instructions of has lanes of its own.
#include "tensor/loops.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "tensor/integer_formats.hpp"
#include "tensor/scalar_formats.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/loops.cpp"
#include <hwy/foreach_target.h>

#include "tensor/block_lanes-inl.hpp"
#include "tensor/scalar_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::tensor::HWY_NAMESPACE {

namespace {

// Rows are converted in arrays of their own, of fixed length: nothing can alias, so that every compiler makes vector
// instructions of the conversion.
constexpr std::size_t row_values = 16;

template <class T>
T load(const std::byte* from) {
    T x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

template <auto ToInteger>
std::uint32_t rounded(float value) {
    return ToInteger(to_integer(value));
}

/// Lanes of bits of floats to words of datums, or back.
template <auto Convert>
struct Lanes {};
template <>
struct Lanes<to_float16> {
    static HWY_INLINE Words of(Words x) { return SmallFloat<5, 10>::encode(x); }
};
template <>
struct Lanes<from_float16> {
    static HWY_INLINE Words of(Words x) { return SmallFloat<5, 10>::decode(x); }
};
template <>
struct Lanes<from_ieee_half> {
    static HWY_INLINE Words of(Words x) { return ieee_half_lanes(x); }
};
template <>
struct Lanes<to_small_float<5, 2>> {
    static HWY_INLINE Words of(Words x) { return SmallFloat<5, 2>::encode(x); }
};
template <>
struct Lanes<from_small_float<5, 2>> {
    static HWY_INLINE Words of(Words x) { return SmallFloat<5, 2>::decode(x); }
};
template <>
struct Lanes<to_small_float<4, 3>> {
    static HWY_INLINE Words of(Words x) { return SmallFloat<4, 3>::encode(x); }
};
template <>
struct Lanes<from_small_float<4, 3>> {
    static HWY_INLINE Words of(Words x) { return SmallFloat<4, 3>::decode(x); }
};
template <>
struct Lanes<to_float16_b> {
    static HWY_INLINE Words of(Words x) { return without_low_lanes<16>(x); }
};
template <>
struct Lanes<to_tf32> {
    static HWY_INLINE Words of(Words x) { return hn::ShiftLeft<13>(without_low_lanes<13>(x)); }
};
template <class Integer>
struct IntegerLanes {
    static HWY_INLINE Words of(Words x) { return plain_integer_lanes<Integer>(x); }
};
template <>
struct Lanes<rounded<to_sign_magnitude>> {
    static HWY_INLINE Words of(Words x) { return sign_magnitude_lanes(x); }
};
template <>
struct Lanes<rounded<to_plain_integer<std::uint8_t>>> : IntegerLanes<std::uint8_t> {};
template <>
struct Lanes<rounded<to_plain_integer<std::uint16_t>>> : IntegerLanes<std::uint16_t> {};
template <>
struct Lanes<rounded<to_plain_integer<std::int32_t>>> : IntegerLanes<std::int32_t> {};
template <>
struct Lanes<rounded<to_plain_integer<std::uint32_t>>> : IntegerLanes<std::uint32_t> {};

template <auto Convert>
concept HasLanes = requires(Words x) {
    Lanes<Convert>::of(x);
};

template <class Word>
HWY_INLINE void store(Words x, std::byte* to) {
    const hn::Rebind<Word, Columns> d;
    auto* const words = reinterpret_cast<Word*>(to);
    if constexpr (sizeof(Word) == 4)
        hn::StoreU(x, d, words);
    else
        hn::StoreU(hn::DemoteTo(d, hn::BitCast(Integers(), x)), d, words);
}

template <class Word>
HWY_INLINE Words load_words(const std::byte* from) {
    const hn::Rebind<Word, Columns> d;
    const auto words = hn::LoadU(d, reinterpret_cast<const Word*>(from));
    if constexpr (sizeof(Word) == 4)
        return words;
    else
        return hn::PromoteTo(Columns(), words);
}

using WordRow = std::array<std::uint32_t, row_values>;

template <class Word>
HWY_INLINE WordRow load_row(const std::byte* from) {
    HWY_ALIGN WordRow row;
    for (std::size_t k = 0; k < row_values; k += hn::MaxLanes(Columns()))
        hn::Store(load_words<Word>(from + k * sizeof(Word)), Columns(), row.data() + k);
    return row;
}
template <class Word>
HWY_INLINE void store_row(const WordRow& row, std::byte* to) {
    for (std::size_t k = 0; k < row_values; k += hn::MaxLanes(Columns()))
        store<Word>(hn::LoadU(Columns(), row.data() + k), to + k * sizeof(Word));
}

template <class Word, auto Convert, class Value>
void encode(const Value* values, std::size_t n, std::byte* datums) {
    std::size_t i = 0;
    if constexpr (HasLanes<Convert>) {
        for (constexpr std::size_t step = hn::MaxLanes(Columns()); i + step <= n; i += step)
            store<Word>(Lanes<Convert>::of(as_words(hn::LoadU(Floats(), values + i))), datums + i * sizeof(Word));
    } else {
        for (; i + row_values <= n; i += row_values) {
            std::array<Value, row_values> from;
            WordRow to;
            std::memcpy(from.data(), values + i, sizeof from);
            for (std::size_t k = 0; k < row_values; ++k) to[k] = Convert(from[k]);
            store_row<Word>(to, datums + i * sizeof(Word));
        }
    }
    for (; i < n; ++i) {
        const auto word = static_cast<Word>(Convert(values[i]));
        std::memcpy(datums + i * sizeof(Word), &word, sizeof word);
    }
}

template <class Word, auto Convert>
void decode(const std::byte* datums, std::size_t n, float* values) {
    std::size_t i = 0;
    if constexpr (HasLanes<Convert>) {
        for (constexpr std::size_t step = hn::MaxLanes(Columns()); i + step <= n; i += step)
            hn::StoreU(as_floats(Lanes<Convert>::of(load_words<Word>(datums + i * sizeof(Word)))), Floats(),
                       values + i);
    } else {
        for (; i + row_values <= n; i += row_values) {
            const WordRow from = load_row<Word>(datums + i * sizeof(Word));
            std::array<float, row_values> to;
            for (std::size_t k = 0; k < row_values; ++k) to[k] = Convert(from[k]);
            std::memcpy(values + i, to.data(), sizeof to);
        }
    }
    for (; i < n; ++i) values[i] = Convert(load<Word>(datums + i * sizeof(Word)));
}

template <class Word, auto Convert>
void decode_integers(const std::byte* datums, std::size_t n, float* values, std::int64_t* integers) {
    std::size_t i = 0;
    for (; i + row_values <= n; i += row_values) {
        const WordRow from = load_row<Word>(datums + i * sizeof(Word));
        std::array<float, row_values> floats;
        std::array<std::int64_t, row_values> exact;
        for (std::size_t k = 0; k < row_values; ++k) {
            const auto x = Convert(from[k]);
            floats[k] = static_cast<float>(x);
            exact[k] = x;
        }
        std::memcpy(values + i, floats.data(), sizeof floats);
        std::memcpy(integers + i, exact.data(), sizeof exact);
    }
    for (; i < n; ++i) {
        integers[i] = Convert(load<Word>(datums + i * sizeof(Word)));
        values[i] = static_cast<float>(integers[i]);
    }
}

template <class Word, auto Encode, auto Decode>
constexpr ScalarLoops floats{encode<Word, Encode, float>, decode<Word, Decode>};

template <class Word, auto Encode, auto Decode>
constexpr ScalarLoops integers{encode<Word, rounded<Encode>, float>, nullptr, encode<Word, Encode, std::int64_t>,
                               decode_integers<Word, Decode>};

template <class Integer>
constexpr ScalarLoops plain_integers =
    integers<std::make_unsigned_t<Integer>, to_plain_integer<Integer>, from_plain_integer<Integer>>;

template <class Format>
void encode_any(const float* values, std::size_t blocks, BlockLoops::Shared shared, std::byte* datums,
                std::byte* exponents) {
    if (shared)
        encode_blocks<Format, true>(values, blocks, *shared, datums, exponents);
    else
        encode_blocks<Format, false>(values, blocks, 0, datums, exponents);
}

template <class Format>
void decode_any(const std::byte* datums, const std::byte* exponents, std::size_t blocks, BlockLoops::Shared shared,
                float* values) {
    if (shared)
        decode_blocks<Format, true>(datums, exponents, blocks, *shared, values);
    else
        decode_blocks<Format, false>(datums, exponents, blocks, 0, values);
}

template <class Format>
constexpr BlockLoops blocks{encode_any<Format>, decode_any<Format>};

ScalarLoops find_scalar(DataFormat format) {
    switch (format) {
        case DataFormat::Float32: return floats<std::uint32_t, to_float32, from_float32>;
        case DataFormat::Tf32: return floats<std::uint32_t, to_tf32, from_float32>;
        case DataFormat::Float16: return floats<std::uint16_t, to_float16, from_float16>;
        case DataFormat::Float16_b: return floats<std::uint16_t, to_float16_b, from_float16_b>;
        case DataFormat::Lf8: return floats<std::uint8_t, to_small_float<5, 2>, from_small_float<5, 2>>;
        case DataFormat::Fp8_e4m3: return floats<std::uint8_t, to_small_float<4, 3>, from_small_float<4, 3>>;
        case DataFormat::Int8: return integers<std::uint8_t, to_sign_magnitude, from_sign_magnitude>;
        case DataFormat::UInt8: return plain_integers<std::uint8_t>;
        case DataFormat::UInt16: return plain_integers<std::uint16_t>;
        case DataFormat::Int32: return plain_integers<std::int32_t>;
        case DataFormat::UInt32: return plain_integers<std::uint32_t>;
        default: return {};
    }
}

BlockLoops find_blocks(DataFormat format) {
    switch (format) {
        case DataFormat::Bfp8: return blocks<BlockFormat<true, 8>>;
        case DataFormat::Bfp4: return blocks<BlockFormat<true, 4>>;
        case DataFormat::Bfp2: return blocks<BlockFormat<true, 2>>;
        case DataFormat::Bfp8_b: return blocks<BlockFormat<false, 8>>;
        case DataFormat::Bfp4_b: return blocks<BlockFormat<false, 4>>;
        case DataFormat::Bfp2_b: return blocks<BlockFormat<false, 2>>;
        default: return {};
    }
}

DecodeFloats find_ieee_half() { return decode<std::uint16_t, from_ieee_half>; }

}  // namespace

}  // namespace tessera::tensor::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::tensor {

namespace {

HWY_EXPORT(find_scalar);
HWY_EXPORT(find_blocks);
HWY_EXPORT(find_ieee_half);

}  // namespace

ScalarLoops scalar_loops(DataFormat format) { return HWY_DYNAMIC_DISPATCH(find_scalar)(format); }
BlockLoops block_loops(DataFormat format) { return HWY_DYNAMIC_DISPATCH(find_blocks)(format); }
DecodeFloats ieee_half_loop() { return HWY_DYNAMIC_DISPATCH(find_ieee_half)(); }

}  // namespace tessera::tensor

#endif  // HWY_ONCE
