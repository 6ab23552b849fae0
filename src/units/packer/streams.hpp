// SPDX-License-Identifier: Apache-2.0
// Where the output streams of a packer stand when a PACR is issued, and where afterwards (Packers, Output address generator).
#pragma once

#include "units/packer/setup.hpp"
#include "units/resolved.hpp"
#include "units/state_view.hpp"

namespace tessera::plan {
struct Plan;
}

namespace tessera::units::packer {

/// Of the counters of a tile position, the one that nothing but the position depends on.
constexpr state::Packer plane_of(const plan::TileWalk& walk) {
    return walk.transposed ? state::Packer::tile_y : state::Packer::tile_z;
}

/// Whether streams may begin, so that it counts where.
bool needs_start(const StateView& view, const PackerSetup& packer, unsigned i);

/// Latches the addresses of streams that the PACR before has ended, and moves them on. `start`, in units of 16 bytes, is
/// where they would begin. False: the plan has failed.
bool continue_streams(const StateView& view, plan::Plan& plan, const PackerSetup& packer, std::uint32_t start,
                      plan::PackWork::Stream& stream);

/// Makes of a kept PACR one that is at another plane of its tile, and whose streams stand elsewhere. False: it has not changed, since more
/// differs.
bool move_streams(const StateView& view, unsigned context, plan::PackWork& work, Resolved& kept);

}  // namespace tessera::units::packer
