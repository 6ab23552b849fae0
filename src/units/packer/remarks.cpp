// SPDX-License-Identifier: Apache-2.0
#include "units/packer/remarks.hpp"

#include <fmt/format.h>

#include <bit>

#include "formats/pack_stages.hpp"
#include "units/packer/output.hpp"
#include "units/packer/pack_rows.hpp"

namespace tessera::units::packer {

namespace {

using formats::PackType;
using plan::PackWork;

constexpr std::string_view configurations[] = {"THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1",
                                               "THCON_SEC1_REG8"};

std::string_view type_name(PackType type) {
    constexpr std::string_view names[] = {"FP32",          "TF32",  "TF32, read as FP16 by the late conversion",
                                          "BF16",          "FP16",  "E5M7",
                                          "FP8 (E5M2)",    "INT32", "INT16",
                                          "8-bit integers"};
    return names[static_cast<unsigned>(type)];
}

std::string early_text(const formats::EarlyConversion& how, const std::optional<formats::Early>& early) {
    if (!early) return "none: hardware has no such conversion";
    std::string text(type_name(early->type));
    if (how.intermediate == DataFormat::Bfp8_b && !how.raw) text += " with six bits of mantissa";
    if (how.intermediate == DataFormat::Bfp8 && !how.raw) text += " with six bits of mantissa";
    if (how.raw && !how.narrows_to_fp16()) text += ", bits unchanged";
    if (how.round_10b) text += ", Round_10b_mant";
    if (how.is_unsigned) text += ", unsigned";
    return text;
}

std::string late_text(const PackWork::Conversion& conversion, DataFormat to) {
    std::string text = fmt::format("{} in L1, {} bits per datum", name(to), conversion.datum_bits);
    if (conversion.block) text += ", plus an exponent byte per 16 datums";
    if (conversion.accumulate) text += ", added to the value in L1";
    return text;
}

/// All lines of one packer, under topics such as "packer 2 data".
class Packers {
public:
    Packers(unsigned packer, Recorder& to) : who_(fmt::format("packer {}", packer)), to_(to) {}
    void operator()(std::string_view topic, std::string_view what, std::string text) {
        to_.report(topic, who_ + (what.empty() ? "" : " ") + std::string(what), std::move(text));
    }

private:
    std::string who_;
    Recorder& to_;
};

void report_stages(const Setup& setup, const PackerSetup& packer, Packers& report) {
    const auto& conversion = packer.conversion;
    if (packer.edges.masked)
        report("formats", "edge masks", fmt::format("masked datums become 0x{:X}", packer.edges.fill));
    if (conversion.relu) report("formats", "ReLU", fmt::format("threshold 0x{:X}", conversion.threshold));
    if (conversion.exponent_threshold)
        report("formats", "exponent threshold",
               fmt::format("datums with an exponent below {} become 0", conversion.least_exponent));
    if (conversion.shift || setup.shift_by_z)
        report("formats", "shift",
               setup.shift_by_z ? "by INT_DESCALE_VALUES, selected by Z" : fmt::format("{}", conversion.shift));
    if (packer.keep != 0xFFFF)
        report("formats", "downsampling", fmt::format("keeps the datums of mask 0x{:04X} in each 16", packer.keep));
}

void report_source(const StateView& view, const Setup& setup, const PackWork::Stream& stream, std::uint32_t interfaces,
                   Packers& report) {
    if (stream.source == PackWork::Source::zeros)
        return report("datums", "from", fmt::format("{} zeros", stream.datums()));
    if (stream.source == PackWork::Source::l1)
        return report("datums", "from", fmt::format("L1 0x{:X}, {} datums", stream.l1_source, stream.datums()));
    for (unsigned s = 0; s < stream.segments; ++s) {
        const int which = std::countr_zero(interfaces);
        interfaces &= interfaces - 1;
        const auto& segment = stream.segment[s];
        const unsigned row = segment.datum / state::columns, physical = setup.map.row(row);
        std::string where =
            fmt::format("Dst row {} column {}, {} datums", row, segment.datum % state::columns, segment.count);
        if (physical != row) where += fmt::format("; physical row {}", physical);
        if (setup.map.wide) where += fmt::format(", low halves in row {}", plan::DstMap::low_half(physical));
        report("datums", view.blackhole() ? fmt::format("interface {}", which) : "from", std::move(where));
    }
}

// Each packed row of a face, with the mask for its tile position.
void report_masks(const Setup& setup, const PackWork::Stream& stream, Packers& report) {
    if (stream.source != PackWork::Source::dst || !stream.edges.masked) return;
    for (unsigned s = 0; s < stream.segments; ++s) {
        plan::TilePosition tile = stream.segment[s].tile;
        std::uint32_t left = stream.segment[s].count;
        for (unsigned lines = 0; left && lines < 32; ++lines) {
            const unsigned set = stream.edges.row_set[tile.z & 0xF];
            const std::uint32_t n = std::min<std::uint32_t>(left, state::columns - tile.x);
            report("edge masks", "",
                   fmt::format("row {} of plane {}: 0x{:04X} of TILE_ROW_SET_MAPPING_{}", tile.y, tile.z,
                               setup.edge_masks[set][tile.y & 0xF], set));
            tile.advance(n, stream.edges.walk);
            left -= n;
        }
    }
}

void report_output(const PackWork::Output& output, std::uint32_t bytes, bool ends, std::string_view what,
                   Packers& report) {
    const std::uint32_t written = output.written(bytes, ends);
    std::string text = fmt::format("L1 0x{:X}", output.address);
    if (output.filled) text += fmt::format(", after {} bytes that are held until the line is full", output.filled);
    text += fmt::format(": {} bytes added, {} written", bytes, written);
    if (ends)
        text += "; the stream ends";
    else
        text += fmt::format("; afterwards at 0x{:X}, {} held", output.address + written, output.left(bytes, false));
    report("stream", what, std::move(text));
}

}  // namespace

void report_setup(const StateView& view, const Setup& setup, unsigned packer, unsigned context, unsigned adc_thread,
                  Recorder& to) {
    const PackerSetup& p = setup.packers[packer];
    Packers report(packer, to);
    report("context", "configuration",
           fmt::format("bank {}, {}", view.bank(), configurations[view.blackhole() ? context : packer]));
    report("context", "counters", fmt::format("thread {}'s address counters", adc_thread));
    const auto how = early_conversion(view, packer, context);
    if (p.from_l1) {
        const auto from = formats::pack_from_l1(how.late_from, how.intermediate);
        report("formats", "from L1",
               from ? std::string(type_name(from->type)) : "none: hardware cannot read such datums from L1");
    } else {
        report("formats", "Dst",
               fmt::format("{}-bit view, intermediate format {}", how.read_32b ? 32 : 16, name(how.intermediate)));
        report("formats", "early", early_text(how, formats::pack_early(how)));
    }
    if (p.fault) return report("formats", "late", fmt::format("{} -> {}", name(how.late_from), name(how.late_to)));
    report_stages(setup, p, report);
    report("formats", "late", late_text(p.conversion, how.late_to));
}

void report_streams(const StateView& view, const Setup& setup, const PackWork::Stream& stream, std::uint32_t interfaces,
                    std::uint32_t start, Recorder& to) {
    const PackerSetup& p = setup.packers[stream.packer];
    Packers report(stream.packer, to);
    report_source(view, setup, stream, interfaces, report);
    report_masks(setup, stream, report);
    const bool begins = view[nth(stream.packer, data_cells.needs_address, 0)];
    std::uint64_t at = std::uint64_t{start} * state::L1::line_bytes;
    const std::string_view used = begins ? "" : ", used from the next stream on";
    const auto section = [&](std::string_view name, std::uint32_t units) {
        report("addresses", name, fmt::format("L1 0x{:X}, {} bytes{}", at, units * state::L1::line_bytes, used));
        at += std::uint64_t{units} * state::L1::line_bytes;
    };
    if (p.header_room)
        report("addresses", "header",
               fmt::format("L1 0x{:X}, {} bytes that PACR does not write", at - state::L1::line_bytes,
                           state::L1::line_bytes));
    if (p.compress) section("row starts", p.row_start_section);
    if (p.has_exponent_section) section("exponents", p.exponent_section);
    report("addresses", "data", fmt::format("L1 0x{:X}{}", at, used));
    report("stream", "", begins ? "begins" : "continues the stream of earlier PACRs");
    if (stream.compressed) {
        report("stream", "compressed",
               fmt::format("between L1 0x{:X} and 0x{:X} for any number of zeros{}", stream.reach_first,
                           stream.reach_end, stream.flush ? "; the stream ends" : ""));
        return;
    }
    if (stream.conversion.block) {
        report_output(stream.exponents, stream.exponent_bytes(), stream.flush, "exponents", report);
        if (stream.grouped || stream.ungrouped())
            report("stream", "group",
                   fmt::format("{} datums of an incomplete group of 16 held before, {} after", stream.grouped,
                               stream.ungrouped()));
    }
    report_output(stream.data, stream.data_bytes(), stream.flush, "data", report);
}

void report_speed(const StateView& view, const PackTransfer& transfer, unsigned packer, Recorder& to) {
    if (view.costs.completes_at_issue) return;
    const auto& cost = view.costs.pack;
    const auto speed = cost.speed(transfer);
    const Source& source = cost.source_of(speed.limit);
    constexpr std::string_view limits[] = {"nothing: one PACR per cycle", "reads of Dst", "reads of L1", "writes to L1",
                                           "the adder before L1"};
    Packers report(packer, to);
    report("speed", "transfer",
           fmt::format("{} datums, {} lines of 16 bytes in {}{} cycles", transfer.datums, transfer.lines, speed.cycles,
                       speed.half ? ".5" : ""));
    report("speed", "rate",
           transfer.accumulates ? fmt::format("{} lines in {} cycles", cost.lines_per_cycle * cost.accumulate_lines,
                                              cost.accumulate_cycles)
                                : fmt::format("{} bytes per cycle", 16 * cost.lines_per_cycle));
    report("speed", "limited by",
           fmt::format("{} ({}{}{})", limits[static_cast<unsigned>(speed.limit)], source.text,
                       source.kind == Source::document ? "" : "; ",
                       source.kind == Source::document ? "" : name(source.kind)));
}

}  // namespace tessera::units::packer
