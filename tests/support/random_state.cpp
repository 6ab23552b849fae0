// SPDX-License-Identifier: Apache-2.0
#include "support/random_state.hpp"

#include <string>

#include "isa/instruction.hpp"
#include "tessera/data_format.hpp"

namespace tessera::test {

namespace {

using state::Adc;
using state::AdcUnit;
using state::Rwc;

std::uint32_t below(Random& random, std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); }

constexpr DataFormat plain[] = {DataFormat::Float32, DataFormat::Float16, DataFormat::Float16_b};

void configure_unpackers(state::State& s, unsigned bank, Random& random) {
    for (unsigned u = 0; u < 2; ++u) {
        const std::string sec = "THCON_SEC" + std::to_string(u) + "_";
        auto set = [&](const std::string& name, std::uint32_t value) { set_field(s, sec + name, value, bank); };
        const DataFormat in = below(random, 2) ? plain[below(random, 3)] : all_data_formats[below(random, 14)];
        set("REG0_TileDescriptor_NoBFPExpSection", below(random, 4) == 0);
        set("REG2_Force_shared_exp", below(random, 4) == 0);
        set_field(s, "UNP" + std::to_string(u) + "_FORCED_SHARED_EXP_shared_exp", below(random, 256), bank);
        constexpr DataFormat from_fp32[] = {DataFormat::Tf32, DataFormat::Float16, DataFormat::Float16_b,
                                            DataFormat::Float32};
        const DataFormat out = in == DataFormat::Float32 ? from_fp32[below(random, 4)] : in;
        set("REG0_TileDescriptor_InDataFormat", static_cast<std::uint32_t>(in));
        // One mode at a time, since few combinations of them have a result.
        const unsigned mode = below(random, 8);
        set("REG0_TileDescriptor_IsUncompressed", mode != 1);
        set("REG0_TileDescriptor_BlobsPerXYPlane", below(random, 4) ? 0 : 1 + below(random, 7));
        set("REG0_TileDescriptor_BlobsYStart_lo", 0x5210 + 0x1111 * below(random, 4));
        set("REG0_TileDescriptor_BlobsYStart_hi", 0xBA98);
        set("REG2_Tileize_mode", mode == 2);
        set("REG2_Haloize_mode", mode == 3);
        set("REG2_Upsample_rate", mode == 4 ? 1 + below(random, 3) : 0);
        set("REG2_Ovrd_data_format", mode == 5);
        set("REG2_Context_count", below(random, 4));
        set("REG2_Context_count_non_log2", below(random, 8));
        set("REG2_Context_count_non_log2_en", below(random, 4) == 0);
        set("REG2_Unpack_limit_address", below(random, 0x8000));
        set("REG2_Unpack_fifo_size", mode == 6 ? below(random, 64) : 0);
        for (unsigned c = 0; c < 4; ++c)
            set("REG2_Shift_amount_cntx" + std::to_string(c), mode == 2   ? below(random, c ? 2 : 16)
                                                              : mode == 7 ? below(random, 16)
                                                                          : 0);
        set("REG0_TileDescriptor_XDim", 16 << below(random, 7));
        set("REG0_TileDescriptor_YDim", 1 + below(random, 3));
        set("REG0_TileDescriptor_ZDim", below(random, 5));
        set("REG0_TileDescriptor_WDim", below(random, 3));
        set("REG0_TileDescriptor_DigestSize", below(random, 3));
        set("REG2_Out_data_format", static_cast<std::uint32_t>(out));
        set("REG2_Throttle_mode", below(random, 4));
        set("REG2_Unpack_Src_Reg_Set_Upd", below(random, 2));
        set("REG2_Unpack_If_Sel", below(random, 2));
        for (unsigned c = 0; c < 8; ++c) set("REG2_Unpack_if_sel_cntx" + std::to_string(c), below(random, 2));
        for (unsigned c = 0; c < 8; ++c) {
            set("REG2_Disable_zero_compress_cntx" + std::to_string(c), mode != 1);
            set("REG7_Unpack_data_format_cntx" + std::to_string(c), static_cast<std::uint32_t>(in));
            set("REG7_Unpack_out_data_format_cntx" + std::to_string(c), static_cast<std::uint32_t>(out));
        }
        for (unsigned c = 0; c < 4; ++c) {
            const std::string n = std::to_string(c);
            set("REG5_Tile_x_dim_cntx" + n, 16 << below(random, 7));
            set("REG5_Dest_cntx" + n + "_address", 64 + 16 * below(random, 40));
        }
        set("REG3_Base_address", below(random, 0x8000));
        for (unsigned c = 1; c < 4; ++c) set("REG3_Base_cntx" + std::to_string(c) + "_address", below(random, 0x8000));
        set("REG7_Offset_address", below(random, 256));
        for (unsigned c = 1; c < 4; ++c) set("REG7_Offset_cntx" + std::to_string(c) + "_address", below(random, 256));
        const std::string unp = "UNP" + std::to_string(u) + "_";
        set_field(s, unp + "ADDR_CTRL_XY_REG_1_Ystride", 64 * below(random, 4), bank);
        set_field(s, unp + "ADDR_CTRL_ZW_REG_1_Zstride", 64 * below(random, 16), bank);
        set_field(s, unp + "ADDR_CTRL_ZW_REG_1_Wstride", 64 * below(random, 16), bank);
        set_field(s, unp + "ADDR_BASE_REG_1_Base", 64 * below(random, 16), bank);
        set_field(s, unp + "ADD_DEST_ADDR_CNTR_add_dest_addr_cntr", below(random, 2), bank);
    }
}

void configure_packers(state::State& s, unsigned bank, Random& random) {
    constexpr DataFormat numbers[] = {DataFormat::Float32, DataFormat::Float16, DataFormat::Float16_b,
                                      DataFormat::Tf32,    DataFormat::Bfp8_b,  DataFormat::Bfp8};
    constexpr DataFormat outputs[] = {
        DataFormat::Float32, DataFormat::Float16, DataFormat::Float16_b, DataFormat::Lf8,    DataFormat::Bfp8,
        DataFormat::Bfp4,    DataFormat::Bfp2,    DataFormat::Bfp8_b,    DataFormat::Bfp4_b, DataFormat::Bfp2_b};
    const DataFormat in = numbers[below(random, 6)], out = outputs[below(random, 10)];
    const bool narrow = in == DataFormat::Float16 || in == DataFormat::Bfp8;
    const bool wide = in == DataFormat::Float32 || (!narrow && below(random, 2));
    set_field(s, "ALU_FORMAT_SPEC_REG2_Dstacc", static_cast<std::uint32_t>(in), bank);
    set_field(s, "PCK_DEST_RD_CTRL_Read_32b_data", wide, bank);
    set_field(s, "STACC_RELU_ApplyRelu", below(random, 4), bank);
    set_field(s, "STACC_RELU_ReluThreshold", below(random, 0x8000), bank);
    set_field(s, "PCK_DEST_RD_CTRL_Read_int8", in != DataFormat::Tf32 && below(random, 2), bank);
    const bool masked = below(random, 2);
    for (unsigned i = 0; i < 4; ++i)
        set_field(s, "PCK_EDGE_OFFSET_SEC" + std::to_string(i) + "_mask", masked ? below(random, 0x10000) : 0xFFFF,
                  bank);
    set_field(s, "PCK_EDGE_TILE_ROW_SET_SELECT_select", below(random, 256), bank);
    for (unsigned row = 0; row < 16; ++row)
        set_field(s, "TILE_ROW_SET_MAPPING_0_row_set_mapping_" + std::to_string(row), below(random, 4), bank);
    const unsigned size_code = static_cast<unsigned>(in) & 3;
    const unsigned bytes = size_code == 0 ? 4 : size_code == 1 ? 2 : 1;
    set_field(s, "PCK0_ADDR_CTRL_XY_REG_0_Xstride", bytes, bank);
    set_field(s, "PCK0_ADDR_CTRL_XY_REG_0_Ystride", 16 * bytes, bank);
    set_field(s, "PCK0_ADDR_CTRL_ZW_REG_0_Zstride", 256 * bytes, bank);
    set_field(s, "PCK0_ADDR_CTRL_ZW_REG_0_Wstride", 1024 * bytes, bank);
    set_field(s, "PCK0_ADDR_CTRL_XY_REG_1_Ystride", 16 * below(random, 64), bank);
    set_field(s, "PCK0_ADDR_CTRL_ZW_REG_1_Zstride", 16 * below(random, 64), bank);
    const bool compressed = below(random, 3) == 0, accumulated = !compressed && below(random, 6) == 0;
    set_field(s, "ALU_ROUNDING_MODE_Gasket_srnd_en", below(random, 8) == 0, bank);
    set_field(s, "ALU_ROUNDING_MODE_Packer_srnd_en", below(random, 8) == 0, bank);
    const char* const sections[] = {"THCON_SEC0_REG1_", "THCON_SEC0_REG8_", "THCON_SEC1_REG1_", "THCON_SEC1_REG8_"};
    for (unsigned i = 0; i < 4; ++i) {
        auto set = [&](const char* name, std::uint32_t value) {
            set_field(s, std::string(sections[i]) + name, value, bank);
        };
        set("Disable_zero_compress", compressed ? 0 : 1);
        set("Row_start_section_size", below(random, 8));
        set("Pack_L1_Acc", accumulated);
        set("Exp_threshold_en", below(random, 4) == 0);
        set("Exp_threshold", below(random, 256));
        set("Downsample_mask", below(random, 4) ? 0 : below(random, 0x10000));
        set("Add_tile_header_size", below(random, 2));
        set("Add_l1_dest_addr_offset", below(random, 4) == 0);
        set("Source_interface_selection", below(random, 8) == 0);
        set("L1_source_addr", below(random, 5));
        set("Exp_section_size", below(random, 8));
        set("In_data_format", static_cast<std::uint32_t>(in));
        set("Out_data_format", static_cast<std::uint32_t>(out));
        set("L1_Dest_addr", 0x1000 * (i + 1) + below(random, 256));
        set("Sub_l1_tile_header_size", below(random, 2));
        set_field(s, "PACK_COUNTERS_SEC" + std::to_string(i) + "_pack_reads_per_xy_plane", 1 + below(random, 20), bank);
        set_field(s, "DEST_TARGET_REG_CFG_PACK_SEC" + std::to_string(i) + "_Offset", below(random, 512), bank);
    }
}

void configure_matrix(state::State& s, unsigned bank, Random& random) {
    set_field(s, "DEST_ACCESS_CFG_remap_addrs", below(random, 2), bank);
    set_field(s, "DEST_ACCESS_CFG_swizzle_32b", below(random, 2), bank);
    constexpr std::uint32_t formats[] = {0, 1, 4, 5, 6, 10};
    set_field(s, "ALU_FORMAT_SPEC_REG0_SrcA", formats[below(random, 6)], bank);
    set_field(s, "ALU_FORMAT_SPEC_REG1_SrcB", formats[below(random, 6)], bank);
    set_field(s, "ALU_FORMAT_SPEC_REG_SrcA_override", below(random, 2), bank);
    set_field(s, "ALU_FORMAT_SPEC_REG_SrcA_val", formats[below(random, 6)], bank);
    set_field(s, "ALU_ACC_CTRL_Fp32_enabled", below(random, 2), bank);
    set_field(s, "ALU_ACC_CTRL_Zero_Flag_disabled_src", below(random, 2), bank);
}

void configure_threads(state::State& s, Random& random) {
    for (unsigned t = 0; t < state::threads; ++t) {
        auto set = [&](std::string_view name, std::uint32_t value) {
            const auto field = registers::find_field(name, s.arch().arch);
            if (!field) return;
            const auto& at = field->spec->at(s.arch().arch);
            const auto cell = state::cells::thread_config(t, at.addr32);
            s.write(cell, at.insert(s[cell], value));
        };
        set("CFG_STATE_ID_StateID", below(random, 2));
        set("ENABLE_ACC_STATS_Enable", below(random, 6) == 0);
        set("DEST_TARGET_REG_CFG_MATH_Offset", 8 * below(random, 128));
        set("SRCA_SET_SetOvrdWithAddr", below(random, 2));
        set("SRCA_SET_Base", below(random, 4));
        set("SRCB_SET_Base", below(random, 4));
        set("CLR_DVALID_SrcA_Disable", below(random, 2));
        set("DISABLE_IMPLIED_SRCA_FMT_Base", below(random, 2));
        set("DISABLE_IMPLIED_SRCB_FMT_Base", below(random, 2));
        set("UNPACK_MISC_CFG_CfgContextOffset_0", below(random, 4));
        set("UNPACK_MISC_CFG_CfgContextOffset_1", below(random, 2));
        for (unsigned i = 0; i < 8; ++i)
            for (const char* name :
                 {"ADDR_MOD_AB_SEC#_SrcAIncr", "ADDR_MOD_AB_SEC#_SrcACR", "ADDR_MOD_AB_SEC#_SrcBIncr",
                  "ADDR_MOD_AB_SEC#_SrcBClear", "ADDR_MOD_DST_SEC#_DestIncr", "ADDR_MOD_DST_SEC#_DestCR",
                  "ADDR_MOD_DST_SEC#_DestCToCR", "ADDR_MOD_DST_SEC#_FidelityIncr", "ADDR_MOD_PACK_SEC#_YsrcIncr",
                  "ADDR_MOD_PACK_SEC#_YsrcCR", "ADDR_MOD_PACK_SEC#_ZsrcIncr", "ADDR_MOD_PACK_SEC#_ZdstClear",
                  "ADDR_MOD_PACK_SEC#_YdstIncr"}) {
                std::string field(name);
                field.replace(field.find('#'), 1, std::to_string(i));
                set(field, static_cast<std::uint32_t>(random()));
            }
    }
}

void fill_counters(state::State& s, Random& random) {
    for (unsigned t = 0; t < state::threads; ++t) {
        for (Rwc c : {Rwc::src_a, Rwc::src_a_cr, Rwc::src_b, Rwc::src_b_cr})
            s.write(state::cells::rwc(t, c), below(random, 64));
        for (Rwc c : {Rwc::dst, Rwc::dst_cr}) s.write(state::cells::rwc(t, c), below(random, 1024));
        s.write(state::cells::rwc(t, Rwc::fidelity), below(random, 4));
        s.write(state::cells::rwc(t, Rwc::extra_addr_mod_bit), below(random, 2));
        for (AdcUnit u : {AdcUnit::unpacker0, AdcUnit::unpacker1, AdcUnit::packers})
            for (unsigned channel = 0; channel < 2; ++channel)
                for (unsigned c = 0; c < state::cells::size<Adc>; ++c)
                    s.write(state::cells::adc(t, u, channel, Adc(c)), below(random, 4));
        for (AdcUnit u : {AdcUnit::unpacker0, AdcUnit::unpacker1}) {
            const std::uint32_t x = below(random, 32);
            s.write(state::cells::adc(t, u, 0, Adc::x), x);
            s.write(state::cells::adc(t, u, 1, Adc::x), x + below(random, 300) - (x ? 1 : 0));
        }
        s.write(state::cells::adc(t, AdcUnit::packers, 0, Adc::x), 0);
        s.write(state::cells::adc(t, AdcUnit::packers, 1, Adc::x), below(random, s.arch().packers > 1 ? 200 : 16));
    }
}

void fill_vector_unit(state::State& s, Random& random) {
    using namespace state::cells;
    const auto word = [&] { return static_cast<std::uint32_t>(random()); };
    for (auto& x : s.lregs.lane) x = word();
    s.write(cc_block[0], word());
    s.write(cc_enable_block[0], below(random, 2));
    for (unsigned i = 0; i < 2 * cc_stack_depth; ++i) s.write(cc_stack_block[i], i % 2 ? below(random, 2) : word());
    s.write(cc_stack_size_block[0], below(random, cc_stack_depth + 1));
    const bool configured = below(random, 2);
    for (unsigned i = 0; i < lane_config_words; ++i) {
        if (configured) s.write(lane_config_block[i], below(random, 4) ? word() & 0xFFF : word());
        for (unsigned item = 0; item < size<state::Macro>; ++item) s.write(macro(i, state::Macro(item)), word());
    }
    for (unsigned i = 0; i < lanes; ++i) s.write(prng_block[i], word());
}

}  // namespace

void set_field(state::State& state, std::string_view name, std::uint32_t value, unsigned bank) {
    const auto field = registers::find_field(name, state.arch().arch);
    if (!field) return;
    const auto& at = field->spec->at(state.arch().arch);
    if (field->space == registers::Space::thread) {
        for (unsigned t = 0; t < state::threads; ++t) {
            const auto cell = state::cells::thread_config(t, at.addr32);
            state.write(cell, at.insert(state[cell], value));
        }
        return;
    }
    const auto cell = state::cells::config(state.arch(), bank, at.addr32);
    state.write(cell, at.insert(state[cell], value));
}

state::State random_state(Arch arch, Random& random) {
    state::State s(arch);
    for (unsigned i = 0; i < state::cells::set_reg_bases; ++i)
        s.write(state::cells::set_reg_base(i), 0x40000 + s.arch().stream_data_clear * 4u);
    s.write(state::cells::last_src_a_row, below(random, 64));
    const auto l1 = s.l1.open();
    for (std::size_t i = 0; i + 8 <= l1.size(); i += 8) {
        const std::uint64_t word = random();
        for (unsigned b = 0; b < 8; ++b) l1[i + b] = static_cast<std::uint8_t>(word >> 8 * b);
    }
    for (auto& source : s.src)
        for (auto& bank : source)
            for (auto& datum : bank.datums) datum = static_cast<std::uint32_t>(random() & 0x7FFFF) << 13;
    for (auto& datum : s.dst.datums) datum = static_cast<std::uint16_t>(random());
    for (unsigned row = 0; row < state::Dst::rows; ++row) s.dst.valid[row] = random() & 3;
    for (unsigned bank = 0; bank < 2; ++bank) {
        configure_unpackers(s, bank, random);
        configure_packers(s, bank, random);
        configure_matrix(s, bank, random);
    }
    configure_threads(s, random);
    fill_counters(s, random);
    if (below(random, 2)) fill_vector_unit(s, random);
    for (unsigned i = 0; i < 8; ++i) {
        s.write(state::cells::semaphore_value(i), below(random, 16));
        s.write(state::cells::semaphore_max(i), below(random, 16));
        s.write(state::cells::mutex(i), below(random, 4));
    }
    for (state::Src src : {state::Src::a, state::Src::b}) {
        s.write(state::cells::matrix_bank(src), below(random, 2));
        for (unsigned bank = 0; bank < 2; ++bank) {
            s.write(state::cells::bank_owner(src, bank), below(random, 2));
            if (s.arch().implied_formats) {
                constexpr std::uint32_t formats[] = {1, 4, 5};
                s.write(state::cells::implied_format(src, bank), formats[below(random, 3)]);
            }
        }
        const unsigned u = static_cast<unsigned>(src);
        const std::uint32_t bank = below(random, 2);
        s.write(state::cells::unpacker(u, state::Unpacker::bank), bank);
        s.write(state::cells::unpacker(u, state::Unpacker::next_bank), bank);
        for (unsigned t = 0; t < state::threads; ++t)
            s.write(state::cells::unpacker(u, state::Unpacker::src_row_t0, t), below(random, 64));
    }
    for (unsigned i = 0; i < s.arch().packers; ++i) {
        using state::Packer;
        const auto cell = [i](Packer item, unsigned n = 0) {
            return state::cells::packer(i, Packer(static_cast<unsigned>(item) + n));
        };
        const auto fill = [&](Packer first, unsigned words) {
            for (unsigned w = 0; w < words; ++w) s.write(cell(first, w), static_cast<std::uint32_t>(random()));
        };
        s.write(cell(Packer::data_needs_address), below(random, 2));
        s.write(cell(Packer::data_address), 0x20000 + 16 * below(random, 4096));
        // More than a stream can hold, now and then, as a debugger may write it.
        const auto held = [&] { return below(random, below(random, 8) ? 16 : 256); };
        s.write(cell(Packer::data_filled), held());
        fill(Packer::data_0, 4);
        s.write(cell(Packer::exp_needs_address), below(random, 2));
        s.write(cell(Packer::exp_address), 0x40000 + 16 * below(random, 4096));
        s.write(cell(Packer::exp_filled), held());
        fill(Packer::exp_0, 4);
        s.write(cell(Packer::group_filled), held());
        s.write(cell(Packer::tile_x), held());
        fill(Packer::group_0, 8);
        s.write(cell(Packer::compressing), below(random, 2));
        s.write(cell(Packer::reach_first), 0x20000);
        s.write(cell(Packer::reach_end), 0x80000);
        s.write(cell(Packer::rsi_needs_address), below(random, 2));
        s.write(cell(Packer::rsi_address), 0x60000 + 16 * below(random, 4096));
        s.write(cell(Packer::rsi_filled), held());
        fill(Packer::rsi_0, 4);
        s.write(cell(Packer::rle_filled), below(random, 33));
        fill(Packer::rle_0, 4);
        s.write(cell(Packer::row_open), below(random, 2));
        s.write(cell(Packer::rsi_datums), below(random, 1000));
        s.write(cell(Packer::row_number), below(random, 40));
        s.write(cell(Packer::tile_size), below(random, 1000));
        s.write(cell(Packer::gasket_random), static_cast<std::uint32_t>(random()));
        s.write(cell(Packer::packer_random), static_cast<std::uint32_t>(random()));
        s.write(cell(Packer::l1_dest_addr_offset), below(random, 1000));
    }
    // Of streams only Blackhole's instructions read registers that no store sets.
    for (unsigned i = 0; i < state::cells::stream_register_block.count; ++i)
        s.write(state::cells::stream_register_block[i], static_cast<std::uint32_t>(random()));
    // Lines of L1, most of them: addresses of the scalar unit, and of TDMA-RISC's commands.
    for (unsigned i = 0; i < state::cells::gpr_block.count; ++i)
        s.write(state::cells::gpr_block[i],
                below(random, 8) ? below(random, 0x10000) : static_cast<std::uint32_t>(random()));
    for (unsigned i = 0; i < state::cells::tdma_block.count; ++i)
        s.write(state::cells::tdma_block[i], below(random, 0x8000));
    for (unsigned bank = 0; bank < 2; ++bank) {
        set_field(s, "THCON_SEC0_REG6_Source_address", below(random, 0x10000), bank);
        set_field(s, "THCON_SEC0_REG6_Destination_address", below(random, below(random, 2) ? 0x60 : 0x10000), bank);
        set_field(s, "THCON_SEC0_REG6_Buffer_size", below(random, 60), bank);
        set_field(s, "THCON_SEC0_REG6_Transfer_direction", below(random, 4), bank);
    }
    return s;
}

std::uint32_t random_word(Arch arch, std::string_view instruction, Random& random) {
    // Operands whose other values end in a fault: forms and modes that do not exist (yet).
    constexpr std::string_view kept_zero[] = {"ZeroWrite",     "CtxtCtrl",   "AddrCntContext", "CfgContext",
                                              "DstAccessMode", "RowPadZero", "Bank_Clr_Ctrl"};
    for (const auto& spec : isa::table) {
        if (spec.name != instruction || !isa::includes(spec.archs, arch)) continue;
        std::uint32_t word = std::uint32_t{spec.opcode} << 24;
        for (unsigned i = 0; i < spec.operand_count; ++i) {
            const auto& o = spec.operands[i];
            bool zero = false;
            for (auto name : kept_zero) zero |= name == o.name;
            if (zero && !(spec.name == "PACR" && o.name == "ZeroWrite")) continue;
            std::uint32_t value = static_cast<std::uint32_t>(random()) & ((1u << o.width()) - 1);
            if (o.name == "AddrCntContextId") value %= 3;
            if ((o.name == "CfgContextCntInc" || o.name == "SearchCacheFlush") && random() % 8) value = 0;
            if (o.name == "OvrdThreadId" && spec.name == "PACR") value = 0;
            if (o.name == "mutex_index") value = 2 + value % (arch == Arch::blackhole ? 3 : 6);
            if (o.name == "setc16_reg") value %= arch == Arch::blackhole ? 68 : 57;
            if (o.name == "CfgReg" || o.name == "CfgRegAddr") value %= state::describe(arch).config_words;
            if (o.name == "RegAddr")
                value = (random() & 1 ? 0x11000 : 0x40000 + value % 64 * 0x1000) / 4 + value % 4 * 4;
            if (o.name == "StreamRegAddr" && random() % 4) value = 29;
            if (o.name == "FlopIndex") value %= 100;
            if (o.name == "TargetSel" && value == 1) value = 0;
            if (o.name == "Unpack_Pop") value = 1;
            if (o.name == "Src_ClrVal_Ctrl") value &= 1;
            if (o.name == "NoOp") value = value & 1 ? 7 : 1 | (value & 0x14);
            word |= value << o.lo;
        }
        return word;
    }
    return 0;
}

}  // namespace tessera::test
