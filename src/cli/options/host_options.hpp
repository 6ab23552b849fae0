// SPDX-License-Identifier: Apache-2.0
// Limits of this computer on what a command runs: --timeout, --max-memory and the number of threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "options/command_line.hpp"

namespace tessera::cli {

/// The most that an option for threads of the host takes.
inline constexpr unsigned most_host_threads = 1024;

/// --threads of a command that runs the tiles of a grid.
void add_threads(const Command& command, std::optional<unsigned>& threads);

struct HostOptions {
    std::optional<std::string> timeout;     ///< seconds
    std::optional<std::string> max_memory;  ///< bytes, with K, M or G behind them

    void add_to(const Command& command);

    /// Sets the limits of RunOptions or CheckOptions. Time counts from now.
    template <class Options>
    void set(Options& options) const {
        if (timeout) options.deadline = deadline();
        if (max_memory) options.max_memory = bytes();
    }

private:
    std::chrono::steady_clock::time_point deadline() const;
    std::uint64_t bytes() const;
};

}  // namespace tessera::cli
