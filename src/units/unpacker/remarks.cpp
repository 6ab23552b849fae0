// SPDX-License-Identifier: Apache-2.0
#include "units/unpacker/remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/datum_size.hpp"

namespace tessera::units::unpacker {

namespace {

constexpr unsigned first_row = 4;  // of unpacker 0's output (spec-notes A14)

std::string context(const StateView& view, const Mode& mode) {
    if (!mode.multi_context) return "none: uses the registers without a context number";
    return fmt::format("{} of unpacker {}, the sum of number or counter and CfgContextOffset, modulo 8", mode.context,
                       mode.which) +
           (view.thread == mode.adc_thread ? "" : fmt::format("; ContextADC is thread {}", mode.adc_thread));
}

std::string width(unsigned bits) { return bits < 8 ? fmt::format("{} bits", bits) : fmt::format("{} bytes", bits / 8); }

std::string formats_text(const Setup& setup, unsigned which) {
    const std::string_view target = setup.to_dst ? "Dst" : which ? "SrcB" : "SrcA";
    return fmt::format("{} in L1 -> {} in {}", name(setup.in), name(setup.out), target);
}

std::string conversion(const Setup& setup) {
    const bool whole = setup.to_dst;
    switch (setup.in) {
        case DataFormat::Float32:
            if (setup.out == DataFormat::Float16_b) return "FP32 truncated to BF16, denormals to zero";
            if (setup.out == DataFormat::Float16) return "FP32 truncated to FP16, too large ones saturated";
            return whole ? "all 32 bits unchanged" : "FP32 truncated to TF32: the lowest 13 bits are dropped";
        case DataFormat::Tf32:
        case DataFormat::Int32: return whole ? "all 32 bits unchanged" : "the lowest 13 bits are dropped";
        case DataFormat::Float16:
        case DataFormat::Float16_b:
        case DataFormat::UInt16: return "all 16 bits, in the target's bit order";
        case DataFormat::Lf8: return setup.fp8_e4m3 ? "FP8 E4M3 to FP16" : "FP8 E5M2 to FP16";
        case DataFormat::Int8:
            return setup.int8_unsigned ? "unsigned integers to the integers of the matrix unit"
                                       : "sign and magnitude to the integers of the matrix unit";
        default: break;
    }
    if (!formats::is_block_format(setup.in)) return "none";
    const bool narrow = setup.in == DataFormat::Bfp8 || setup.in == DataFormat::Bfp4 || setup.in == DataFormat::Bfp2;
    return fmt::format("block floats of {} bits, normalised to {}", setup.datum_bits, narrow ? "FP16" : "BF16");
}

// The limit of the speed (UNPACR_Regular, Performance).
std::string limit(const Throttle& throttle, unsigned which) {
    if (throttle.rule) return std::string(throttle.rule->why);
    if (throttle.by_default)
        return fmt::format("THCON_SEC{}_REG1_ovrd_default_throttle_mode is off, so the format decides: {}", which,
                           name(throttle.asked));
    return fmt::format("{} of THCON_SEC{}_REG2_Throttle_mode", name(throttle.asked), which);
}

// The remaining rate for each speed of the other unpacker; equal neighbours are joined.
std::string beside(const UnpackCost& cost, const plan::Transfer& transfer) {
    const Speed most = *std::max_element(cost.throttle_modes.begin(), cost.throttle_modes.end());
    std::string text;
    for (unsigned other = 0; other <= static_cast<unsigned>(most); ++other) {
        const bool again = other && transfer.beside_it[other] == transfer.beside_it[other - 1];
        text += fmt::format("{}{}",
                            !other  ? ""
                            : again ? ", "
                                    : fmt::format(": {}; ", transfer.beside_it[other - 1]),
                            name(Speed(other)));
    }
    return fmt::format("{}: {} bytes per cycle, for each speed of the other unpacker", text,
                       transfer.beside_it[static_cast<unsigned>(most)]);
}

std::uint32_t cycles(std::uint32_t bytes, std::uint32_t rate) { return (bytes + rate - 1) / rate; }

// Ranges of rows written, such as "0..15 48..63", among `rows` rows from the first on.
std::string rows_written(const plan::Work& work, plan::Storage storage, unsigned first, unsigned rows) {
    plan::Footprint footprint;
    std::visit(
        [&](const auto& w) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(w)>, plan::NoWork>) plan::footprint(w, footprint);
        },
        work);
    std::vector<bool> written(rows + 1);
    for (const auto& access : footprint.accesses)
        if (access.write && access.storage == storage && access.count)
            for (unsigned row = access.first / state::columns;
                 row <= (access.first + access.count - 1) / state::columns; ++row)
                if (row >= first && row < first + rows) written[row - first] = true;
    std::string text;
    for (unsigned row = 0; row < rows; ++row) {
        if (!written[row] || (row && written[row - 1])) continue;
        unsigned last = row;
        while (written[last + 1]) ++last;
        text += fmt::format("{}{}..{}", text.empty() ? "" : " ", row, last);
    }
    return text.empty() ? "none" : text;
}

// The map from a row of the output address to a row of the target (UNPACR_Regular, end of the main loop).
std::string row_map(const StateView& view, const Mode& mode, const Setup& setup) {
    const auto row = view.remark(state::cells::unpacker(mode.which, state::Unpacker::src_row_t0, view.thread));
    if (setup.to_dst)
        return fmt::format("(row - {}) & 0x{:X}{}{}{}", first_row, setup.dst_row_mask,
                           setup.dst_map.wide ? ", high halves and low halves 8 rows apart" : "",
                           setup.dst_map.remap ? ", remapped" : "", setup.dst_map.swizzle ? ", swizzled" : "");
    const std::string transposed = setup.transpose ? ", then columns for the low four bits of rows" : "";
    if (mode.which) return fmt::format("row + SrcRow {}, modulo {}", row, state::SrcBank::rows);
    if (setup.set_row_from_address)
        return fmt::format("row - {}, modulo {}, since SetOvrdWithAddr is on{}", first_row, state::SrcBank::rows,
                           transposed);
    return fmt::format("row - {} + SrcRow {}, modulo {}{}", first_row, row, state::SrcBank::rows, transposed);
}

}  // namespace

void report_setup(const StateView& view, const Mode& mode, const Setup& setup, Recorder& to) {
    to.report("context", "configuration", fmt::format("bank {}", view.bank()));
    to.report("context", "context", context(view, mode));
    to.report("context", "X and Y of", fmt::format("thread {}'s address counters", mode.adc_thread));
    to.report("context", "Z and W of", fmt::format("thread {}'s address counters", view.thread));
    to.report("datums", "formats", formats_text(setup, mode.which));
    if (setup.datum_bits) to.report("datums", "in L1", width(setup.datum_bits) + " each");
    if (setup.fault) return;
    to.report("datums", "conversion", conversion(setup));
    to.report("datums", "tile",
              fmt::format("X {}, Y {}, Z {}, W {}{}", setup.x_dim, setup.y_dim, setup.z_dim, setup.w_dim,
                          setup.compressed ? ", compressed" : ""));
}

void report_input(const Mode& mode, const Setup& setup, std::uint64_t tile, const Extent& extent, Recorder& to) {
    const std::uint64_t header = (std::uint64_t{1} + setup.digest_size) * state::L1::line_bytes;
    to.report("datums", "header", fmt::format("L1 0x{:X}, {} bytes", tile - header, header));
    if (setup.row_start_bytes)
        to.report("datums", "row starts", fmt::format("L1 0x{:X}, {} bytes", tile, setup.row_start_bytes));
    if (setup.exponent_bytes)
        to.report("datums", "exponents",
                  fmt::format("L1 0x{:X}, {} bytes", tile + setup.row_start_bytes, setup.exponent_bytes));
    if (extent.row_starts > extent.row_starts_read)
        to.report("datums", "row starts known", "from the unpacker's cache, which kept this line of L1");
    if (setup.compressed)
        to.report("datums", "first",
                  fmt::format("number {} of the stored datums, from its row start", extent.first));
    else if (mode.row_search)
        to.report("datums", "first", fmt::format("number {} of the tile, by row search", extent.first));
    else
        to.report("datums", "first",
                  fmt::format("number {} of the tile: ((W * {} + Z) * {} + Y) * {} + X", extent.first, setup.z_dim,
                              setup.y_dim, setup.x_dim));
    if (setup.fifo)
        to.report("datums", "circular buffer",
                  fmt::format("addresses beyond L1 0x{:X} wrap back by 0x{:X} bytes; {}", setup.limit, setup.fifo,
                              setup.compressed             ? "the number of zeros decides whether this read wraps"
                              : wraps(setup, tile, extent) ? "this read wraps"
                                                           : "this read does not wrap"));
    to.report("datums", "count",
              extent.part_of_row ? fmt::format("{} after {}, including the zeros between them", extent.kept, extent.drop)
                                 : fmt::format("{}", extent.count));
}

void report_output(const StateView& view, const Mode& mode, const Setup& setup, std::uint32_t out,
                   const plan::Work& work, Recorder& to) {
    to.report("output", "address", fmt::format("0x{:X} in datums: row {} column {}", out, out / 16, out % 16));
    to.report("output", "row map", row_map(view, mode, setup));
    if (setup.to_dst)
        return to.report("output", "rows of Dst", rows_written(work, plan::Storage::dst, 0, state::Dst::rows));
    const auto bank = view.remark(state::cells::unpacker(mode.which, state::Unpacker::next_bank));
    to.report("output", fmt::format("rows of Src{} bank {}", mode.which ? 'B' : 'A', bank),
              rows_written(work, mode.which ? plan::Storage::src_b : plan::Storage::src_a, bank * state::SrcBank::rows,
                           state::SrcBank::rows));
}

void report_speed(const StateView& view, const Mode& mode, const Setup& setup, const plan::Cost& cost,
                  const Extent& extent, Recorder& to) {
    const auto& transfer = cost.transfer;
    if (!transfer.alone) return;
    const std::string other = fmt::format("beside unpacker {}", 1 - mode.which);
    to.report("speed", "wanted", std::string(name(Speed(transfer.speed))));
    to.report("speed", "rate", fmt::format("{} bytes per cycle", transfer.alone));
    to.report("speed", "limited by", limit(setup.throttle, mode.which));
    to.report("speed", "transfer",
              fmt::format("{} bytes in {} cycles", transfer.bytes, cycles(transfer.bytes, transfer.alone)));
    to.report("speed", other, beside(view.costs.unpack, transfer));
    const std::uint16_t slowest = *std::min_element(transfer.beside_it.begin(), transfer.beside_it.end());
    to.report("speed", "at worst",
              slowest == transfer.alone ? "the other unpacker does not slow it down"
                                        : fmt::format("{} cycles, if the other unpacker reads throughout",
                                                      cycles(transfer.bytes, slowest)));
    if (setup.exponents == plan::Exponents::section)
        to.report("speed", "exponents", "their bytes are not counted (assumed)");
    const auto& costs = view.costs.unpack;
    std::string address = fmt::format("{} cycles", costs.address_cycles);
    if (extent.row_starts)
        address += fmt::format(" and {} of {} row starts (assumed)", costs.row_start_cycles * extent.row_starts,
                               extent.row_starts);
    to.report("speed", "address", address + "; meanwhile the thread issues nothing, and no thread issues an UNPACR");
}

}  // namespace tessera::units::unpacker
