// SPDX-License-Identifier: Apache-2.0
// UNPACRs of every kind of tile, format and throttle mode, beside every speed of the other unpacker: the pages'
// figures, and the cycles of a run.
#pragma once

#include <string>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/data_format.hpp"

namespace tessera::test {

struct KindOfTile {
    std::string_view name;
    unsigned datums;
    bool tilize = false, compressed = false, to_dst = false;
    unsigned upsample_rate = 0;
};
extern const std::vector<KindOfTile> kinds_of_tile;
extern const std::vector<DataFormat> formats_of_tiles;

/// Throttle_mode, or none: Blackhole without ovrd_default_throttle_mode.
inline constexpr unsigned by_default = 4;
/// The other unpacker's Throttle_mode, or none: it does nothing.
inline constexpr unsigned idle = 4;

struct UnpackSpeed {
    Arch arch{};
    const KindOfTile* tile = nullptr;
    DataFormat format{};
    unsigned throttle = 0;
    unsigned beside = idle;

    unsigned bytes() const;       ///< of datums and run lengths
    unsigned documented() const;  ///< bytes per cycle
    unsigned documented_cycles() const;
    /// Cycles in which unpacker 0 reads L1, in a run whose unpacker 1 reads from before until after. Throws when it does not.
    unsigned measured_cycles() const;

private:
    unsigned wanted() const;
    std::string text() const;
};

/// docs/internals/unpack-speeds.md. `all_same`: whether everything measured is as documented.
std::string unpack_speeds_page(bool& all_same);

}  // namespace tessera::test
