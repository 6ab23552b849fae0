// SPDX-License-Identifier: Apache-2.0
#include "options/host_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace tessera::cli {

namespace {

constexpr std::uint64_t longest = 1'000'000'000;  // seconds: 31 years

std::optional<double> seconds_of(const std::string& text) {
    double seconds = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, seconds, std::chars_format::fixed);
    if (error != std::errc{} || end != last || !(seconds > 0) || seconds > double{longest}) return std::nullopt;
    return seconds;
}

std::optional<std::uint64_t> bytes_of(std::string text) {
    constexpr std::string_view units = "KMG";
    unsigned shift = 0;
    if (const auto unit = text.empty() ? units.npos : units.find(text.back()); unit != units.npos) {
        shift = 10 * (static_cast<unsigned>(unit) + 1);
        text.pop_back();
    }
    std::uint64_t number = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    if (text.empty() || error != std::errc{} || end != last || number == 0) return std::nullopt;
    if (number > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
    return number << shift;
}

}  // namespace

void add_threads(const Command& command, std::optional<unsigned>& threads) {
    command
        .option("--threads", threads,
                "Threads of the host that simulate the tiles of a grid; they change no result (default: 1)")
        .value_name("N")
        .in_range(1, most_host_threads);
}

void HostOptions::add_to(const Command& command) {
    command.option("--timeout", timeout, "End with fault limit.time after this time").value_name("SECONDS").check([](const std::string& text) {
        return seconds_of(text) ? ""
                                : fmt::format("{} is not a number of seconds above 0 and up to {}, such as 30 or 0.5", text, longest);
    });
    command.option("--max-memory", max_memory, "End with fault limit.memory when this process has more")
        .value_name("BYTES")
        .check([](const std::string& text) {
            return bytes_of(text) ? "" : fmt::format("{} is not a number of bytes above 0, such as 500000000, 500M or 2G", text);
        });
}

std::chrono::steady_clock::time_point HostOptions::deadline() const {
    using Clock = std::chrono::steady_clock;
    const std::chrono::duration<double> seconds(seconds_of(*timeout).value_or(double{longest}));
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds);
}

std::uint64_t HostOptions::bytes() const { return bytes_of(*max_memory).value_or(0); }

}  // namespace tessera::cli
