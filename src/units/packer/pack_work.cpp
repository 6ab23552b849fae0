// SPDX-License-Identifier: Apache-2.0
// The work of a PACR. Its footprint and description are in pack_footprint.cpp.
#include <algorithm>
#include <vector>

#include "formats/layouts.hpp"
#include "plan/work.hpp"
#include "units/packer/output.hpp"
#include "units/packer/pack_rows.hpp"

namespace tessera::plan {

namespace {

using state::columns;
using state::Packer;

// Datums of a part of a row; invalid rows read as zero.
void gather(const DstMap& map, const state::Dst& dst, unsigned row, unsigned column, unsigned length,
            std::uint32_t* out) {
    const unsigned physical = map.row(row);
    if (!dst.valid[physical]) {
        std::fill_n(out, length, 0);
        return;
    }
    const std::uint16_t* high = &dst.datums[physical * columns + column];
    if (!map.wide) {
        std::copy_n(high, length, out);
        return;
    }
    const std::uint16_t* low = &dst.datums[DstMap::low_half(physical) * columns + column];
    for (unsigned i = 0; i < length; ++i) out[i] = formats::dst_join(high[i], low[i]);
}

// Replaces the datums of a part of a row that are masked.
void mask_edges(const PackWork& work, const PackWork::Edges& edges, TilePosition& tile, unsigned column,
                unsigned length, std::uint32_t* datums) {
    for (unsigned at = 0; at < length;) {
        const unsigned n = std::min(length - at, columns - tile.x);
        const std::uint32_t mask = work.edge_masks[edges.row_set[tile.z & 0xF]][tile.y & 0xF] >> (column + at);
        for (unsigned i = 0; i < n; ++i) datums[at + i] = mask >> i & 1 ? datums[at + i] : edges.fill;
        tile.advance(n, edges.walk);
        at += n;
    }
}

/// Counts the exponents of one packer's datums (Packers, Exponent histogram).
class Histogram {
public:
    Histogram(const PackWork::Stream& stream, state::State& state) : stream_(stream), state_(state) {
        largest_ = state[max_cell()];
    }
    void update(const std::uint32_t* datums, unsigned n) {
        std::uint32_t exponents[columns];
        stream_.conversion.exponents(datums, exponents, n);
        for (unsigned i = 0; i < n; ++i) largest_ = std::max(largest_, exponents[i]);
        if (!stream_.histogram) return;
        for (unsigned i = 0; i < n; ++i) {
            const state::Cell cell = histogram_cell(stream_.packer, exponents[i]);
            if (state_[cell] != 255) state_.write(cell, state_[cell] + 1);
        }
    }
    void finish() { state_.write(max_cell(), largest_); }

private:
    state::Cell max_cell() const { return state::cells::packer(stream_.packer, Packer::exp_histogram_max); }

    const PackWork::Stream& stream_;
    state::State& state_;
    std::uint32_t largest_;
};

// Keeps the datums, without zeros and bits of neighbours, whose bit of the pattern is set.
unsigned downsample(std::uint32_t& pattern, std::uint32_t* datums, unsigned n) {
    unsigned kept = 0;
    for (unsigned i = 0; i < n; ++i) {
        if (pattern & 1) datums[kept++] = datums[i];
        pattern = (pattern << 15 | pattern >> 1) & 0xFFFF;
    }
    return kept;
}

/// Datums of the intermediate type, from any source.
class Fetch {
public:
    Fetch(const PackWork& work, const PackWork::Stream& stream, state::State& state)
        : work_(work), stream_(stream), state_(state), histogram_(stream, state) {
        if (stream.conversion.random_early) random_ = state[random_cell()];
        if (stream.source != PackWork::Source::l1) return;
        // Everything is read first, since packed data may overwrite the source.
        const auto* first = state.l1.bytes.data() + stream.l1_source;
        from_l1_.assign(first, first + stream.datums() * stream.conversion.source_bytes);
    }
    void operator()(unsigned row, unsigned column, unsigned length, TilePosition& tile, std::uint32_t* out) {
        switch (stream_.source) {
            case PackWork::Source::dst: return from_dst(row, column, length, tile, out);
            case PackWork::Source::zeros: std::fill_n(out, length, 0); return;
            case PackWork::Source::l1:
                stream_.conversion.from_l1(from_l1_.data() + at_, out, length);
                at_ += length * stream_.conversion.source_bytes;
                return;
        }
    }
    void finish() {
        if (stream_.conversion.random_early) state_.write(random_cell(), random_);
        if (counts_exponents(stream_)) histogram_.finish();
    }

private:
    void from_dst(unsigned row, unsigned column, unsigned length, TilePosition& tile, std::uint32_t* out) {
        const auto& conversion = stream_.conversion;
        std::uint32_t datums[columns];
        gather(work_.map, state_.dst, row, column, length, datums);
        if (conversion.random_early)
            conversion.random_early(datums, out, length, conversion.shift, random_);
        else
            conversion.early(datums, out, length, conversion.shift);
        if (stream_.edges.masked) mask_edges(work_, stream_.edges, tile, column, length, out);
        if (conversion.relu) conversion.relu(out, length, conversion.threshold);
        if (conversion.exponents) histogram_.update(out, length);
        if (conversion.exponent_threshold) conversion.exponent_threshold(out, length, conversion.least_exponent);
    }
    state::Cell random_cell() const { return state::cells::packer(stream_.packer, Packer::gasket_random); }

    const PackWork& work_;
    const PackWork::Stream& stream_;
    state::State& state_;
    Histogram histogram_;
    std::uint32_t random_ = 0;
    std::vector<std::uint8_t> from_l1_;
    std::size_t at_ = 0;
};

void run_stream(const PackWork& work, const PackWork::Stream& stream, state::State& state) {
    Fetch fetch(work, stream, state);
    units::packer::Sink sink(stream, state);
    std::uint32_t pattern = stream.keep, packed = 0;
    const auto pad = [&] {
        const unsigned n = (16 - packed % 16) % 16;
        sink.append_zeros(n);
        packed += n;
    };
    for (unsigned s = 0; s < stream.segments; ++s) {
        TilePosition tile = stream.segment[s].tile;
        for_each_row(stream.segment[s], [&](unsigned row, unsigned column, unsigned length) {
            std::uint32_t datums[columns];
            fetch(row, column, length, tile, datums);
            if (stream.keep != 0xFFFF) length = downsample(pattern, datums, length);
            sink.append(datums, length);
            packed += length;
        });
        if (stream.padding == PackWork::Padding::rows) pad();
    }
    if (stream.padding == PackWork::Padding::end) pad();
    fetch.finish();
    sink.finish();
}

}  // namespace

namespace {

[[gnu::noinline]] void run_streams(const PackWork& work, state::State& state) {
    for (unsigned i = 0; i < work.streams; ++i) {
        const auto& stream = work.stream[i];
        (stream.direct ? stream.direct : run_stream)(work, stream, state);
    }
}

}  // namespace

void run(const PackWork& work, state::State& state) {
    // Blackhole has one packer, so no other stream interferes.
    if (work.streams == 1 && work.stream[0].direct) return work.stream[0].direct(work, work.stream[0], state);
    run_streams(work, state);
}

}  // namespace tessera::plan
