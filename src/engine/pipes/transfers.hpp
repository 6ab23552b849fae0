// SPDX-License-Identifier: Apache-2.0
// Two unpackers that read L1 side by side. The rate of each depends on the other. When one starts or ends, the progress
// of the other is counted and its end recomputed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "engine/clock.hpp"
#include "plan/plan.hpp"

namespace tessera::engine {

class Transfers {
public:
    static constexpr unsigned sides = 2;

    /// The reader `who` starts; alone it would end at `ends`.
    void begin(unsigned side, std::uint32_t who, const plan::Transfer& wants, Cycle now, Cycle ends) {
        running_[side] = {who, wants, wants.alone, wants.bytes, now, ends};
    }
    bool reads(unsigned side, Cycle now) const { return running_[side].ends > now; }
    /// The reader that started last.
    std::uint32_t who(unsigned side) const { return running_[side].who; }

    /// Sets the rates from `now` on and calls moved(side, end) for each end that changes. Returns when to call it
    /// again; never: both run at their own rates.
    template <class F>
    Cycle share(Cycle now, F&& moved) {
        Cycle next = never;
        bool slowed = false;
        for (unsigned side = 0; side < sides; ++side) {
            Running& one = running_[side];
            if (one.ends <= now) continue;
            const Running& rival = running_[1 - side];
            const bool both = rival.ends > now;
            const std::uint32_t rate = both ? one.wants.beside_it[rival.wants.speed] : one.wants.alone;
            if (now > one.since) {
                one.left -= static_cast<std::uint32_t>((now - one.since) * one.rate);
                one.since = now;
            }
            if (rate != one.rate) {
                one.rate = rate;
                one.ends = one.since + (one.left + rate - 1) / rate;
                moved(side, one.ends);
            }
            next = std::min(next, one.ends);
            slowed |= both && rate != one.wants.alone;
        }
        return slowed ? next : never;
    }
    /// The same in time. While two readers share L1, an event marks the first end.
    template <class F>
    void share(Clock& clock, Cycle now, F&& moved) {
        if (event_) clock.cancel(*event_);
        event_.reset();
        const Cycle next = share(now, moved);
        if (next != never) event_ = clock.schedule(next, Event::Kind::share_l1, 0);
    }

private:
    /// The transfer is over when `ends` has come.
    struct Running {
        std::uint32_t who = 0;
        plan::Transfer wants;
        std::uint32_t rate = 0;  ///< bytes per cycle
        std::uint32_t left = 0;  ///< bytes at `since`
        Cycle since = 0, ends = 0;
    };
    std::array<Running, sides> running_{};
    std::optional<std::uint64_t> event_;
};

}  // namespace tessera::engine
