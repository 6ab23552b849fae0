// SPDX-License-Identifier: Apache-2.0
// What PACR does to datums.
#include <fmt/format.h>

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

/// The 16 bytes being filled and where they go.
struct Line {
    std::uint8_t bytes[state::L1::line_bytes] = {};
    unsigned filled = 0;
    std::uint32_t address = 0;

    void append(const std::uint8_t* in, unsigned n, state::L1& l1) {
        while (n) {
            const unsigned take = std::min(n, state::L1::line_bytes - filled);
            std::memcpy(bytes + filled, in, take);
            filled += take;
            in += take;
            n -= take;
            if (filled == state::L1::line_bytes) write(l1);
        }
    }
    void write(state::L1& l1) {
        std::memcpy(l1.bytes.data() + address, bytes, sizeof(bytes));
        l1.mark_written(address, sizeof(bytes));
        std::memset(bytes, 0, sizeof(bytes));
        address += sizeof(bytes);
        filled = 0;
    }
};

state::Cell pending(unsigned packer, unsigned word) {
    return state::cells::packer(packer, Packer(static_cast<unsigned>(Packer::data_0) + word));
}

void run_stream(const PackWork& work, const PackWork::Stream& stream, state::State& state) {
    Line line;
    line.address = stream.address;
    line.filled = stream.filled;
    if (stream.filled)
        for (unsigned w = 0; w < 4; ++w) {
            const std::uint32_t word = state[pending(stream.packer, w)];
            std::memcpy(line.bytes + 4 * w, &word, 4);
        }
    for (unsigned s = 0; s < stream.segments; ++s)
        for_each_row(stream.segment[s], [&](unsigned row, unsigned column, unsigned length) {
            std::uint32_t datums[columns];
            std::uint8_t out[columns * 4];
            gather(work.map, state.dst, row, column, length, datums);
            work.convert(datums, out, length);
            line.append(out, length * work.datum_bytes, state.l1);
        });
    if (!line.filled) return;
    if (stream.flush) return line.write(state.l1);
    for (unsigned w = 0; w < 4; ++w) {
        std::uint32_t word;
        std::memcpy(&word, line.bytes + 4 * w, 4);
        state.write(pending(stream.packer, w), word);
    }
}

}  // namespace

void run(const PackWork& work, state::State& state) {
    for (unsigned i = 0; i < work.streams; ++i) run_stream(work, work.stream[i], state);
}

void footprint(const PackWork& work, Footprint& out) {
    for (unsigned i = 0; i < work.streams; ++i) {
        const auto& stream = work.stream[i];
        if (stream.filled)
            for (unsigned w = 0; w < 4; ++w) out.read(pending(stream.packer, w));
        for (unsigned s = 0; s < stream.segments; ++s)
            for_each_row(stream.segment[s], [&](unsigned row, unsigned column, unsigned length) {
                const unsigned physical = work.map.row(row);
                out.read(Storage::dst, physical * columns + column, length);
                if (work.map.wide) out.read(Storage::dst, DstMap::low_half(physical) * columns + column, length);
                out.read(Storage::dst_valid, physical);
            });
        out.write(Storage::l1, stream.address, work.bytes_written(stream));
        if (!stream.flush && (stream.filled + stream.datums() * work.datum_bytes) % 16)
            for (unsigned w = 0; w < 4; ++w) out.write(pending(stream.packer, w));
    }
}

void explain(const PackWork& work, Lines& lines) {
    for (unsigned i = 0; i < work.streams; ++i) {
        const auto& stream = work.stream[i];
        const std::string who = fmt::format("packer {}", stream.packer);
        for (unsigned s = 0; s < stream.segments; ++s)
            lines.emplace_back(
                who + " from",
                fmt::format("Dst row {} column {}, {} datums ({}-bit view)", stream.segment[s].datum / columns,
                            stream.segment[s].datum % columns, stream.segment[s].count, work.map.wide ? 32 : 16));
        lines.emplace_back(who + " to",
                           fmt::format("L1 0x{:X} after {} waiting bytes, {} bytes per datum; {} bytes are written{}",
                                       stream.address, stream.filled, work.datum_bytes, work.bytes_written(stream),
                                       stream.flush ? ", the stream ends" : ""));
    }
}

}  // namespace tessera::plan
