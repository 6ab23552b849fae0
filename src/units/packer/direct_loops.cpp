// SPDX-License-Identifier: Apache-2.0
#include "units/packer/direct_loops.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "units/packer/output.hpp"

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

// So many rows in vectors, some of which are worked on together.
template <unsigned Rows>
struct Shape {
    using D = hn::CappedTag<std::uint16_t, Rows == group_rows ? 2 * columns : columns>;
    using V = hn::Vec<D>;
    static constexpr std::size_t lanes = hn::MaxLanes(D());
    static constexpr std::size_t parts = Rows == 1 && lanes == columns ? 1 : 2;
    static constexpr std::size_t step = lanes * parts;
    static constexpr std::size_t datums = Rows * columns;
};

// What is made of magnitudes and signs: words of 16 bits.
template <class Early>
struct Words {
    static constexpr unsigned row_bytes = 2 * columns;
    template <class S, class D, class V>
    static HWY_INLINE void put(D d, const V (&x)[S::parts], const V (&signs)[S::parts], std::uint8_t* out, unsigned,
                               std::uint32_t&) {
        HWY_UNROLL(2)
        for (std::size_t p = 0; p < S::parts; ++p)
            hn::StoreU(fl::with_sign<Early>(d, x[p], signs[p]), d,
                       reinterpret_cast<std::uint16_t*>(out) + p * S::lanes);
    }
};

// Block floats, and the exponent of row i in byte i of `exponents`.
template <class Early, unsigned Bits>
struct Blocks {
    static constexpr unsigned row_bytes = Bits * columns / 8;
    template <class S, class D, class V>
    static HWY_INLINE void put(D d, const V (&x)[S::parts], const V (&signs)[S::parts], std::uint8_t* out, unsigned row,
                               std::uint32_t& exponents) {
        V exponent[S::parts], shared[S::parts];
        HWY_UNROLL(2)
        for (std::size_t p = 0; p < S::parts; ++p) exponent[p] = hn::ShiftRight<7>(x[p]);
        fl::share_exponents(d, exponent, shared);
        HWY_UNROLL(2)
        for (std::size_t p = 0; p < S::parts; ++p)
            store<D>(fl::assemble<Bits, Early::flushes>(d, x[p], exponent[p], shared[p], signs[p]),
                     out + p * S::lanes * Bits / 8);
        exponents |= exponents_of_rows<D>(shared) << 8 * row;
    }

private:
    // A byte for each row, all of whose lanes are the same.
    template <class D, class V, std::size_t N>
    static HWY_INLINE std::uint32_t exponents_of_rows(const V (&shared)[N]) {
        constexpr std::size_t lanes = hn::MaxLanes(D());
        if constexpr (N == 2 && lanes == 2 * columns) {
            const hn::Half<D> row;
            const auto even = hn::OddEven(hn::BitCast(hn::Repartition<std::uint32_t, D>(), shared[1]),
                                          hn::BitCast(hn::Repartition<std::uint32_t, D>(), shared[0]));
            const auto both = hn::BitCast(D(), even);
            const auto bytes = hn::Or(hn::LowerHalf(row, both), hn::ShiftLeft<8>(hn::UpperHalf(row, both)));
            const auto words = hn::GetLane(hn::BitCast(hn::Repartition<std::uint64_t, decltype(row)>(), bytes));
            return static_cast<std::uint32_t>((words & 0xFFFF) | (words >> 16 & 0xFFFF0000));
        }
        std::uint32_t exponents = 0;
        for (std::size_t p = 0; p < N; p += std::max<std::size_t>(1, columns / lanes))
            exponents |= std::uint32_t{hn::GetLane(shared[p])} << 8 * (p * lanes / columns);
        return exponents;
    }

    template <class D, class V>
    static HWY_INLINE void store(V x, std::uint8_t* out) {
        if constexpr (Bits == 8) {
            const hn::Rebind<std::uint8_t, D> bytes;
            hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(hn::RebindToSigned<D>(), x)), bytes, out);
        } else {
            const hn::Repartition<std::uint32_t, D> pairs;
            const hn::Rebind<std::uint8_t, decltype(pairs)> bytes;
            const auto pair = hn::BitCast(pairs, x);
            hn::StoreU(hn::TruncateTo(bytes, hn::Or(pair, hn::ShiftRight<12>(pair))), bytes, out);
        }
    }
};

template <class Early, class Out>
struct Rows {
    static constexpr bool wide = Early::reads_low;
    static constexpr fl::ExponentField field = Early::field;
    static constexpr bool block = Out::row_bytes < 2 * columns;
    static constexpr unsigned row_bytes = Out::row_bytes;

    template <class S>
    static HWY_INLINE void convert(Source in, std::uint8_t* out, std::uint32_t& exponents, typename S::V& largest) {
        const typename S::D d;
        for (std::size_t i = 0; i < S::datums; i += S::step) {
            typename S::V x[S::parts], high[S::parts];
            HWY_UNROLL(2)
            for (std::size_t p = 0; p < S::parts; ++p) {
                const std::size_t at = i + p * S::lanes;
                high[p] = hn::LoadU(d, in.high + at);
                x[p] = Early::magnitude(d, high[p], wide ? hn::LoadU(d, in.low + at) : high[p]);
                largest = hn::Max(largest, x[p]);
            }
            const auto row = static_cast<unsigned>(i / columns);
            Out::template put<S>(d, x, high, out + row * row_bytes, row, exponents);
        }
    }
};

// Datums of 32 bits as they are.
struct Rows32 {
    static constexpr fl::ExponentField field = fl::wide_field;
    static constexpr bool block = false;
    static constexpr unsigned row_bytes = 4 * columns;

    template <class S>
    static HWY_INLINE void convert(Source in, std::uint8_t* out, std::uint32_t&, typename S::V& largest) {
        const typename S::D d;
        const hn::CappedTag<std::uint32_t, columns> words;
        const hn::Rebind<std::uint16_t, decltype(words)> halves;
        for (std::size_t i = 0; i < S::datums; i += S::lanes)
            largest = hn::Max(largest, hn::And(hn::LoadU(d, in.high + i), hn::Set(d, 0x7FFF)));
        for (std::size_t i = 0; i < S::datums; i += hn::Lanes(words)) {
            const auto high = hn::ShiftLeft<16>(hn::PromoteTo(words, hn::LoadU(halves, in.high + i)));
            const auto low = hn::PromoteTo(words, fl::stored_lanes(halves, hn::LoadU(halves, in.low + i)));
            hn::StoreU(hn::Or(high, low), words, reinterpret_cast<std::uint32_t*>(out) + i);
        }
    }
};

constexpr state::Cell largest_cell(unsigned packer) { return nth(packer, Packer::exp_histogram_max, 0); }

// Whether an exponent is larger than all before, the largest of which is
// `known`.
template <class D, class V>
HWY_INLINE bool is_larger(D, V largest, fl::ExponentField field, std::uint32_t known) {
    if (HWY_UNLIKELY(known >= field.mask)) return false;
    const hn::RebindToSigned<D> integers;
    const auto limit = static_cast<std::int16_t>(((known + 1) << field.low) - 1);
    return !hn::AllFalse(integers, hn::Gt(hn::BitCast(integers, largest), hn::Set(integers, limit)));
}

// Once more, and keeps the largest exponent.
template <class R, unsigned N>
HWY_NOINLINE std::uint32_t convert_and_keep(Source in, std::uint8_t* out, unsigned packer, state::State& state) {
    using S = Shape<N>;
    const typename S::D d;
    auto largest = hn::Zero(d);
    std::uint32_t exponents = 0;
    R::template convert<S>(in, out, exponents, largest);
    std::array<std::uint16_t, S::lanes> lanes;
    hn::StoreU(largest, d, lanes.data());
    const std::uint32_t highest = *std::max_element(lanes.begin(), lanes.end());
    state.write(largest_cell(packer), highest >> R::field.low);
    return exponents;
}

template <class R, unsigned N>
HWY_INLINE std::uint32_t convert(Source in, std::uint8_t* out, unsigned packer, state::State& state) {
    using S = Shape<N>;
    const typename S::D d;
    auto largest = hn::Zero(d);
    std::uint32_t exponents = 0;
    R::template convert<S>(in, out, exponents, largest);
    // Seldom; there is nothing to be kept for it meanwhile.
    if (HWY_UNLIKELY(is_larger(d, largest, R::field, state[largest_cell(packer)])))
        return convert_and_keep<R, N>(in, out, packer, state);
    return exponents;
}

HWY_INLINE Source rows_of(const state::Dst& dst, unsigned first) {
    return {&dst.datums[first * columns], &dst.datums[DstMap::low_half(first) * columns]};
}

// Four rows of a group, from physical row `first` on; those that are not valid
// as zeros.
template <class R>
HWY_NOINLINE std::uint32_t convert_partly_valid(unsigned first, std::uint8_t* out, unsigned packer,
                                                state::State& state) {
    HWY_ALIGN std::array<std::uint16_t, 2 * group_datums> copy{};
    const Source in = rows_of(state.dst, first);
    for (unsigned i = 0; i < group_rows; ++i) {
        if (!state.dst.valid[first + i]) continue;
        std::copy_n(in.high + i * columns, columns, copy.data() + i * columns);
        std::copy_n(in.low + i * columns, columns, copy.data() + group_datums + i * columns);
    }
    return convert<R, group_rows>({copy.data(), copy.data() + group_datums}, out, packer, state);
}

template <class R>
HWY_INLINE std::uint32_t convert_group(unsigned first, std::uint8_t* out, unsigned packer, state::State& state) {
    if (HWY_UNLIKELY(!state.dst.all_valid(first, group_rows)))
        return convert_partly_valid<R>(first, out, packer, state);
    return convert<R, group_rows>(rows_of(state.dst, first), out, packer, state);
}

// A row of a group that is not whole.
template <class R>
HWY_NOINLINE std::uint32_t convert_row(unsigned physical, std::uint8_t* out, unsigned packer, state::State& state) {
    constexpr std::array<std::uint16_t, columns> zeros{};
    const Source in = state.dst.valid[physical] ? rows_of(state.dst, physical) : Source{zeros.data(), zeros.data()};
    return convert<R, 1>(in, out, packer, state);
}

// Four exponents behind as many as fill words; lines written.
HWY_INLINE unsigned append_word(const Stream& stream, std::uint32_t exponents, const PackerCells& cells,
                                state::L1& l1) {
    const unsigned filled = stream.exponents.filled / 4;
    std::uint32_t* const kept = &cells[Packer::exp_0];
    if (filled + 1 < line_words && !stream.flush) {
        kept[filled] = exponents;
        for (unsigned w = filled + 1; w < line_words; ++w) kept[w] = 0;
        return 0;
    }
    std::uint32_t line[line_words] = {kept[0], kept[1], kept[2]};
    for (unsigned w = filled + 1; w < line_words; ++w) line[w] = 0;
    line[filled] = exponents;
    std::memcpy(l1.write_in_line(stream.exponents.address), line, sizeof line);
    return 1;
}

template <class R>
void pack_group(const PackWork&, const Stream& stream, state::State& state) {
    constexpr std::uint32_t bytes = group_rows * R::row_bytes;
    std::uint32_t lines = bytes / state::L1::line_bytes;
    std::uint8_t* const out = state.l1.write_lines(stream.data.address, lines);
    const PackerCells cells(stream.packer, state);
    const std::uint32_t exponents = convert_group<R>(stream.dst_row, out, stream.packer, state);
    if constexpr (R::block) lines += append_word(stream, exponents, cells, state.l1);
    count_tile(stream, lines, cells);
}

template <class R>
void pack_rows(const PackWork& work, const Stream& stream, state::State& state) {
    std::uint32_t bytes = 0;
    for (unsigned s = 0; s < stream.segments; ++s) bytes += stream.segment[s].count / columns * R::row_bytes;
    std::uint8_t* out = state.l1.write(stream.data.address, bytes);
    Line exponents(stream, stream.exponents, exponent_cells, state);
    for (unsigned s = 0; s < stream.segments; ++s) {
        unsigned row = stream.segment[s].datum / columns;
        for (std::uint32_t left = stream.segment[s].count / columns, n; left; left -= n, row += n) {
            const bool group = left >= group_rows && row % group_rows == 0;
            const unsigned physical = work.map.row(row);
            n = group ? group_rows : 1;
            const std::uint32_t shared = group ? convert_group<R>(physical, out, stream.packer, state)
                                               : convert_row<R>(physical, out, stream.packer, state);
            out += n * R::row_bytes;
            if constexpr (R::block) {
                std::uint8_t each[group_rows];
                std::memcpy(each, &shared, sizeof each);
                exponents.append(each, n);
            }
        }
    }
    if constexpr (R::block) exponents.finish();
    count_tile(stream, exponents.written() + bytes / state::L1::line_bytes, PackerCells(stream.packer, state));
}

using formats::EarlyLanes;

template <class R>
constexpr DirectLoops loops{pack_group<R>, pack_rows<R>};

template <class Early>
DirectLoops loops_16(const formats::Late& late) {
    if (late.word_bytes != 2) return {};
    if (!late.block) return loops<Rows<Early, Words<Early>>>;
    if (late.datum_bits == 8) return loops<Rows<Early, Blocks<Early, 8>>>;
    if (late.datum_bits == 4) return loops<Rows<Early, Blocks<Early, 4>>>;
    return {};
}

DirectLoops choose(EarlyLanes early, const formats::Late& late) {
    if (!late.same) return {};
    switch (early) {
        case EarlyLanes::same_16:
        case EarlyLanes::high_half: return loops_16<fl::Same16>(late);
        case EarlyLanes::bf16_of_16: return loops_16<fl::Bf16Of16>(late);
        case EarlyLanes::bf16_of_32: return loops_16<fl::Bf16Of32>(late);
        case EarlyLanes::fp16: return late.block ? DirectLoops{} : loops_16<fl::Fp16Flushed>(late);
        case EarlyLanes::fp16_raw: return late.block ? DirectLoops{} : loops_16<fl::Fp16Raw>(late);
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

HWY_EXPORT(choose);

}  // namespace

DirectLoops direct_loops(const formats::Early& early, const formats::Late& late) {
    return HWY_DYNAMIC_DISPATCH(choose)(early.lanes, late);
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
        // Were they to overlap, the order of their lines would count.
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
