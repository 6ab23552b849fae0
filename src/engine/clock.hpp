// SPDX-License-Identifier: Apache-2.0
// Event queue. Events of equal time keep the order in which they were scheduled.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <queue>
#include <utility>
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

    friend bool operator>(const Event& a, const Event& b) {
        return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
    }
};

/// Nearly all events are a few cycles ahead. Those are in a ring with a list per cycle; only later ones are sorted.
class Clock {
public:
    /// Returns a number that cancels the event until it happens.
    std::uint64_t schedule(Cycle time, Event::Kind kind, std::uint32_t id) {
        const Event event{time, sequence_, kind, id};
        if (time - begin_ < near_cycles)
            put(event);
        else
            far_.push(event);
        next_ = std::min(next_, time);
        return sequence_++;
    }
    void cancel(std::uint64_t number) {
        cancelled_.push_back(number);
        drop_cancelled();
    }
    Cycle next() const { return next_; }
    Event pop() {
        begin_ = next_;
        for (; !far_.empty() && far_.top().time - begin_ < near_cycles; far_.pop()) put(far_.top());
        const Event event = take();
        if (!cancelled_.empty()) drop_cancelled();
        return event;
    }

private:
    static constexpr unsigned near_cycles = 256;
    static constexpr std::uint32_t none = ~0u;
    struct Link {
        Event event;
        std::uint32_t next = none;
    };
    struct List {
        std::uint32_t first = none, last = none;
    };

    List& list(Cycle time) { return near_[time % near_cycles]; }
    void put(const Event& event) {
        if (free_ == none) {
            free_ = static_cast<std::uint32_t>(links_.size());
            links_.emplace_back();
        }
        const std::uint32_t added = free_;
        free_ = std::exchange(links_[added].next, none);
        links_[added].event = event;
        List& of_cycle = list(event.time);
        (of_cycle.first == none ? of_cycle.first : links_[of_cycle.last].next) = added;
        of_cycle.last = added;
        used_[event.time % near_cycles / 64] |= std::uint64_t{1} << event.time % 64;
    }

    // Later events of the same cycle were scheduled before it came near, so they come first.
    Event take() {
        if (next_ - begin_ >= near_cycles) {
            const Event event = far_.top();
            far_.pop();
            next_ = first();
            return event;
        }
        List& now = list(next_);
        const std::uint32_t taken = now.first;
        const Event event = links_[taken].event;
        now.first = std::exchange(links_[taken].next, free_);
        free_ = taken;
        if (now.first == none) {
            used_[event.time % near_cycles / 64] &= ~(std::uint64_t{1} << event.time % 64);
            next_ = first();
        }
        return event;
    }
    std::uint64_t first_number() {
        if (next_ - begin_ >= near_cycles) return far_.top().sequence;
        return links_[list(next_).first].event.sequence;
    }
    Cycle first() const {
        constexpr unsigned words = near_cycles / 64;
        const unsigned at = begin_ % near_cycles;
        for (unsigned i = 0; i <= words; ++i) {
            const unsigned word = (at / 64 + i) % words;
            std::uint64_t bits = used_[word];
            if (i == 0) bits &= ~std::uint64_t{0} << at % 64;
            if (i == words) bits &= ~(~std::uint64_t{0} << at % 64);
            if (!bits) continue;
            const unsigned slot = word * 64 + static_cast<unsigned>(std::countr_zero(bits));
            return begin_ + (slot + near_cycles - at) % near_cycles;
        }
        return far_.empty() ? never : far_.top().time;
    }
    // The first event is never a cancelled one.
    void drop_cancelled() {
        while (!cancelled_.empty() && next_ != never) {
            const auto found = std::find(cancelled_.begin(), cancelled_.end(), first_number());
            if (found == cancelled_.end()) return;
            *found = cancelled_.back();
            cancelled_.pop_back();
            take();
        }
    }

    std::vector<Link> links_;
    std::uint32_t free_ = none;                           ///< the first link that is not used
    std::array<List, near_cycles> near_;                  ///< by time, modulo its size
    std::array<std::uint64_t, near_cycles / 64> used_{};  ///< a bit per cell that has events
    std::priority_queue<Event, std::vector<Event>, std::greater<>> far_;
    Cycle begin_ = 0;  ///< nothing is scheduled before this cycle
    Cycle next_ = never;
    std::vector<std::uint64_t> cancelled_;
    std::uint64_t sequence_ = 0;
};

}  // namespace tessera::engine
