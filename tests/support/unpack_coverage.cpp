// SPDX-License-Identifier: Apache-2.0
#include "support/unpack_coverage.hpp"

#include <fmt/format.h>

#include <array>

#include "units/unpacker/input_walk.hpp"

namespace tessera::test {

namespace {

using registers::field;
using registers::Field;
using registers::fields;
using state::Adc;
using state::AdcUnit;

constexpr auto in_format = fields<2>("THCON_SEC#_REG0_TileDescriptor_InDataFormat");
constexpr auto out_format = fields<2>("THCON_SEC#_REG2_Out_data_format");
constexpr std::array context_in_format = {fields<8>("THCON_SEC0_REG7_Unpack_data_format_cntx#"),
                                          fields<8>("THCON_SEC1_REG7_Unpack_data_format_cntx#")};
constexpr std::array context_out_format = {fields<8>("THCON_SEC0_REG7_Unpack_out_data_format_cntx#"),
                                           fields<8>("THCON_SEC1_REG7_Unpack_out_data_format_cntx#")};
constexpr auto ovrd_data_format = fields<2>("THCON_SEC#_REG2_Ovrd_data_format");
constexpr auto no_exponent_section = fields<2>("THCON_SEC#_REG0_TileDescriptor_NoBFPExpSection");
constexpr auto blobs_per_plane = fields<2>("THCON_SEC#_REG0_TileDescriptor_BlobsPerXYPlane");
constexpr auto digest_size = fields<2>("THCON_SEC#_REG0_TileDescriptor_DigestSize");
constexpr auto fp8_e4m3 = fields<2>("THCON_SEC#_REG1_Unp_LF8_4b_exp");
constexpr std::array int8_unsigned = {field("ALU_FORMAT_SPEC_REG0_SrcAUnsigned"),
                                      field("ALU_FORMAT_SPEC_REG0_SrcBUnsigned")};
constexpr auto context_offset = fields<2>("UNPACK_MISC_CFG_CfgContextOffset_#");
constexpr auto tileize = fields<2>("THCON_SEC#_REG2_Tileize_mode");
constexpr auto haloize = fields<2>("THCON_SEC#_REG2_Haloize_mode");
constexpr auto upsample_rate = fields<2>("THCON_SEC#_REG2_Upsample_rate");
constexpr auto interleave = fields<2>("THCON_SEC#_REG2_Upsample_and_interleave");
constexpr auto src_reg_set_upd = fields<2>("THCON_SEC#_REG2_Unpack_Src_Reg_Set_Upd");
constexpr auto add_dest_addr = fields<2>("UNP#_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr");
constexpr auto force_shared_exp = fields<2>("THCON_SEC#_REG2_Force_shared_exp");
constexpr auto tile_x = fields<2>("THCON_SEC#_REG0_TileDescriptor_XDim");
constexpr auto tile_x_dim = fields<4>("THCON_SEC0_REG5_Tile_x_dim_cntx#");
constexpr auto ovrd_with_addr = field("SRCA_SET_SetOvrdWithAddr");

constexpr std::string_view targets[] = {"SrcA", "SrcB", "Dst"};

constexpr bool is_format(std::uint32_t code) { return code != 12 && code != 13; }
std::string format(std::uint32_t code) { return std::string(name(DataFormat(code))); }
constexpr bool is_wide(std::uint32_t code) { return code == 0 || code == 4 || code == 8; }
constexpr bool is_block(std::uint32_t code) {
    return code == 2 || code == 3 || code == 6 || code == 7 || code == 11 || code == 15;
}

constexpr bool is_sub_byte(std::uint32_t code) { return is_block(code) && code != 2 && code != 6; }

// Those of UNPACR_NOP and SETDVALID are met elsewhere.
bool belongs_to_unpacr(std::string_view code, Arch arch) {
    if (!code.starts_with("unpack.")) return false;
    for (const std::string_view other :
         {"both-banks", "clear-value", "nop-mode", "nop-unsupported", "setdvalid-queued", "setdvalid-format"})
        if (code.substr(7) == other) return false;
    if (arch == Arch::blackhole)
        return code != "unpack.srca-row-64" && code != "unpack.srcb-row-wrap" && code != "unpack.throttle-mode";
    return code != "unpack.srcb-broadcast" && code != "unpack.context-count-non-log2";
}

}  // namespace

class UnpackCoverage::Case : public UnpackCase {
public:
    Case(const ReferencePair& of, const UnpackCase& what) : UnpackCase(what), pair(of) {
        const bool own = multi && (*this)[ovrd_data_format[u]];
        in = (*this)[own ? context_in_format[u][context] : in_format[u]];
        out = (*this)[own ? context_out_format[u][context] : out_format[u]];
        const bool to_dst = std::holds_alternative<plan::UnpackToDstWork>(plan.work) ||
                            (stream && stream->target == plan::UnpackStreamWork::Target::dst);
        target = to_dst ? 2 : u;
    }

    const ReferencePair& pair;
    const plan::Plan& plan = pair.last_plan();
    const plan::UnpackStreamWork* stream = std::get_if<plan::UnpackStreamWork>(&plan.work);
    const unsigned u = bits(23, 1);
    const bool multi = bits(7, 1), row_search = bits(2, 1), zeros = bits(4, 1);
    const unsigned adc_thread = multi ? bits(8, 2) : thread;
    unsigned target = 0;
    std::uint32_t in = 0, out = 0;

    std::uint32_t bits(unsigned lo, unsigned n) const { return word >> lo & ((1u << n) - 1); }
    std::uint32_t operator[](const Field& f) const { return pair.state().config(thread, f); }
    std::uint32_t adc(unsigned of, unsigned channel, Adc counter) const {
        return pair[state::cells::adc(of, AdcUnit(u), channel, counter)];
    }
    bool whole_row() const {
        const std::uint32_t x_dim = multi && u == 0 ? (*this)[tile_x_dim[context & 3]] : (*this)[tile_x[u]];
        return adc(adc_thread, 0, Adc::x) == 0 && adc(adc_thread, 1, Adc::x) + 1 == x_dim;
    }
};

UnpackCoverage::UnpackCoverage(Arch arch) {
    for (unsigned i = 0; i < 3; ++i) met("thread", "T" + std::to_string(i), false);
    for (unsigned u = 0; u < 2; ++u)
        for (unsigned c = 0; c < 8; ++c)
            met("context", "unpacker " + std::to_string(u) + ", context " + std::to_string(c), false);
    for (std::uint32_t in = 0; in < 16; ++in)
        for (std::uint32_t out = 0; out < 16; ++out) {
            if (!is_format(in) || !is_format(out)) continue;
            if (in == 0 && out != 0 && out != 1 && out != 4 && out != 5) continue;
            met("formats", format(in) + " to " + format(out), false);
        }
    for (std::uint32_t in = 0; in < 16; ++in)
        for (const auto target : targets)
            if (is_format(in)) met("formats to", format(in) + " to " + std::string(target), false);
    for (std::uint32_t code = 0; code < 16; ++code) {
        if (!is_block(code)) continue;
        for (const std::string_view source : {"forced", "of their section", "without a section"})
            if (is_sub_byte(code) || source != "without a section") met("exponents of " + format(code), source, false);
    }
    for (unsigned rate = 1; rate < 4; ++rate)
        for (const std::string_view gap : {"zeros", "positions left"})
            met("upsampling", fmt::format("rate {}, {}", rate, gap), false);
    for (const std::string_view map : {"16 bits", "16 bits, remapped", "32 bits", "32 bits, remapped",
                                       "32 bits, swizzled", "32 bits, remapped, swizzled"})
        if (arch == Arch::blackhole || map.size() == 7) met("output to Dst", map, false);  // Wormhole maps no rows
    for (const std::string_view how : {"added for Dst", "added", "instead"})
        met("output address", "of the context, " + std::string(how), false);
    for (const auto& entry : findings::catalogue)
        if (belongs_to_unpacr(entry.code, arch))
            met(entry.kind == findings::Kind::fault ? "fault" : "finding", entry.code, false);
}

void UnpackCoverage::count(const ReferencePair& pair, const UnpackCase& what) {
    const Case c(pair, what);
    if (c.plan.fault) return met("fault", findings::entry(c.plan.fault->id).code);
    for (const auto& note : c.plan.findings) met("finding", findings::entry(note.id).code);
    met("form", "flush, of the thread", c.bits(1, 1) && !c.multi);
    met("form", "flush, of all", c.bits(1, 1) && c.multi);
    met("form", "counting", c.bits(13, 1) && !c.bits(1, 1));
    if (c.bits(1, 1) || c.bits(13, 1)) return;
    met("form", "contiguous copy to a source register", std::holds_alternative<plan::UnpackWork>(c.plan.work));
    met("form", "contiguous copy to Dst", std::holds_alternative<plan::UnpackToDstWork>(c.plan.work));
    met("form", "stream", c.stream);
    count_context(c);
    count_formats(c);
    count_input(c);
    count_output(c);
}

void UnpackCoverage::count_context(const Case& c) {
    met("thread", fmt::format("T{}", c.thread));
    met("configuration bank", c.pair.state().config_bank(c.thread) ? "1" : "0");
    met("context", "none: OvrdThreadId is clear", !c.multi);
    if (c.multi) met("context", fmt::format("unpacker {}, context {}", c.u, c.context));
    const bool counter = c.multi && c.bits(3, 1), number = c.multi && !counter;
    const bool offset = c[context_offset[c.u]] % 8;
    met("context", "by the counter", counter);
    met("context", "by the counter, with an offset", counter && offset);
    met("context", "by its number", number);
    met("context", "by its number, with an offset", number && offset);
    met("context", "X and Y of another thread", c.adc_thread != c.thread);
    met("context", "formats of its own", c.multi && c[ovrd_data_format[c.u]]);
}

void UnpackCoverage::count_formats(const Case& c) {
    met("formats", format(c.in) + " to " + format(c.out));
    met("formats to", format(c.in) + " to " + std::string(targets[c.target]));
    met("conversion", "FP8 as E5M2", c.in == 10 && !c[fp8_e4m3[c.u]]);
    if (c.pair.blackhole()) met("conversion", "FP8 as E4M3", c.in == 10 && c[fp8_e4m3[c.u]]);
    met("conversion", "INT8", c.in == 14 && !c[int8_unsigned[c.u]]);
    met("conversion", "UINT8", c.in == 14 && c[int8_unsigned[c.u]]);
    if (!is_block(c.in)) return;
    const bool forced = c[force_shared_exp[c.u]], none = is_sub_byte(c.in) && c[no_exponent_section[c.u]];
    met("exponents of " + format(c.in), "forced", forced);
    met("exponents of " + format(c.in), "of their section", !forced && !none);
    if (is_sub_byte(c.in)) met("exponents of " + format(c.in), "without a section", !forced && none);
}

void UnpackCoverage::count_input(const Case& c) {
    const bool blobs = c[blobs_per_plane[c.u]], compressed = c.stream && c.stream->input.compressed;
    const bool search = c.row_search;
    met("input", "header with a digest", c[digest_size[c.u]]);
    met("input", "row search", !compressed && search && !blobs);
    met("input", "row search among blobs", !compressed && search && blobs);
    met("input", "row search among blobs of a context", !compressed && search && blobs && c.multi && c.u == 0);
    met("input", "rows apart (tilize), to " + std::string(targets[c.target]), c.stream && c[tileize[c.u]]);
    met("input", "rows apart (tilize), datums of 32 bits", c.stream && c[tileize[c.u]] && is_wide(c.in));
    met("input", "no datum",
        !compressed && !search && !c.zeros && c.adc(c.adc_thread, 0, Adc::x) == c.adc(c.adc_thread, 1, Adc::x) + 1);
    met("input", "zeros", c.zeros);
    met("input", "zeros to Dst", c.zeros && c.target == 2);
    met("compression", "whole row", compressed && !search && c.whole_row());
    met("compression", "part of a row", compressed && !search && !c.whole_row());
    met("compression", "row search", compressed && search && !blobs);
    met("compression", "row search among blobs", compressed && search && blobs);
    met("compression", "row starts by blobs, no row search", compressed && !search && blobs);
    met("compression", "zeros", compressed && c.zeros);
    met("compression", "block floats", compressed && is_block(c.in));
    met("compression", "upsampling", compressed && c[upsample_rate[c.u]]);
    met("compression", "to Dst", compressed && c.target == 2);
    const unsigned read = c.stream ? c.stream->input.row_starts_read : 0;
    met("compression", "row starts of two lines of L1", compressed && read == 2);
    met("compression", "row starts from the cache", compressed && read == 0);
    const plan::UnpackStream* in = c.stream ? &c.stream->input : nullptr;
    if (!in || !in->fifo) return;
    plan::UnpackStream straight = *in;
    straight.fifo = 0;
    plan::InputWalk walk(*in), unwrapped(straight);
    bool datums = false, exponents = false, run_lengths = false;
    for (auto a = walk.next(), b = unwrapped.next(); a.length; a = walk.next(), b = unwrapped.next()) {
        datums |= a.datums != b.datums;
        exponents |= in->exponent_source == plan::Exponents::section && a.exponents != b.exponents;
        run_lengths |= in->compressed && a.run_lengths != b.run_lengths;
    }
    const auto before_tile = [&](std::int64_t address) {
        return address < static_cast<std::int64_t>(c.tile) * plan::UnpackStream::per_byte;
    };
    met("circular buffer", "wraps where the transfer begins", before_tile(in->datums));
    met("circular buffer", "datums wrap behind a row", datums && !compressed);
    met("circular buffer", "compressed datums wrap behind a row", datums && compressed);
    met("circular buffer", "rows apart (tilize) wrap", datums && in->row_step != 0);
    met("circular buffer", "exponents wrap behind a line", exponents);
    met("circular buffer", "run lengths wrap behind a line", run_lengths);
}

void UnpackCoverage::count_output(const Case& c) {
    const std::string to(targets[c.target]);
    const std::uint32_t rate = c[upsample_rate[c.u]];
    if (rate) met("upsampling", fmt::format("rate {}, {}", rate, c[interleave[c.u]] ? "positions left" : "zeros"));
    met("upsampling", "to " + to, rate);
    const bool a = c.target == 0, transposed = a && c[haloize[0]], shifted = c.stream && c.stream->column_shift;
    met("output to SrcA", "transposed", transposed);
    met("output to SrcA", "column shift", shifted);
    met("output to SrcA", "transposed with column shift", transposed && shifted);
    met("output to SrcA", "upsampled and transposed", transposed && rate);
    met("output to SrcA", "upsampled with column shift", shifted && rate);
    met("output to SrcA", "by SetOvrdWithAddr", a && c[ovrd_with_addr]);
    met("output to SrcA", "by SrcRow", a && !c[ovrd_with_addr]);
    if (c.multi && c.u == 0)
        met("output address", "of the context, " + std::string(c.target == 2         ? "added for Dst"
                                                               : c[add_dest_addr[0]] ? "added"
                                                                                     : "instead"));
    met("bank", "handed over", c.bits(6, 1));
    met("bank", "SrcRow advanced", !c.bits(6, 1) && c[src_reg_set_upd[c.u]]);
    met("bank", "kept as it is", !c.bits(6, 1) && !c[src_reg_set_upd[c.u]]);
    if (c.pair.blackhole()) met("output to SrcB", "each row to eight", c.target == 1 && c.bits(5, 1));
    if (c.target != 2) return;
    const auto* plain = std::get_if<plan::UnpackToDstWork>(&c.plan.work);
    const plan::DstMap map = plain ? plain->map : c.stream->map;
    met("output to Dst",
        fmt::format("{} bits{}{}", map.wide ? 32 : 16, map.remap ? ", remapped" : "", map.swizzle ? ", swizzled" : ""));
    met("output to Dst", "by SetOvrdWithAddr", c[ovrd_with_addr]);
}

}  // namespace tessera::test
