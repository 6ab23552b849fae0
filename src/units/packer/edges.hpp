// SPDX-License-Identifier: Apache-2.0
// Edge masking: which datums of a tile's rows are replaced, and by which value (Packers, Edge masking).
#pragma once

#include <optional>
#include <string_view>

#include "formats/pack_convert.hpp"
#include "plan/work.hpp"

namespace tessera::units {
class StateView;
}

namespace tessera::units::packer {

/// The masks of 16 columns, by row set and tile row.
plan::PackWork::EdgeMasks edge_masks(const StateView& view);

/// Whether the masks replace every datum of every row.
bool leave_nothing(const plan::PackWork::Edges& edges, const plan::PackWork::EdgeMasks& masks);

/// The steps of packer `i`'s tile position.
plan::TileWalk tile_walk(const StateView& view, unsigned i);

/// Sets packer `i`'s use of the masks. Returns the name of a mode that has no result.
std::optional<std::string_view> choose_edges(const StateView& view, unsigned i, formats::PackType type,
                                             const plan::PackWork::EdgeMasks& masks, plan::PackWork::Edges& edges);

}  // namespace tessera::units::packer
