// SPDX-License-Identifier: Apache-2.0
// Notices that a hart only repeats itself: at the same instruction, its registers and memory are what they were, and nothing
// that others could notice has happened in between.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tessera::riscv {

/// What a hart has polled since it was last known to repeat itself.
struct Poll {
    std::uint32_t pc = 0, address = 0, value = 0;
};

class Repetition {
public:
    struct Seen {
        std::array<std::uint32_t, 32> x{};
        std::uint32_t pc = 0;
        std::uint64_t change = 0;
        std::uint64_t local = 0;  ///< digest of the local memory's changes
        std::uint64_t times = 0;  ///< how often the hart has read the time
        friend bool operator==(const Seen&, const Seen&) = default;
    };

    /// Counts a backward branch; look() is wanted when true.
    bool due() { return --left_ == 0; }

    void view(const Seen& now) {
        if (!watching_) {
            kept_ = now;
            if (!keeps_poll_) polled_ = false;
            repeats_ = false;
            watching_ = true;
            visits_ = 0;
            branches_ = 0;
            left_ = 1;
            return;
        }
        left_ = 1;
        if (now.pc == kept_.pc) {
            if (now == kept_) {
                repeats_ = true;
                rest();
                return;
            }
            ++visits_;
        }
        if (visits_ >= max_visits || ++branches_ >= max_branches) rest();
    }

    /// Something happened that others could notice.
    void broken() {
        repeats_ = false;
        if (watching_) rest();
    }

    /// The next backward branch is looked at. `keeps_poll`: what is polled from now on is all that is polled until the next call.
    void watch(bool keeps_poll) {
        polled_ = false;
        keeps_poll_ = keeps_poll;
        watching_ = repeats_ = false;
        left_ = 1;
    }

    /// What a clock shows differs each time, whatever the registers are.
    void read_time() { ++times_; }
    std::uint64_t times() const { return times_; }

    void loaded(std::uint32_t pc, std::uint32_t address, std::uint32_t value) {
        polled_ = true;
        poll_ = {pc, address, value};
    }

    bool repeats(std::uint64_t change) const { return repeats_ && kept_.change == change; }
    std::optional<Poll> poll() const { return polled_ ? std::optional(poll_) : std::nullopt; }

private:
    static constexpr std::uint32_t interval = 4096, max_visits = 64, max_branches = 1024;

    void rest() {
        watching_ = false;
        left_ = interval;
    }

    std::uint32_t left_ = interval;
    std::uint32_t visits_ = 0, branches_ = 0;
    bool watching_ = false, repeats_ = false, keeps_poll_ = false, polled_ = false;
    std::uint64_t times_ = 0;
    Seen kept_;
    Poll poll_;  ///< when polled_
};

}  // namespace tessera::riscv
