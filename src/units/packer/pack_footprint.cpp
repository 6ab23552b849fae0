// SPDX-License-Identifier: Apache-2.0
// Footprint and description of a PACR.
#include <fmt/format.h>

#include "plan/work.hpp"
#include "units/packer/output.hpp"
#include "units/packer/pack_rows.hpp"

namespace tessera::plan {

namespace {

using state::columns;
using state::Packer;
using units::packer::nth;
using units::packer::OutputCells;

void change(Footprint& out, state::Cell first, unsigned count = 1) {
    out.read(Storage::cell, state::index(first), count);
    out.write(Storage::cell, state::index(first), count);
}

// Halves first, then validity, so that adjacent rows become one access.
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

void output_footprint(const PackWork::Stream& stream, const PackWork::Output& output, std::uint32_t bytes,
                      const OutputCells& cells, bool accumulates, Footprint& out) {
    if (output.filled) out.read(Storage::cell, state::index(nth(stream.packer, cells.bytes, 0)), 4);
    const std::uint32_t written = output.written(bytes, stream.flush);
    if (accumulates) out.read(Storage::l1, output.address, written);
    out.write(Storage::l1, output.address, written);
    if (output.left(bytes, stream.flush)) out.write(Storage::cell, state::index(nth(stream.packer, cells.bytes, 0)), 4);
}

void compressed_footprint(const PackWork::Stream& stream, Footprint& out) {
    out.write(Storage::l1, stream.reach_first, stream.reach_end - stream.reach_first);
    out.exact = false;
    for (const OutputCells* cells :
         {&units::packer::row_start_cells, &units::packer::exponent_cells, &units::packer::data_cells}) {
        change(out, nth(stream.packer, cells->address, 0));
        change(out, nth(stream.packer, cells->filled, 0));
        change(out, nth(stream.packer, cells->bytes, 0), units::packer::line_words);
    }
    change(out, nth(stream.packer, Packer::rle_filled, 0));
    change(out, nth(stream.packer, Packer::rle_0, 0), units::packer::counter_words);
    for (const Packer item :
         {Packer::rsi_datums, Packer::row_open, Packer::row_zero, Packer::row_number, Packer::all_zero_flags})
        change(out, nth(stream.packer, item, 0));
    change(out, nth(stream.packer, Packer::group_filled, 0));
    change(out, nth(stream.packer, Packer::group_0, 0), units::packer::group_words);
}

void uncompressed_footprint(const PackWork::Stream& stream, Footprint& out) {
    output_footprint(stream, stream.data, stream.data_bytes(), units::packer::data_cells,
                     stream.conversion.accumulate != nullptr, out);
    output_footprint(stream, stream.exponents, stream.exponent_bytes(), units::packer::exponent_cells, false, out);
    const unsigned group = state::index(nth(stream.packer, Packer::group_0, 0));
    out.read(Storage::cell, group, (stream.grouped + 1u) / 2);
    if (stream.ungrouped()) out.write(Storage::cell, group, units::packer::group_words);
}

void counters_footprint(const PackWork::Stream& stream, Footprint& out) {
    change(out, nth(stream.packer, Packer::tile_size, 0));
    if (stream.last) {
        out.write(nth(stream.packer, Packer::last_tile_size, 0));
        out.write(nth(stream.packer, Packer::last_thread, 0));
        change(out, nth(stream.packer, Packer::acc_tile_size_t0, stream.thread));
    }
    if (stream.conversion.random_early) change(out, nth(stream.packer, Packer::gasket_random, 0));
    if (stream.conversion.random_block) change(out, nth(stream.packer, Packer::packer_random, 0));
    if (!counts_exponents(stream)) return;
    change(out, nth(stream.packer, Packer::exp_histogram_max, 0));
    if (stream.histogram) change(out, histogram_cell(stream.packer, 0), state::cells::exp_histogram_words);
}

void explain_source(const PackWork& work, const PackWork::Stream& stream, const std::string& who, Lines& lines) {
    switch (stream.source) {
        case PackWork::Source::zeros: lines.emplace_back(who, fmt::format("{} zeros", stream.datums())); return;
        case PackWork::Source::l1:
            lines.emplace_back(who, fmt::format("L1 0x{:X}, {} datums of {} bytes", stream.l1_source, stream.datums(),
                                                stream.conversion.source_bytes));
            return;
        case PackWork::Source::dst: break;
    }
    for (unsigned s = 0; s < stream.segments; ++s)
        lines.emplace_back(
            who, fmt::format("Dst row {} column {}, {} datums ({}-bit view)", stream.segment[s].datum / columns,
                             stream.segment[s].datum % columns, stream.segment[s].count, work.map.wide ? 32 : 16));
}

void explain_output(const PackWork::Output& output, std::uint32_t bytes, bool flush, const std::string& who,
                    const std::string& what, Lines& lines) {
    lines.emplace_back(
        who, fmt::format("L1 0x{:X} after {} waiting bytes, {}; {} bytes are written{}", output.address, output.filled,
                         what, output.written(bytes, flush), flush ? ", the stream ends" : ""));
}

void explain_stages(const PackWork::Stream& stream, const std::string& who, Lines& lines) {
    const auto& conversion = stream.conversion;
    if (stream.source == PackWork::Source::dst) {
        if (stream.edges.masked && stream.segments)
            lines.emplace_back(who + " edges", fmt::format("masked by tile row, from row {} of plane {}",
                                                           stream.segment[0].tile.y, stream.segment[0].tile.z));
        if (conversion.relu) lines.emplace_back(who + " ReLU", fmt::format("threshold 0x{:X}", conversion.threshold));
        if (conversion.exponent_threshold)
            lines.emplace_back(who + " exponents", fmt::format("below {} become 0", conversion.least_exponent));
        if (stream.histogram) lines.emplace_back(who + " histogram", "counts exponents");
    }
    if (stream.keep != 0xFFFF)
        lines.emplace_back(who + " downsampling", fmt::format("keeps 0x{:04X} of each 16 datums", stream.keep));
    if (stream.padding != PackWork::Padding::none)
        lines.emplace_back(who + " padding", fmt::format("zeros, {} datums in all", stream.packed()));
    if (conversion.random_early || conversion.random_block) lines.emplace_back(who + " rounding", "stochastic");
}

}  // namespace

void footprint(const PackWork& work, Footprint& out) {
    for (unsigned i = 0; i < work.streams; ++i) {
        const auto& stream = work.stream[i];
        out.part = static_cast<std::uint8_t>(i);
        if (stream.source == PackWork::Source::dst) read_footprint(work.map, stream, out);
        if (stream.source == PackWork::Source::l1)
            out.read(Storage::l1, stream.l1_source, stream.datums() * stream.conversion.source_bytes);
        if (stream.compressed)
            compressed_footprint(stream, out);
        else
            uncompressed_footprint(stream, out);
        counters_footprint(stream, out);
    }
}

void explain(const PackWork& work, Lines& lines) {
    for (unsigned i = 0; i < work.streams; ++i) {
        const auto& stream = work.stream[i];
        const std::string who = fmt::format("packer {}", stream.packer);
        explain_source(work, stream, who + " from", lines);
        explain_stages(stream, who, lines);
        if (stream.compressed) {
            lines.emplace_back(
                who + " to",
                fmt::format("L1 0x{:X} to 0x{:X} at most, compressed, {} bits per datum{}", stream.reach_first,
                            stream.reach_end, stream.conversion.datum_bits, stream.flush ? ", the stream ends" : ""));
            continue;
        }
        explain_output(stream.data, stream.data_bytes(), stream.flush, who + " to",
                       fmt::format("{} bits per datum{}", stream.conversion.datum_bits,
                                   stream.conversion.accumulate ? ", added to what is there" : ""),
                       lines);
        if (stream.conversion.block)
            explain_output(stream.exponents, stream.exponent_bytes(), stream.flush, who + " exponents to",
                           "a byte for 16 datums", lines);
    }
}

}  // namespace tessera::plan
