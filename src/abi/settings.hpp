// SPDX-License-Identifier: Apache-2.0
// Settings of a library, from environment variables (docs/tt-metal.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tessera/finding.hpp"
#include "tessera/timing.hpp"

namespace tessera::abi {

struct Settings {
    std::string report;               ///< TESSERA_REPORT: a file; empty: standard error; "none": nowhere
    bool strict = false;              ///< TESSERA_STRICT: a fault ends the process
    Timing timing = default_timing;   ///< TESSERA_TIMING
    std::uint64_t cycles = 1;         ///< TESSERA_CYCLES: that one step of libttsim_clock() lasts
    unsigned threads = 1;             ///< TESSERA_THREADS
    std::string trace;                ///< TESSERA_TRACE: a file; empty: no trace
    std::map<std::string, Level> levels;  ///< TESSERA_FINDINGS: as RunOptions::levels
    Level least = Level::info;            ///< TESSERA_FINDINGS: findings below it are not told
    std::vector<std::string> elf;     ///< TESSERA_ELF: files and folders, as HostedChipOptions::elf_files
    std::optional<std::uint16_t> gdb; ///< TESSERA_GDB: port for a debugger; 0: any free one; empty: none
    bool gdb_waits = false;           ///< TESSERA_GDB=wait:PORT: the first call that lets time pass waits for it

    std::vector<std::string> wrong;   ///< variables that cannot be meant so; their defaults hold
};

/// `variable`: the value of an environment variable; null: it is not set.
Settings read_settings(const std::function<const char*(const char*)>& variable);

}  // namespace tessera::abi
