// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tessera::cli {

/// A help text's footer whose examples can be copied into the shell that asked for it. In the lines from "Example" on, `tessera` becomes the
/// program as it was called, and `examples/` the folder of examples as seen from the current folder. Both stay where no examples are found
/// beside the program: in the sources that it was built from, or in share/tessera of its prefix.
std::string with_runnable_examples(std::string footer, std::string_view program);

}  // namespace tessera::cli
