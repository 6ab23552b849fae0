// SPDX-License-Identifier: Apache-2.0
// Candidate jobs: the best so far, and the number of runs.
#pragma once

#include <utility>

#include "reduce/failure.hpp"
#include "util/host_limits.hpp"

namespace tessera::reduction {

inline std::size_t count_ops(const Program& program) {
    std::size_t count = 0;
    for (const auto& ops : program.threads) count += ops.size();
    return count;
}

class Trial {
public:
    Trial(const Failure& failure, const ReduceOptions& options, Job job)
        : failure_(failure), options_(options), best_(std::move(job)) {}

    const Job& best() const { return best_; }
    std::uint64_t runs() const { return runs_; }
    /// True if no more runs are allowed.
    bool over() const {
        return runs_ >= options_.max_runs || util::HostLimits(best_.options).reached() != util::HostStop::none;
    }

    /// True if the job fails the same way.
    bool shows(const Job& job) {
        if (over()) return false;
        ++runs_;
        const bool shown = failure_.shown_by(job);
        if (options_.on_progress) options_.on_progress(runs_, count_ops(best_.program));
        return shown;
    }

    /// Keeps the job as the best if it fails the same way.
    bool accept(Job job) {
        if (!shows(job)) return false;
        take(std::move(job));
        return true;
    }
    void take(Job job) { best_ = std::move(job); }

private:
    const Failure& failure_;
    const ReduceOptions& options_;
    Job best_;
    std::uint64_t runs_ = 0;
};

// Each step tries to make the best job smaller, and returns true if it did.
bool leave_out_ops(Trial& trial);
bool replace_expansions(Trial& trial);
bool simplify_ops(Trial& trial);
bool clear_memory(Trial& trial);
bool drop_options(Trial& trial);

}  // namespace tessera::reduction
