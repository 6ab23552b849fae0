// SPDX-License-Identifier: Apache-2.0
#include "units/unpacker/input_place.hpp"

#include "formats/datum_size.hpp"
#include "units/unpacker/input_walk.hpp"
#include "units/unpacker/row_starts.hpp"
#include "units/unpacker/stream_loops.hpp"

namespace tessera::units::unpacker {

namespace {

using registers::Field;
using registers::field;
using registers::fields;
using state::Adc;
using state::AdcUnit;

constexpr auto base_address = fields<2>("THCON_SEC#_REG3_Base_address");
constexpr auto offset_address = fields<2>("THCON_SEC#_REG7_Offset_address");
constexpr std::array<std::array<Field, 3>, 2> context_offset_address = {
    fields<3>("THCON_SEC0_REG7_Offset_cntx#_address", 1), fields<3>("THCON_SEC1_REG7_Offset_cntx#_address", 1)};
constexpr auto blobs_y_start_lo = fields<2>("THCON_SEC#_REG0_TileDescriptor_BlobsYStart_lo");
constexpr auto blobs_y_start_hi = fields<2>("THCON_SEC#_REG0_TileDescriptor_BlobsYStart_hi");
constexpr std::array<Field, 2> context_blobs_y_start = {field("UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start"),
                                                        field("UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start")};

constexpr std::uint32_t blobs_most = 8;
constexpr std::uint32_t row_start_bytes = 2;

/// Counters of the input: X and Y of the chosen thread, Z and W of the issuing one.
struct Counters {
    std::uint32_t x, y, x_end, z, w;
};

Counters counters(const StateView& view, const Mode& mode) {
    const auto unit = mode.which ? AdcUnit::unpacker1 : AdcUnit::unpacker0;
    auto xy = [&](unsigned channel, Adc c) { return view[state::cells::adc(mode.adc_thread, unit, channel, c)]; };
    auto zw = [&](Adc c) { return view.place(state::cells::adc(view.thread, unit, 0, c)) & 0xFF; };  // spec-notes A29
    return {xy(0, Adc::x), xy(0, Adc::y), xy(1, Adc::x), zw(Adc::z), zw(Adc::w)};
}

std::optional<Extent> between(std::uint64_t row, std::uint32_t first, std::uint32_t end, plan::Plan& plan) {
    if (end < first) {
        plan.fail(findings::id("unpack.count-negative"), {end - 1, first});
        return std::nullopt;
    }
    Extent extent;
    extent.first = row + first;
    extent.count = end - first;
    return extent;
}

// Row search among blobs: groups of rows that begin at multiples of 16 datums.
std::optional<Extent> blob(const StateView& view, const Mode& mode, const Setup& setup, const Counters& at,
                           std::uint64_t plane, plan::Plan& plan) {
    const unsigned u = mode.which;
    const std::uint32_t starts = mode.multi_context && u == 0
                                     ? view[context_blobs_y_start[mode.context >> 1 & 1]]
                                     : view[blobs_y_start_hi[u]] << 16 | view[blobs_y_start_lo[u]];
    const auto start = [&](std::uint32_t i) { return (starts >> 4 * i & 15) << 4; };
    const std::uint32_t next = at.x % blobs_most + 1;
    if (next != setup.blobs && next == blobs_most) {
        plan.fail(findings::id("unpack.blob-index"), {next - 1});
        return std::nullopt;
    }
    return between(plane, start(at.y % blobs_most), next == setup.blobs ? setup.x_dim & 0x1F0u : start(next), plan);
}

std::optional<Extent> compressed_extent(const StateView& view, const Mode& mode, const Setup& setup, const Counters& at,
                                        std::uint64_t tile, plan::Plan& plan) {
    Extent extent;
    const std::uint64_t rows = mode.row_search && setup.blobs ? setup.blobs : setup.y_dim;
    const std::uint64_t plane = tile + (std::uint64_t{at.w} * setup.z_dim + at.z) * rows * row_start_bytes;
    RowStartCache cache(view, mode);
    const auto row_start = [&](std::uint32_t i) { return cache.at(plane + std::uint64_t{i} * row_start_bytes, plan); };
    const auto leave = [&] {
        extent.row_starts = cache.used();
        extent.row_starts_from = cache.lines();
        extent.row_starts_read = cache.read();
        cache.keep(plan);
        return extent;
    };
    const auto first = row_start(at.y & 0xFF);
    if (!first) return std::nullopt;
    extent.first = *first;
    if (!mode.row_search && !(at.x == 0 && at.x_end + 1 == setup.x_dim)) {
        if (at.x_end + 1 < at.x) {
            plan.fail(findings::id("unpack.count-negative"), {at.x_end, at.x});
            return std::nullopt;
        }
        extent.part_of_row = true;
        extent.drop = at.x;
        extent.kept = at.x_end + 1 - at.x;
        return leave();
    }
    const auto end = row_start(((mode.row_search ? at.x : at.y) & 0xFF) + 1);
    if (!end) return std::nullopt;
    if (*end < *first) {
        plan.fail(findings::id("unpack.count-negative"), {*end - 1, *first});
        return std::nullopt;
    }
    extent.count = *end - *first;
    return leave();
}

std::int64_t beyond(std::int64_t address, const plan::UnpackStream& in) {
    return address > in.limit ? address - in.fifo : address;
}

plan::UnpackStream begin_stream(const Setup& setup, std::uint64_t tile, const Extent& extent, bool zeros) {
    using plan::UnpackStream;
    constexpr std::int64_t unit = UnpackStream::per_byte;
    UnpackStream in;
    in.convert = setup.convert_pieces;
    in.exponent_source = setup.exponents;
    in.shared_exponent = setup.shared_exponent;
    in.compressed = setup.compressed;
    in.zeros = zeros;
    in.row_starts = extent.row_starts_from;
    in.row_starts_read = extent.row_starts_read;
    in.datum_size = static_cast<std::uint8_t>(setup.datum_bits * unit / 8);
    in.row_datums = setup.row_datums;
    in.limit = static_cast<std::int64_t>(setup.limit) * unit;
    in.fifo = static_cast<std::int64_t>(setup.fifo) * unit;
    if (setup.tilize) in.row_step = setup.row_stride * unit - std::int64_t{in.row_datums} * in.datum_size;

    const auto first = static_cast<std::int64_t>(extent.first);
    const std::int64_t behind_row_starts = static_cast<std::int64_t>(tile + setup.row_start_bytes) * unit;
    const std::int64_t data = behind_row_starts + static_cast<std::int64_t>(setup.exponent_bytes) * unit;
    if (in.exponent_source == plan::Exponents::section) in.exponents = beyond(behind_row_starts + first, in);
    if (!in.compressed) {
        in.datums = beyond(data + first * in.datum_size, in);
        return in;
    }
    const std::int64_t group = data + first / UnpackStream::group *
                                          (std::int64_t{UnpackStream::group} * in.datum_size + UnpackStream::per_line);
    const std::int64_t within = first % UnpackStream::group;
    in.datums = beyond(group + within * in.datum_size, in);
    in.run_lengths =
        beyond(group + std::int64_t{UnpackStream::group} * in.datum_size + within * UnpackStream::per_run_length, in);
    return in;
}

/// Walks a stream before it is read: all of it must lie in L1, and a compressed one shows its length.
class Survey {
public:
    Survey(const StateView& view, const plan::UnpackStream& in, plan::Plan& plan)
        : l1_(view.contents().l1), in_(in), plan_(plan) {}

    /// False if some byte is outside L1.
    bool go(const Extent& extent) {
        std::uint64_t wanted = extent.part_of_row ? std::uint64_t{extent.drop} + extent.kept : ~std::uint64_t{0};
        if (extent.part_of_row && !extent.kept) return true;
        plan::UnpackStream all = in_;
        all.count = extent.part_of_row ? ~std::uint32_t{0} : extent.count;
        plan::InputWalk walk(all);
        for (auto piece = walk.next(); piece.length && widened < wanted; piece = walk.next()) {
            std::uint32_t n = piece.length;
            if (!in_.compressed)
                widened += n;
            else if (!count_widened(piece, wanted, n))
                return false;
            if (!contains(piece.datums, std::int64_t{n} * in_.datum_size)) return false;
            if (in_.exponent_source == plan::Exponents::section && !contains(piece.exponents, 1)) return false;
            datums += n;
        }
        widened = std::min(widened, wanted);
        return true;
    }

    std::uint64_t widened = 0;  ///< datums with their zeros
    std::uint32_t datums = 0;

private:
    static constexpr std::int64_t unit = plan::UnpackStream::per_byte;

    bool contains(std::int64_t from, std::int64_t length) {
        const std::int64_t first = from >= 0 ? from / unit : (from - unit + 1) / unit;
        const std::int64_t bytes = (from + length + unit - 1) / unit - first;
        if (from >= 0 && l1_.contains(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(bytes)))
            return true;
        plan_.fail(findings::id("unpack.l1-address"),
                   {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(bytes),
                    static_cast<std::uint32_t>(l1_.bytes.size())});
        return false;
    }

    // Sets `n` to the number of needed datums of the piece.
    bool count_widened(const plan::InputWalk::Piece& piece, std::uint64_t wanted, std::uint32_t& n) {
        constexpr std::int64_t size = plan::UnpackStream::per_run_length;
        for (std::uint32_t i = 0; i < n; ++i) {
            if (!contains(piece.run_lengths + i * size, size)) return false;
            widened += 1 + (in_.zeros ? 0 : plan::run_length(l1_.bytes.data(), piece.run_lengths, i));
            if (widened >= wanted) n = i + 1;
        }
        return true;
    }

    const state::L1& l1_;
    const plan::UnpackStream& in_;
    plan::Plan& plan_;
};

}  // namespace

std::uint64_t tile_address(const StateView& view, const Mode& mode, const Setup& setup, plan::Plan& plan) {
    const unsigned u = mode.which, context = mode.multi_context ? mode.context : 0;
    const Field& offset = context & 3 ? context_offset_address[u][(context & 3) - 1] : offset_address[u];
    // In a circular buffer, a tile's address decides how it is read.
    const Field& base_of = base_address[u];
    const std::uint64_t base = context
                                   ? (setup.fifo ? view.word(base_of, context) : view.place_of_word(base_of, context))
                                   : (setup.fifo ? view[base_of] : view.place(base_of));
    const std::uint64_t lines = base + (view[offset] & 0xFFFF);
    const std::uint64_t address = (lines + 1 + setup.digest_size) * state::L1::line_bytes;
    const auto kept = static_cast<std::uint32_t>(address);
    if (kept != address) {
        plan.note(findings::id("unpack.base-wraps"), {kept});
        view.word(base_address[u], context);  // the plan has a finding about it and must not be moved
    }
    return kept;
}

std::optional<Extent> extent_of(const StateView& view, const Mode& mode, const Setup& setup, std::uint64_t tile,
                                plan::Plan& plan) {
    const Counters at = counters(view, mode);
    if (setup.compressed) return compressed_extent(view, mode, setup, at, tile, plan);
    const std::uint64_t plane = (std::uint64_t{at.w} * setup.z_dim + at.z) * setup.y_dim;
    if (!mode.row_search) return between((plane + at.y) * setup.x_dim, at.x, at.x_end + 1, plan);
    if (setup.blobs) return blob(view, mode, setup, at, plane * setup.x_dim, plan);
    return between((plane + at.y) * setup.x_dim, 0, at.x_end, plan);
}

bool wraps(const Setup& setup, std::uint64_t tile, const Extent& extent) {
    if (!setup.fifo) return false;
    // Exponents precede their datums.
    const std::uint64_t bits = (tile + setup.exponent_bytes) * 8 + (extent.first + extent.count) * setup.datum_bits;
    return bits > setup.limit * 8;
}

std::optional<PlacedInput> place_input(const StateView& view, const Setup& setup, std::uint64_t tile,
                                       const Extent& extent, plan::Plan& plan) {
    PlacedInput placed;
    auto& input = placed.input;
    input.convert = setup.convert;
    input.count = extent.count;
    input.datum_bits = setup.datum_bits;
    input.exponent_source = setup.exponents;
    input.shared_exponent = setup.shared_exponent;
    // A block begins at a byte; other formats' datums do anyway.
    const bool blocks = setup.exponents != plan::Exponents::none;
    const std::uint64_t phase = blocks ? extent.first % formats::block_datums : 0, origin = extent.first - phase;
    const std::uint64_t address = tile + setup.exponent_bytes + origin * setup.datum_bits / 8;
    const std::uint64_t begin = phase * setup.datum_bits / 8;
    const std::uint64_t end = ((phase + extent.count) * setup.datum_bits + 7) / 8;
    placed.bytes = extent.count ? end - begin : 0;
    if (!placed.bytes) return placed;
    // Exponents precede their datums, so one check covers both.
    if (!view.in_l1(address + begin, placed.bytes)) {
        plan.fail(findings::id("unpack.l1-address"), {static_cast<std::uint32_t>(address + begin),
                                                      static_cast<std::uint32_t>(placed.bytes), view.arch().l1_bytes});
        return std::nullopt;
    }
    input.address = static_cast<std::uint32_t>(address);
    input.phase = static_cast<std::uint8_t>(phase);
    if (setup.exponents == plan::Exponents::section)
        input.exponents = static_cast<std::uint32_t>(tile + origin / formats::block_datums);
    return placed;
}

std::optional<PlacedStream> place_stream(const StateView& view, const Setup& setup, std::uint64_t tile,
                                         const Extent& extent, bool zeros, plan::Plan& plan) {
    PlacedStream placed;
    placed.input = begin_stream(setup, tile, extent, zeros);
    if ((setup.transpose || setup.tilize) && placed.input.datums % plan::UnpackStream::per_line) {
        plan.fail(findings::id("unpack.in-address-misaligned"),
                  {static_cast<std::uint32_t>(placed.input.datums / plan::UnpackStream::per_byte)});
        return std::nullopt;
    }
    Survey survey(view, placed.input, plan);
    if (!survey.go(extent)) return std::nullopt;
    placed.input.count = survey.datums;
    placed.kept = static_cast<std::uint32_t>(survey.widened) - (extent.part_of_row && extent.kept ? extent.drop : 0);
    placed.bytes = (std::uint64_t{survey.datums} * (setup.datum_bits + (setup.compressed ? 4 : 0)) + 7) / 8;
    return placed;
}

}  // namespace tessera::units::unpacker
