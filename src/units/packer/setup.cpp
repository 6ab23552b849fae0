// SPDX-License-Identifier: Apache-2.0
#include "units/packer/setup.hpp"

#include "formats/pack_stages.hpp"
#include "registers/packer_fields.hpp"
#include "units/packer/config_rules.hpp"
#include "units/packer/edges.hpp"
#include "units/slot_tables.hpp"
#include "units/state_view.hpp"

namespace tessera::units::packer {

namespace {

using registers::Field;
using registers::field;
using registers::fields;
using registers::packer_fields;

constexpr auto sub_header = packer_fields("Sub_l1_tile_header_size");
constexpr auto add_header = packer_fields("Add_tile_header_size");
constexpr auto add_offset = packer_fields("Add_l1_dest_addr_offset");
constexpr auto disable_compress = packer_fields("Disable_zero_compress");
constexpr auto out_format = packer_fields("Out_data_format");
constexpr auto in_format = packer_fields("In_data_format");
constexpr auto enable_out_fifo = packer_fields("Enable_out_fifo");
constexpr auto exp_section_size = packer_fields("Exp_section_size");
constexpr auto no_shared_exponent = packer_fields("Dis_shared_exp_assembler");
constexpr auto source_interface = packer_fields("Source_interface_selection");
constexpr auto downsample_mask = packer_fields("Downsample_mask");
constexpr auto downsample_rate = packer_fields("Downsample_rate");
constexpr auto row_start_section_size = packer_fields("Row_start_section_size");
constexpr auto l1_source_addr = packer_fields("L1_source_addr");
constexpr auto disable_zero_flags = packer_fields("Disable_pack_zero_flags");
constexpr auto last_interfaces = packer_fields("Auto_set_last_pacr_intf_sel");
constexpr auto start_interface = fields<2>("THCON_SEC#_REG1_pack_start_intf_pos");
constexpr auto read_mode = packer_fields("Read_mode");
constexpr auto force_per_plane = packer_fields("Force_pack_per_max_xy_plane");
constexpr auto no_y_start = packer_fields("pack_dis_y_pos_start_offset");
constexpr auto exp_threshold = packer_fields("Exp_threshold");
constexpr auto l1_acc = packer_fields("Pack_L1_Acc");
constexpr auto exp_threshold_en = packer_fields("Exp_threshold_en");
constexpr std::array<Field, 4> adc_override = {
    field("THCON_SEC0_REG1_Addr_cnt_context"), field("THCON_SEC0_REG8_Addr_cnt_context"),
    field("THCON_SEC1_REG1_Addr_cnt_context"), field("THCON_SEC1_REG8_Addr_cnt_context")};
// "Non-standard naming": SEC0 has packers 0 and 1, SEC1 has packers 2 and 3 (Packers, Configuration).
constexpr std::array<Field, 4> fifo_size = {
    field("THCON_SEC0_REG9_Pack_0_2_fifo_size"), field("THCON_SEC0_REG9_Pack_1_3_fifo_size"),
    field("THCON_SEC1_REG9_Pack_0_2_fifo_size"), field("THCON_SEC1_REG9_Pack_1_3_fifo_size")};
constexpr std::array<Field, 4> limit_address = {
    field("THCON_SEC0_REG9_Pack_0_2_limit_address"), field("THCON_SEC0_REG9_Pack_1_3_limit_address"),
    field("THCON_SEC1_REG9_Pack_0_2_limit_address"), field("THCON_SEC1_REG9_Pack_1_3_limit_address")};
constexpr auto e4m3 = field("THCON_SEC0_REG1_Pac_LF8_4b_exp");
constexpr auto compress_override = field("THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd");
constexpr auto compress_override_mask = field("THCON_SEC0_REG1_All_pack_disable_zero_compress");
constexpr auto dst_offset = fields<4>("DEST_TARGET_REG_CFG_PACK_SEC#_Offset");

constexpr auto read_32b = field("PCK_DEST_RD_CTRL_Read_32b_data");
constexpr auto read_unsigned = field("PCK_DEST_RD_CTRL_Read_unsigned");
constexpr auto read_raw = field("PCK_DEST_RD_CTRL_Read_int8");
constexpr auto round_10b = field("PCK_DEST_RD_CTRL_Round_10b_mant");
constexpr auto dstacc_override = field("ALU_FORMAT_SPEC_REG_Dstacc_override");
constexpr auto dstacc_value = field("ALU_FORMAT_SPEC_REG_Dstacc_val");
constexpr auto dstacc = field("ALU_FORMAT_SPEC_REG2_Dstacc");
constexpr auto descale_enable = field("INT_DESCALE_Enable");
constexpr auto descale_mode = field("INT_DESCALE_Mode");
constexpr auto descale_values = fields<16>("INT_DESCALE_VALUES_SEC#_Value");
constexpr auto gasket_srnd = field("ALU_ROUNDING_MODE_Gasket_srnd_en");
constexpr auto packer_srnd = field("ALU_ROUNDING_MODE_Packer_srnd_en");
constexpr auto apply_relu = field("STACC_RELU_ApplyRelu");
constexpr auto relu_threshold = field("STACC_RELU_ReluThreshold");
constexpr auto in_x_stride = field("PCK0_ADDR_CTRL_XY_REG_0_Xstride");
constexpr auto in_y_stride = field("PCK0_ADDR_CTRL_XY_REG_0_Ystride");
constexpr auto in_z_stride = field("PCK0_ADDR_CTRL_ZW_REG_0_Zstride");
constexpr auto in_w_stride = field("PCK0_ADDR_CTRL_ZW_REG_0_Wstride");
constexpr auto out_y_stride = field("PCK0_ADDR_CTRL_XY_REG_1_Ystride");
constexpr auto out_z_stride = field("PCK0_ADDR_CTRL_ZW_REG_1_Zstride");
constexpr auto out_w_stride = field("PCK0_ADDR_CTRL_ZW_REG_1_Wstride");
constexpr auto in_base = field("PCK0_ADDR_BASE_REG_0_Base");
constexpr auto out_base = field("PCK0_ADDR_BASE_REG_1_Base");
constexpr auto gs_lf = field("ALU_ROUNDING_MODE_GS_LF");
constexpr auto bfp8_hf = field("ALU_ROUNDING_MODE_Bfp8_HF");
constexpr auto per_xy_plane = fields<4>("PACK_COUNTERS_SEC#_pack_per_xy_plane");
constexpr auto per_xy_plane_offset = fields<4>("PACK_COUNTERS_SEC#_pack_per_xy_plane_offset");
constexpr auto no_fast_drain = field("PACK_GLOBAL_CFG_CTL_pack_disable_fast_tile_end_drain");
constexpr auto xys_per_tile = fields<4>("PACK_COUNTERS_SEC#_pack_xys_per_tile");
constexpr auto context_per_xys = fields<4>("PACK_COUNTERS_SEC#_auto_ctxt_inc_xys_cnt");
constexpr auto concat_mask = fields<4>("PACK_CONCAT_MASK_SEC#_pack_concat_mask");
constexpr auto remap_addrs = field("DEST_ACCESS_CFG_remap_addrs");
constexpr auto swizzle_32b = field("DEST_ACCESS_CFG_swizzle_32b");

/// A packer, and which of the four configurations it has.
struct Which {
    unsigned packer, config;
};

// Fields without a documented effect: they are reported and ignored (spec-notes H5, E40).
void note_undocumented(const StateView& view, Which w, PackerSetup& packer) {
    const struct {
        const Field& field;
        std::string_view name;
    } undocumented[] = {
        {enable_out_fifo[w.config], "Enable_out_fifo"},
        {downsample_rate[w.config], "Downsample_rate"},
        {start_interface[w.config / 2], "pack_start_intf_pos"},
        {no_y_start[w.config], "pack_dis_y_pos_start_offset"},
        {per_xy_plane[w.packer], "pack_per_xy_plane"},
        {xys_per_tile[w.packer], "pack_xys_per_tile"},
        {context_per_xys[w.packer], "auto_ctxt_inc_xys_cnt"},
        {concat_mask[w.packer], "pack_concat_mask"},
        {per_xy_plane_offset[w.packer], "pack_per_xy_plane_offset"},
        {read_mode[w.config], "Read_mode"},
        {force_per_plane[w.config], "Force_pack_per_max_xy_plane"},
        {no_fast_drain, "pack_disable_fast_tile_end_drain"},
        {gs_lf, "GS_LF"},
        {bfp8_hf, "Bfp8_HF"},
    };
    for (const auto& entry : undocumented)
        if (view[entry.field] && !packer.notes.full())
            packer.notes.push_back({findings::id("pack.undocumented-field"), {}, entry.name});
}

bool starts_compressed(const StateView& view, Which w) {
    if (!view[compress_override]) return !view[disable_compress[w.config]];
    // Blackhole has the override and no mask (spec-notes E62).
    return !view.blackhole() && !(view[compress_override_mask] >> w.packer & 1);
}

void choose_rounding(const StateView& view, formats::PackRandomEarly early, formats::PackRandomBlock block,
                     plan::PackWork::Conversion& conversion) {
    if (view[gasket_srnd]) conversion.random_early = early;
    if (view[packer_srnd]) conversion.random_block = block;
}

// The stages between the two conversions; for datums of Dst only.
std::optional<std::string_view> choose_stages(const StateView& view, Which w, formats::PackType type, bool is_unsigned,
                                              const plan::PackWork::EdgeMasks& masks, PackerSetup& packer) {
    auto& conversion = packer.conversion;
    if (const unsigned mode = view[apply_relu] & 3) {
        const auto relu = formats::pack_relu(type, is_unsigned, mode, view[relu_threshold]);
        if (!relu) return "this mode of the ReLU on integers";
        conversion.relu = relu->apply;
        conversion.threshold = relu->threshold;
    }
    if (view[exp_threshold_en[w.config]]) {
        conversion.exponent_threshold = formats::pack_exponent_threshold(type);
        conversion.least_exponent = static_cast<std::uint8_t>(view[exp_threshold[w.config]]);
    }
    conversion.exponents = formats::pack_exponents(type);
    if (type == formats::PackType::int8 && view[descale_enable] && !view[descale_mode])
        conversion.shift = view[descale_values[0]] & 0x1F;
    return choose_edges(view, w.packer, type, masks, packer.edges);
}

bool another_in_format_would_do(formats::EarlyConversion how) {
    for (const DataFormat format : all_data_formats) {
        how.late_from = format;
        if (formats::pack_early(how)) return true;
    }
    return false;
}

plan::DstDatums::Numbers numbers_of(formats::DstNumbers taken) {
    using Numbers = plan::DstDatums::Numbers;
    switch (taken) {
        case formats::DstNumbers::exponent_8: return Numbers::exponent_8;
        case formats::DstNumbers::exponent_5: return Numbers::exponent_5;
        case formats::DstNumbers::integer: return Numbers::integer;
        case formats::DstNumbers::any: break;
    }
    return Numbers::unknown;
}

// Returns the name of a mode that has no result.
std::optional<std::string_view> choose_conversion(const StateView& view, Which w, const formats::EarlyConversion& how,
                                                  const plan::PackWork::EdgeMasks& masks, PackerSetup& packer) {
    auto& conversion = packer.conversion;
    // The address generators derive sizes from the low bits of the formats.
    const unsigned size_code = static_cast<unsigned>(how.late_from) & 3;
    packer.address_bytes = size_code == 0 ? 4 : size_code == 1 ? 2 : 1;
    packer.x_mask = static_cast<std::uint16_t>(16 / packer.address_bytes - 1);
    packer.has_exponent_section = static_cast<unsigned>(how.late_to) & 2;

    formats::PackType type;
    std::optional<formats::Early> early;
    if (packer.from_l1) {
        const auto from = formats::pack_from_l1(how.late_from, how.intermediate);
        if (!from) return "datums of this format from L1";
        type = from->type;
        conversion.from_l1 = from->convert;
        conversion.source_bytes = from->bytes;
    } else {
        early = formats::pack_early(how);
        if (!early) return "this early conversion";
        type = early->type;
        conversion.early = early->convert;
        conversion.takes = numbers_of(early->takes);
        if (early->assumed && !packer.notes.full()) packer.notes.push_back({findings::id("pack.bf16-as-fp32")});
    }
    const auto late = formats::pack_late(type, how.late_to, view[e4m3]);
    if (!late) return "this late conversion";
    if (late->block && view[no_shared_exponent[w.config]]) return "block floats without assembly of shared exponents";
    conversion.late = late->convert;
    conversion.block = late->block;
    conversion.word_bytes = late->word_bytes;
    conversion.datum_bits = late->datum_bits;
    conversion.format = how.late_to;
    if (conversion.datum_bits < 4) packer.without_compression = "compression of datums of two bits";
    if (view[l1_acc[w.config]]) {
        conversion.accumulate = formats::pack_accumulate(how.late_to);
        if (!conversion.accumulate) return "accumulation in L1 in this format";
        packer.without_compression = "accumulation in L1 of compressed output";
    }
    choose_rounding(view, early ? early->random : nullptr, late->random, conversion);
    if (!early) return std::nullopt;
    const auto missing = choose_stages(view, w, type, how.is_unsigned, masks, packer);
    if (!missing && only_converts(conversion, packer.edges)) packer.direct = direct_loops(*early, *late);
    return missing;
}

}  // namespace

formats::EarlyConversion early_conversion(const StateView& view, unsigned packer, unsigned context) {
    const unsigned config = view.blackhole() ? context : packer;
    formats::EarlyConversion how;
    how.read_32b = view[read_32b];
    how.raw = view[read_raw];
    how.is_unsigned = view[read_unsigned];
    how.round_10b = view[round_10b];
    how.wide_to_fp16 = view.arch().packs_wide_to_fp16;
    how.intermediate = DataFormat(view[dstacc_override] ? view[dstacc_value] : view[dstacc]);
    how.late_from = DataFormat(view[in_format[config]]);
    how.late_to = DataFormat(view[out_format[config]]);
    return how;
}

Setup make_setup(const StateView& view, unsigned context) {
    Setup setup;
    setup.negative_threshold = (view[apply_relu] & 2) && view[relu_threshold] >> 15;
    setup.shift_by_z = view[descale_enable] && view[descale_mode];
    setup.stochastic = view[gasket_srnd] || view[packer_srnd];
    setup.edge_masks = edge_masks(view);
    auto u16 = [&](const Field& f) { return static_cast<std::uint16_t>(view[f]); };
    const bool maps = view.maps_dst();
    setup.map = {view[read_32b] != 0, maps && view[remap_addrs], maps && view[swizzle_32b], view.upper_dst()};
    setup.in_x_stride = u16(in_x_stride) & 0xF;
    setup.in_y_stride = u16(in_y_stride);
    setup.in_z_stride = u16(in_z_stride);
    setup.in_w_stride = u16(in_w_stride);
    setup.out_y_stride = u16(out_y_stride);
    setup.out_z_stride = u16(out_z_stride);
    setup.out_w_stride = u16(out_w_stride);
    setup.in_base = view[in_base];
    setup.out_base = view[out_base];
    for (unsigned i = 0; i < view.arch().packers; ++i) {
        auto& p = setup.packers[i];
        const Which w{i, view.blackhole() ? context : i};
        const unsigned k = w.config;
        p.from_l1 = i == 0 && view[source_interface[k]];
        const auto how = early_conversion(view, i, context);
        const auto missing = choose_conversion(view, w, how, setup.edge_masks, p);
        const bool early_missing = missing && !p.from_l1 && !formats::pack_early(how);
        judge({setup, p, view.blackhole(), how.late_from, how.intermediate, how.late_to, missing,
               early_missing && another_in_format_would_do(how)},
              p);
        p.edges.walk = tile_walk(view, i);
        p.all_masked = leave_nothing(p.edges, setup.edge_masks);
        if (view.blackhole() && view[compress_override] && !p.notes.full())
            p.notes.push_back({findings::id("pack.decided"), {}, "All_pack_disable_zero_compress_ovrd"});
        note_undocumented(view, w, p);
        p.l1_source = view[l1_source_addr[k]] << 18;
        p.header_room = !view[sub_header[k]];
        p.exponent_section = view[exp_section_size[k]];
        p.row_start_section = view[row_start_section_size[k]];
        p.limit = view[limit_address[k]] * 2 + 1;
        p.fifo = view[fifo_size[k]] * 2;
        p.dst_offset = view[dst_offset[i]];
        p.adc_override = static_cast<std::uint8_t>(view[adc_override[k]]);
        p.compress = starts_compressed(view, w);
        p.zero_flags = !view[disable_zero_flags[k]];
        p.header = view[add_header[k]];
        p.add_offset = view[add_offset[k]];
        p.last_interfaces = view[last_interfaces[k]];
        if (view[downsample_mask[k]]) p.keep = u16(downsample_mask[k]);
    }
    return setup;
}

const Setup& setup_of(const StateView& view, unsigned context, std::unique_ptr<Setup>& fresh) {
    const auto make = [&](const StateView& at) { return make_setup(at, context); };
    if (!view.slots()) {
        fresh = std::make_unique<Setup>(make(view));
        return *fresh;
    }
    const unsigned bank = view.bank();
    return view.slots()->of<SlotTable<Setup, 32, SlotPlace::packer>>().get(
        bank | view.thread << 1 | context << 3,
        stamp(view.generations(), view.thread, bank, state::Group::alu, state::Group::packer), view, make);
}

std::uint8_t descale_shift(const StateView& view, std::uint32_t z) {
    return static_cast<std::uint8_t>(view[descale_values[(z & 63) >> 2]] >> (z & 3) * 8 & 0x1F);
}

}  // namespace tessera::units::packer
