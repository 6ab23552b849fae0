// SPDX-License-Identifier: Apache-2.0
// Unpackers: UNPACR and its NOP family. Transfers queue in the unpacker and wait there for their bank.
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/resolved.hpp"
#include "units/state_view.hpp"
#include "units/unpacker/setup.hpp"

namespace tessera::units::unpacker {

/// The format in which UNPACR reads its input. None for other instructions and for invalid contexts.
std::optional<DataFormat> input_format(const StateView&);

/// Makes a transfer of unpacker `which` that `writes` something wait until the unpackers own its bank. With `flip`
/// the matrix unit gets the bank at the end, and SrcRow returns to its base.
void hand_over(const StateView& view, plan::Plan& plan, unsigned which, bool writes, bool flip, const Setup& setup);

/// The second half of hand_over(), also for UNPACR_NOP's set-dvalid, which does not wait. `format`: the format that
/// Blackhole's matrix unit will read the bank in.
void flip_bank(const StateView& view, plan::Plan& plan, unsigned which, std::uint32_t src_set_base, DataFormat format);

}  // namespace tessera::units::unpacker
