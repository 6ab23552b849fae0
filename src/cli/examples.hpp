// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tessera::cli {

/// Makes a help footer's examples ready to paste into the caller's shell. From "Example" on, `tessera` becomes the
/// program as called, and `examples/` the folder relative to the current one. The text stays as it is if there are no
/// examples beside the program: in its sources, or in share/tessera of its prefix.
std::string with_runnable_examples(std::string footer, std::string_view program);

}  // namespace tessera::cli
