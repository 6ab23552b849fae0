// SPDX-License-Identifier: Apache-2.0
// Replays memoised traces (units/trace_cache.hpp). While a thread runs alone, questions about each instruction are
// answered once for the whole trace, or skipped. Per instruction, only its issue time, its work and its
// happens-before remain. If only the trace's own instructions delay each other, it runs as a whole with its known timing
// (units/trace_timing.hpp).
#pragma once

#include "checks/checker.hpp"
#include "engine/threads/front_ends.hpp"
#include "engine/threads/next_traces.hpp"
#include "units/trace_cache.hpp"

namespace tessera::engine {

struct KnownTracesParts {
    Scheduler& scheduler_;
    Pipes& pipes_;
    Workload& work_;
    Fronts& fronts_;
    ProgramFeed& feed_;
    Expansion& expansion_;
    const Gates& gates_;
    Interlocks& interlocks_;
    const Banks& banks_;
    Occupation& occupation_;
    LazyEnds& lazy_ends_;
    VectorSchedule& schedule_;
    FrontEnds& front_ends_;
};

class KnownTraces : private Context, private KnownTracesParts {
public:
    KnownTraces(const Context& context, const KnownTracesParts& parts);

    struct Replayed {
        units::PlanRef last;    ///< the last one issued
        bool is_known = false;  ///< the next instruction is known, too
        std::size_t steps = 0;
    };
    /// Runs from the last issued instruction as far as the trace is valid, at most until `limit`.
    Replayed replay(unsigned thread, units::PlanRef first, Cycle limit);

private:
    using At = checks::At;
    /// A replay step by step.
    struct Walk {
        frontend::NextWords& at;
        const Cycle limit;
        Cycle now;                                   ///< of the next step
        Cycle place_free;                            ///< when the place in front of the vector unit is
        At last;                                     ///< the last step
        std::size_t done = 0;                        ///< steps
        Cycle start = 0;                             ///< when the unit takes the step that is issued
        const units::Trace::Step* vector = nullptr;  ///< the last vector instruction
        std::uint64_t vector_number = 0;             ///< its number in the thread
        At vector_at{};                              ///< its issue
        Cycle vector_start = 0;                      ///< when the unit takes it
    };

    bool may_replay(const units::Trace& trace, unsigned thread) const;
    std::size_t replay_steps(const units::Trace& trace, unsigned thread, Cycle limit);
    bool try_wait(Walk& walk, unsigned thread, Wait::Kind why, unsigned pipe, Cycle until);
    bool pass_interlocks(const units::Trace::Step& step, unsigned thread, Walk& walk);
    bool pass_gate(const units::Trace::Step& step, unsigned thread, const Walk& walk);
    void issue(const units::Trace::Step& step, unsigned thread, Walk& walk);
    bool is_asked_about(const units::Trace::Step& step) const;
    void execute(const units::Trace::Step& step, unsigned thread, std::int64_t index, std::int64_t position);
    void remember_vector(const units::Trace::Step& step, unsigned thread, std::uint64_t issued, const At& at,
                         Cycle start);
    void count_issued(const units::Trace& trace, std::size_t done, unsigned thread, const At& at);

    // The trace as a whole.
    bool holds_back_first(const units::Trace::Step& step, Cycle now) const;
    bool knows_place(const units::Trace& trace, Cycle asked) const;
    bool fits_timing(const units::Trace& trace, unsigned thread, const frontend::NextWords& at, Cycle limit) const;
    bool comes_all(const units::TraceTiming& timing, unsigned thread, const frontend::NextWords& at, Cycle start) const;
    At issued(const units::TraceTiming& timing, unsigned thread, const frontend::NextWords& at, Cycle start,
              std::size_t step) const;
    void execute_acting(const units::Trace& trace, unsigned thread, const frontend::NextWords& at, Cycle start);
    void replay_at_once(const units::Trace& trace, unsigned thread, const frontend::NextWords& at);
    void occupy(const units::TraceTiming& timing, unsigned thread, Cycle start);

    const NextTraces next_;
};

}  // namespace tessera::engine
