// SPDX-License-Identifier: Apache-2.0
// Parses a host step from the command line.
#pragma once

#include <string>

#include "tessera/kernels.hpp"

namespace tessera::cli {

inline constexpr const char* host_step_form = "[at=CYCLE] [when=ADDR=VALUE[/MASK]] [write=ADDR=WORD,… | start=CORE,… | "
                                              "reset=CORE,… | read=ADDR,BYTES]";

/// Error "cli.host".
Result<HostStep> parse_host_step(const std::string& text);

}  // namespace tessera::cli
