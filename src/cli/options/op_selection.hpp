// SPDX-License-Identifier: Apache-2.0
// Ops as users name them on a command line.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "tessera/execution.hpp"
#include "tessera/job.hpp"

namespace tessera::cli {

/// parse_ops(), with an error of this code.
Result<Breakpoints::Instruction> read_op_selection(const std::string& text, const char* code);

/// The ops of a job that a text names.
class SelectedOps {
public:
    /// `job` must outlive it. Errors of `code`: the text names nothing, or no op that a run of the job can issue.
    ///
    /// Only a run shows which ops kernels push from a line. For such a text the job is run; errors are those of Execution::begin(), too.
    static Result<SelectedOps> read(const std::string& text, const Job& job, const char* code);

    /// Whether the op at `index` (Event::index) of the thread is one of them.
    bool has(unsigned thread, std::int64_t index) const;

private:
    SelectedOps(Breakpoints::Instruction ops, const Job& job) : ops_(std::move(ops)), job_(&job) {}
    Result<void> find_line_of_kernels();

    Breakpoints::Instruction ops_;
    const Job* job_;
    std::set<std::pair<int, std::int64_t>> of_line_;  ///< of kernels and a line: thread and index
};

}  // namespace tessera::cli
