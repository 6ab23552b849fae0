// SPDX-License-Identifier: Apache-2.0
#include "options/words.hpp"

#include <fmt/format.h>

namespace tessera::cli {

Result<Arch> read_arch(const std::string& text) {
    if (const auto arch = parse_arch(text)) return *arch;
    return fail("cli.arch", fmt::format("'{}' is not an architecture: blackhole, wormhole", text));
}

Result<unsigned> read_thread(const std::string& text) {
    for (unsigned i = 0; i < std::size(thread_names); ++i)
        if (text == thread_names[i] || text == std::to_string(i)) return i;
    return fail("cli.thread", fmt::format("'{}' is not a thread: unpack, math, pack, or 0 to 2", text));
}

}  // namespace tessera::cli
