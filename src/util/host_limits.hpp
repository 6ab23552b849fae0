// SPDX-License-Identifier: Apache-2.0
// Whether the host ends a run now: by its stop flag, its function, its clock or its memory (RunOptions).
#pragma once

#include <chrono>

#include "tessera/run.hpp"

namespace tessera::util {

enum class HostStop : std::uint8_t { none, asked, time, memory };

class HostLimits {
public:
    explicit HostLimits(const RunOptions& options) : options_(options) {}

    /// Memory is looked at every 10 ms: that costs some microseconds.
    HostStop reached();

private:
    const RunOptions& options_;
    std::chrono::steady_clock::time_point next_look_{};
};

/// Bytes of the process that are in memory; 0 if the system does not tell.
std::uint64_t resident_memory();

}  // namespace tessera::util
