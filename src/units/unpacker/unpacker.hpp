// SPDX-License-Identifier: Apache-2.0
// Unpackers: UNPACR and its NOP family. Transfers queue in the unpacker and wait there for their bank.
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/resolved.hpp"
#include "units/state_view.hpp"
#include "units/unpacker/setup.hpp"

namespace tessera::units::unpacker {

/// In which format UNPACR would take what it reads. Nothing for other instructions, and for contexts that there are not.
std::optional<DataFormat> input_format(const StateView&);
/// `before`: as of units::move(). `input` is that of the kept plan.
bool move_unpacr(const StateView&, std::span<const std::uint32_t> before, plan::UnpackInput& input, Resolved& kept);

/// A transfer of unpacker `which` that `writes` something needs its bank to be the unpackers' before it starts. With
/// `flip` the bank goes to the matrix unit when the transfer ends, and SrcRow returns to its base.
void hand_over(const StateView& view, plan::Plan& plan, unsigned which, bool writes, bool flip, const Setup& setup);

/// The half of hand_over() that flips: also UNPACR_NOP's set-dvalid, which waits for nothing. `format` is what
/// Blackhole's matrix unit will take the bank to hold.
void flip_bank(const StateView& view, plan::Plan& plan, unsigned which, std::uint32_t src_set_base, DataFormat format);

}  // namespace tessera::units::unpacker
