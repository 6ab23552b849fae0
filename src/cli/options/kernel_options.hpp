// SPDX-License-Identifier: Apache-2.0
// Kernels given on the command line instead of a job.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/command_line.hpp"
#include "tessera/job.hpp"

namespace tessera::cli {

struct KernelOptions {
    std::vector<std::string> cores;     ///< CORE=FILE
    std::vector<std::string> done;      ///< ADDR=VALUE
    std::vector<std::string> in_reset;  ///< CORE
    std::optional<std::string> arch;

    void add_to(const Command& command);

    /// True if any of these options was given.
    bool any() const { return !cores.empty() || !done.empty() || !in_reset.empty() || arch.has_value(); }

    /// A job of kernels alone; the names of `files` select the cores.
    Result<Job> load(const std::vector<std::string>& files) const;
};

/// True if the file is a kernel, by its name or its first bytes.
bool is_kernel(const std::string& path);

}  // namespace tessera::cli
