// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "bench.hpp"

namespace tessera::bench {

/// This computer, and this build.
Machine this_machine();

/// Resets the process's peak memory if the system can; peak_mib() then counts from here.
void forget_peak();

/// Peak memory of this process in MiB; nothing if unknown.
std::optional<double> peak_mib();

}  // namespace tessera::bench
