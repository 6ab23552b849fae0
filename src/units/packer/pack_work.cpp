// SPDX-License-Identifier: Apache-2.0
// What PACR does to datums.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "formats/layouts.hpp"
#include "plan/work.hpp"
#include "state/state.hpp"

namespace tessera::plan {

namespace {

using state::columns;
using state::Packer;

constexpr unsigned dst_datums = state::Dst::rows * columns;

// Calls f(row in Dst's view, first column, length) for each part of a row that a segment has.
template <class F>
void for_each_row(const PackWork::Segment& segment, F&& f) {
    for (unsigned at = 0; at < segment.count;) {
        const unsigned datum = (segment.datum + at) % dst_datums;
        const unsigned length = std::min<unsigned>(segment.count - at, columns - datum % columns);
        f(datum / columns, datum % columns, length);
        at += length;
    }
}

// Datums of a part of a row; rows that are not valid read as zero.
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

// The cells of a line or of a group that is not full.
state::Cell pending(unsigned packer, Packer first, unsigned word) {
    return state::cells::packer(packer, Packer(static_cast<unsigned>(first) + word));
}
constexpr unsigned line_words = 4, group_words = 8;

/// The 16 bytes of an output stream being filled, and where they go.
class Line {
public:
    Line(const PackWork::Output& output, unsigned packer, Packer cells, state::State& state)
        : state_(state), packer_(packer), cells_(cells), address_(output.address), filled_(output.filled) {
        if (!filled_) return;
        for (unsigned w = 0; w < line_words; ++w) {
            const std::uint32_t word = state[pending(packer, cells, w)];
            std::memcpy(bytes_ + 4 * w, &word, 4);
        }
        std::memset(bytes_ + filled_, 0, sizeof(bytes_) - filled_);
    }
    void append(const std::uint8_t* in, unsigned n) {
        while (n) {
            const unsigned take = std::min(n, state::L1::line_bytes - filled_);
            std::memcpy(bytes_ + filled_, in, take);
            filled_ += take;
            in += take;
            n -= take;
            if (filled_ == state::L1::line_bytes) write();
        }
    }
    void finish(bool flush) {
        if (!filled_) return;
        if (flush) return write();
        for (unsigned w = 0; w < line_words; ++w) {
            std::uint32_t word;
            std::memcpy(&word, bytes_ + 4 * w, 4);
            state_.write(pending(packer_, cells_, w), word);
        }
    }

private:
    void write() {
        std::memcpy(state_.l1.bytes.data() + address_, bytes_, sizeof(bytes_));
        state_.l1.mark_written(address_, sizeof(bytes_));
        std::memset(bytes_, 0, sizeof(bytes_));
        address_ += sizeof(bytes_);
        filled_ = 0;
    }

    state::State& state_;
    unsigned packer_;
    Packer cells_;
    std::uint32_t address_;
    unsigned filled_;
    std::uint8_t bytes_[state::L1::line_bytes] = {};
};

/// The datums of a block float that are not 16 yet.
class Group {
public:
    Group(const PackWork::Stream& stream, state::State& state) : stream_(stream), filled_(stream.grouped) {
        for (unsigned i = 0; i < filled_; ++i)
            datums_[i] = static_cast<std::uint16_t>(state[cell(i / 2)] >> i % 2 * 16);
    }
    void append(const std::uint8_t* words, unsigned n, Line& data, Line& exponents) {
        while (n) {
            const unsigned take = std::min(n, size - filled_);
            std::memcpy(datums_ + filled_, words, take * sizeof(std::uint16_t));
            filled_ += take;
            words += take * sizeof(std::uint16_t);
            n -= take;
            if (filled_ == size) assemble(data, exponents);
        }
    }
    void finish(Line& data, Line& exponents, state::State& state) {
        if (!filled_) return;
        if (stream_.flush) return assemble(data, exponents);
        for (unsigned w = 0; w < group_words; ++w)
            state.write(cell(w), datums_[2 * w] | std::uint32_t{datums_[2 * w + 1]} << 16);
    }

private:
    static constexpr unsigned size = PackWork::Stream::group;

    state::Cell cell(unsigned word) const { return pending(stream_.packer, Packer::group_0, word); }
    void assemble(Line& data, Line& exponents) {
        std::uint8_t bytes[size];
        const std::uint8_t exponent = stream_.conversion.block(datums_, bytes);
        exponents.append(&exponent, 1);
        data.append(bytes, (filled_ * stream_.conversion.datum_bits + 7) / 8);
        std::fill_n(datums_, size, std::uint16_t{0});
        filled_ = 0;
    }

    const PackWork::Stream& stream_;
    unsigned filled_;
    std::uint16_t datums_[size] = {};
};

// Replaces the datums of a part of a row that the masks do not let pass.
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

void run_stream(const PackWork& work, const PackWork::Stream& stream, state::State& state) {
    const auto& conversion = stream.conversion;
    Line data(stream.data, stream.packer, Packer::data_0, state);
    Line exponents(stream.exponents, stream.packer, Packer::exp_0, state);
    Group group(stream, state);
    const bool masked = stream.edges.masked && !work.zeros;
    for (unsigned s = 0; s < stream.segments; ++s) {
        TilePosition tile = stream.segment[s].tile;
        for_each_row(stream.segment[s], [&](unsigned row, unsigned column, unsigned length) {
            std::uint32_t datums[columns] = {}, intermediate[columns];
            std::uint8_t words[columns * 4];
            if (!work.zeros) gather(work.map, state.dst, row, column, length, datums);
            conversion.early(datums, intermediate, length, conversion.shift);
            if (masked) mask_edges(work, stream.edges, tile, column, length, intermediate);
            if (conversion.relu) conversion.relu(intermediate, length, conversion.threshold);
            conversion.late(intermediate, words, length);
            if (conversion.block)
                group.append(words, length, data, exponents);
            else
                data.append(words, length * conversion.word_bytes);
        });
    }
    if (conversion.block) group.finish(data, exponents, state);
    exponents.finish(stream.flush);
    data.finish(stream.flush);
}

// Halves and validity one after the other, so that neighbouring rows become one access.
void read_footprint(const DstMap& map, const PackWork::Stream& stream, Footprint& out) {
    const auto for_each = [&](auto&& f) {
        for (unsigned s = 0; s < stream.segments; ++s) for_each_row(stream.segment[s], f);
    };
    for_each([&](unsigned row, unsigned column, unsigned length) {
        out.read(Storage::dst, map.row(row) * columns + column, length);
    });
    if (map.wide)
        for_each([&](unsigned row, unsigned column, unsigned length) {
            out.read(Storage::dst, DstMap::low_half(map.row(row)) * columns + column, length);
        });
    for_each([&](unsigned row, unsigned, unsigned) { out.read(Storage::dst_valid, map.row(row)); });
}

void output_footprint(const PackWork::Output& output, std::uint32_t bytes, bool flush, unsigned packer, Packer cells,
                      Footprint& out) {
    if (output.filled)
        for (unsigned w = 0; w < line_words; ++w) out.read(pending(packer, cells, w));
    out.write(Storage::l1, output.address, output.written(bytes, flush));
    if (output.left(bytes, flush))
        for (unsigned w = 0; w < line_words; ++w) out.write(pending(packer, cells, w));
}

void explain_output(const PackWork::Output& output, std::uint32_t bytes, bool flush, const std::string& who,
                    const std::string& what, Lines& lines) {
    lines.emplace_back(
        who, fmt::format("L1 0x{:X} after {} waiting bytes, {}; {} bytes are written{}", output.address, output.filled,
                         what, output.written(bytes, flush), flush ? ", the stream ends" : ""));
}

}  // namespace

void run(const PackWork& work, state::State& state) {
    for (unsigned i = 0; i < work.streams; ++i) run_stream(work, work.stream[i], state);
}

void footprint(const PackWork& work, Footprint& out) {
    for (unsigned i = 0; i < work.streams; ++i) {
        const auto& stream = work.stream[i];
        if (!work.zeros) read_footprint(work.map, stream, out);
        output_footprint(stream.data, stream.data_bytes(), stream.flush, stream.packer, Packer::data_0, out);
        output_footprint(stream.exponents, stream.exponent_bytes(), stream.flush, stream.packer, Packer::exp_0, out);
        for (unsigned w = 0; w < (stream.grouped + 1u) / 2; ++w) out.read(pending(stream.packer, Packer::group_0, w));
        if (stream.ungrouped())
            for (unsigned w = 0; w < group_words; ++w) out.write(pending(stream.packer, Packer::group_0, w));
    }
}

void explain(const PackWork& work, Lines& lines) {
    for (unsigned i = 0; i < work.streams; ++i) {
        const auto& stream = work.stream[i];
        const std::string who = fmt::format("packer {}", stream.packer);
        if (work.zeros) lines.emplace_back(who + " from", fmt::format("{} zeros", stream.datums()));
        for (unsigned s = 0; s < stream.segments && !work.zeros; ++s)
            lines.emplace_back(
                who + " from",
                fmt::format("Dst row {} column {}, {} datums ({}-bit view)", stream.segment[s].datum / columns,
                            stream.segment[s].datum % columns, stream.segment[s].count, work.map.wide ? 32 : 16));
        if (stream.edges.masked && !work.zeros)
            lines.emplace_back(who + " edges", fmt::format("masked by tile row, from row {} of plane {}",
                                                           stream.segment[0].tile.y, stream.segment[0].tile.z));
        if (stream.conversion.relu)
            lines.emplace_back(who + " ReLU", fmt::format("threshold 0x{:X}", stream.conversion.threshold));
        explain_output(stream.data, stream.data_bytes(), stream.flush, who + " to",
                       fmt::format("{} bits per datum", stream.conversion.datum_bits), lines);
        if (stream.conversion.block)
            explain_output(stream.exponents, stream.exponent_bytes(), stream.flush, who + " exponents to",
                           "a byte for 16 datums", lines);
    }
}

}  // namespace tessera::plan
