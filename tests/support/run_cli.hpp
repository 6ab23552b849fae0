// SPDX-License-Identifier: Apache-2.0
// The real program with its exit status and what it wrote.
#pragma once

#include <string>
#include <vector>

namespace tessera::testing_support {

struct CliOutcome {
    int status = -1;  ///< -1: it did not exit by itself
    std::string out, err;
};

/// Runs tessera with stdin closed.
CliOutcome run_cli(const std::vector<std::string>& arguments);

}  // namespace tessera::testing_support
