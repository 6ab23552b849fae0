// SPDX-License-Identifier: Apache-2.0
// The data that a report keeps of a run: a few words per instruction and per wait.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/observer.hpp"

namespace tessera::trace {

using Cycle = std::uint64_t;

/// Interned texts.
class Texts {
public:
    std::uint32_t add(const std::string& text);
    const std::string& operator[](std::uint32_t number) const { return list_[number]; }

private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::string> list_;
};

struct TimedInstruction {
    bool known = false;    ///< it has ended, or was at work when the run ended
    bool command = false;  ///< Event::command
    int thread = 0, core = -1;
    std::uint32_t text = 0, unit = 0;  ///< of Timeline::texts
    Cycle gate = 0, issue = 0, start = 0, land = 0, end = 0;
    std::uint64_t occupancy = 0;
};

struct TimedWait {
    Cycle begin = 0, end = 0;
    std::string_view kind;
    std::uint32_t reason = 0;  ///< of Timeline::texts
    bool over = true;
    Initiator ended_by;
};

struct Timeline {
    Texts texts;
    std::vector<TimedInstruction> instructions;           ///< by Event::number
    std::array<std::vector<TimedWait>, 3> front_ends;     ///< by thread, in the order of time
    std::map<std::string, std::vector<TimedWait>> cores;  ///< by core_name(), in the order of time
    std::unordered_map<std::int64_t, TimedWait> units;    ///< by Event::number: the last wait before its start

    void add(const Event& event);
    void add(const Wait& wait);
};

}  // namespace tessera::trace
