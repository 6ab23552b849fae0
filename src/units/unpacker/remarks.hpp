// SPDX-License-Identifier: Apache-2.0
// An UNPACR in words, as it is resolved: for explanations.
#pragma once

#include "units/state_view.hpp"
#include "units/unpacker/input_place.hpp"

namespace tessera::units::unpacker {

/// Context, counters, tile and formats; what they are when the setup has a fault, too.
void tell_setup(const StateView& view, const Mode& mode, const Setup& setup, Recorder& to);

/// Which datums are read, and from which tile.
void tell_input(const Mode& mode, const Setup& setup, std::uint64_t tile, const Extent& extent, Recorder& to);

/// Where the first datum goes, and which rows that makes: `work` is what the UNPACR does.
void tell_output(const StateView& view, const Mode& mode, const Setup& setup, std::uint32_t out, const plan::Work& work,
                 Recorder& to);

/// How fast, what decides that, and what the other unpacker leaves of it. Nothing where nothing takes time.
void tell_speed(const StateView& view, const Mode& mode, const Setup& setup, const plan::Cost& cost,
                const Extent& extent, Recorder& to);

}  // namespace tessera::units::unpacker
