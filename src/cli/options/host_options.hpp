// SPDX-License-Identifier: Apache-2.0
// Limits of this computer on what a command runs: --timeout and --max-memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "options/command_line.hpp"

namespace tessera::cli {

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
