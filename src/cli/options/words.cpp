// SPDX-License-Identifier: Apache-2.0
#include "options/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <limits>
#include <vector>

#include "tessera/number.hpp"
#include "tessera/similar_name.hpp"

namespace tessera::cli {

Result<Arch> read_arch(const std::string& text) {
    if (const auto arch = parse_arch(text)) return *arch;
    constexpr std::string_view names[] = {"blackhole", "wormhole"};
    return fail("cli.arch", fmt::format("'{}' is not an architecture{}: {}", text, suggestion(text, names),
                                        fmt::join(names, ", ")));
}

Result<unsigned> read_thread(const std::string& text) {
    for (unsigned i = 0; i < std::size(thread_names); ++i)
        if (text == thread_names[i] || text == std::to_string(i)) return i;
    const std::vector<std::string_view> names(std::begin(thread_names), std::end(thread_names));
    return fail("cli.thread",
                fmt::format("'{}' is not a thread{}: unpack, math, pack, or 0 to 2", text, suggestion(text, names)));
}

namespace {

std::vector<std::string_view> names_of_timings(bool with_clock) {
    std::vector<std::string_view> names;
    for (const Timing timing : all_timings)
        if (!with_clock || timing != Timing::functional) names.push_back(name(timing));
    return names;
}

}  // namespace

std::string timing_choices(bool with_clock) { return fmt::format("{}", fmt::join(names_of_timings(with_clock), ", ")); }

Result<Timing> read_timing(const std::string& text, bool with_clock) {
    if (const auto timing = parse_timing(text)) return *timing;
    const std::vector<std::string_view> names = names_of_timings(with_clock);
    return fail("cli.timing",
                fmt::format("'{}' is not a timing{}: {}", text, suggestion(text, names), fmt::join(names, ", ")));
}

std::string in_quotes(const std::string& text, std::string_view quote) {
    std::string result = "'";
    for (const char c : text)
        if (c == '\'')
            result += quote;
        else
            result += c;
    return result + "'";
}

std::string shell_word(const std::string& text) {
    constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=:,+@%";
    return text.empty() || text.find_first_not_of(plain) != text.npos ? in_quotes(text) : text;
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
