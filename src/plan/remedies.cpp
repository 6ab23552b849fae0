// SPDX-License-Identifier: Apache-2.0
#include "plan/remedies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plan/remedy.hpp"
#include "registers/field_family.hpp"

namespace tessera::plan {

namespace {

using findings::id;
using enum Remedy::When;

constexpr std::string_view with_datums = "a format that has datums: any code but 12 and 13";
constexpr std::string_view of_fp32 = "Float32 for Dst, else Tf32, Float16_b or Float16";
constexpr std::string_view in_l1 = "such that the tile with its datums lies in L1";
constexpr std::string_view as_input = "the input format, or Float32 in L1";
constexpr std::string_view aligned = "a multiple of the bytes of a datum of the output format";
constexpr std::string_view in_bank = "such that all rows fit the bank";
constexpr std::string_view to_dst = "Dst, since a source register keeps 19 bits";

constexpr Remedy table[] = {
    {id("unpack.unknown-format"), "THCON_SEC#_REG0_TileDescriptor_InDataFormat", named, with_datums},
    {id("unpack.unknown-format"), "THCON_SEC#_REG2_Out_data_format", named, with_datums},
    {id("unpack.unknown-format"), "THCON_SEC#_REG7_Unpack_data_format_cntx#", named, with_datums},
    {id("unpack.unknown-format"), "THCON_SEC#_REG7_Unpack_out_data_format_cntx#", named, with_datums},
    {id("unpack.fp32-to-other"), "THCON_SEC#_REG2_Out_data_format", named, of_fp32},
    {id("unpack.fp32-to-other"), "THCON_SEC#_REG7_Unpack_out_data_format_cntx#", named, of_fp32},
    {id("unpack.format-mismatch"), "THCON_SEC#_REG2_Out_data_format", any, as_input},
    {id("unpack.format-mismatch"), "THCON_SEC#_REG7_Unpack_out_data_format_cntx#", any, as_input},
    {id("unpack.fp32-to-src"), "THCON_SEC#_REG2_Out_data_format", any, "Tf32, which is what it is taken for"},
    {id("unpack.fp32-to-src"), "THCON_SEC#_REG7_Unpack_out_data_format_cntx#", any,
     "Tf32, which is what it is taken for"},
    {id("unpack.tf32-to-src"), "THCON_SEC#_REG0_TileDescriptor_InDataFormat", any,
     "Float32, with Tf32 as output format"},
    {id("unpack.int32-to-src"), "THCON_SEC0_REG2_Unpack_If_Sel", any, to_dst},
    {id("unpack.int32-to-src"), "THCON_SEC0_REG2_Unpack_if_sel_cntx#", any, to_dst},
    {id("unpack.l1-address"), "THCON_SEC#_REG3_Base_address", any, in_l1},
    {id("unpack.l1-address"), "THCON_SEC#_REG3_Base_cntx#_address", any, in_l1},
    {id("unpack.l1-address"), "THCON_SEC#_REG7_Offset_address", set, in_l1},
    {id("unpack.l1-address"), "THCON_SEC#_REG7_Offset_cntx#_address", set, in_l1},
    {id("unpack.in-address-misaligned"), "adc thread # unpacker# channel 0 x", set,
     "such that the first datum is at a multiple of 16 bytes"},
    {id("unpack.count-negative"), "adc thread # unpacker# channel 1 x", any,
     "the last datum, not before channel 0's X"},
    {id("unpack.context-adc-3"), "AddrCntContextId", any, "a thread: 0, 1 or 2"},
    {id("unpack.out-address-misaligned"), "UNP#_ADDR_BASE_REG_1_Base", set, aligned},
    {id("unpack.out-address-misaligned"), "UNP#_ADDR_CTRL_XY_REG_1_Ystride", set, aligned},
    {id("unpack.out-address-misaligned"), "UNP#_ADDR_CTRL_ZW_REG_1_Zstride", set, aligned},
    {id("unpack.out-address-misaligned"), "UNP#_ADDR_CTRL_ZW_REG_1_Wstride", set, aligned},
    {id("unpack.dst-transposed"), "THCON_SEC#_REG2_Haloize_mode", set, "off for a transfer to Dst"},
    {id("unpack.dst-transposed"), "THCON_SEC#_REG2_Shift_amount_cntx#", set, "0 for a transfer to Dst"},
    {id("unpack.tilize-conflict"), "THCON_SEC#_REG2_Upsample_rate", set, "0 in tilize mode"},
    {id("unpack.tilize-conflict"), "THCON_SEC#_REG0_TileDescriptor_IsUncompressed", unset, "1 in tilize mode"},
    {id("unpack.tilize-conflict"), "THCON_SEC#_REG2_Disable_zero_compress_cntx#", unset, "1 in tilize mode"},
    {id("unpack.tilize-sub-byte"), "THCON_SEC#_REG0_TileDescriptor_InDataFormat", any, "a format of 8 bits or more"},
    {id("unpack.context-count-non-log2"), "THCON_SEC#_REG2_Context_count_non_log2_en", any,
     "off; Context_count has powers of two"},
    {id("unpack.context-count-inc"), "UNPACK_MISC_CFG_CfgContextCntInc_#", set,
     "off; AutoIncContextID of the instruction counts"},
    {id("unpack.unpacker1-context"), "UNPACK_MISC_CFG_CfgContextOffset_#", set, "such that the context is 0 or 1"},
    {id("unpack.unpacker1-context"), "CfgContextId", set, "such that the context is 0 or 1"},
    {id("unpack.dst-set-ovrd"), "SRCA_SET_SetOvrdWithAddr", any, "off for a transfer to Dst"},
    {id("unpack.srca-row-16"), "SRCA_SET_SetOvrdWithAddr", any, "on, for addresses that reach all 64 rows"},
    {id("unpack.srca-row-64"), "UNP#_ADDR_BASE_REG_1_Base", any, in_bank},
    {id("unpack.srcb-row-wrap"), "UNP#_ADDR_BASE_REG_1_Base", any, in_bank},
};

bool applies(const Remedy& remedy, const findings::Note& note, const ReadValue& read) {
    switch (remedy.when) {
        case any: break;
        case set:
            if (!read.value) return false;
            break;
        case unset:
            if (read.value) return false;
            break;
        case named:
            if (std::find(note.values.begin(), note.values.end(), read.value) == note.values.end()) return false;
            break;
        case low_bits:
            if (read.value % 16 == 0) return false;
            break;
    }
    std::string_view name = read.name;
    if (name.ends_with("[1]")) name.remove_suffix(3);
    return registers::matches(remedy.name, name);
}

}  // namespace

Lines remedies(const findings::Note& note, std::span<const ReadValue> read) {
    Lines lines;
    for (const std::span<const Remedy> rows : {std::span<const Remedy>(table), pack_remedies()})
        for (const Remedy& remedy : rows) {
            if (remedy.about != note.id || (!remedy.detail.empty() && remedy.detail != note.detail)) continue;
            for (const ReadValue& value : read)
                if (applies(remedy, note, value))
                    lines.emplace_back(value.name, fmt::format("{}; now {}", remedy.should_be, value.text));
        }
    return lines;
}

std::vector<std::string_view> remedy_names() {
    std::vector<std::string_view> names;
    for (const Remedy& remedy : table) names.push_back(remedy.name);
    for (const Remedy& remedy : pack_remedies()) names.push_back(remedy.name);
    return names;
}

}  // namespace tessera::plan
