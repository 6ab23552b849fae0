// SPDX-License-Identifier: Apache-2.0
// Rules: rules/pacr.cpp; reference: reference/models/pack.cpp.
#include "units/packer/direct_loops.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "units/packer/output.hpp"
#include "util/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "units/packer/direct_loops.cpp"
#include <hwy/foreach_target.h>

#include "formats/pack_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera::units::packer::HWY_NAMESPACE {

namespace {

namespace fl = formats::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;
using plan::DstMap;
using state::columns;
using Stream = PackWork::Stream;

// Rows of Dst: datums of 16 bits or high halves, and low halves.
struct Source {
    const std::uint16_t* high;
    const std::uint16_t* low;
};

// Several rows in vectors, some of which are processed together.
template <unsigned Rows>
struct Shape {
    using D = hn::CappedTag<std::uint16_t, Rows == group_rows ? 2 * columns : columns>;
    using V = hn::Vec<D>;
    static constexpr std::size_t lanes = hn::MaxLanes(D());
    static constexpr std::size_t parts = lanes == columns ? Rows : 2;
    static constexpr std::size_t step = lanes * parts;
    static constexpr std::size_t datums = Rows * columns;
};

template <class D>
HWY_NOINLINE void keep_largest(D d, hn::Vec<D> magnitudes, int low, std::uint32_t& largest) {
    std::array<std::uint16_t, hn::MaxLanes(D())> lanes;
    hn::StoreU(magnitudes, d, lanes.data());
    largest = *std::max_element(lanes.begin(), lanes.end()) >> low;
}

// Raises the largest exponent, which is rarely needed.
template <class D>
HWY_INLINE void note_largest(D d, hn::Vec<D> magnitudes, fl::ExponentField field, std::uint32_t& largest) {
    if (HWY_UNLIKELY(largest >= field.mask)) return;
    const hn::RebindToSigned<D> integers;
    const auto limit = static_cast<std::int16_t>(((largest + 1) << field.low) - 1);
    if (HWY_UNLIKELY(!hn::AllFalse(integers, hn::Gt(hn::BitCast(integers, magnitudes), hn::Set(integers, limit)))))
        keep_largest(d, magnitudes, field.low, largest);
}

/// To words of 16 bits.
template <class Early>
struct Rows {
    static constexpr bool wide = Early::reads_low;
    static constexpr bool block = false;
    static constexpr unsigned row_bytes = 2 * columns;

    template <class S>
    static HWY_INLINE auto convert(Source in, std::uint8_t* out) {
        const typename S::D d;
        constexpr std::size_t parts = S::datums / S::lanes;
        typename S::V magnitudes, datums[parts];
        HWY_UNROLL(8)
        for (std::size_t p = 0; p < parts; ++p) {
            const auto high = hn::LoadU(d, in.high + p * S::lanes);
            const auto x = Early::magnitude(d, high, wide ? hn::LoadU(d, in.low + p * S::lanes) : high);
            magnitudes = p ? hn::Max(magnitudes, x) : x;
            datums[p] = fl::with_sign<Early>(d, x, high);
        }
        // All loads come first, since stores might change what they read, constants included.
        HWY_UNROLL(8)
        for (std::size_t p = 0; p < parts; ++p)
            hn::StoreU(datums[p], d, reinterpret_cast<std::uint16_t*>(out) + p * S::lanes);
        return magnitudes;
    }
    template <class S>
    static HWY_INLINE void note(typename S::V magnitudes, std::uint32_t& largest) {
        note_largest(typename S::D(), magnitudes, Early::field, largest);
    }
};

/// To block floats, and their exponents.
template <class Early, unsigned Bits>
struct BlockRows {
    static constexpr bool block = true;
    static constexpr unsigned row_bytes = Bits * columns / 8;

    template <class S>
    static HWY_INLINE auto convert(Source in, std::uint8_t* out) {
        const hn::CappedTag<std::uint32_t, S::datums / columns> words;
        hn::Vec<decltype(words)> exponents;
        if constexpr (S::step == S::datums) {
            exponents = convert_step<S>(in, out);
        } else {
            HWY_ALIGN std::array<std::uint32_t, S::datums / columns> each;
            for (std::size_t i = 0; i < each.size(); ++i)
                each[i] =
                    hn::GetLane(convert_step<S>({in.high + i * columns, in.low + i * columns}, out + i * row_bytes));
            exponents = hn::Load(words, each.data());
        }
        return exponents;
    }
    template <class S, class V>
    static HWY_INLINE void note(V exponents, std::uint32_t& largest) {
        const hn::DFromV<V> d;
        if (HWY_UNLIKELY(!hn::AllFalse(d, hn::Gt(exponents, hn::Set(d, largest)))))
            largest = hn::GetLane(hn::MaxOfLanes(d, exponents));
    }

private:
    template <class S>
    static HWY_INLINE auto convert_step(Source in, std::uint8_t* out) {
        constexpr std::size_t parts = S::parts;
        const typename S::D d;
        typename S::V high[parts], x[parts], moved[parts];
        HWY_UNROLL(4)
        for (std::size_t p = 0; p < parts; ++p) {
            high[p] = hn::LoadU(d, in.high + p * S::lanes);
            x[p] = Early::doubled(d, high[p], Early::reads_low ? hn::LoadU(d, in.low + p * S::lanes) : high[p]);
        }
        const auto largest = fl::largest_of_blocks(d, x);
        HWY_UNROLL(4)
        for (std::size_t p = 0; p < parts; ++p)
            moved[p] = fl::moved_mantissas<Early::flushes>(d, x[p], largest.each[p]);
        put<S>(moved, high, out);
        return largest.exponents;
    }

    template <class S, class V, std::size_t N>
    static HWY_INLINE void put(const V (&moved)[N], const V (&signs)[N], std::uint8_t* out) {
        constexpr std::size_t pairs = (N + 1) / 2, second = N > 1,
                              stored = std::min<std::size_t>(N * S::lanes * Bits / 8, 2 * S::lanes);
        const hn::Repartition<std::uint8_t, typename S::D> bytes;
        hn::Vec<decltype(bytes)> datums[pairs];
        HWY_UNROLL(2)
        for (std::size_t p = 0; p < pairs; ++p)
            datums[p] = fl::rounded_datums<Bits>(fl::bytes_of(moved[2 * p], moved[2 * p + second]),
                                                 fl::signs_of(signs[2 * p], signs[2 * p + second]));
        if constexpr (Bits == 8) {
            const hn::CappedTag<std::uint8_t, stored> each;
            HWY_UNROLL(2)
            for (std::size_t p = 0; p < pairs; ++p)
                store(each, fl::in_order<8>(datums[p]), out + p * hn::MaxLanes(bytes));
        } else {
            const hn::CappedTag<std::uint8_t, stored> each;
            const auto a = fl::pairs_of_nibbles(datums[0]), b = fl::pairs_of_nibbles(datums[pairs - 1]);
            store(each, fl::in_order<4>(fl::bytes_of(a, b)), out);
        }
    }
    // As many leading bytes as there are.
    template <class D, class V>
    static HWY_INLINE void store(D d, V x, std::uint8_t* out) {
        constexpr std::size_t n = hn::MaxLanes(D()), given = hn::MaxLanes(hn::DFromV<V>());
        if constexpr (n == given)
            hn::StoreU(x, d, out);
        else
            store(d, hn::LowerHalf(x), out);
    }
};

// Datums of 32 bits, unchanged.
struct Rows32 {
    static constexpr bool block = false;
    static constexpr unsigned row_bytes = 4 * columns;

    template <class S>
    static HWY_INLINE auto convert(Source in, std::uint8_t* out) {
        const typename S::D d;
        auto magnitudes = hn::Zero(d);
        const hn::CappedTag<std::uint32_t, columns> words;
        const hn::Rebind<std::uint16_t, decltype(words)> halves;
        for (std::size_t i = 0; i < S::datums; i += S::lanes)
            magnitudes = hn::Max(magnitudes, hn::And(hn::LoadU(d, in.high + i), hn::Set(d, 0x7FFF)));
        for (std::size_t i = 0; i < S::datums; i += hn::Lanes(words)) {
            const auto high = hn::ShiftLeft<16>(hn::PromoteTo(words, hn::LoadU(halves, in.high + i)));
            const auto low = hn::PromoteTo(words, fl::stored_lanes(halves, hn::LoadU(halves, in.low + i)));
            hn::StoreU(hn::Or(high, low), words, reinterpret_cast<std::uint32_t*>(out) + i);
        }
        return magnitudes;
    }
    template <class S>
    static HWY_INLINE void note(typename S::V magnitudes, std::uint32_t& largest) {
        note_largest(typename S::D(), magnitudes, fl::wide_field, largest);
    }
};

HWY_INLINE Source rows_of(const state::Dst& dst, unsigned first) {
    return {&dst.datums[first * columns], &dst.datums[DstMap::low_half(first) * columns]};
}

// A group of rows from physical row `first` on; invalid rows are zeros.
struct PartlyValid {
    HWY_ALIGN std::array<std::uint16_t, 2 * group_datums> datums{};

    PartlyValid(unsigned first, const state::Dst& dst) {
        const Source in = rows_of(dst, first);
        for (unsigned i = 0; i < group_rows; ++i) {
            if (!dst.valid[first + i]) continue;
            std::copy_n(in.high + i * columns, columns, datums.data() + i * columns);
            std::copy_n(in.low + i * columns, columns, datums.data() + group_datums + i * columns);
        }
    }
    Source source() const { return {datums.data(), datums.data() + group_datums}; }
};

using FourWords = hn::Full128<std::uint32_t>;

// By the bytes already in a line, a multiple of 4: the shuffle that puts the lower bytes of four words behind them,
// and the mask of those bytes.
struct alignas(16) Append {
    std::uint8_t places[line_words][16];
    std::uint32_t before[line_words][line_words];
};
constexpr Append made_append() {
    Append made{};
    for (unsigned at = 0; at < line_words; ++at) {
        for (unsigned i = 0; i < 16; ++i)
            made.places[at][i] = static_cast<std::uint8_t>(i / 4 == at ? i % 4 * 4 : 0x80);  // none
        for (unsigned w = 0; w < at; ++w) made.before[at][w] = ~0u;
    }
    return made;
}
constexpr Append append = made_append();

// The lower bytes of four words at place `at` of a line, zeros elsewhere.
HWY_INLINE hn::Vec<FourWords> bytes_at(hn::Vec<FourWords> words, unsigned at) {
    const hn::Full128<std::uint8_t> bytes;
    return hn::BitCast(FourWords(),
                       hn::TableLookupBytesOr0(hn::BitCast(bytes, words), hn::Load(bytes, append.places[at])));
}

// Appends four exponents; their number so far fills whole words. Returns the number of lines written.
HWY_INLINE unsigned append_word(const Stream& stream, hn::Vec<FourWords> exponents, const PackerCells& cells,
                                state::L1& l1) {
    const FourWords d;
    const unsigned at = stream.exponents.filled / 4;
    std::uint32_t* const kept = &cells[Packer::exp_0];
    const auto line = hn::Or(hn::And(hn::LoadU(d, kept), hn::Load(d, append.before[at])), bytes_at(exponents, at));
    if (at + 1 < line_words && !stream.flush) {
        hn::StoreU(line, d, kept);
        return 0;
    }
    hn::StoreU(line, d, reinterpret_cast<std::uint32_t*>(l1.write_in_line(stream.exponents.address)));
    return 1;
}

template <class R>
HWY_INLINE void pack_four(Source in, const Stream& stream, state::State& state) {
    using S = Shape<group_rows>;
    std::uint32_t lines = group_rows * R::row_bytes / state::L1::line_bytes;
    const PackerCells cells(stream.packer, state);
    const auto found = R::template convert<S>(in, state.l1.write_lines(stream.data.address, lines));
    if constexpr (R::block) lines += append_word(stream, found, cells, state.l1);
    count_tile(stream, lines, cells);
    R::template note<S>(found, cells[Packer::exp_histogram_max]);
}

template <class R>
HWY_NOINLINE void pack_partly_valid(unsigned first, const Stream& stream, state::State& state) {
    const PartlyValid rows(first, state.dst);
    pack_four<R>(rows.source(), stream, state);
}

template <class R>
void pack_group(const PackWork&, const Stream& stream, state::State& state) {
    const unsigned first = stream.dst_row;
    if (HWY_UNLIKELY(!state.dst.all_valid(first, group_rows))) return pack_partly_valid<R>(first, stream, state);
    pack_four<R>(rows_of(state.dst, first), stream, state);
}

// Several rows; the exponent of each in a byte.
template <class R, unsigned N>
HWY_NOINLINE std::uint32_t convert(Source in, std::uint8_t* out, std::uint32_t& largest) {
    const auto found = R::template convert<Shape<N>>(in, out);
    R::template note<Shape<N>>(found, largest);
    if constexpr (!R::block)
        return 0;
    else if constexpr (N == 1)
        return hn::GetLane(found);
    else
        return hn::GetLane(bytes_at(found, 0));
}

template <class R>
std::uint32_t convert_group(unsigned first, std::uint8_t* out, std::uint32_t& largest, const state::Dst& dst) {
    if (HWY_LIKELY(dst.all_valid(first, group_rows))) return convert<R, group_rows>(rows_of(dst, first), out, largest);
    return convert<R, group_rows>(PartlyValid(first, dst).source(), out, largest);
}

// A row of an incomplete group.
template <class R>
std::uint32_t convert_row(unsigned physical, std::uint8_t* out, std::uint32_t& largest, const state::Dst& dst) {
    static constexpr std::array<std::uint16_t, columns> zeros{};
    const Source in = dst.valid[physical] ? rows_of(dst, physical) : Source{zeros.data(), zeros.data()};
    return convert<R, 1>(in, out, largest);
}

template <class R>
void pack_rows(const PackWork& work, const Stream& stream, state::State& state) {
    std::uint32_t bytes = 0;
    for (unsigned s = 0; s < stream.segments; ++s) bytes += stream.segment[s].count / columns * R::row_bytes;
    std::uint8_t* out = state.l1.write(stream.data.address, bytes);
    Line exponents(stream, stream.exponents, exponent_cells, state);
    const PackerCells cells(stream.packer, state);
    std::uint32_t& largest = cells[Packer::exp_histogram_max];
    for (unsigned s = 0; s < stream.segments; ++s) {
        unsigned row = stream.segment[s].datum / columns;
        for (std::uint32_t left = stream.segment[s].count / columns, n; left; left -= n, row += n) {
            const bool group = left >= group_rows && row % group_rows == 0;
            const unsigned physical = work.map.row(row);
            n = group ? group_rows : 1;
            const std::uint32_t shared = group ? convert_group<R>(physical, out, largest, state.dst)
                                               : convert_row<R>(physical, out, largest, state.dst);
            out += n * R::row_bytes;
            if constexpr (R::block) {
                std::uint8_t each[group_rows];
                std::memcpy(each, &shared, sizeof each);
                exponents.append(each, n);
            }
        }
    }
    if constexpr (R::block) exponents.finish();
    count_tile(stream, exponents.written() + bytes / state::L1::line_bytes, cells);
}

using formats::EarlyLanes;

template <class R>
constexpr DirectLoops loops{pack_group<R>, pack_rows<R>};

template <class Early>
DirectLoops loops_of_words(const formats::Late& late) {
    return late.word_bytes == 2 && !late.block ? loops<Rows<Early>> : DirectLoops{};
}
template <class Early>
DirectLoops loops_16(const formats::Late& late) {
    if (late.word_bytes != 2 || !late.block) return loops_of_words<Early>(late);
    if (late.datum_bits == 8) return loops<BlockRows<Early, 8>>;
    if (late.datum_bits == 4) return loops<BlockRows<Early, 4>>;
    return {};
}

DirectLoops choose(EarlyLanes early, const formats::Late& late) {
    if (!late.same) return {};
    switch (early) {
        case EarlyLanes::same_16:
        case EarlyLanes::high_half: return loops_16<fl::Same16>(late);
        case EarlyLanes::bf16_of_16: return loops_16<fl::Bf16Of16>(late);
        case EarlyLanes::bf16_of_32: return loops_16<fl::Bf16Of32>(late);
        case EarlyLanes::fp16: return loops_of_words<fl::Fp16Flushed>(late);
        case EarlyLanes::fp16_raw: return loops_of_words<fl::Fp16Raw>(late);
        case EarlyLanes::same_32: return late.word_bytes == 4 ? loops<Rows32> : DirectLoops{};
        case EarlyLanes::none: break;
    }
    return {};
}

}  // namespace

}  // namespace tessera::units::packer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tessera::units::packer {

namespace {

using plan::DstMap;
using Stream = PackWork::Stream;

TESSERA_VERSIONS(choose);

}  // namespace

DirectLoops direct_loops(const formats::Early& early, const formats::Late& late) {
    return TESSERA_BEST_VERSION(choose)(early.lanes, late);
}

bool only_converts(const PackWork::Conversion& conversion, const PackWork::Edges& edges) {
    return !conversion.random_early && !conversion.random_block && !conversion.relu && !conversion.exponent_threshold &&
           !conversion.accumulate && conversion.exponents && !edges.masked;
}

namespace {

Stream::Loop direct_loop(const DirectLoops& loops, const Stream& stream) {
    if (stream.source != PackWork::Source::dst || stream.compressed || stream.histogram) return nullptr;
    if (stream.keep != 0xFFFF || stream.padding != PackWork::Padding::none || !stream.segments) return nullptr;
    if (stream.data.filled || stream.grouped || (stream.exponents.filled && !stream.conversion.block)) return nullptr;
    std::uint32_t datums = 0;
    bool neighbours = stream.segment[0].datum % group_datums == 0;
    for (unsigned s = 0; s < stream.segments; ++s) {
        const auto& segment = stream.segment[s];
        if (segment.datum % state::columns || segment.count % state::columns) return nullptr;
        neighbours &= segment.datum == stream.segment[0].datum + datums;
        datums += segment.count;
    }
    const std::uint32_t bytes = datums * stream.conversion.datum_bits / 8;
    if (bytes % state::L1::line_bytes) return nullptr;
    if (stream.conversion.block) {
        // If the two overlapped, the order of their lines would matter.
        const std::uint32_t exponents = stream.exponents.written(datums / Stream::group, stream.flush);
        if (exponents && stream.exponents.address < stream.data.address + bytes &&
            stream.data.address < stream.exponents.address + exponents)
            return nullptr;
        neighbours &= stream.exponents.filled % 4 == 0;
    }
    return neighbours && datums == group_datums ? loops.group : loops.rows;
}

}  // namespace

void choose_direct(const DirectLoops& loops, const DstMap& map, Stream& stream) {
    stream.direct = direct_loop(loops, stream);
    if (stream.direct) stream.dst_row = static_cast<std::uint16_t>(map.row(stream.segment[0].datum / state::columns));
}

}  // namespace tessera::units::packer

#endif  // HWY_ONCE
