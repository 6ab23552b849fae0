// SPDX-License-Identifier: Apache-2.0
// What becomes of a run: whether it has been stopped, and what is told of it at the end.
#pragma once

#include "diagnostics/diagnostics.hpp"
#include "engine/clock.hpp"
#include "tessera/run.hpp"

namespace tessera::engine {

struct OutcomeState {
    explicit OutcomeState(const std::map<std::string, Level>& levels) : log_(levels) {}

protected:
    Run run_;
    diagnostics::FindingsLog log_;
    bool stopped_ = false;
    bool stuck_ = false;  ///< is_stuck() of the fault
    std::uint64_t steps_ = 0;
};

class Outcome : private OutcomeState {
public:
    explicit Outcome(const RunOptions& options) : OutcomeState(options.levels), options_(options) {}

    const OutcomeState& saved() const { return *this; }
    void restore(const OutcomeState& saved) { static_cast<OutcomeState&>(*this) = saved; }

    bool stopped() const { return stopped_; }
    /// A finding whose level stops the run sets it (diagnostics::Diagnostics).
    bool& stopped() { return stopped_; }
    /// The run ends with a fault, unless it has been stopped before.
    void stop(const findings::Note& note, Where where, Cycle now);
    /// It has been stopped because somebody waits in vain, or may do.
    bool stuck() const { return stuck_; }
    /// The run ends, and somebody has said why.
    void stop() { stopped_ = true; }

    /// Steps are counted; once in a while the user is asked whether the run is to stop, and is obeyed.
    bool interrupted(Cycle now, std::uint64_t steps = 1) {
        steps_ += steps;
        return steps_ % asked_every < steps && is_interrupted(now);
    }
    /// Whether the next step would ask.
    bool asks_next() const { return (steps_ + 1) % asked_every == 0; }
    /// The next step, which does not ask, is done.
    void count_step() { ++steps_; }
    std::uint64_t steps() const { return steps_; }

    diagnostics::FindingsLog& log() { return log_; }
    const diagnostics::FindingsLog& log() const { return log_; }
    Run& run() { return run_; }
    const Run& run() const { return run_; }

private:
    static constexpr std::uint64_t asked_every = 256;
    bool is_interrupted(Cycle now);

    const RunOptions& options_;
};

}  // namespace tessera::engine
