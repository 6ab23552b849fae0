// SPDX-License-Identifier: Apache-2.0
// The other instruction of a finding.
#pragma once

#include "diagnostics/places.hpp"
#include "tessera/kernels.hpp"

namespace tessera::diagnostics {

/// Names a core's store in the finding's message and values, where related_instructions() finds it.
void add_store(Finding& finding, const Places& places, unsigned thread, std::int64_t index);

/// The place of a core's instruction in kernels, without a cycle.
Where place_in(const Kernels& kernels, unsigned core, std::uint32_t pc);

}  // namespace tessera::diagnostics
