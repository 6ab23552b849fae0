// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "bench.hpp"

namespace tessera::bench {

/// This computer, and how this was built.
Machine this_machine();

/// Forgets the most memory that this process has had, where the system can; then peak_mib() tells of what has been since.
void forget_peak();

/// The most memory that this process has had, in MiB; nothing where the system does not tell.
std::optional<double> peak_mib();

}  // namespace tessera::bench
