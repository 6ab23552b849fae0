// SPDX-License-Identifier: Apache-2.0
#include "abi/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include "tessera/finding_catalogue.hpp"

namespace tessera::abi {

namespace {

std::optional<std::uint64_t> number(std::string_view text, std::uint64_t most, std::uint64_t least = 1) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) return std::nullopt;
    return value;
}

/// Takes what stands before the first `separator` from the text.
std::string_view take_until(std::string_view& text, char separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return taken;
}

/// Takes LEVEL, or CODE=LEVEL. Returns what is wrong with it; empty: nothing.
std::string take_level(std::string_view text, Settings& settings) {
    const bool is_of_all = text.find('=') == text.npos;
    const std::string_view code = is_of_all ? std::string_view() : take_until(text, '=');
    if (!is_of_all && !find_finding(code)) return unknown_finding(code);
    const auto level = parse_level(text);
    if (!level) return fmt::format("'{}' is not a level: off, info, warning or error", text);
    (is_of_all ? settings.least : settings.levels[std::string(code)]) = *level;
    return {};
}

/// Takes all levels, or none if one is wrong. Returns what is wrong with that one.
std::string take_levels(std::string_view text, Settings& settings) {
    Settings taken;
    while (!text.empty())
        if (std::string why = take_level(take_until(text, ','), taken); !why.empty()) return why;
    settings.levels = std::move(taken.levels);
    settings.least = taken.least;
    return {};
}

/// Whether both paths lead to one file, which need not be there, or the second one to a folder that holds the first one's file.
bool is_of(std::string_view path, const std::string& other) {
    namespace fs = std::filesystem;
    std::error_code status;
    if (other.empty()) return false;
    const fs::path one = fs::weakly_canonical(fs::absolute(path, status), status),
                   two = fs::weakly_canonical(fs::absolute(other, status), status);
    if (one == two || fs::equivalent(one, two, status)) return true;
    return fs::exists(one, status) && fs::is_directory(two, status) && one.string().starts_with(two.string() + '/');
}

}  // namespace

Settings read_settings(const std::function<const char*(const char*)>& variable) {
    Settings settings;
    const auto ignore = [&](const char* name, const char* text, std::string_view why) {
        settings.wrong.push_back(fmt::format("{}={} is ignored: {}", name, text, why));
    };
    const auto each = [&](const char* name, const char* wanted, const auto& take) {
        const char* const text = variable(name);
        if (text && *text && !take(std::string_view(text))) ignore(name, text, fmt::format("its value is {}", wanted));
    };
    each("TESSERA_REPORT", "", [&](std::string_view text) {
        settings.report = text;
        return true;
    });
    each("TESSERA_ELF", "", [&](std::string_view text) {
        while (!text.empty())
            if (const std::string_view path = take_until(text, ':'); !path.empty()) settings.elf.emplace_back(path);
        return true;
    });
    each("TESSERA_TRACE", "another file than those of TESSERA_REPORT and TESSERA_ELF", [&](std::string_view text) {
        const auto is_it = [&](const std::string& other) { return is_of(text, other); };
        if (is_it(settings.report) || std::any_of(settings.elf.begin(), settings.elf.end(), is_it)) return false;
        settings.trace = text;
        return true;
    });
    if (const char* const text = variable("TESSERA_FINDINGS"); text && *text)
        if (const std::string why = take_levels(text, settings); !why.empty()) ignore("TESSERA_FINDINGS", text, why);
    each("TESSERA_STRICT", "0 or 1", [&](std::string_view text) {
        settings.strict = text == "1";
        return text == "0" || text == "1";
    });
    each("TESSERA_TIMING", "silicon or documented", [&](std::string_view text) {
        for (const Timing timing : {Timing::silicon, Timing::documented})
            if (text == name(timing)) {
                settings.timing = timing;
                return true;
            }
        return false;
    });
    each("TESSERA_CYCLES", "1 to 1000000", [&](std::string_view text) {
        const auto value = number(text, 1'000'000);
        settings.cycles = value.value_or(1);
        return value.has_value();
    });
    each("TESSERA_THREADS", "1 to 256", [&](std::string_view text) {
        const auto value = number(text, 256);
        settings.threads = static_cast<unsigned>(value.value_or(1));
        return value.has_value();
    });
    each("TESSERA_GDB", "a port, 0 to 65535, or wait:PORT", [&](std::string_view text) {
        constexpr std::string_view wait = "wait:";
        settings.gdb_waits = text.starts_with(wait);
        const auto port = number(settings.gdb_waits ? text.substr(wait.size()) : text, 65535, 0);
        if (port) settings.gdb = static_cast<std::uint16_t>(*port);
        return port.has_value();
    });
    return settings;
}

}  // namespace tessera::abi
