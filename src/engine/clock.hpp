// SPDX-License-Identifier: Apache-2.0
// Time: events in the order in which they happen. Equal times keep the order in which they were scheduled.
#pragma once

#include <algorithm>
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
        share_l1,       ///< one of two transfers that share L1 is done
        schedule,       ///< a cycle of the instructions that SFPLOADMACRO has scheduled
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
    /// Returns a number by which the event can be cancelled until it happens.
    std::uint64_t schedule(Cycle time, Event::Kind kind, std::uint32_t id) {
        events_.push({time, sequence_, kind, id});
        return sequence_++;
    }
    void cancel(std::uint64_t number) {
        cancelled_.push_back(number);
        drop_cancelled();
    }
    bool empty() const { return events_.empty(); }
    Cycle next() const { return events_.empty() ? never : events_.top().time; }
    Event pop() {
        const Event event = events_.top();
        events_.pop();
        drop_cancelled();
        return event;
    }

private:
    // The first event is never a cancelled one.
    void drop_cancelled() {
        while (!cancelled_.empty()) {
            const auto found = std::find(cancelled_.begin(), cancelled_.end(), events_.top().sequence);
            if (found == cancelled_.end()) return;
            *found = cancelled_.back();
            cancelled_.pop_back();
            events_.pop();
        }
    }

    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::vector<std::uint64_t> cancelled_;
    std::uint64_t sequence_ = 0;
};

}  // namespace tessera::engine
