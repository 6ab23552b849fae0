// SPDX-License-Identifier: Apache-2.0
// Explains an UNPACR in words while it is resolved.
#pragma once

#include "units/state_view.hpp"
#include "units/unpacker/input_place.hpp"

namespace tessera::units::unpacker {

/// Context, counters, tile and formats; also for a setup with a fault.
void report_setup(const StateView& view, const Mode& mode, const Setup& setup, Recorder& to);

/// The datums read, and their tile.
void report_input(const Mode& mode, const Setup& setup, std::uint64_t tile, const Extent& extent, Recorder& to);

/// The place of the first datum, and the rows written. `work`: that of the UNPACR.
void report_output(const StateView& view, const Mode& mode, const Setup& setup, std::uint32_t out,
                   const plan::Work& work, Recorder& to);

/// The speed, its limit, and the rate beside the other unpacker. No report under timings without durations.
void report_speed(const StateView& view, const Mode& mode, const Setup& setup, const plan::Cost& cost,
                  const Extent& extent, Recorder& to);

}  // namespace tessera::units::unpacker
