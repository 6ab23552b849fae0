// SPDX-License-Identifier: Apache-2.0
// Conversion loops, compiled for each Highway target. A remainder shorter than a vector uses single values.
#include "tensor/loops.hpp"

#include <array>
#include <cstring>

#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/loops.cpp"
#include <hwy/foreach_target.h>

#include "tensor/block_lanes-inl.hpp"
#include "tensor/scalar_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::tensor::HWY_NAMESPACE {

namespace {

// Integers are converted in fixed-length local rows: without aliasing, every compiler vectorises the loop.
constexpr std::size_t row_values = 16;

template <class T>
T load(const std::byte* from) {
    T x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

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

// Values per step of the vector loop.
constexpr std::size_t step = hn::MaxLanes(Columns());

template <class Word>
void store_one(std::uint32_t datum, std::byte* to) {
    const auto x = static_cast<Word>(datum);
    std::memcpy(to, &x, sizeof x);
}

template <class Format>
void encode(const float* values, std::size_t n, std::byte* datums) {
    using Word = typename Format::Word;
    std::size_t i = 0;
    for (; i + step <= n; i += step)
        store<Word>(Format::encode(as_words(hn::LoadU(Floats(), values + i))), datums + i * sizeof(Word));
    for (; i < n; ++i) store_one<Word>(Format::encode(values[i]), datums + i * sizeof(Word));
}

template <class Format>
void decode(const std::byte* datums, std::size_t n, float* values) {
    using Word = typename Format::Word;
    std::size_t i = 0;
    for (; i + step <= n; i += step)
        hn::StoreU(as_floats(Format::decode(load_words<Word>(datums + i * sizeof(Word)))), Floats(), values + i);
    for (; i < n; ++i) values[i] = Format::decode(load<Word>(datums + i * sizeof(Word)));
}

template <class Format>
void encode_integers(const std::int64_t* integers, std::size_t n, std::byte* datums) {
    using Word = typename Format::Word;
    std::size_t i = 0;
    for (; i + row_values <= n; i += row_values) {
        std::array<std::int64_t, row_values> from;
        WordRow to;
        std::memcpy(from.data(), integers + i, sizeof from);
        for (std::size_t k = 0; k < row_values; ++k) to[k] = Format::encode(from[k]);
        store_row<Word>(to, datums + i * sizeof(Word));
    }
    for (; i < n; ++i) store_one<Word>(Format::encode(integers[i]), datums + i * sizeof(Word));
}

template <class Format>
void decode_integers(const std::byte* datums, std::size_t n, float* values, std::int64_t* integers) {
    using Word = typename Format::Word;
    std::size_t i = 0;
    for (; i + row_values <= n; i += row_values) {
        const WordRow from = load_row<Word>(datums + i * sizeof(Word));
        std::array<float, row_values> floats;
        std::array<std::int64_t, row_values> exact;
        for (std::size_t k = 0; k < row_values; ++k) {
            const auto x = Format::decode(from[k]);
            floats[k] = static_cast<float>(x);
            exact[k] = x;
        }
        std::memcpy(values + i, floats.data(), sizeof floats);
        std::memcpy(integers + i, exact.data(), sizeof exact);
    }
    for (; i < n; ++i) {
        integers[i] = Format::decode(load<Word>(datums + i * sizeof(Word)));
        values[i] = static_cast<float>(integers[i]);
    }
}

template <class Format>
constexpr ScalarLoops floats{encode<Format>, decode<Format>};

template <class Format>
constexpr ScalarLoops integers{encode<Format>, nullptr, encode_integers<Format>, decode_integers<Format>};

template <class Format>
void encode_any(const float* values, std::size_t blocks, BlockLoops::Shared shared, std::byte* datums,
                std::byte* exponents) {
    if (shared)
        encode_blocks<Format, Placing::given>(values, blocks, *shared, datums, exponents);
    else
        encode_blocks<Format, Placing::host>(values, blocks, 0, datums, exponents);
}

template <class Format>
void encode_late(const float* values, std::size_t blocks, BlockLoops::Shared, std::byte* datums, std::byte* exponents) {
    encode_blocks<Format, Placing::device>(values, blocks, 0, datums, exponents);
}

template <class Format>
void decode_any(const std::byte* datums, const std::byte* exponents, std::size_t blocks, BlockLoops::Shared shared,
                float* values) {
    if (shared)
        decode_blocks<Format, true>(datums, exponents, blocks, *shared, values);
    else
        decode_blocks<Format, false>(datums, exponents, blocks, 0, values);
}

template <bool Narrow, unsigned Bits>
BlockLoops blocks(Rounding rounding) {
    using Format = BlockFormat<Narrow, Bits>;
    return {rounding == Rounding::device ? encode_late<Format> : encode_any<Format>, decode_any<Format>};
}

ScalarLoops find_late(DataFormat format) {
    switch (format) {
        case DataFormat::Float32: return floats<Float32>;
        case DataFormat::Float16: return floats<LateFloat16>;
        case DataFormat::Float16_b: return floats<LateFloat16B>;
        case DataFormat::Lf8: return floats<LateLf8>;
        default: return {};
    }
}

ScalarLoops find_scalar(DataFormat format, Rounding rounding) {
    if (rounding == Rounding::device) return find_late(format);
    switch (format) {
        case DataFormat::Float32: return floats<Float32>;
        case DataFormat::Tf32: return floats<Tf32>;
        case DataFormat::Float16: return floats<Float16>;
        case DataFormat::Float16_b: return floats<Float16B>;
        case DataFormat::Lf8: return floats<Lf8>;
        case DataFormat::Fp8_e4m3: return floats<E4m3>;
        case DataFormat::Int8: return integers<SignMagnitude>;
        case DataFormat::UInt8: return integers<PlainInteger<std::uint8_t>>;
        case DataFormat::UInt16: return integers<PlainInteger<std::uint16_t>>;
        case DataFormat::Int32: return integers<PlainInteger<std::int32_t>>;
        case DataFormat::UInt32: return integers<PlainInteger<std::uint32_t>>;
        default: return {};
    }
}

BlockLoops find_blocks(DataFormat format, Rounding rounding) {
    switch (format) {
        case DataFormat::Bfp8: return blocks<true, 8>(rounding);
        case DataFormat::Bfp4: return blocks<true, 4>(rounding);
        case DataFormat::Bfp2: return blocks<true, 2>(rounding);
        case DataFormat::Bfp8_b: return blocks<false, 8>(rounding);
        case DataFormat::Bfp4_b: return blocks<false, 4>(rounding);
        case DataFormat::Bfp2_b: return blocks<false, 2>(rounding);
        default: return {};
    }
}

DecodeFloats find_ieee_half() { return decode<IeeeHalf>; }

}  // namespace

}  // namespace tessera::tensor::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::tensor {

namespace {

TESSERA_VERSIONS(find_scalar);
TESSERA_VERSIONS(find_blocks);
TESSERA_VERSIONS(find_ieee_half);

}  // namespace

ScalarLoops scalar_loops(DataFormat format, Rounding rounding) {
    return TESSERA_BEST_VERSION(find_scalar)(format, rounding);
}
BlockLoops block_loops(DataFormat format, Rounding rounding) {
    return TESSERA_BEST_VERSION(find_blocks)(format, rounding);
}
DecodeFloats ieee_half_loop() { return TESSERA_BEST_VERSION(find_ieee_half)(); }

}  // namespace tessera::tensor

#endif  // HWY_ONCE
