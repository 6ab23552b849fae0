// SPDX-License-Identifier: Apache-2.0
// Footprint and description of UNPACR in the modes other than a contiguous copy.
#include <fmt/format.h>

#include <bitset>
#include <vector>

#include "formats/datum_size.hpp"
#include "plan/work.hpp"
#include "state/state.hpp"
#include "units/unpacker/input_walk.hpp"
#include "util/range_text.hpp"

namespace tessera::plan {

namespace {

using Target = UnpackStreamWork::Target;
using state::columns;

constexpr unsigned first_row = 4;  // of unpacker 0: output rows below it are before SrcA (spec-notes A14)

void read_bits(Footprint& out, std::int64_t from, std::int64_t to) {
    const std::int64_t first = from / UnpackStream::per_byte;
    const std::int64_t end = (to + UnpackStream::per_byte - 1) / UnpackStream::per_byte;
    out.read(Storage::l1, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end - first));
}

// Separate rows, datums first, so that adjacent ranges become one access.
void input_footprint(const UnpackStream& in, Footprint& out) {
    for (unsigned i = 0; i < in.row_starts_read; ++i) out.read(Storage::l1, in.row_starts[i], state::L1::line_bytes);
    if (in.zeros) return;
    struct Range {
        std::int64_t from = 0, to = 0;
    };
    const auto walk_all = [&](auto&& range_of) {
        Range known;
        InputWalk walk(in);
        for (auto piece = walk.next(); piece.length; piece = walk.next()) {
            const Range next = range_of(piece);
            if (known.to == next.from || (known.to > next.from && known.from <= next.from)) {
                known.to = std::max(known.to, next.to);
                continue;
            }
            if (known.to) read_bits(out, known.from, known.to);
            known = next;
        }
        if (known.to) read_bits(out, known.from, known.to);
    };
    walk_all([&](const InputWalk::Piece& p) {
        return Range{p.datums, p.datums + std::int64_t{p.length} * in.datum_size};
    });
    if (in.exponent_source == Exponents::section)
        walk_all([&](const InputWalk::Piece& p) {
            const std::int64_t byte = p.exponents / UnpackStream::per_byte * UnpackStream::per_byte;
            return Range{byte, byte + UnpackStream::per_byte};
        });
    if (in.compressed)
        walk_all([&](const InputWalk::Piece& p) {
            return Range{p.run_lengths, p.run_lengths + p.length * UnpackStream::per_run_length};
        });
}

// Calls f(output row, mask of columns) for each piece of a row that is written.
template <class F>
void for_each_output_row(const UnpackStreamWork& work, F&& f) {
    const std::uint32_t timing = work.gap + 1u, total = work.kept * timing;
    for (std::uint32_t at = 0; at < total;) {
        const std::uint32_t address = work.out + at, column = address % columns;
        const std::uint32_t length = std::min(total - at, columns - column);
        unsigned mask = ((1u << length) - 1) << column;
        for (std::uint32_t i = 0; work.gap && !work.fill_gaps && i < length; ++i)
            if ((at + i) % timing) mask &= ~(1u << (column + i));
        if (mask) f(address / columns, static_cast<std::uint16_t>(mask));
        at += length;
    }
}

void write_rows(Footprint& out, Storage storage, const std::vector<std::uint16_t>& touched, std::uint32_t base) {
    for (unsigned row = 0; row < touched.size(); ++row) {
        if (touched[row] == 0xFFFF) {
            out.write(storage, base + row * columns, columns);
            continue;
        }
        for (unsigned column = 0; column < columns; ++column)
            if (touched[row] >> column & 1) out.write(storage, base + row * columns + column);
    }
}

void src_footprint(const UnpackStreamWork& work, Footprint& out) {
    std::vector<std::uint16_t> touched(state::SrcBank::rows);
    const bool a = work.target == Target::src_a;
    for_each_output_row(work, [&](std::uint32_t row, std::uint16_t mask) {
        if (a && row < first_row) return;
        const unsigned to = row - (a ? first_row : 0) + work.src_row;
        const auto shifted = static_cast<std::uint16_t>(mask >> work.column_shift);
        if (!work.transpose) {
            for (unsigned copy = 0; copy < work.copies; ++copy) touched[(to + copy) % state::SrcBank::rows] |= shifted;
            return;
        }
        for (unsigned column = 0; column < columns; ++column)
            if (shifted >> column & 1) touched[(to & 0x30) | column] |= static_cast<std::uint16_t>(1u << to % 16);
    });
    write_rows(out, a ? Storage::src_a : Storage::src_b, touched, work.bank * state::SrcBank::rows * columns);
}

void dst_footprint(const UnpackStreamWork& work, Footprint& out) {
    std::vector<std::uint16_t> touched(state::Dst::rows);
    std::bitset<state::Dst::rows> valid;
    for_each_output_row(work, [&](std::uint32_t row, std::uint16_t mask) {
        const unsigned high = work.map.row((row - first_row) & work.row_mask);
        touched[high] |= mask;
        if (work.map.wide) touched[DstMap::low_half(high)] |= mask;
        valid[high] = true;
    });
    write_rows(out, Storage::dst, touched, 0);
    for (unsigned row = 0; row < state::Dst::rows; ++row)
        if (valid[row]) out.write(Storage::dst_valid, row);
}

std::string place(std::int64_t address) {
    const std::int64_t bit = address % UnpackStream::per_byte / 2;
    return fmt::format("L1 0x{:X}{}", address / UnpackStream::per_byte, bit ? fmt::format(" bit {}", bit) : "");
}

void explain(const UnpackStream& in, Lines& lines) {
    const unsigned bits = in.datum_size / 2;
    lines.emplace_back("from", fmt::format("{}, {} datums of {} {}", place(in.datums), in.count,
                                           bits < 8 ? bits : bits / 8, bits < 8 ? "bits" : "bytes"));
    if (in.zeros) lines.emplace_back("value", "zero for each datum, for any contents of L1");
    if (in.row_step)
        lines.emplace_back(
            "rows", fmt::format("of {} datums, {} bytes apart", in.row_datums,
                                (in.row_step + std::int64_t{in.row_datums} * in.datum_size) / UnpackStream::per_byte));
    if (in.exponent_source == Exponents::section)
        lines.emplace_back("exponents",
                           fmt::format("{}, one per {} datums", place(in.exponents), formats::block_datums));
    if (in.exponent_source == Exponents::forced)
        lines.emplace_back("exponents", fmt::format("{} for all datums, forced", in.shared_exponent));
    for (unsigned i = 0; i < in.row_starts_read; ++i)
        lines.emplace_back("row starts", fmt::format("L1 0x{:X}, a line of eight", in.row_starts[i]));
    if (in.compressed)
        lines.emplace_back("zeros", fmt::format("{}, four bits per datum, after each {} datums", place(in.run_lengths),
                                                UnpackStream::group));
    if (in.fifo)
        lines.emplace_back("wraps", fmt::format("beyond L1 0x{:X}, back by 0x{:X} bytes",
                                                in.limit / UnpackStream::per_byte, in.fifo / UnpackStream::per_byte));
}

}  // namespace

void footprint(const UnpackStreamWork& work, Footprint& out) {
    input_footprint(work.input, out);
    work.target == Target::dst ? dst_footprint(work, out) : src_footprint(work, out);
}

void explain(const UnpackStreamWork& work, Lines& lines) {
    explain(work.input, lines);
    if (work.drop) lines.emplace_back("dropped", fmt::format("the first {} datums", work.drop));
    const std::string_view kind = work.target == Target::src_a ? "SrcA" : work.target == Target::src_b ? "SrcB" : "Dst";
    const std::uint32_t row = work.out / columns;
    const std::uint32_t below = work.target == Target::src_b ? 0 : first_row;
    const std::uint32_t first = work.target == Target::dst ? (row - below) & work.row_mask
                                                           : (row - below + work.src_row) % state::SrcBank::rows;
    if (row < below && work.target == Target::src_a)
        lines.emplace_back(
            "dropped", fmt::format("{} of the output address, before SrcA", util::range_text("rows", row, below - 1)));
    const std::string bank = work.target == Target::dst ? fmt::format(" ({}-bit view)", work.map.wide ? 32 : 16)
                                                        : fmt::format(" bank {}", work.bank);
    lines.emplace_back(
        "to", fmt::format("{}{}, {} datums from row {} column {}", kind, bank, work.kept, first, work.out % columns));
    if (work.gap)
        lines.emplace_back("upsampling", fmt::format("{} {} after each datum", work.gap,
                                                     work.fill_gaps ? "zeros" : "positions left as they are"));
    if (work.column_shift)
        lines.emplace_back("columns", fmt::format("moved by {} to the left, the first {} dropped", work.column_shift,
                                                  work.column_shift));
    if (work.transpose) lines.emplace_back("transposed", "columns and rows of each 16 x 16 block");
    if (work.copies > 1) lines.emplace_back("copies", fmt::format("each row to {} rows", work.copies));
}

}  // namespace tessera::plan
