// SPDX-License-Identifier: Apache-2.0
// A PACR in words, as it is resolved: for explanations.
#pragma once

#include "units/packer/setup.hpp"
#include "units/state_view.hpp"

namespace tessera::units::packer {

/// Bank, context, whose counters, and the way of a datum through the stages; what they are when the setup has a fault, too.
void tell_setup(const StateView& view, const Setup& setup, unsigned packer, unsigned context, unsigned adc_thread,
                Recorder& to);

/// Which datums, the masks of their rows, where streams stand before and after. `interfaces`: a bit for each of Blackhole's;
/// `start`: where streams would begin, in units of 16 bytes.
void tell_streams(const StateView& view, const Setup& setup, const plan::PackWork::Stream& stream,
                  std::uint32_t interfaces, std::uint32_t start, Recorder& to);

/// How fast, and what decides that.
void tell_speed(const StateView& view, const PackTransfer& transfer, unsigned packer, Recorder& to);

}  // namespace tessera::units::packer
