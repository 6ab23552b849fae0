// SPDX-License-Identifier: Apache-2.0
// Cores that compute and use different parts of L1 interleave at every access, although none can notice another. For a while each of them
// takes all of its turns at once. If they have met, all is undone, and they take turns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "engine/context.hpp"
#include "engine/scheduler.hpp"
#include "engine/sources/core_port.hpp"
#include "engine/sources/time_loops.hpp"
#include "engine/turn_limits.hpp"

namespace tessera::engine {

class CoresApart : private Context {
public:
    CoresApart(const Context& context, Scheduler& scheduler, CorePort& port)
        : Context(context), scheduler_(scheduler), port_(port) {}

    /// A core's turn follows another one's, and neither does anything but to compute and to access L1.
    void count_turn() { ++turns_; }
    /// A core has done something else.
    void begin_again() { turns_ = std::min(turns_, 0); }
    /// Whether act() is worth a try. `second`: the place (TurnLimits::place_of()) of the core that is due second.
    bool is_worth_it(Cycle second, Cycle until) const { return turns_ >= least_turns && second + least_places < until; }
    /// Cores act before a place, at most `until`, and then the hazard checker hears of it. False: nothing has been done.
    bool act(Cycle until, QuietTime& quiet);

private:
    /// A core that acts apart.
    struct One {
        unsigned actor = 0;
        Cycle place = 0;  ///< of its next act
        bool has_acted = false;
        std::span<const state::L1Access> accesses;
        std::uint64_t changes = 0;  ///< of L1

        Cycle place_of(const state::L1Access& access) const { return TurnLimits::place_of(access.at, actor); }
        /// How many accesses come before that place.
        std::size_t count_before(Cycle end) const;
    };
    /// The place of its next act, had it not acted apart.
    Cycle due(const One& one) const { return TurnLimits::place_of(scheduler_.due(one.actor), one.actor); }
    std::span<One> ones() { return std::span(all_).first(count_); }

    /// Finds those that may act before `until`, by place. A core that may not ends that time.
    void find(Cycle& until);
    /// Acts before that place. False: it cannot be kept.
    bool act(One& one, Cycle until);
    /// Whether one has stored near an access of another one, or near instructions.
    bool have_met();
    /// The hazard checker hears of all accesses.
    void check();
    /// Time passes to the last of them.
    void pass(QuietTime& quiet);
    /// Of a turn that a core would have taken: when it begins and ends.
    struct Times {
        Cycle begin = 0, end = 0;
    };
    Times turn_of(const One& one, std::size_t which);
    void undo(One& one);
    /// Undoes all; for so many turns it is not tried again: the more, the longer the reason is likely to last.
    bool give_up(int turns);

    static constexpr int least_turns = 16;
    static constexpr Cycle most_cycles = 256, least_places = 64 * actors;

    Scheduler& scheduler_;
    CorePort& port_;
    int turns_ = 0;  ///< since something else happened, or since it was given up
    std::array<One, riscv_cores> all_;
    unsigned count_ = 0;
};

}  // namespace tessera::engine
