// SPDX-License-Identifier: Apache-2.0
#include "units/packer/edges.hpp"

#include <algorithm>

#include "units/state_view.hpp"

namespace tessera::units::packer {

namespace {

using registers::Field;
using registers::field;
using registers::fields;

constexpr auto face_set_enable = field("PCK_EDGE_TILE_FACE_SET_SELECT_enable");
constexpr auto face_set_select = field("PCK_EDGE_TILE_FACE_SET_SELECT_select");
constexpr auto row_set_select = field("PCK_EDGE_TILE_ROW_SET_SELECT_select");
constexpr auto edge_mode = field("PCK_EDGE_MODE_mode");
constexpr auto edge_mask = fields<4>("PCK_EDGE_OFFSET_SEC#_mask");
constexpr auto z_offset = fields<4>("DEST_TARGET_REG_CFG_PACK_SEC#_ZOffset");
constexpr auto yz_transposed = fields<4>("PACK_COUNTERS_SEC#_pack_yz_transposed");
constexpr auto reads_per_plane = fields<4>("PACK_COUNTERS_SEC#_pack_reads_per_xy_plane");
constexpr std::array<std::array<Field, 16>, 4> row_set = {
    fields<16>("TILE_ROW_SET_MAPPING_0_row_set_mapping_#"), fields<16>("TILE_ROW_SET_MAPPING_1_row_set_mapping_#"),
    fields<16>("TILE_ROW_SET_MAPPING_2_row_set_mapping_#"), fields<16>("TILE_ROW_SET_MAPPING_3_row_set_mapping_#")};
constexpr std::array<std::array<Field, 16>, 4> face_set = {
    fields<16>("TILE_FACE_SET_MAPPING_0_face_set_mapping_#"), fields<16>("TILE_FACE_SET_MAPPING_1_face_set_mapping_#"),
    fields<16>("TILE_FACE_SET_MAPPING_2_face_set_mapping_#"), fields<16>("TILE_FACE_SET_MAPPING_3_face_set_mapping_#")};

// Minus infinity; none for types without it.
std::optional<std::uint32_t> minus_infinity(formats::PackType type) {
    switch (type) {
        case formats::PackType::fp32:
        case formats::PackType::tf32: return 0xFF800000;
        case formats::PackType::bf16: return 0xFF80;
        default: return std::nullopt;
    }
}

}  // namespace

plan::PackWork::EdgeMasks edge_masks(const StateView& view) {
    plan::PackWork::EdgeMasks masks{};
    for (unsigned set = 0; set < 4; ++set)
        for (unsigned row = 0; row < 16; ++row)
            masks[set][row] = static_cast<std::uint16_t>(view[edge_mask[view[row_set[set][row]]]]);
    return masks;
}

bool leave_nothing(const plan::PackWork::Edges& edges, const plan::PackWork::EdgeMasks& masks) {
    return std::all_of(edges.row_set.begin(), edges.row_set.end(), [&](std::uint8_t set) {
        return std::all_of(masks[set].begin(), masks[set].end(), [](std::uint16_t mask) { return mask == 0; });
    });
}

plan::TileWalk tile_walk(const StateView& view, unsigned i) {
    return {static_cast<std::uint16_t>(view[reads_per_plane[i]]), view[yz_transposed[i]] != 0};
}

std::optional<std::string_view> choose_edges(const StateView& view, unsigned i, formats::PackType type,
                                             const plan::PackWork::EdgeMasks& masks, plan::PackWork::Edges& edges) {
    const bool by_face = view[face_set_enable];
    for (unsigned z = 0; z < 16; ++z) {
        const unsigned faces = view[face_set_select] >> 2 * i & 3;
        const std::uint32_t set =
            by_face ? view[face_set[faces][(z + view[z_offset[i]]) & 0xF]] : view[row_set_select] >> 2 * i & 3;
        edges.row_set[z] = static_cast<std::uint8_t>(set);
        for (const std::uint16_t mask : masks[set]) edges.masked |= mask != 0xFFFF;
    }
    if (!edges.masked) return std::nullopt;
    if (!view[edge_mode]) return std::nullopt;
    const auto fill = minus_infinity(type);
    if (!fill) return "minus infinity at the edges of this type";
    edges.fill = *fill;
    return std::nullopt;
}

}  // namespace tessera::units::packer
