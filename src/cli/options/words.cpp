// SPDX-License-Identifier: Apache-2.0
#include "options/words.hpp"

#include <fmt/format.h>

#include <limits>

#include "tessera/number.hpp"

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

std::optional<std::uint32_t> parse_word(std::string_view text) {
    const auto number = parse_number(text);
    if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
}

Result<std::uint32_t> read_word(std::string_view text, const char* code) {
    if (const auto word = parse_word(text)) return *word;
    return fail(code, fmt::format("'{}' is not a 32-bit number (decimal, or hexadecimal with 0x)", text));
}

}  // namespace tessera::cli
