// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tessera/chip_job.hpp"

namespace tessera::cli {

/// tessera trace --html: runs the job and writes its page; returns the exit status.
int write_trace_page(const Job& job, const std::string& path);
/// The same of a job with a grid.
int write_chip_page(const ChipJob& job, unsigned threads, const std::string& path);

}  // namespace tessera::cli
