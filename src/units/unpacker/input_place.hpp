// SPDX-License-Identifier: Apache-2.0
// The datums that an UNPACR reads, and their place in L1 (UNPACR_Regular, Functional model, up to its main loop).
#pragma once

#include <array>
#include <optional>

#include "units/unpacker/unpacker.hpp"

namespace tessera::units::unpacker {

/// Datums of a tile. Datums of a compressed tile are counted without the zeros that follow them.
struct Extent {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    bool part_of_row = false;  ///< of a compressed tile: `count` is unknown; `drop` and `kept` include zeros
    std::uint32_t drop = 0, kept = 0;
    std::uint8_t row_starts = 0;                     ///< row starts that give the extent
    std::array<std::uint32_t, 2> row_starts_from{};  ///< L1 byte addresses of the lines of row starts read
    std::uint8_t row_starts_read = 0;                ///< lines read; the cache had the others
};

/// The L1 byte address after the header of the context's tile.
std::uint64_t tile_address(const StateView& view, const Mode& mode, const Setup& setup, plan::Plan& plan);

/// None if the plan has failed.
std::optional<Extent> extent_of(const StateView& view, const Mode& mode, const Setup& setup, std::uint64_t tile,
                                plan::Plan& plan);

/// Whether some address exceeds the limit of a circular buffer.
bool wraps(const Setup& setup, std::uint64_t tile, const Extent& extent);

/// The input of a transfer, with its number of bytes of datums and run lengths.
struct PlacedInput {
    plan::UnpackInput input;
    std::uint64_t bytes = 0;
};
struct PlacedStream {
    plan::UnpackStream input;
    std::uint32_t kept = 0;  ///< datums after decompression that are kept
    std::uint64_t bytes = 0;
};

/// Datums without gaps. None if the plan has failed.
std::optional<PlacedInput> place_input(const StateView& view, const Setup& setup, std::uint64_t tile,
                                       const Extent& extent, plan::Plan& plan);
/// Datums in any mode.
std::optional<PlacedStream> place_stream(const StateView& view, const Setup& setup, std::uint64_t tile,
                                         const Extent& extent, bool zeros, plan::Plan& plan);

}  // namespace tessera::units::unpacker
