// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tessera/job.hpp"

namespace tessera::cli {

/// tessera trace --html: runs the job and writes its page; returns the exit status.
int write_trace_page(const Job& job, const std::string& path);

}  // namespace tessera::cli
