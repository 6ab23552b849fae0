// SPDX-License-Identifier: Apache-2.0
// Option values shared by several subcommands.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"
#include "tessera/timing.hpp"

namespace tessera::cli {

/// "blackhole" or "wormhole". Error "cli.arch".
Result<Arch> read_arch(const std::string& text);

/// "unpack", "math", "pack", or 0 to 2. Error "cli.thread".
Result<unsigned> read_thread(const std::string& text);

/// The names of name(Timing), for help texts; with a clock only those that have one.
std::string timing_choices(bool with_clock = false);
/// A name of name(Timing). Error "cli.timing", which lists timing_choices(with_clock).
Result<Timing> read_timing(const std::string& text, bool with_clock = false);

/// In single quotes; `quote` stands for a single quote within.
std::string in_quotes(const std::string& text, std::string_view quote = "'\\''");
/// As a word of a command line: in single quotes if a shell would not take it as it is.
std::string shell_word(const std::string& text);

/// parse_number() of 32 bits.
std::optional<std::uint32_t> parse_word(std::string_view text);
/// The same, with an error of this code.
Result<std::uint32_t> read_word(std::string_view text, const char* code);

/// Two decimal numbers with that character between them: "3,0", "64x32".
template <class Number>
std::optional<std::pair<Number, Number>> parse_pair(std::string_view text, char between) {
    std::pair<Number, Number> pair;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, pair.first);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != between) return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, pair.second);
    if (second.ec != std::errc{} || second.ptr != end) return std::nullopt;
    return pair;
}

inline constexpr const char* thread_names[] = {"unpack", "math", "pack"};

}  // namespace tessera::cli
