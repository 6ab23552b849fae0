// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace tessera::bench {

/// Processor time of this thread so far.
double thread_ns();

/// The median of sorted values; at least one.
double median(std::span<const double> sorted);

}  // namespace tessera::bench
