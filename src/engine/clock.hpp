// SPDX-License-Identifier: Apache-2.0
// Event queue. Events of equal time keep the order in which they were scheduled.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::engine {

using Cycle = std::uint64_t;
inline constexpr Cycle never = std::numeric_limits<Cycle>::max();

struct Event {
    enum class Kind : std::uint8_t {
        land,          ///< an instruction's effects become visible; id: record
        end,           ///< an instruction is done; id: record
        lazy_end,      ///< the last lazy end that an actor waits for; id: pipe and thread (Scheduler::watch_lazy_ends)
        start_queued,  ///< the head of a queue may be able to start; id: pipe
        check_latch,   ///< a latched wait is evaluated; id: thread
        release_latch,  ///< a latched wait is dropped; id: thread
        land_store,     ///< a core's store is processed; id: store
        share_l1,       ///< one of two transfers that share L1 is done
        schedule,       ///< a cycle of the instructions that SFPLOADMACRO has scheduled
    };
    Cycle time = 0;
    std::uint64_t sequence = 0;
    Kind kind{};
    std::uint32_t id = 0;
};

/// Few events are pending at a time, so they are kept sorted.
class Clock {
public:
    /// Returns a number that cancels the event until it happens. `time`: before `never`.
    std::uint64_t schedule(Cycle time, Event::Kind kind, std::uint32_t id) {
        events_.emplace_back();
        auto at = events_.end() - 1;
        for (; at[-1].time <= time; --at) *at = at[-1];
        *at = {time, sequence_, kind, id};
        return sequence_++;
    }
    void cancel(std::uint64_t number) {
        std::erase_if(events_, [&](const Event& event) { return event.sequence == number; });
    }
    Cycle next() const { return events_.back().time; }
    Event pop() {
        const Event event = events_.back();
        events_.pop_back();
        return event;
    }

private:
    std::uint64_t sequence_ = 1;
    std::vector<Event> events_ = {{never}};  ///< the next one last; the first is no event
};

}  // namespace tessera::engine
