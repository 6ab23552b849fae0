// SPDX-License-Identifier: Apache-2.0
// Coordinates that software writes, and places.
#pragma once

#include <optional>
#include <span>

#include "noc/packet.hpp"
#include "noc/request.hpp"

namespace tessera::noc {

/// The place of x and y on a NoC. Empty: outside of the chip.
std::optional<Place> place_of(const Layout& chip, unsigned noc, unsigned x, unsigned y);
/// The rectangle of a broadcast. Empty: outside of the chip.
std::optional<Rectangle> rectangle_of(const Layout& chip, unsigned noc, Coordinates coordinates);

/// Coordinate translation by an NIU's tables (WormholeB0/NoC/Coordinates).
Coordinates translate(Arch arch, std::span<const std::uint32_t> configuration, Coordinates coordinates);

/// Fills the tables as firmware does, and enables translation: the same coordinates on both NoCs.
///
/// `harvested_rows`: a bit for each row of Tensix tiles (Wormhole) that is switched off; on Blackhole `harvested_columns`.
void enable_translation(const Layout& chip, unsigned noc, Place own, std::uint32_t harvested, std::span<std::uint32_t> configuration);

}  // namespace tessera::noc
