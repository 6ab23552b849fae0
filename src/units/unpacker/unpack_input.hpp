// SPDX-License-Identifier: Apache-2.0
// What the kinds of work that read tiles from L1 have in common, whatever they write.
#pragma once

#include "plan/work.hpp"

namespace tessera::plan {

/// Where the datums are.
formats::UnpackSource source(const UnpackInput& input, const state::State& state);
/// Reads of all datums but the first `skip`.
void footprint(const UnpackInput& input, std::uint32_t skip, Footprint& out);
void explain(const UnpackInput& input, Lines& lines);

}  // namespace tessera::plan
