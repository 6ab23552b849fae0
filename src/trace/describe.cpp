// SPDX-License-Identifier: Apache-2.0
// The report as text.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tessera/trace.hpp"

namespace tessera {

namespace {

constexpr std::size_t most_lines = 12;

double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string describe_units(const TraceReport& report) {
    std::string text = fmt::format("\n  {:<12}{:>13}{:>10}{:>10}{:>10}{:>10}{:>10}   of its full rate\n", "unit",
                                   "instructions", "busy", "waiting", "idle", "measured", "assumed");
    for (const UnitReport& unit : report.units) {
        text += fmt::format("  {:<12}{:>13}{:>10}{:>10}{:>10}{:>8.0f} %{:>8.0f} %", unit.unit, unit.instructions,
                            unit.busy, unit.waiting, unit.idle, percent(unit.measured, unit.documented),
                            percent(unit.assumed, unit.documented));
        if (unit.documented && unit.last > unit.first)
            text += fmt::format("   {:.0f} % from {} to {} (mostly {}, {} per {} cycle{})",
                                percent(unit.documented, unit.last - unit.first), unit.first, unit.last,
                                unit.instruction, 1, unit.occupancy, unit.occupancy == 1 ? "" : "s");
        text += "\n";
    }
    return text;
}

std::string describe_threads(const TraceReport& report) {
    std::string text = fmt::format("\n  {:<8}{:>10}{:>8}   what its front end did\n", "thread", "cycles", "times");
    for (const ThreadReport& thread : report.threads) {
        const std::string name = fmt::format("T{}", thread.thread);
        text += fmt::format("  {:<8}{:>10}{:>8}   issued instructions\n", name, thread.issuing, "");
        for (const auto& wait : thread.waits)
            text += fmt::format("  {:<8}{:>10}{:>8}   waited for {}\n", name, wait.cycles, wait.count, wait.reason);
        text += fmt::format("  {:<8}{:>10}{:>8}   had nothing more to issue\n", name, thread.idle, "");
    }
    return text;
}

/// Key for summing up steps: the actor, and the kind of instruction or wait.
std::string gist(const PathStep& step) {
    switch (step.what) {
        case PathStep::What::unit: return fmt::format("{} in {}", step.text.substr(0, step.text.find(' ')), step.who);
        case PathStep::What::front_end:
        case PathStep::What::core: return fmt::format("{} {}", step.who, step.text);
        case PathStep::What::wait: return fmt::format("{} goes on after: {}", step.who, step.text);
    }
    return {};
}

std::string describe_path(const TraceReport& report) {
    struct Sum {
        std::uint64_t cycles = 0, steps = 0;
    };
    std::map<std::string, Sum> sums;
    for (const PathStep& step : report.path) {
        Sum& sum = sums[gist(step)];
        sum.cycles += step.end - step.begin;
        ++sum.steps;
    }
    std::vector<std::pair<std::string, Sum>> list(sums.begin(), sums.end());
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.second.cycles > b.second.cycles; });
    std::string text = fmt::format("\n  critical path: {} steps, {} cycles\n", report.path.size(), report.cycles);
    for (std::size_t i = 0; i < std::min(list.size(), most_lines); ++i)
        text += fmt::format("  {:>10} {:>5.1f} %{:>8}   {}\n", list[i].second.cycles,
                            percent(list[i].second.cycles, report.cycles), list[i].second.steps, list[i].first);
    if (list.size() > most_lines)
        text += fmt::format("  and {} more kind{} of steps\n", list.size() - most_lines,
                            list.size() - most_lines == 1 ? "" : "s");
    return text;
}

std::string describe(const std::optional<Passage::Stage>& stage) {
    return stage ? fmt::format("{}-{}", stage->begin, stage->end) : "-";
}

std::string describe_passages(const TraceReport& report) {
    if (report.passages.empty()) return {};
    std::string text = fmt::format("\n  {:<12}{:>16}{:>16}{:>16}{:>10}   cycles of passages from L1 to L1\n", "to",
                                   "unpack", "math", "pack", "in all");
    const auto& list = report.passages;
    for (std::size_t i = 0; i < std::min(list.size(), most_lines); ++i) {
        const Passage& passage = list[i];
        const std::uint64_t begin = passage.unpack ? passage.unpack->begin
                                    : passage.math ? passage.math->begin
                                                   : passage.pack.begin;
        text += fmt::format("  {:<12}{:>16}{:>16}{:>16}{:>10}\n",
                            passage.address ? fmt::format("0x{:X}", *passage.address) : "-", describe(passage.unpack),
                            describe(passage.math), describe(passage.pack), passage.pack.end - begin);
    }
    if (list.size() > most_lines) text += fmt::format("  and {} more\n", list.size() - most_lines);
    return text;
}

}  // namespace

std::string TraceReport::describe() const {
    return fmt::format("cycles        {}\n", cycles) + describe_units(*this) + describe_threads(*this) +
           describe_path(*this) + describe_passages(*this);
}

std::string_view name(PathStep::What what) {
    constexpr std::string_view names[] = {"unit", "front end", "core", "wait"};
    return names[static_cast<std::size_t>(what)];
}

}  // namespace tessera
