// SPDX-License-Identifier: Apache-2.0
#include "program/job/core_pool.hpp"

#include <utility>

namespace tessera::program {

Result<Core> CorePool::prepare(const Job& job) {
    std::optional<Core> core = take(job.arch);
    if (!core) return tessera::prepare(job);
    if (auto done = tessera::prepare(job, *core); !done) return tl::make_unexpected(std::move(done.error()));
    return std::move(*core);
}

void CorePool::give_back(Core core) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(core));
}

std::optional<Core> CorePool::take(Arch arch) {
    const std::lock_guard lock(mutex_);
    if (spare_.empty() || spare_.back().arch() != arch) return std::nullopt;
    std::optional<Core> core = std::move(spare_.back());
    spare_.pop_back();
    return core;
}

}  // namespace tessera::program
