// SPDX-License-Identifier: Apache-2.0
#include "units/unpacker/setup.hpp"

#include "formats/datum_size.hpp"
#include "formats/expansions.hpp"
#include "formats/unpack_convert.hpp"
#include "units/state_view.hpp"

namespace tessera::units::unpacker {

namespace {

using registers::Field;
using registers::field;
using registers::fields;

constexpr auto in_format = fields<2>("THCON_SEC#_REG0_TileDescriptor_InDataFormat");
constexpr auto uncompressed = fields<2>("THCON_SEC#_REG0_TileDescriptor_IsUncompressed");
constexpr auto x_dim = fields<2>("THCON_SEC#_REG0_TileDescriptor_XDim");
constexpr auto y_dim = fields<2>("THCON_SEC#_REG0_TileDescriptor_YDim");
constexpr auto z_dim = fields<2>("THCON_SEC#_REG0_TileDescriptor_ZDim");
constexpr auto w_dim = fields<2>("THCON_SEC#_REG0_TileDescriptor_WDim");
constexpr auto no_exponent_section = fields<2>("THCON_SEC#_REG0_TileDescriptor_NoBFPExpSection");
constexpr auto digest_size = fields<2>("THCON_SEC#_REG0_TileDescriptor_DigestSize");
constexpr auto context_x_dim = fields<4>("THCON_SEC0_REG5_Tile_x_dim_cntx#");
constexpr auto out_format = fields<2>("THCON_SEC#_REG2_Out_data_format");
constexpr auto force_shared_exp = fields<2>("THCON_SEC#_REG2_Force_shared_exp");
constexpr auto forced_shared_exp = fields<2>("UNP#_FORCED_SHARED_EXP_shared_exp");
constexpr auto fp8_e4m3 = fields<2>("THCON_SEC#_REG1_Unp_LF8_4b_exp");
constexpr std::array<Field, 2> int8_unsigned = {field("ALU_FORMAT_SPEC_REG0_SrcAUnsigned"),
                                                field("ALU_FORMAT_SPEC_REG0_SrcBUnsigned")};
constexpr auto throttle_mode = fields<2>("THCON_SEC#_REG2_Throttle_mode");
constexpr auto honours_throttle = fields<2>("THCON_SEC#_REG1_ovrd_default_throttle_mode");
constexpr auto haloize = fields<2>("THCON_SEC#_REG2_Haloize_mode");
constexpr auto tileize = fields<2>("THCON_SEC#_REG2_Tileize_mode");
constexpr auto src_reg_set_upd = fields<2>("THCON_SEC#_REG2_Unpack_Src_Reg_Set_Upd");
constexpr auto if_sel = field("THCON_SEC0_REG2_Unpack_If_Sel");
constexpr auto upsample_rate = fields<2>("THCON_SEC#_REG2_Upsample_rate");
constexpr auto ovrd_data_format = fields<2>("THCON_SEC#_REG2_Ovrd_data_format");
constexpr auto interleave = fields<2>("THCON_SEC#_REG2_Upsample_and_interleave");
constexpr auto limit_address = fields<2>("THCON_SEC#_REG2_Unpack_limit_address");
constexpr auto blobs_per_plane = fields<2>("THCON_SEC#_REG0_TileDescriptor_BlobsPerXYPlane");
constexpr auto fifo_size = fields<2>("THCON_SEC#_REG2_Unpack_fifo_size");
constexpr auto y_stride = fields<2>("UNP#_ADDR_CTRL_XY_REG_1_Ystride");
constexpr auto z_stride = fields<2>("UNP#_ADDR_CTRL_ZW_REG_1_Zstride");
constexpr auto w_stride = fields<2>("UNP#_ADDR_CTRL_ZW_REG_1_Wstride");
constexpr auto out_base = fields<2>("UNP#_ADDR_BASE_REG_1_Base");
constexpr auto add_dest_addr = fields<2>("UNP#_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr");
constexpr auto remap_addrs = field("DEST_ACCESS_CFG_remap_addrs");
constexpr auto swizzle_32b = field("DEST_ACCESS_CFG_swizzle_32b");
constexpr auto ovrd_with_addr = field("SRCA_SET_SetOvrdWithAddr");
constexpr std::array<Field, 2> src_set_base = {field("SRCA_SET_Base"), field("SRCB_SET_Base")};

constexpr std::uint32_t undefined_throttle = 3;  // on Wormhole (spec-notes F1)

// Fields of eight contexts, and of four if the context counts modulo 4.
constexpr std::array<std::array<Field, 8>, 2> context_uncompressed = {
    fields<8>("THCON_SEC0_REG2_Disable_zero_compress_cntx#"), fields<8>("THCON_SEC1_REG2_Disable_zero_compress_cntx#")};
constexpr auto context_if_sel = fields<8>("THCON_SEC0_REG2_Unpack_if_sel_cntx#");
constexpr std::array<std::array<Field, 4>, 2> shift_amount = {fields<4>("THCON_SEC0_REG2_Shift_amount_cntx#"),
                                                              fields<4>("THCON_SEC1_REG2_Shift_amount_cntx#")};
constexpr std::array<std::array<Field, 8>, 2> context_in_format = {
    fields<8>("THCON_SEC0_REG7_Unpack_data_format_cntx#"), fields<8>("THCON_SEC1_REG7_Unpack_data_format_cntx#")};
constexpr std::array<std::array<Field, 8>, 2> context_out_format = {
    fields<8>("THCON_SEC0_REG7_Unpack_out_data_format_cntx#"),
    fields<8>("THCON_SEC1_REG7_Unpack_out_data_format_cntx#")};

void choose_target(const StateView& view, const Mode& mode, Setup& setup) {
    const unsigned u = mode.which;
    setup.set_row_from_address = u == 0 && view[ovrd_with_addr];
    setup.add_context_address = setup.to_dst || view[add_dest_addr[u]];
    if (!setup.to_dst) return;
    if (setup.transpose || setup.column_shift) {
        setup.fault = findings::Note{findings::id("unpack.dst-transposed")};
        return;
    }
    const bool wide = setup.out_unit == 4, maps = view.maps_dst();
    const bool upper = view.upper_dst();
    setup.dst_map = {wide, maps && view[remap_addrs], maps && (wide || upper) && view[swizzle_32b], upper};
    setup.dst_row_mask = setup.set_row_from_address ? 0x3CF : 0x3FF;
    if (setup.set_row_from_address) setup.findings.push_back({findings::id("unpack.dst-set-ovrd")});
}

constexpr std::uint64_t whole_lines(std::uint64_t bytes) {
    return (bytes + state::L1::line_bytes - 1) / state::L1::line_bytes * state::L1::line_bytes;
}

// Reads only the fields that the format needs, since other instructions' words have the rest.
formats::UnpackConversion conversion_of(const StateView& view, unsigned u, DataFormat in, DataFormat out) {
    formats::UnpackConversion conversion{.in = in, .out = out};
    if (in == DataFormat::Lf8) {
        conversion.fp8_e4m3 = view[fp8_e4m3[u]];
        conversion.fp8_saturated = view.arch().fp8_saturated;
    }
    if (in == DataFormat::Int8) conversion.int8_unsigned = view[int8_unsigned[u]];
    if (formats::is_block_format(in)) conversion.forced_exponent = view[force_shared_exp[u]];
    return conversion;
}

bool contexts_have_formats(const StateView& view, const Mode& mode) {
    return mode.multi_context && view[ovrd_data_format[mode.which]];
}

DataFormat input_format(const StateView& view, const Mode& mode, bool of_context) {
    const unsigned u = mode.which;
    return DataFormat(of_context ? view[context_in_format[u][mode.context]] : view[in_format[u]]);
}

void choose_formats(const StateView& view, const Mode& mode, Setup& setup) {
    const unsigned u = mode.which;
    const bool of_context = contexts_have_formats(view, mode);
    setup.in = input_format(view, mode, of_context);
    setup.out = DataFormat(of_context ? view[context_out_format[u][mode.context]] : view[out_format[u]]);
    for (DataFormat format : {setup.in, setup.out})
        if (formats::datum_bits(format) == 0) {
            setup.fault = findings::Note{findings::id("unpack.unknown-format"), {static_cast<std::uint32_t>(format)}};
            return;
        }
    const auto conversion = conversion_of(view, u, setup.in, setup.out);
    setup.fp8_e4m3 = conversion.fp8_e4m3;
    setup.int8_unsigned = conversion.int8_unsigned;
    const auto choose = setup.to_dst ? formats::unpack_to_dst : formats::unpack_to_src;
    setup.convert = choose(conversion);
    // A stream passes each piece's exponent to the loop.
    auto with_exponent = conversion;
    with_exponent.forced_exponent = true;
    setup.convert_pieces = choose(with_exponent);
    setup.datum_bits = static_cast<std::uint8_t>(formats::datum_bits(setup.in));
    if (!setup.convert)
        setup.fault = findings::Note{findings::id("unpack.fp32-to-other"), {static_cast<std::uint32_t>(setup.out)}};
    if (!setup.to_dst) {
        if (setup.in == DataFormat::Float32 && setup.out == DataFormat::Float32)
            setup.findings.push_back({findings::id("unpack.fp32-to-src")});
        if (setup.in == DataFormat::Tf32) setup.findings.push_back({findings::id("unpack.tf32-to-src")});
        if (setup.in == DataFormat::Int32) setup.findings.push_back({findings::id("unpack.int32-to-src")});
    }
    if (setup.in != DataFormat::Float32 && setup.in != setup.out) {
        const auto id = formats::is_expansion(setup.in, setup.out) ? findings::id("unpack.format-expanded")
                                                                   : findings::id("unpack.format-mismatch");
        setup.findings.push_back({id, {static_cast<std::uint32_t>(setup.in), static_cast<std::uint32_t>(setup.out)}});
    }
    // Output addresses are in bytes of the output format's size in Dst (spec-notes A20).
    switch (setup.out) {
        case DataFormat::Float32:
        case DataFormat::Tf32:
        case DataFormat::Int32: setup.out_unit = 4; break;
        case DataFormat::Float16:
        case DataFormat::Float16_b:
        case DataFormat::UInt16: setup.out_unit = 2; break;
        default: setup.out_unit = 1; break;
    }
}

// The place of a block format's exponents, and their size before the datums.
void choose_exponents(const StateView& view, unsigned u, Setup& setup) {
    using plan::Exponents;
    if (!formats::is_block_format(setup.in)) return;
    if (view[force_shared_exp[u]]) {
        setup.exponents = Exponents::forced;
        setup.shared_exponent = static_cast<std::uint8_t>(view[forced_shared_exp[u]]);
        return;
    }
    setup.exponents = Exponents::section;
    // Without a section, exponents are read from the datums' place (spec-notes A35).
    if (setup.datum_bits < 8 && view[no_exponent_section[u]]) return;
    const std::uint64_t datums = std::uint64_t{setup.x_dim} * setup.y_dim * setup.z_dim * setup.w_dim;
    setup.exponent_bytes = whole_lines((datums + formats::block_datums - 1) / formats::block_datums);
}

// The datums read, their rows, and the output positions.
void choose_modes(const StateView& view, const Mode& mode, Setup& setup) {
    const unsigned u = mode.which;
    setup.compressed = !(mode.multi_context ? view[context_uncompressed[u][mode.context]] : view[uncompressed[u]]);
    setup.blobs = static_cast<std::uint8_t>(view[blobs_per_plane[u]]);
    if (setup.compressed) {
        const std::uint64_t rows = std::uint64_t{setup.blobs ? setup.blobs : setup.y_dim} * setup.z_dim * setup.w_dim;
        setup.row_start_bytes = whole_lines((rows + 1) * sizeof(std::uint16_t));
    }
    setup.limit = std::uint64_t{view[limit_address[u]]} * state::L1::line_bytes;
    setup.fifo = std::uint64_t{view[fifo_size[u]]} * state::L1::line_bytes;
    setup.gap = static_cast<std::uint8_t>((1u << view[upsample_rate[u]]) - 1);
    setup.fill_gaps = !view[interleave[u]];
    // The number of datums in a row is visible only if rows lie apart or wrap (spec-notes A7).
    setup.row_datums = view.arch().unpack_wide_rows && setup.datum_bits > 8 ? 32 : 16;
    setup.tilize = view[tileize[u]];
    if (u == 0) setup.transpose = view[haloize[0]];
    if (!setup.tilize) {
        if (u == 0) setup.column_shift = static_cast<std::uint8_t>(view[shift_amount[0][mode.context & 3]]);
        return;
    }
    if (setup.gap || setup.compressed) {
        setup.fault = findings::Note{findings::id("unpack.tilize-conflict")};
        return;
    }
    setup.row_stride = view[shift_amount[u][0]] << 4 | view[shift_amount[u][1]] << 8 | view[shift_amount[u][2]] << 12;
    if (setup.datum_bits < 8) setup.findings.push_back({findings::id("unpack.tilize-sub-byte"), {setup.datum_bits}});
}

Throttle throttle_of(const StateView& view, unsigned u, Setup& setup) {
    const UnpackCost& cost = view.costs.unpack;
    Throttle throttle;
    throttle.by_default = view.blackhole() && !view[honours_throttle[u]];
    const std::uint32_t mode = throttle.by_default ? 0 : view[throttle_mode[u]];
    throttle.asked = throttle.by_default ? cost.default_speeds[setup.datum_bits != 8] : cost.throttle_modes[mode];
    Speed speed = throttle.asked;
    const SpeedCase what{setup.compressed, setup.tilize, setup.to_dst, setup.gap, setup.datum_bits};
    for (const SpeedRule& rule : speed_rules()) {
        if (!rule.applies(what) || (rule.or_slower && speed <= rule.speed)) continue;
        speed = rule.speed;
        throttle.rule = &rule;
    }
    if (mode == undefined_throttle && !throttle.rule && !view.blackhole())
        setup.findings.push_back({findings::id("unpack.throttle-mode"), {mode}});
    auto& transfer = throttle.transfer;
    transfer.speed = static_cast<std::uint8_t>(speed);
    transfer.alone = cost.rate(speed, setup.datum_bits);
    for (unsigned other = 0; other < speeds; ++other)
        transfer.beside_it[other] = cost.rate_beside(u, speed, Speed(other), setup.datum_bits);
    return throttle;
}

}  // namespace

DataFormat input_format(const StateView& view, const Mode& mode) {
    return input_format(view, mode, contexts_have_formats(view, mode));
}

Setup make_setup(const StateView& view, const Mode& mode) {
    const unsigned u = mode.which;
    Setup setup;
    // The first fault counts. False: the rest is of no interest, except for explanations.
    const auto goes_on = [&](auto&& choose) {
        const auto first = setup.fault;
        setup.fault.reset();
        choose();
        if (first && setup.fault) view.listener()->add_fault(*setup.fault);
        if (first) setup.fault = first;
        return !setup.fault || view.listener();
    };
    setup.to_dst = u == 0 && (mode.multi_context ? view[context_if_sel[mode.context]] : view[if_sel]);
    if (!goes_on([&] { choose_formats(view, mode, setup); })) return setup;

    setup.digest_size = static_cast<std::uint8_t>(view[digest_size[u]]);
    setup.x_dim = static_cast<std::uint16_t>(mode.multi_context && u == 0 ? view[context_x_dim[mode.context & 3]]
                                                                          : view[x_dim[u]]);
    setup.y_dim = static_cast<std::uint8_t>(view[y_dim[u]]);
    setup.z_dim = static_cast<std::uint8_t>(view[z_dim[u]] ? view[z_dim[u]] : 1);
    setup.w_dim = static_cast<std::uint8_t>(view[w_dim[u]] ? view[w_dim[u]] : 1);
    choose_exponents(view, u, setup);
    if (!goes_on([&] { choose_modes(view, mode, setup); })) return setup;
    setup.y_stride = static_cast<std::uint16_t>(view[y_stride[u]]);
    setup.z_stride = static_cast<std::uint16_t>(view[z_stride[u]]);
    setup.w_stride = static_cast<std::uint16_t>(view[w_stride[u]]);
    setup.out_base = view[out_base[u]];
    if (!goes_on([&] { choose_target(view, mode, setup); })) return setup;
    setup.advance_src_row = view[src_reg_set_upd[u]];
    setup.src_set_base = static_cast<std::uint8_t>(view[src_set_base[u]]);
    setup.throttle = throttle_of(view, u, setup);
    return setup;
}

}  // namespace tessera::units::unpacker
