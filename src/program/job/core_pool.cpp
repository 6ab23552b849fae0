// SPDX-License-Identifier: Apache-2.0
#include "program/job/core_pool.hpp"

#include <utility>

namespace tessera::program {

Result<Core> CorePool::prepare(const Job& job) {
    std::unique_lock lock(mutex_);
    if (spare_.empty() || spare_.back().arch() != job.arch) {
        lock.unlock();
        return tessera::prepare(job);
    }
    Core core = std::move(spare_.back());
    spare_.pop_back();
    lock.unlock();
    if (auto done = tessera::prepare(job, core); !done) return tl::make_unexpected(std::move(done.error()));
    return core;
}

void CorePool::give_back(Core core) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(core));
}

}  // namespace tessera::program
