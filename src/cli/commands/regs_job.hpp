// SPDX-License-Identifier: Apache-2.0
// The registers of a job at chosen moments.
#pragma once

#include <string>

#include "options/job_options.hpp"

namespace tessera::cli {

struct RegsJobOptions {
    JobOptions job;
    std::string at, other;  ///< as read_op_selection() takes them, or empty: the end of the run
    bool json = false;
};

/// Runs the job and prints; returns the exit status.
int list_job_registers(const RegsJobOptions& options);

}  // namespace tessera::cli
