// SPDX-License-Identifier: Apache-2.0
// Follows traces (units/trace_cache.hpp): instructions that follow known ones are neither looked up nor fetched one by
// one. Learns those that recur.
#pragma once

#include <cstddef>

#include "engine/threads/next_traces.hpp"

namespace tessera::functional {

class Traces {
public:
    Traces(state::State& state, units::Slots& slots, const units::CostTable& costs);

    /// The gate, for instructions that use banks. False: the thread waits.
    class Gate {
    public:
        virtual bool admit_or_wait(unsigned thread, const plan::Plan& plan) = 0;

    protected:
        ~Gate() = default;
    };

    /// The thread has issued an instruction that changes only counters and data (Resolved::quiet). Issues up to
    /// `most` that are known to follow it; returns their number.
    std::size_t follow(unsigned thread, frontend::Expanders& front, const units::PlanRef& issued, std::size_t most,
                       Gate& gate, frontend::ExpanderListener& listener);
    /// Something else follows, or nothing.
    void stop();

private:
    std::size_t replay(const units::Trace& trace, unsigned thread, frontend::Expanders& front, std::size_t most,
                   Gate& gate, frontend::ExpanderListener& listener);
    bool move(const units::Trace::Step& step, unsigned thread) const;

    state::State& state_;
    units::Slots& slots_;
    const units::CostTable& costs_;
    const engine::NextTraces next_;
    units::PlanRef last_;        ///< issued last; null after stop()
    frontend::Source source_ = frontend::Source::other;  ///< of the one behind it
    std::size_t alike_ = 0;                              ///< instructions of the same plan before it
    bool learns_ = false;
};

}  // namespace tessera::functional
