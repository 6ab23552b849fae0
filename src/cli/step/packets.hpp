// SPDX-License-Identifier: Apache-2.0
// Tiles and packets of a chip as text.
#pragma once

#include <string>

#include "tessera/chip_execution.hpp"

namespace tessera::cli {

/// The act of a packet at the tile that is looked at, and its request: two lines.
std::string describe_packet(const PacketEvent& packet, const Chip& chip, const ChipExecution& tiles);

/// The packet that wrote what a watch has stopped at; null: it was no packet.
const PacketEvent* writer_of(const Pause& pause, const ChipExecution& tiles);

/// The tile that is looked at: one line.
std::string describe_tile(const ChipExecution& tiles);

/// All tiles, a line for each; that one is marked.
std::string describe_tiles(const ChipExecution& tiles);

}  // namespace tessera::cli
