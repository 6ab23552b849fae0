// SPDX-License-Identifier: Apache-2.0
// Members of a family without effect although the family has one: unused copies, and fields that one of the chips
// lacks. Rows are laid out by hand.
#pragma once

#include "registers/field_family.hpp"

namespace tessera::registers::families {

inline constexpr std::string_view one_packer = "not used: Blackhole has one packer";
inline constexpr std::string_view packer0 = "not used: only packer 0 can read L1";
inline constexpr std::string_view beyond_addr_mode = "no page says whether ADDR_MOD_SET_Base applies to PACR";
inline constexpr std::string_view unpacker0 = "not used: only unpacker 0 does this";

// clang-format off
inline constexpr PlaceException exceptions[] = {
    {"PACK_COUNTERS_SEC1_pack_reads_per_xy_plane", Arch::blackhole, Place::ignored, one_packer},
    {"PACK_COUNTERS_SEC2_pack_reads_per_xy_plane", Arch::blackhole, Place::ignored, one_packer},
    {"PACK_COUNTERS_SEC3_pack_reads_per_xy_plane", Arch::blackhole, Place::ignored, one_packer},
    {"PACK_COUNTERS_SEC1_pack_yz_transposed", Arch::blackhole, Place::ignored, one_packer},
    {"PACK_COUNTERS_SEC2_pack_yz_transposed", Arch::blackhole, Place::ignored, one_packer},
    {"PACK_COUNTERS_SEC3_pack_yz_transposed", Arch::blackhole, Place::ignored, one_packer},
    {"DEST_TARGET_REG_CFG_PACK_SEC1_Offset", Arch::blackhole, Place::ignored, one_packer},
    {"DEST_TARGET_REG_CFG_PACK_SEC2_Offset", Arch::blackhole, Place::ignored, one_packer},
    {"DEST_TARGET_REG_CFG_PACK_SEC3_Offset", Arch::blackhole, Place::ignored, one_packer},
    {"DEST_TARGET_REG_CFG_PACK_SEC1_ZOffset", Arch::blackhole, Place::ignored, one_packer},
    {"DEST_TARGET_REG_CFG_PACK_SEC2_ZOffset", Arch::blackhole, Place::ignored, one_packer},
    {"DEST_TARGET_REG_CFG_PACK_SEC3_ZOffset", Arch::blackhole, Place::ignored, one_packer},
    {"THCON_SEC0_REG8_Source_interface_selection", Arch::wormhole, Place::ignored, packer0},
    {"THCON_SEC1_REG#_Source_interface_selection", Arch::wormhole, Place::ignored, packer0},
    {"THCON_SEC0_REG8_L1_source_addr", Arch::wormhole, Place::ignored, packer0},
    {"THCON_SEC1_REG#_L1_source_addr", Arch::wormhole, Place::ignored, packer0},
    {"THCON_SEC1_REG2_Haloize_mode", std::nullopt, Place::ignored, unpacker0},
    {"THCON_SEC1_REG2_Shift_amount_cntx3", std::nullopt, Place::ignored, unpacker0},
    {"UNP1_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr", std::nullopt, Place::ignored, unpacker0},
    {"ADDR_MOD_PACK_SEC4_", Arch::wormhole, Place::undocumented, beyond_addr_mode},
    {"ADDR_MOD_PACK_SEC5_", Arch::wormhole, Place::undocumented, beyond_addr_mode},
    {"ADDR_MOD_PACK_SEC6_", Arch::wormhole, Place::undocumented, beyond_addr_mode},
    {"ADDR_MOD_PACK_SEC7_", Arch::wormhole, Place::undocumented, beyond_addr_mode},
};
// clang-format on

}  // namespace tessera::registers::families
