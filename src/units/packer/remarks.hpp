// SPDX-License-Identifier: Apache-2.0
// Explains a PACR in words while it is resolved.
#pragma once

#include "units/packer/setup.hpp"
#include "units/state_view.hpp"

namespace tessera::units::packer {

/// Bank, context, counters, and a datum's way through the stages; also for a setup with a fault.
void report_setup(const StateView& view, const Setup& setup, unsigned packer, unsigned context, unsigned adc_thread,
                  Recorder& to);

/// The datums, the masks of their rows, and the streams' positions before and after. `interfaces`: a bit for each of
/// Blackhole's. `start`: where streams would begin, in units of 16 bytes.
void report_streams(const StateView& view, const Setup& setup, const plan::PackWork::Stream& stream,
                    std::uint32_t interfaces, std::uint32_t start, Recorder& to);

/// The speed, and its limit.
void report_speed(const StateView& view, const PackTransfer& transfer, unsigned packer, Recorder& to);

}  // namespace tessera::units::packer
