// SPDX-License-Identifier: Apache-2.0
// One job after the other, much alike: cores that nobody needs any more go on with the next one, and know most of its instructions.
#pragma once

#include <mutex>
#include <vector>

#include "tessera/job.hpp"

namespace tessera::program {

/// For several threads at once.
class CorePool {
public:
    /// What tessera::prepare(job) is, with the same errors.
    Result<Core> prepare(const Job& job);
    void give_back(Core core);

private:
    std::mutex mutex_;
    std::vector<Core> spare_;
};

}  // namespace tessera::program
