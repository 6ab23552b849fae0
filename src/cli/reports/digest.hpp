// SPDX-License-Identifier: Apache-2.0
// The hash of a core's or a chip's state, as commands print it.
#pragma once

#include <fmt/format.h>

#include <string>

#include "tessera/state_digest.hpp"

namespace tessera::cli {

template <class CoreOrChip>
std::string digest_text(const CoreOrChip& what) {
    return fmt::format("{:016x}", state_digest(what));
}

template <class CoreOrChip>
std::string digest_line(const CoreOrChip& what) {
    return "digest        " + digest_text(what) + "\n";
}

}  // namespace tessera::cli
