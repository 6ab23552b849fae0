// SPDX-License-Identifier: Apache-2.0
// Plans that came one behind the other. Each is decided by what its resolve looked at: where that is as it was, but for what those before it
// have set, the same plans come again, and are not looked for one by one.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "plan/seen.hpp"
#include "state/state.hpp"
#include "units/resolved.hpp"
#include "units/trace.hpp"
#include "units/vector/scheduling.hpp"

namespace tessera::units {

class TraceCache {
public:
    static constexpr std::size_t most_steps = 31;  // with the one in front as many as are replayed

    /// What came behind the plan, beginning with this word, where all was as it is now; null: nothing is known. To be asked when the plan has
    /// just been issued; the answer stays until begin(), end() or clear().
    const Trace* behind(const Resolved& plan, std::uint32_t word, const state::State& state);

    /// `first` has just been issued: what comes behind it is to be learned, if it has come often enough, and so many steps of it. False: it
    /// is not worth it.
    bool begin(const PlanRef& first, const state::State& state, std::size_t most = most_steps);
    /// The next one has been issued. False: the trace ends here, with or without that one; end() is to follow.
    bool add(const PlanRef& next);
    /// It ends here, whether anything was begun or not.
    void end(const CostTable& costs);

    void clear();

private:
    static constexpr std::size_t most_variants = 4, most_replaced = 16, all_steps = 32768;
    static constexpr unsigned often = 2, most_in_vain = 8;

    struct Known {
        PlanRef first;
        std::vector<Trace> variants;
        std::size_t last = 0, replaced = 0;
    };
    using CellSet = std::bitset<state::cells::total>;

    Known* known(const Resolved& plan);
    bool view(const plan::CellBits& bits);
    bool follows(Trace::Step& step);

    std::vector<Known> known_;
    std::size_t steps_ = 0;

    struct Learning {
        PlanRef first;
        Trace trace;
        std::array<std::uint32_t, state::cells::total> cells;  ///< before it
        CellSet set;                                           ///< by effects so far
        CellSet by_work;                                       ///< by works: nobody knows to what
        std::optional<vector::Footmark> mark;                  ///< of the last one, if the vector unit executes it
        const state::State* state = nullptr;
        std::size_t most = 0;  ///< steps
    };
    std::unique_ptr<Learning> begun_;
    bool learning_ = false;
};

}  // namespace tessera::units
