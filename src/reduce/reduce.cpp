// SPDX-License-Identifier: Apache-2.0
#include "tessera/reduce.hpp"

#include <fmt/format.h>

#include "program/job/kernels.hpp"
#include "reduce/trial.hpp"

namespace tessera {

namespace {

std::size_t set_bytes(const Job& job) {
    std::size_t count = 0;
    for (const auto& region : job.l1)
        for (const std::byte byte : region.bytes) count += byte != std::byte{0};
    return count;
}

/// Repeats all steps until none makes the job smaller.
void make_smaller(reduction::Trial& trial) {
    for (bool smaller = true; smaller && !trial.over();) {
        smaller = reduction::leave_out_ops(trial);
        smaller |= reduction::replace_expansions(trial);
        smaller |= reduction::simplify_ops(trial);
        smaller |= reduction::clear_memory(trial);
        smaller |= reduction::drop_options(trial);
    }
}

}  // namespace

Result<Reduced> reduce(const Case& what, const ReduceOptions& options) {
    if (auto done = program::refuse_kernels(what.job, "reduce"); !done) return tl::make_unexpected(done.error());
    if (auto valid = validate(what.job.program); !valid) return tl::make_unexpected(valid.error());
    auto failure = reduction::Failure::of(what, options);
    if (!failure) return tl::make_unexpected(failure.error());
    Job job = what.job;
    job.outputs.clear();
    job.options.max_cycles = failure->max_cycles();
    reduction::Trial trial(*failure, options, std::move(job));
    make_smaller(trial);

    Reduced reduced;
    reduced.what = what;
    reduced.what.job = trial.best();
    if (!what.expect.empty()) reduced.what.expect = failure->expect();
    reduced.kept = failure->text();
    reduced.ops_before = reduction::count_ops(what.job.program);
    reduced.ops = reduction::count_ops(trial.best().program);
    reduced.bytes_before = set_bytes(what.job);
    reduced.bytes = set_bytes(trial.best());
    reduced.runs = trial.runs();
    reduced.complete = !trial.over();
    return reduced;
}

std::string Reduced::describe() const {
    return fmt::format("{} of {} ops and {} of {} bytes of L1 are left after {} runs{}", ops, ops_before, bytes,
                       bytes_before, runs, complete ? "" : "; more could perhaps be left out");
}

}  // namespace tessera
