// SPDX-License-Identifier: Apache-2.0
// Learns traces: plans that followed each other. A trace's guard is all bits that its resolves read, without those
// that earlier steps set. While it holds, the same plans follow, and none is looked up. A trace that looks at no
// counter ends before a step that does, so it is known in every turn of a loop.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "plan/seen.hpp"
#include "state/state.hpp"
#include "units/register_use.hpp"
#include "units/resolved.hpp"
#include "units/trace.hpp"

namespace tessera::units {

class TraceCache {
public:
    static constexpr std::size_t most_steps = 31;  // with the one in front: the most that is replayed at once

    /// Whether there may be a trace behind the plan. That is quick, and false for most plans.
    static bool may_follow(const Resolved& plan) { return plan.traces != 0; }
    /// The trace behind `plan` that begins with `word` and whose guard holds; null if there is none. Call it right
    /// after the plan's issue. The result is valid until begin(), end() or clear().
    const Trace* behind(const Resolved& plan, std::uint32_t word, const state::State& state);

    /// Whether a trace may begin behind the plan, which has just been issued: it has been issued often enough. Call it before begin().
    static bool comes_often(const Resolved& plan) {
        if (plan.followed >= often) return true;
        ++plan.followed;
        return false;
    }
    /// `first` has just been issued: starts to learn the trace behind it, of at most `most` steps. False: it is not worth it.
    /// Without time, a trace may have packers' instructions, and steps that may be elsewhere next time.
    bool begin(const PlanRef& first, const state::State& state, const CostTable& costs, std::size_t most = most_steps);
    /// The next plan has been issued. False: the trace ends here, with or without this plan; call end() then.
    bool add(const PlanRef& next);
    /// Ends the trace, if one was begun.
    void end();

    void clear();

private:
    static constexpr std::size_t most_in_all = 16, most_replaced = 16, all_steps = 32768;
    static constexpr std::ptrdiff_t most_variants = 4;  ///< that begin with the same word
    static constexpr unsigned often = 4, most_in_vain = 2;

    struct Known {
        std::vector<std::unique_ptr<Trace>> variants;  ///< the oldest first
        std::size_t last = 0, replaced = 0;
    };
    using CellSet = std::bitset<state::cells::total>;

    Known* known(const Resolved& plan);
    bool view(const plan::CellBits& bits);
    bool follows(Trace::Step& step);
    bool fits(const Resolved& next);

    std::vector<Known> known_;
    std::uint32_t forgotten_ = 0;  ///< numbers up to this one were given before clear()
    std::size_t steps_ = 0;

    struct Learning {
        PlanRef first;
        Trace trace;  ///< its lists keep their capacity: end() moves what they have
        std::array<std::uint32_t, state::cells::total> cells;  ///< before the trace
        /// The place of a cell in Trace::looked, if it is there; of an earlier trace, too.
        std::array<std::uint16_t, state::cells::total> looked_at;
        CellSet set;                                           ///< by effects so far
        CellSet by_work;                                       ///< by works, with unknown values
        std::optional<RegisterUse> use;                        ///< of the last vector instruction: of a step, or of `first` directly before
        bool is_adjacent = false;                              ///< `use` is of the last plan
        bool knows_lanes = false;                              ///< lane configuration is in the guard
        const state::State* state = nullptr;
        const CostTable* costs = nullptr;
        std::size_t most = 0;  ///< steps
        bool counts = false;  ///< a step looks at a counter
    };
    std::unique_ptr<Learning> begun_;
    bool learning_ = false;
};

}  // namespace tessera::units
