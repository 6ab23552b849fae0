// SPDX-License-Identifier: Apache-2.0
// A job together with the example that it comes from, and an Execution of any job.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "support/matmul_example.hpp"
#include "tessera/execution.hpp"
#include "tessera/job.hpp"

namespace tessera::test {

/// A job, and what it is made of where that must stay.
struct MadeJob {
    std::unique_ptr<Example> example;
    Job job;
};

/// The job of an example with its inputs filled in, by the example's name.
inline MadeJob made_of(std::string_view example) {
    MadeJob made;
    made.example = make_example(example);
    made.job = made.example->load();
    return made;
}

/// Of the kernels of a job, or else of its program.
inline Result<Execution> begin(const Job& job, Core& core, RunOptions options) {
    if (job.kernels) return Execution::begin(core, *job.kernels, std::move(options));
    return Execution::begin(core, job.program, std::move(options));
}

}  // namespace tessera::test
