// SPDX-License-Identifier: Apache-2.0
// The other instruction of a finding.
#pragma once

#include "diagnostics/places.hpp"

namespace tessera::diagnostics {

/// Names a core's store in the finding's message and values, where related_instructions() finds it.
void add_store(Finding& finding, const Places& places, unsigned thread, std::int64_t index);

}  // namespace tessera::diagnostics
