// SPDX-License-Identifier: Apache-2.0
// The positions of a packer's output streams at the issue of a PACR and afterwards (Packers, Output address
// generator).
#pragma once

#include "units/packer/setup.hpp"
#include "units/resolved.hpp"
#include "units/state_view.hpp"

namespace tessera::plan {
struct Plan;
}

namespace tessera::units::packer {

/// The counter of a tile position that only edge masks depend on.
constexpr state::Packer plane_of(const plan::TileWalk& walk) {
    return walk.transposed ? state::Packer::tile_y : state::Packer::tile_z;
}

/// Whether streams may begin, so that their start matters.
bool needs_start(const StateView& view, const PackerSetup& packer, unsigned i);

/// Latches the addresses of streams that begin anew, and advances all streams. `start`: where they would begin, in
/// units of 16 bytes. False: the plan has failed.
bool continue_streams(const StateView& view, plan::Plan& plan, const PackerSetup& packer, std::uint32_t start,
                      plan::PackWork::Stream& stream);

/// Moves a memoised PACR to another plane of its tile and other stream positions. False: nothing has changed, since
/// more differs.
bool move_streams(const StateView& view, unsigned context, plan::PackWork& work, Resolved& kept);

}  // namespace tessera::units::packer
