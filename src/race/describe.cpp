// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "race/end_code.hpp"
#include "tessera/race.hpp"

namespace tessera {

namespace {

std::string plural(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string schedules_of(const RaceOutcome& outcome) {
    constexpr std::size_t most = 8;
    std::string text = outcome.without_delays ? "without delays" : "";
    if (outcome.seeds.empty()) return text;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", outcome.seeds.size() == 1 ? "seed" : "seeds");
    for (std::size_t i = 0; i < outcome.seeds.size() && i < most; ++i) text += fmt::format(" {}", outcome.seeds[i]);
    if (outcome.seeds.size() > most) text += fmt::format(" and {} more", outcome.seeds.size() - most);
    return text;
}

std::string written_by(const std::optional<Writer>& writer) { return writer ? ", by " + writer->describe() : ""; }

std::string describe(const RaceOutcome& outcome, std::size_t number) {
    std::string text = fmt::format("outcome {}: {}, {}{}\n", number,
                                   plural(outcome.seeds.size() + outcome.without_delays, "schedule"),
                                   outcome.end.empty() ? "ends well" : outcome.end, "");
    text += fmt::format("  schedules  {}\n", schedules_of(outcome));
    if (const auto& state = outcome.state) {
        text += fmt::format("  differs    {}{}, {} in all\n", state->name,
                            outcome.output.empty() ? "" : " of " + outcome.output, outcome.count);
        text += fmt::format("    first    {}{}\n    here     {}{}\n", state->a_text, written_by(state->a_writer),
                            state->b_text, written_by(state->b_writer));
    }
    if (const auto& instruction = outcome.instruction) {
        text += "  begins at  ";
        text += instruction->a   ? instruction->a->describe()
                : instruction->b ? instruction->b->describe()
                                 : "an unknown instruction";
        text += '\n';
        for (const auto& wrote : instruction->wrote)
            text += fmt::format("    {}: {} in the first, {} here\n", wrote.name, wrote.a_text, wrote.b_text);
    }
    return text;
}

}  // namespace

std::string RaceReport::describe() const {
    std::string text;
    if (interrupted) text = fmt::format("interrupted after {}\n", plural(schedules, "schedule"));
    if (interrupted && schedules == 0) return text;
    if (same())
        text += fmt::format("{}, 1 outcome: same {} in all{}\n", plural(schedules, "schedule"), compared == "l1" ? "L1" : compared,
                            race::end_of_all(outcomes));
    else
        text += fmt::format("{}, {}{}\n", plural(schedules, "schedule"), others ? "more than " : "",
                            plural(outcomes.size(), "outcome"));
    if (!same())
        for (std::size_t i = 0; i < outcomes.size(); ++i) text += tessera::describe(outcomes[i], i + 1);
    if (others) text += fmt::format("{} with yet other outcomes\n", plural(others, "schedule"));
    if (findings.empty() && !same()) text += "no finding about the order of accesses\n";
    for (const Finding& finding : findings) text += fmt::format("{}\n", finding.describe());
    return text;
}

}  // namespace tessera
