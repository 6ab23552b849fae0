// SPDX-License-Identifier: Apache-2.0
// Runs the real program; returns its exit status and output.
#pragma once

#include <string>
#include <vector>

namespace tessera::test {

struct CliOutcome {
    int status = -1;  ///< -1: it did not exit by itself
    std::string out, err;
};

/// Runs tessera with stdin closed; a `stdout_path` takes its output elsewhere, unread.
CliOutcome run_cli(const std::vector<std::string>& arguments, const std::string& stdout_path = {});

/// Expects a rejected command: status 2, nothing on stdout, and one line on stderr that contains all of `told`.
void expect_refused(const CliOutcome& outcome, const std::vector<std::string>& reported);

/// The bytes of a file; empty when there is none.
std::string contents(const std::string& path);

}  // namespace tessera::test
