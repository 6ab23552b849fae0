// SPDX-License-Identifier: Apache-2.0
#include "fidelity/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "registers/field_family.hpp"
#include "tessera/registers.hpp"

namespace tessera::fidelity {

namespace {

constexpr unsigned widest_mode = 4;  // bits

// Operands that are no modes, by prefix of their names: registers, rows, counters, numbers, stalls.
constexpr std::string_view no_modes[] = {
    "lreg_",      "addr_mode", "pool_addr_mode", "sfpu_addr_mode", "rwc_",    "Ch0_", "Ch1_",
    "init_value", "max_value", "CmpVal",         "IncrVal",        "WrapVal", "x_",   "y_",
    "halo_mask",  "ThreadSel", "BitMask",        "CntSetMask",     "AddrMode", "mod1_mirror"};

constexpr Setting unpacker_settings[] = {
    {"THCON_SEC0_REG0_TileDescriptor_InDataFormat", "THCON_SEC0_REG2_Out_data_format", true},
    {"THCON_SEC0_REG0_TileDescriptor_IsUncompressed", {}, true},
    {"THCON_SEC0_REG0_TileDescriptor_NoBFPExpSection", {}, true},
    {"THCON_SEC0_REG2_Haloize_mode", {}, true},
    {"THCON_SEC0_REG2_Tileize_mode", {}, true},
    {"THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd", {}, true},
    {"THCON_SEC0_REG2_Unpack_If_Sel", {}, true},
    {"THCON_SEC0_REG2_Upsample_rate", {}, true},
    {"THCON_SEC0_REG2_Upsample_and_interleave", {}, true},
    {"THCON_SEC0_REG2_Ovrd_data_format", {}, true},
    {"THCON_SEC0_REG2_Force_shared_exp", {}, true},
    {"SRCA_SET_SetOvrdWithAddr", {}, true},
};

constexpr Setting packer_settings[] = {
    {"THCON_SEC0_REG1_In_data_format", "THCON_SEC0_REG1_Out_data_format", true},
    {"PCK_DEST_RD_CTRL_Read_32b_data", {}, true},
    {"PCK_DEST_RD_CTRL_Read_unsigned", {}, true},
    {"PCK_DEST_RD_CTRL_Read_int8", {}, true},
    {"PCK_DEST_RD_CTRL_Round_10b_mant", {}, true},
    {"STACC_RELU_ApplyRelu", {}, true},
    {"ALU_ROUNDING_MODE_Gasket_srnd_en", {}, true},
    {"ALU_ROUNDING_MODE_Packer_srnd_en", {}, true},
    {"INT_DESCALE_Enable", {}, true},
    {"PCK_EDGE_MODE_mode", {}, true},
    {"THCON_SEC0_REG1_Disable_zero_compress", {}, true},
    {"THCON_SEC0_REG1_Pack_L1_Acc", {}, true},
    {"THCON_SEC0_REG1_Exp_threshold_en", {}, true},
    {"THCON_SEC0_REG1_Downsample_rate", {}, true},
    {"THCON_SEC0_REG1_Enable_out_fifo", {}, true},
    {"THCON_SEC0_REG1_Source_interface_selection", {}, true},
    {"THCON_SEC0_REG1_Add_tile_header_size", {}, true},
    {"THCON_SEC0_REG1_Sub_l1_tile_header_size", {}, true},
    {"THCON_SEC0_REG1_Pac_LF8_4b_exp", {}, true},
    {"PACK_COUNTERS_SEC0_pack_yz_transposed", {}, true},
    {"DEST_ACCESS_CFG_remap_addrs", "DEST_ACCESS_CFG_swizzle_32b", true},
};

constexpr Setting matrix_settings[] = {
    {"ALU_ACC_CTRL_Fp32_enabled", "ALU_ACC_CTRL_INT8_math_enabled", true},
    {"ALU_ACC_CTRL_Zero_Flag_disabled_src", {}, true},
    {"ALU_ROUNDING_MODE_Fpu_srnd_en", {}, true},
    {"FP16A_FORCE_Enable", {}, true},
    {"DEST_ACCESS_CFG_remap_addrs", "DEST_ACCESS_CFG_swizzle_32b", true},
};

constexpr Setting vector_settings[] = {
    {"ALU_ACC_CTRL_SFPU_Fp32_enabled", {}, true},
    {"DEST_ACCESS_CFG_remap_addrs", "DEST_ACCESS_CFG_swizzle_32b", true},
};

std::span<const Setting> of_configuration(const isa::InstructionSpec& spec) {
    if (spec.name == "UNPACR") return unpacker_settings;
    if (spec.name == "PACR") return packer_settings;
    if (spec.name == "SFPLOAD" || spec.name == "SFPSTORE" || spec.name == "SFPLOADMACRO") return vector_settings;
    constexpr std::string_view matrix[] = {"MOVA2D", "MOVB2D", "MOVD2A", "MOVD2B", "MVMUL",  "DOTPV",
                                           "ELWADD", "ELWSUB", "ELWMUL", "GMPOOL", "GAPOOL", "MOVB2A"};
    if (std::find(std::begin(matrix), std::end(matrix), spec.name) != std::end(matrix)) return matrix_settings;
    return {};
}

bool selects_a_mode(const isa::OperandSpec& operand) {
    if (operand.bits == 0 || operand.bits > widest_mode) return false;
    return std::none_of(std::begin(no_modes), std::end(no_modes), [&](std::string_view beginning) {
        return operand.name.substr(0, beginning.size()) == beginning;
    });
}

// "Out_data_format" of "THCON_SEC0_REG2_Out_data_format": mode names omit the unpacker or packer.
std::string_view short_name(std::string_view field) {
    constexpr std::string_view registers[] = {"THCON_SEC", "PACK_COUNTERS_SEC"};
    for (const std::string_view prefix : registers) {
        if (field.substr(0, prefix.size()) != prefix) continue;
        field.remove_prefix(field.find('_', prefix.size()) + 1);
        if (field.substr(0, 3) == "REG") field.remove_prefix(field.find('_') + 1);
        constexpr std::string_view descriptor = "TileDescriptor_";
        if (field.substr(0, descriptor.size()) == descriptor) field.remove_prefix(descriptor.size());
    }
    return field;
}

std::string field_text(std::string_view field, Arch arch, std::uint32_t value) {
    const auto named = registers::find_field(field, arch);
    if (!named) return fmt::format("{}", value);
    RegisterField as_told;
    as_told.width = named->spec->at(arch).width;
    as_told.kind = registers::kind_of(*named->spec, arch);
    return as_told.kind == FieldKind::data_format ? describe_value(as_told, value) : fmt::format("{}", value);
}

unsigned width_of(std::string_view name, const Setting& setting, const isa::Form& form, Arch arch) {
    if (setting.of_configuration) {
        const auto named = registers::find_field(name, arch);
        return named ? named->spec->at(arch).width : 0;
    }
    for (const auto& operand : form.operands)
        if (operand.name == name) return operand.bits;
    return 0;
}

}  // namespace

std::string Setting::text() const {
    std::string text(short_name(first));
    if (!second.empty()) text += fmt::format(", {}", short_name(second));
    return text;
}

std::vector<Setting> settings_of(const isa::InstructionSpec& spec, const isa::Form& form, Arch arch) {
    std::vector<Setting> result;
    for (const auto& operand : form.operands)
        if (selects_a_mode(operand) && (operand.used_mask() & ~form.mask)) result.push_back({operand.name, {}, false});
    for (const Setting& setting : of_configuration(spec))
        if (width_of(setting.first, setting, form, arch)) result.push_back(setting);
    return result;
}

std::vector<ModeValue> values_of(const Setting& setting, const isa::Form& form, Arch arch) {
    std::vector<ModeValue> result;
    const auto text = [&](std::string_view name, std::uint32_t value) {
        return setting.of_configuration ? field_text(name, arch, value) : fmt::format("{}", value);
    };
    const unsigned first = width_of(setting.first, setting, form, arch);
    const unsigned second = setting.second.empty() ? 0 : width_of(setting.second, setting, form, arch);
    for (std::uint32_t i = 0; i < 1u << first; ++i)
        for (std::uint32_t j = 0; j < 1u << second; ++j)
            result.push_back({i, j,
                              setting.second.empty() ? text(setting.first, i)
                                                     : text(setting.first, i) + ", " + text(setting.second, j)});
    return result;
}

std::string mode_key(std::string_view form, const std::string& setting, const std::string& value) {
    std::string key;
    if (!form.empty()) key = fmt::format("{}: ", form);
    return setting.empty() ? key + "all" : fmt::format("{}{}={}", key, setting, value);
}

std::vector<std::string> modes_of(const isa::Instruction& instruction, const Explanation& explanation) {
    const auto form = isa::form_of(instruction);
    if (!form) return {};
    const auto value_of = [&](const Setting& setting, std::string_view wanted) -> std::optional<std::string> {
        if (!setting.of_configuration) {
            for (const auto& operand : form->operands)
                if (operand.name == wanted)
                    return fmt::format("{}", (instruction.word & operand.used_mask()) >> operand.lo);
            return std::nullopt;
        }
        for (const auto& line : explanation.lines) {
            if (line.topic != "register") continue;
            const std::string_view name = std::string_view(line.name).substr(0, line.name.find('['));
            if (short_name(name) == short_name(wanted))  // the number precedes the name
                return field_text(wanted, instruction.arch,
                                  static_cast<std::uint32_t>(std::stoul(line.value, nullptr, 0)));
        }
        return std::nullopt;
    };
    std::vector<std::string> result{mode_key(form->name, {}, {})};
    for (const Setting& setting : settings_of(*instruction.spec, *form, instruction.arch)) {
        auto value = value_of(setting, setting.first);
        if (!value) continue;
        if (!setting.second.empty()) {
            const auto second = value_of(setting, setting.second);
            if (!second) continue;
            *value += ", " + *second;
        }
        result.push_back(mode_key(form->name, setting.text(), *value));
    }
    return result;
}

}  // namespace tessera::fidelity
