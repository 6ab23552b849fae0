// SPDX-License-Identifier: Apache-2.0
// A run and its parts as text.
#include <fmt/format.h>

#include "tessera/check.hpp"
#include "tessera/op_place.hpp"
#include "tessera/run.hpp"
#include "util/first_error.hpp"

namespace tessera {

std::string_view name(Timing timing) {
    constexpr std::string_view names[] = {"documented", "silicon", "silicon-slow", "instant", "functional"};
    return names[static_cast<unsigned>(timing)];
}

std::string_view name(CostBasis basis) {
    constexpr std::string_view names[] = {"document", "measured", "assumed"};
    return names[static_cast<unsigned>(basis)];
}

std::optional<Timing> parse_timing(std::string_view text) {
    for (const Timing timing : all_timings)
        if (text == name(timing)) return timing;
    return std::nullopt;
}

std::string_view name(Verdict verdict) {
    constexpr std::string_view names[] = {"passed", "failed", "not_implemented"};
    return names[static_cast<unsigned>(verdict)];
}

bool Diagnosis::cut_short() const {
    constexpr std::string_view codes[] = {"interrupted", "limit.time", "limit.memory"};
    return std::ranges::find(codes, code) != std::end(codes);
}

bool Run::good() const { return !fault && !util::first_error(*this); }

std::string Run::describe_blocked() const {
    if (blocked.empty()) return {};
    std::size_t width = 0;
    for (const Blocked& one : blocked) width = std::max(width, one.who.size());
    std::string text;
    auto more = [&](std::string_view label, std::string_view value) {
        text += fmt::format("  {:{}}  {} {}\n", "", width, label, value);
    };
    for (const Blocked& one : blocked) {
        if (one.finished) {
            text += fmt::format("  {:{}}  {}", one.who, width, one.in_reset ? "in reset" : "finished");
            if (!one.instruction.empty()) text += fmt::format(" at {}", one.instruction);
            if (!one.place.empty()) text += fmt::format(" ({})", one.place);
            text += '\n';
            continue;
        }
        text += fmt::format("  {:{}}  {}", one.who, width, one.runs() ? "runs" : "waits for " + one.waits_for);
        if (one.since != no_cycle && !one.runs()) text += fmt::format(" since cycle {}", one.since);
        text += '\n';
        if (!one.holder.empty()) more("held by", one.holder);
        if (!one.last_touched.empty()) more("last changed by", one.last_touched);
        if (one.instruction.empty()) {
            if (!one.place.empty()) more("at", one.place);
        } else {
            more("at", one.place.empty() ? one.instruction : fmt::format("{} ({})", one.instruction, one.place));
        }
    }
    return text;
}

namespace {

constexpr std::size_t fewest_folded = 4;

/// A name without its trailing decimal number.
std::string_view stem(std::string_view name) { return name.substr(0, name.find_last_not_of("0123456789") + 1); }

/// Merges successive lines whose names differ only in a trailing number.
std::vector<Explanation::Line> folded(const std::vector<Explanation::Line>& lines) {
    std::vector<Explanation::Line> result;
    for (std::size_t i = 0; i < lines.size();) {
        const std::string_view family = stem(lines[i].name);
        std::size_t end = i + 1;
        const auto alike = [&](const Explanation::Line& line) {
            return line.topic == lines[i].topic && line.value == lines[i].value && stem(line.name) == family &&
                   family.size() < line.name.size();
        };
        while (end < lines.size() && alike(lines[i]) && alike(lines[end])) ++end;
        if (end - i < fewest_folded) {
            result.push_back(lines[i++]);
            continue;
        }
        const std::string_view last = lines[end - 1].name;
        result.push_back({lines[i].topic, fmt::format("{} to {}", lines[i].name, last.substr(family.size())),
                          fmt::format("{} each", lines[i].value)});
        i = end;
    }
    return result;
}

}  // namespace

std::string Explanation::describe() const {
    const OpPlace op{.thread = thread, .index = index, .cycle = cycle, .instruction = instruction, .place = place};
    std::string text = op.describe() + '\n';
    std::size_t topic_width = 0, name_width = 0;
    const std::vector<Line> shown = folded(lines);
    for (const Line& line : shown) {
        topic_width = std::max(topic_width, line.topic.size());
        name_width = std::max(name_width, line.name.size());
    }
    // Each topic is printed once, at its first line.
    std::string_view last;
    for (const Line& line : shown) {
        const std::string_view topic = line.topic == last ? std::string_view{} : std::string_view{line.topic};
        std::string row = fmt::format("  {:{}}  {:{}}  {}", topic, topic_width, line.name, name_width, line.value);
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + '\n';
        last = line.topic;
    }
    for (const ElementTrace& element : elements) text += element.describe();
    return text;
}

}  // namespace tessera
