// SPDX-License-Identifier: Apache-2.0
// Jobs that together cover all contents of traces: examples/seeds and examples/deadlock, the add and matmul examples,
// kernels of RISC-V cores.
#pragma once

#include <string>
#include <vector>

#include "tessera/job.hpp"

namespace tessera::test {

struct TracedJob {
    std::string name;
    Job job;
};

std::vector<TracedJob> traced_jobs();

/// B stores to L1 and commands the mover; T0 fills its FIFO and posts a semaphore, for which T1's thread waits.
/// Nothing orders T1's SEMINIT before that post: cores that first count down from `t0_counts` and `t1_counts` decide which comes first.
Job kernel_job(Arch arch, std::uint32_t t0_counts = 0, std::uint32_t t1_counts = 0);

}  // namespace tessera::test
