// SPDX-License-Identifier: Apache-2.0
// What a run and its parts say in words.
#include <fmt/format.h>

#include <algorithm>

#include "tessera/check.hpp"
#include "tessera/run.hpp"

namespace tessera {

std::string_view name(Timing timing) { return timing == Timing::documented ? "documented" : "instant"; }

std::optional<Timing> parse_timing(std::string_view text) {
    for (Timing timing : {Timing::documented, Timing::instant})
        if (text == name(timing)) return timing;
    return std::nullopt;
}

std::string_view name(Verdict verdict) {
    constexpr std::string_view names[] = {"passed", "failed", "not_implemented"};
    return names[static_cast<unsigned>(verdict)];
}

bool Run::good() const {
    return !fault &&
           std::none_of(findings.begin(), findings.end(), [](const Finding& f) { return f.level == Level::error; });
}

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
            text += fmt::format("  {:{}}  finished\n", one.who, width);
            continue;
        }
        text += fmt::format("  {:{}}  waits for {} since cycle {}\n", one.who, width, one.waits_for, one.since);
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

std::string Explanation::describe() const {
    std::string text = fmt::format("T{} op {}, cycle {}: {}", thread, index, cycle, instruction);
    if (!place.empty()) text += fmt::format(" ({})", place);
    text += '\n';
    std::size_t topic_width = 0, name_width = 0;
    for (const Line& line : lines) {
        topic_width = std::max(topic_width, line.topic.size());
        name_width = std::max(name_width, line.name.size());
    }
    // A topic is said once, where its lines begin.
    std::string_view last;
    for (const Line& line : lines) {
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
