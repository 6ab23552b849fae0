// SPDX-License-Identifier: Apache-2.0
// The outcome of a run: whether it was stopped, its fault and its findings.
#pragma once

#include "diagnostics/diagnostics.hpp"
#include "engine/clock.hpp"
#include "engine/kept.hpp"
#include "tessera/run.hpp"
#include "util/host_limits.hpp"

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

class Outcome : public Kept<OutcomeState> {
public:
    explicit Outcome(const RunOptions& options) : Kept(options.levels), host_(options) {}

    bool stopped() const { return stopped_; }
    /// Diagnostics sets it when a finding of level error stops the run.
    bool& stopped() { return stopped_; }
    /// Ends the run with a fault, unless it was stopped before.
    void stop(const findings::Note& note, Where where, Cycle now);
    /// The fault means that an actor waits for ever, or may do so.
    bool stuck() const { return stuck_; }
    /// Ends the run; the reason is already recorded.
    void stop() { stopped_ = true; }
    /// Ends the run as it had ended before.
    void stop(Fault fault);

    /// These end the run while nothing in it does. A debugger that looks for something in the past needs neither.
    struct Ends {
        bool at_limits = true;  ///< of this computer's time and memory
        bool of_polls = true;   ///< cores that poll what nothing will change
    };
    Ends& ends() { return ends_; }
    const Ends& ends() const { return ends_; }

    /// Counts a step. Every few steps it polls.
    bool count_and_poll(Cycle now, std::uint64_t steps = 1) {
        steps_ += steps;
        return steps_ % polled_every < steps && poll(now);
    }
    /// Polls the user's stop flag and obeys it. True: the run was stopped.
    bool poll(Cycle now);
    /// Whether the next step polls.
    bool polls_next() const { return (steps_ + 1) % polled_every == 0; }
    /// Counts a step that does not poll.
    void count_step() { ++steps_; }
    std::uint64_t steps() const { return steps_; }

    diagnostics::FindingsLog& log() { return log_; }
    const diagnostics::FindingsLog& log() const { return log_; }
    Run& run() { return run_; }
    const Run& run() const { return run_; }

private:
    static constexpr std::uint64_t polled_every = 256;

    util::HostLimits host_;
    Ends ends_;
};

}  // namespace tessera::engine
