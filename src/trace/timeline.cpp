// SPDX-License-Identifier: Apache-2.0
#include "trace/timeline.hpp"

#include "trace/names.hpp"

namespace tessera::trace {

std::uint32_t Texts::add(const std::string& text) {
    const auto [at, fresh] = numbers_.try_emplace(text, static_cast<std::uint32_t>(list_.size()));
    if (fresh) list_.push_back(text);
    return at->second;
}

void Timeline::add(const Event& event) {
    const auto number = static_cast<std::size_t>(event.number);
    if (number >= instructions.size()) instructions.resize(number + 1);
    instructions[number] = {true,
                            event.command,
                            event.thread,
                            event.core,
                            texts.add(one_line(event.instruction)),
                            texts.add(event.unit),
                            event.gate,
                            event.issue,
                            event.start,
                            event.land,
                            event.end,
                            event.occupancy};
}

void Timeline::add(const Wait& wait) {
    const TimedWait timed{wait.begin, wait.end, wait.kind, texts.add(wait.reason), wait.over, wait.ended_by};
    switch (wait.who) {
        case Wait::Who::core: cores[name_of(wait)].push_back(timed); break;
        case Wait::Who::front_end: front_ends[static_cast<std::size_t>(wait.thread)].push_back(timed); break;
        case Wait::Who::unit: units[wait.number] = timed; break;
    }
}

}  // namespace tessera::trace
