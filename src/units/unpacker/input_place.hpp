// SPDX-License-Identifier: Apache-2.0
// Which datums an UNPACR reads, and where they are in L1 (UNPACR_Regular, Functional model, up to its main loop).
#pragma once

#include <array>
#include <optional>

#include "units/unpacker/unpacker.hpp"

namespace tessera::units::unpacker {

/// Datums of a tile. Those of a compressed tile are counted without the zeros that follow them.
struct Extent {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    bool part_of_row = false;  ///< of a compressed tile: `count` is not known, `drop` and `kept` are, zeros among them
    std::uint32_t drop = 0, kept = 0;
    std::uint8_t row_starts = 0;                     ///< how many row starts say so
    std::array<std::uint32_t, 2> row_starts_from{};  ///< L1 byte addresses of the lines of row starts that were read
    std::uint8_t row_starts_read = 0;                ///< how many lines; the cache had the others
};

/// L1 byte address behind the header of the tile of the context.
std::uint64_t tile_address(const StateView& view, const Mode& mode, const Setup& setup, plan::Plan& plan);

/// Nothing when `plan` has a fault then.
std::optional<Extent> extent_of(const StateView& view, const Mode& mode, const Setup& setup, std::uint64_t tile,
                                plan::Plan& plan);

/// Whether some address lies beyond the limit of a circular buffer.
bool wraps(const Setup& setup, std::uint64_t tile, const Extent& extent);

/// What a transfer reads, and how many bytes of it are datums and run lengths.
struct PlacedInput {
    plan::UnpackInput input;
    std::uint64_t bytes = 0;
};
struct PlacedStream {
    plan::UnpackStream input;
    std::uint32_t kept = 0;  ///< datums after decompression, without those that are dropped
    std::uint64_t bytes = 0;
};

/// Datums without gaps. Nothing when `plan` has a fault then.
std::optional<PlacedInput> place_input(const StateView& view, const Setup& setup, std::uint64_t tile,
                                       const Extent& extent, plan::Plan& plan);
/// Any datums.
std::optional<PlacedStream> place_stream(const StateView& view, const Setup& setup, std::uint64_t tile,
                                         const Extent& extent, bool zeros, plan::Plan& plan);

}  // namespace tessera::units::unpacker
