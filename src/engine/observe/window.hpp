// SPDX-License-Identifier: Apache-2.0
// Cycles between the first and the last issue of an instruction (RunOptions::window). Counts of all front ends and
// units are taken at both ends and subtracted.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "engine/wait_times.hpp"
#include "plan/pipe.hpp"
#include "state/cells.hpp"
#include "tessera/run.hpp"

namespace tessera::engine {

/// Counts up to a cycle.
struct Tally {
    Cycle at = 0;
    std::array<WaitTimes, state::threads> waited;
    std::array<std::array<Cycle, plan::pipes>, state::threads> issuing{};
    std::array<Cycle, plan::pipes> busy{};
    std::array<std::uint64_t, plan::pipes> instructions{};
};

class WindowCount {
public:
    bool any() const { return count_ != 0; }
    /// Before an issue of the instruction; `tally()` returns the counts up to now.
    template <class F>
    void begin(F&& tally) {
        if (count_++ == 0) begin_ = tally();
    }
    /// After an issue, and after what comes behind it in its cycle.
    void end(Tally tally) { end_ = std::move(tally); }
    bool ends_at(Cycle at) const { return any() && end_.at == at; }

    /// `reason`: a thread's wait as text.
    using Reason = std::function<std::string(const Wait& wait, unsigned thread)>;
    Window window(std::string instruction, const Reason& reason) const;

private:
    std::uint64_t count_ = 0;
    Tally begin_, end_;
};

}  // namespace tessera::engine
