// SPDX-License-Identifier: Apache-2.0
// Time: events in the order in which they happen. Equal times keep the order in which they were scheduled.
#pragma once

#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

namespace tessera::engine {

using Cycle = std::uint64_t;
inline constexpr Cycle never = std::numeric_limits<Cycle>::max();

struct Event {
    enum class Kind : std::uint8_t {
        land,           ///< an instruction's effects become visible; id: record
        end,            ///< an instruction is done; id: record
        start_queued,   ///< the head of a queue may be able to start; id: pipe
        check_latch,    ///< a latched wait is evaluated; id: thread
        release_latch,  ///< a latched wait is forgotten; id: thread
        land_store,     ///< a core's store is processed; id: store
    };
    Cycle time = 0;
    std::uint64_t sequence = 0;
    Kind kind{};
    std::uint32_t id = 0;

    friend bool operator>(const Event& a, const Event& b) {
        return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
    }
};

class Clock {
public:
    void schedule(Cycle time, Event::Kind kind, std::uint32_t id) { events_.push({time, sequence_++, kind, id}); }
    bool empty() const { return events_.empty(); }
    Cycle next() const { return events_.empty() ? never : events_.top().time; }
    Event pop() {
        const Event event = events_.top();
        events_.pop();
        return event;
    }

private:
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::uint64_t sequence_ = 0;
};

}  // namespace tessera::engine
