// SPDX-License-Identifier: Apache-2.0
// Detects that a hart is in a loop without effect: at the same instruction, registers and memory recur, and nothing
// observable happened in between.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "riscv/bus.hpp"

namespace tessera::riscv {

/// A location that a hart polls.
struct Poll {
    std::uint32_t pc = 0, address = 0, value = 0;
    friend bool operator==(const Poll&, const Poll&) = default;
};

/// The locations that a round of a loop polls, in the order in which it comes to them.
class Polls {
public:
    Polls() = default;
    explicit Polls(const Poll& only) : all_{only}, count_(1) {}

    void add(const Poll& poll) {
        for (unsigned i = 0; i < count_; ++i)
            if (all_[i].address == poll.address) {
                all_[i] = poll;
                return;
            }
        if (count_ < all_.size())
            all_[count_++] = poll;
        else
            more_ = {std::min(poll.pc, more_.first), std::max(poll.pc, more_.second)};
    }
    std::span<const Poll> all() const& { return std::span(all_).first(count_); }
    std::span<const Poll> all() const&& = delete;  ///< they would be gone
    /// Whether it is one of them, as far as is known of those that do not fit.
    bool has(const Poll& poll) const {
        return std::find(all().begin(), all().end(), poll) != all().end() ||
               (poll.pc >= more_.first && poll.pc <= more_.second);
    }
    /// There were more than fit.
    bool has_more() const { return more_.first <= more_.second; }

private:
    std::array<Poll, 4> all_{};
    unsigned count_ = 0;
    /// Addresses of loads that do not fit: the lowest, the highest.
    std::pair<std::uint32_t, std::uint32_t> more_{~0u, 0};
};

class Repetition {
public:
    struct Seen {
        std::array<std::uint32_t, 32> x{};
        std::uint32_t pc = 0;
        std::uint64_t change = 0;
        std::uint64_t local = 0;  ///< digest of the local memory's changes
        std::uint64_t times = 0;  ///< number of clock reads so far
        friend bool operator==(const Seen&, const Seen&) = default;
    };
    /// When that was.
    struct Moment {
        Cycle at = 0;
        std::uint64_t number = 0;     ///< of the next instruction
        std::uint64_t front_end = 0;  ///< changes with whatever makes a later round take another time
        std::uint64_t cached = 0;     ///< of the core's data cache
        bool settled = false;         ///< nothing before delays what follows
    };
    /// A round of the loop, and when one of them began.
    struct Period {
        Cycle cycles = 0;
        std::uint64_t instructions = 0;
        Cycle from = 0;
    };

    /// Counts a backward branch; call observe() if it returns true.
    bool due() { return --left_ == 0; }

    static constexpr std::uint32_t interval = 4096;

    /// How many backward branches come before the next observe(), and counts so many.
    std::uint32_t unobserved() const { return left_ - 1; }
    void skip(std::uint32_t branches) { left_ -= branches; }
    /// Counts backward branches of a time in which others changed what the hart could observe: looks were in vain.
    void pass(std::uint64_t branches) {
        if (branches < left_) return skip(static_cast<std::uint32_t>(branches));
        const std::uint64_t behind = branches - left_;
        repeats_ = false;
        rest();
        left_ -= static_cast<std::uint32_t>(behind % next_);
    }

    void observe(const Seen& now, const Moment& moment) {
        if (!watching_) {
            kept_ = now;
            kept_at_ = moment;
            period_.reset();
            if (!keeps_poll_) polled_ = false;
            repeats_ = false;
            watching_ = true;
            round_ = {};
            visits_ = 0;
            branches_ = 0;
            left_ = 1;
            return;
        }
        left_ = 1;
        if (now.pc == kept_.pc) {
            if (now == kept_) {
                repeats_ = true;
                polls_ = round_;
                if (kept_at_.settled && moment.settled && kept_at_.front_end == moment.front_end && kept_at_.cached == moment.cached)
                    period_ = Period{moment.at - kept_at_.at, moment.number - kept_at_.number, moment.at};
                next_ = least_;
                rest();
                return;
            }
            ++visits_;
        }
        // A look that began in the wrong place is as short as it is frequent.
        if (visits_ >= max_visits || ++branches_ >= std::max(std::min(least_watched, 4 * next_), next_ / 4)) {
            next_ = std::min(2 * next_, most_);
            rest();
        }
    }

    /// Call after an observable event.
    void broken() {
        repeats_ = false;
        if (watching_) rest();
    }

    /// Checks the next backward branch. With `keeps_poll`, the poll is kept until the next call of watch().
    void watch(bool keeps_poll) {
        polled_ = false;
        keeps_poll_ = keeps_poll;
        watching_ = repeats_ = false;
        left_ = 1;
    }

    /// From now on looks earlier, at first after so many backward branches. If that finds nothing, it looks twice as late, up to `most`.
    void look_early(std::uint32_t branches, std::uint32_t most = interval) {
        least_ = next_ = branches;
        most_ = most;
        if (!watching_) left_ = branches;
    }

    /// As new, but with the interval of look_early().
    void begin_again() {
        const std::uint32_t branches = least_, most = most_;
        *this = {};
        look_early(branches, most);
    }

    /// Marks a clock read: clocks differ each time, so the state does not recur.
    void read_time() { ++times_; }
    std::uint64_t times() const { return times_; }

    void loaded(std::uint32_t pc, std::uint32_t address, std::uint32_t value) {
        polled_ = true;
        poll_ = {pc, address, value};
        if (watching_) round_.add(poll_);
    }

    bool repeats(std::uint64_t change) const { return repeats_ && kept_.change == change; }
    /// Of the loop that repeats() is about. Empty: its rounds may take different times.
    const std::optional<Period>& period() const { return period_; }
    /// The polls of the last round that was watched from end to end, if that is still so; else the last location. May be empty.
    Polls polled() const {
        if (!polled_) return {};
        return polls_.has(poll_) ? polls_ : Polls(poll_);
    }

private:
    static constexpr std::uint32_t max_visits = 64, least_watched = 64;

    void rest() {
        watching_ = false;
        left_ = next_;
    }

    std::uint32_t least_ = interval, most_ = interval, next_ = interval;  ///< branches between two looks
    std::uint32_t left_ = interval;
    std::uint32_t visits_ = 0, branches_ = 0;
    bool watching_ = false, repeats_ = false, keeps_poll_ = false, polled_ = false;
    std::uint64_t times_ = 0;
    Seen kept_;
    Moment kept_at_;
    std::optional<Period> period_;
    Poll poll_;            ///< the last one; valid if polled_
    Polls polls_, round_;  ///< of the last known round; of the one that is being watched
};

}  // namespace tessera::riscv
