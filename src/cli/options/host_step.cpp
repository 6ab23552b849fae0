// SPDX-License-Identifier: Apache-2.0
#include "options/host_step.hpp"

#include <fmt/format.h>

#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "options/words.hpp"
#include "tessera/number.hpp"

namespace tessera::cli {

namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (std::size_t next; (next = text.find(at)) != text.npos; text.remove_prefix(next + 1))
        parts.push_back(text.substr(0, next));
    parts.push_back(text);
    return parts;
}

class Parser {
public:
    /// False if the part is invalid.
    bool take(std::string_view part) {
        const std::size_t equals = part.find('=');
        if (equals == part.npos) return false;
        const std::string_view key = part.substr(0, equals), value = part.substr(equals + 1);
        if (key == "at" && !step.at) return (step.at = parse_number(value)).has_value();
        if (key == "when" && !step.when) return condition(value);
        if (step.what != HostStep::What::nothing) return false;
        if (key == "write") return write(value);
        if (key == "read") return read(value);
        if (key == "reset" || key == "start") return cores(value, key == "reset");
        return false;
    }

    HostStep step;

private:
    bool condition(std::string_view text) {
        const auto parts = split(text, '=');
        if (parts.size() != 2) return false;
        const auto values = split(parts[1], '/');
        const auto address = parse_word(parts[0]), value = parse_word(values[0]);
        const auto mask = values.size() == 2 ? parse_word(values[1]) : std::optional(0xFFFF'FFFFu);
        if (!address || !value || !mask || values.size() > 2) return false;
        step.when = WordCondition{*address, *value, *mask};
        return true;
    }

    bool write(std::string_view text) {
        const auto parts = split(text, '=');
        const auto address = parse_word(parts[0]);
        if (parts.size() != 2 || !address) return false;
        step.what = HostStep::What::write;
        step.address = *address;
        for (const std::string_view each : split(parts[1], ',')) {
            const auto word = parse_word(each);
            if (!word) return false;
            for (unsigned i = 0; i < 4; ++i) step.bytes.push_back(static_cast<std::byte>(*word >> 8 * i & 0xFF));
        }
        return true;
    }

    bool read(std::string_view text) {
        const auto parts = split(text, ',');
        if (parts.size() != 2) return false;
        const auto address = parse_word(parts[0]), size = parse_word(parts[1]);
        if (!address || !size) return false;
        step.what = HostStep::What::read;
        step.address = *address;
        step.size = *size;
        return true;
    }

    bool cores(std::string_view text, bool reset) {
        step.what = reset ? HostStep::What::reset : HostStep::What::start;
        for (const std::string_view each : split(text, ',')) {
            const auto core = parse_riscv_core(each);
            if (!core) return false;
            step.cores[static_cast<std::size_t>(*core)] = true;
        }
        return true;
    }
};

}  // namespace

Result<HostStep> parse_host_step(const std::string& text) {
    Parser parser;
    std::istringstream parts(text);
    bool any = false;
    for (std::string part; parts >> part; any = true)
        if (!parser.take(part))
            return fail("cli.host", fmt::format("'{}' in '{}': a step is {}", part, text, host_step_form));
    if (!any) return fail("cli.host", fmt::format("a step is {}", host_step_form));
    return std::move(parser.step);
}

}  // namespace tessera::cli
