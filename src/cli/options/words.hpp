// SPDX-License-Identifier: Apache-2.0
// Option values shared by the subcommands for instruction words.
#pragma once

#include <string>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"

namespace tessera::cli {

/// "blackhole" or "wormhole". Error "cli.arch".
Result<Arch> read_arch(const std::string& text);

/// "unpack", "math", "pack", or 0 to 2. Error "cli.thread".
Result<unsigned> read_thread(const std::string& text);

inline constexpr const char* thread_names[] = {"unpack", "math", "pack"};

}  // namespace tessera::cli
