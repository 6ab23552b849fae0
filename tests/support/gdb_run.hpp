// SPDX-License-Identifier: Apache-2.0
// Kernels with a debugger attached, in the same process.
#pragma once

#include <optional>

#include "gdb/job_target.hpp"
#include "support/gdb_client.hpp"
#include "support/kernel_run.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {

class GdbRun : public KernelRun {
protected:
    /// Begins the run of the kernels, which are there.
    void begin() {
        ASSERT_TRUE(core_.load(kernels_));
        auto begun = Execution::begin(core_, kernels_);
        ASSERT_TRUE(begun) << begun.error().describe();
        execution.emplace(std::move(*begun));
        target.emplace(*execution);
        client.emplace(*target);
    }

    std::optional<Execution> execution;
    std::optional<gdb::JobTarget> target;
    std::optional<GdbClient> client;
};

}  // namespace tessera::test
