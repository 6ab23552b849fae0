// SPDX-License-Identifier: Apache-2.0
// Shared by all works that read tiles from L1.
#pragma once

#include "plan/work.hpp"

namespace tessera::plan {

/// The place of the datums.
formats::UnpackSource source(const UnpackInput& input, const state::State& state);
/// Reads of all datums but the first `skip`.
void footprint(const UnpackInput& input, std::uint32_t skip, Footprint& out);
void explain(const UnpackInput& input, Lines& lines);

}  // namespace tessera::plan
