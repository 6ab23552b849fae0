// SPDX-License-Identifier: Apache-2.0
#include "units/unpacker/tell.hpp"

#include <fmt/format.h>

#include "formats/datum_size.hpp"

namespace tessera::units::unpacker {

namespace {

constexpr unsigned first_row = 4;  // of unpacker 0's output (spec-notes A14)

std::string context(const Look& look, const Mode& mode) {
    if (!mode.multi_context) return "none: the registers without a context's number";
    return fmt::format("{} of unpacker {}, the sum of number or counter and CfgContextOffset, modulo 8", mode.context,
                       mode.which) +
           (look.thread == mode.adc_thread ? "" : fmt::format("; ContextADC is thread {}", mode.adc_thread));
}

std::string width(unsigned bits) { return bits < 8 ? fmt::format("{} bits", bits) : fmt::format("{} bytes", bits / 8); }

std::string formats_text(const Setup& setup, unsigned which) {
    const std::string_view target = setup.to_dst ? "Dst" : which ? "SrcB" : "SrcA";
    return fmt::format("{} in L1 -> {} in {}", name(setup.in), name(setup.out), target);
}

// What makes the rate the one it is (UNPACR_Regular, Performance).
std::string limit(const Look& look, const Setup& setup, std::uint32_t rate) {
    constexpr std::string_view modes[] = {"x1", "x2", "x4", "mode 3", "no throttle mode"};
    if (setup.compressed) return "a compressed tile is read at x1";
    if (setup.gap >= 3) return fmt::format("{} positions behind each datum: x1", setup.gap);
    if (setup.tilize) return "tilize mode is always x4";
    std::string text(modes[setup.throttle]);
    if (setup.throttle == 4)
        text += ": REG1_ovrd_default_throttle_mode is off, so the format decides";
    else if (setup.gap == 1)
        text += ", of at most x2 with a position behind each datum";
    else
        text += " of REG2_Throttle_mode";
    if (rate < look.costs.unpack.rate(setup.throttle, 16, false))
        text += fmt::format("; datums of {} take less of it", width(setup.datum_bits));
    return text;
}

}  // namespace

void tell_setup(const Look& look, const Mode& mode, const Setup& setup, Recorder& to) {
    to.tell("context", "configuration", fmt::format("bank {}", look.bank()));
    to.tell("context", "context", context(look, mode));
    to.tell("context", "X and Y of", fmt::format("thread {}'s address counters", mode.adc_thread));
    to.tell("context", "Z and W of", fmt::format("thread {}'s address counters", look.thread));
    to.tell("datums", "formats", formats_text(setup, mode.which));
    if (setup.datum_bits) to.tell("datums", "in L1", width(setup.datum_bits) + " each");
    if (setup.fault) return;
    to.tell("datums", "tile",
            fmt::format("X {}, Y {}, Z {}, W {}{}", setup.x_dim, setup.y_dim, setup.z_dim, setup.w_dim,
                        setup.compressed ? ", compressed" : ""));
}

void tell_input(const Mode& mode, const Setup& setup, std::uint64_t tile, const Extent& extent, Recorder& to) {
    const std::uint64_t header = (std::uint64_t{1} + setup.digest_size) * state::L1::line_bytes;
    to.tell("datums", "header", fmt::format("L1 0x{:X}, {} bytes", tile - header, header));
    if (setup.row_start_bytes)
        to.tell("datums", "row starts", fmt::format("L1 0x{:X}, {} bytes", tile, setup.row_start_bytes));
    if (setup.exponent_bytes)
        to.tell("datums", "exponents",
                fmt::format("L1 0x{:X}, {} bytes", tile + setup.row_start_bytes, setup.exponent_bytes));
    if (extent.row_starts > extent.row_starts_read)
        to.tell("datums", "row starts known", "from the unpacker's cache, as a line of L1 that was read before");
    if (setup.compressed)
        to.tell("datums", "first",
                fmt::format("number {} of those that are stored, as its row start says", extent.first));
    else if (mode.row_search)
        to.tell("datums", "first", fmt::format("number {} of the tile, by row search", extent.first));
    else
        to.tell("datums", "first",
                fmt::format("number {} of the tile: ((W * {} + Z) * {} + Y) * {} + X", extent.first, setup.z_dim,
                            setup.y_dim, setup.x_dim));
    to.tell("datums", "count",
            extent.part_of_row ? fmt::format("{} behind {}, with the zeros in between", extent.kept, extent.drop)
                               : fmt::format("{}", extent.count));
}

void tell_speed(const Look& look, const Setup& setup, std::uint32_t out, std::uint64_t bytes, std::uint32_t rate,
                Recorder& to) {
    to.tell("output", "address", fmt::format("0x{:X} in datums: row {} column {}", out, out / 16, out % 16));
    if (setup.to_dst)
        to.tell("output", "row of Dst",
                fmt::format("{}: row - {}, & 0x{:X}", (out / 16 - first_row) & setup.dst_row_mask, first_row,
                            setup.dst_row_mask));
    if (!rate) return;
    to.tell("speed", "rate", fmt::format("{} bytes per cycle", rate));
    to.tell("speed", "limited by", limit(look, setup, rate));
    to.tell("speed", "transfer", fmt::format("{} bytes in {} cycles", bytes, (bytes + rate - 1) / rate));
}

}  // namespace tessera::units::unpacker
