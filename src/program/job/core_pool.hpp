// SPDX-License-Identifier: Apache-2.0
// Reuses cores for similar jobs in sequence: a reused core keeps its plan cache.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "tessera/job.hpp"

namespace tessera::program {

/// Thread-safe.
class CorePool {
public:
    /// Like tessera::prepare(job), with the same errors.
    Result<Core> prepare(const Job& job);
    void give_back(Core core);

private:
    /// A spare core, if there is one of the architecture.
    std::optional<Core> take(Arch arch);

    std::mutex mutex_;
    std::vector<Core> spare_;
};

}  // namespace tessera::program
