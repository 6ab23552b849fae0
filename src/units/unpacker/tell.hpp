// SPDX-License-Identifier: Apache-2.0
// An UNPACR in words, as it is resolved: for explanations.
#pragma once

#include "units/look.hpp"
#include "units/unpacker/input_place.hpp"

namespace tessera::units::unpacker {

/// Context, counters, tile and formats; what they are when the setup has a fault, too.
void tell_setup(const Look& look, const Mode& mode, const Setup& setup, Recorder& to);

/// Which datums are read, and from which tile.
void tell_input(const Mode& mode, const Setup& setup, std::uint64_t tile, const Extent& extent, Recorder& to);

/// Where the first datum goes, how fast, and what decides that. `rate`: bytes per cycle, 0 where nothing takes time.
void tell_speed(const Look& look, const Setup& setup, std::uint32_t out, std::uint64_t bytes, std::uint32_t rate,
                Recorder& to);

}  // namespace tessera::units::unpacker
