// SPDX-License-Identifier: Apache-2.0
#include "units/packer/setup.hpp"

#include "formats/pack_convert.hpp"
#include "units/look.hpp"
#include "units/packer/edges.hpp"

namespace tessera::units::packer {

namespace {

using registers::Field;
using registers::field;
using registers::fields;

/// One field of all four packers: packers 0 and 1 are SEC0's REG1 and REG8, 2 and 3 are SEC1's.
consteval std::array<Field, 4> packer_fields(std::string_view suffix) {
    std::array<Field, 4> result{};
    constexpr std::string_view prefixes[] = {"THCON_SEC0_REG1_", "THCON_SEC0_REG8_", "THCON_SEC1_REG1_",
                                             "THCON_SEC1_REG8_"};
    for (unsigned i = 0; i < 4; ++i) {
        char text[96] = {};
        std::size_t length = 0;
        for (char c : prefixes[i]) text[length++] = c;
        for (char c : suffix) text[length++] = c;
        result[i] = field({text, length});
    }
    return result;
}

constexpr auto l1_dest_addr = packer_fields("L1_Dest_addr");
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
constexpr auto descale_value = field("INT_DESCALE_VALUES_SEC0_Value");
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
constexpr auto remap_addrs = field("DEST_ACCESS_CFG_remap_addrs");
constexpr auto swizzle_32b = field("DEST_ACCESS_CFG_swizzle_32b");

std::optional<std::string_view> missing_mode(const Look& look, unsigned i) {
    const bool uncompressed =
        look[compress_override] ? look[compress_override_mask] >> i & 1 : look[disable_compress[i]];
    if (!uncompressed) return "PACR with compression";
    if (look[source_interface[i]]) return "PACR from L1";
    if (look[add_offset[i]] || look[add_header[i]]) return "PACR with L1 address offsets";
    if (look[enable_out_fifo[i]]) return "PACR to an output FIFO";
    if (look[downsample_mask[i]]) return "PACR with downsampling";
    if (look[l1_acc[i]]) return "PACR that accumulates in L1";
    if (look[exp_threshold_en[i]]) return "PACR with exponent threshold";
    return std::nullopt;
}

std::optional<std::string_view> missing_everywhere(const Look& look) {
    if (look[gasket_srnd] || look[packer_srnd]) return "PACR with stochastic rounding";
    return std::nullopt;
}

std::optional<std::string_view> choose_conversion(const Look& look, unsigned i, const plan::PackWork::EdgeMasks& masks,
                                                  PackerSetup& packer) {
    formats::EarlyConversion how;
    how.read_32b = look[read_32b];
    how.raw = look[read_raw];
    how.is_unsigned = look[read_unsigned];
    how.round_10b = look[round_10b];
    how.wide_to_fp16 = look.arch().packs_wide_to_fp16;
    how.intermediate = DataFormat(look[dstacc_override] ? look[dstacc_value] : look[dstacc]);
    how.late_from = DataFormat(look[in_format[i]]);
    how.late_to = DataFormat(look[out_format[i]]);
    const auto early = formats::pack_early(how);
    if (!early) return "PACR with this early conversion";
    const auto late = formats::pack_late(early->type, how.late_to, look[e4m3]);
    if (!late) return "PACR with this late conversion";
    if (late->block && look[no_shared_exponent[i]]) return "PACR without assembly of shared exponents";
    auto& conversion = packer.conversion;
    conversion.early = early->convert;
    conversion.late = late->convert;
    conversion.block = late->block;
    conversion.word_bytes = late->word_bytes;
    conversion.datum_bits = late->datum_bits;
    if (const unsigned mode = look[apply_relu] & 3) {
        const auto relu = formats::pack_relu(early->type, how.is_unsigned, mode, look[relu_threshold]);
        if (!relu) return "PACR with this ReLU of integers";
        conversion.relu = relu->apply;
        conversion.threshold = relu->threshold;
    }
    if (early->type == formats::PackType::int8 && look[descale_enable]) {
        if (look[descale_mode]) return "PACR with INT_DESCALE_Mode";
        conversion.shift = look[descale_value] & 0x1F;
    }
    if (const auto missing = choose_edges(look, i, early->type, masks, packer.edges)) return missing;
    // The address generators tell sizes by the low bits of the formats.
    const unsigned size_code = static_cast<unsigned>(how.late_from) & 3;
    packer.address_bytes = size_code == 0 ? 4 : size_code == 1 ? 2 : 1;
    packer.x_mask = static_cast<std::uint16_t>(16 / packer.address_bytes - 1);
    packer.has_exponent_section = static_cast<unsigned>(how.late_to) & 2;
    return std::nullopt;
}

findings::Note not_implemented(std::string_view what) { return {findings::id("not-implemented"), {}, what}; }

}  // namespace

Setup make_setup(const Look& look) {
    Setup setup;
    setup.negative_threshold = (look[apply_relu] & 2) && look[relu_threshold] >> 15;
    if (const auto missing = missing_everywhere(look)) {
        setup.fault = not_implemented(*missing);
        return setup;
    }
    setup.edge_masks = edge_masks(look);
    auto u16 = [&](const Field& f) { return static_cast<std::uint16_t>(look[f]); };
    setup.map = {look[read_32b] != 0, look[remap_addrs] != 0, look[swizzle_32b] != 0};
    setup.in_x_stride = u16(in_x_stride) & 0xF;
    setup.in_y_stride = u16(in_y_stride);
    setup.in_z_stride = u16(in_z_stride);
    setup.in_w_stride = u16(in_w_stride);
    setup.out_y_stride = u16(out_y_stride);
    setup.out_z_stride = u16(out_z_stride);
    setup.out_w_stride = u16(out_w_stride);
    setup.in_base = look[in_base];
    setup.out_base = look[out_base];
    for (unsigned i = 0; i < look.arch().packers; ++i) {
        auto& p = setup.packers[i];
        auto missing = missing_mode(look, i);
        if (!missing) missing = choose_conversion(look, i, setup.edge_masks, p);
        if (missing) p.fault = not_implemented(*missing);
        p.l1_address = look[l1_dest_addr[i]] + !look[sub_header[i]];
        if (i && setup.packers[0].l1_address >> 31) p.l1_address += setup.packers[0].l1_address;
        p.exponent_section = look[exp_section_size[i]];
        p.limit = look[limit_address[i]] * 2 + 1;
        p.fifo = look[fifo_size[i]] * 2;
        p.dst_offset = look[dst_offset[i]];
        p.adc_override = static_cast<std::uint8_t>(look[adc_override[i]]);
    }
    return setup;
}

}  // namespace tessera::units::packer
