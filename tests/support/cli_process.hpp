// SPDX-License-Identifier: Apache-2.0
// The real program while it runs: with input, in a folder, on a small disk, and with signals on their way.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera::test {

struct CliSurroundings {
    std::optional<std::string> input;         ///< of stdin, which is closed without it
    std::string folder;                       ///< current directory; empty: that of the test
    std::optional<unsigned> file_size_limit;  ///< of bytes; a longer write fails as on a full disk
};

class CliProcess {
public:
    explicit CliProcess(const std::vector<std::string>& arguments, const CliSurroundings& surroundings = {});
    CliProcess(const CliProcess&) = delete;
    CliProcess& operator=(const CliProcess&) = delete;
    ~CliProcess();

    /// Waits until it has a handler for the signal (or has ended), then sends it.
    void interrupt(int signal);
    /// Kills it after this time, if it has not ended before.
    void kill_after(std::chrono::microseconds time) const;
    /// Its end; a status of -1: a signal killed it.
    CliOutcome wait();

private:
    TemporaryDirectory captured_;
    pid_t child_ = -1;
};

/// From start to end.
CliOutcome run_cli_in(const CliSurroundings& surroundings, const std::vector<std::string>& arguments);

}  // namespace tessera::test
