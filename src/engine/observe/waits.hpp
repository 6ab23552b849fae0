// SPDX-License-Identifier: Apache-2.0
// RunOptions::on_wait: reason, duration and cause of each wait. An actor that changes something registers as the cause
// (Scheduler::caused_by()). Actors that it wakes keep the cause, which is reported if their wait ends then.
#pragma once

#include <array>
#include <string>

#include "engine/context.hpp"
#include "engine/kept.hpp"
#include "engine/next_ops.hpp"
#include "engine/pipes/records.hpp"
#include "engine/scheduler.hpp"
#include "frontend/expanders.hpp"

namespace tessera::engine {

using frontend::Fronts;

/// Reason of an instruction's wait in its unit.
struct UnitWait {
    Wait::Kind kind{};
    std::string reason;
};

struct WaitsState {
protected:
    /// Details that a reported wait carries.
    struct Waiting {
        std::int64_t index = -1, position = -1;
        std::uint32_t word = 0, pc = 0;
    };
    std::array<Waiting, actors> waiting_{};
    // The last instruction to take each resource.
    std::array<Cause, plan::pipes> pipe_taker_{};
    std::array<Cause, state::cells::max_mutexes> mutex_taker_{};
    std::array<Cause, plan::DstBlocks::count> dst_writer_{};
    Cause address_phase_holder_;
    std::array<Cause, plan::pipes> bank_passed_by_{};  ///< while instructions wait in front of the unit
};

class Waits final : public WaitListener, private Context, public Kept<WaitsState> {
public:
    Waits(const Context& context, const Scheduler& scheduler, const Workload& work, const Fronts& fronts,
          const NextOps& next_ops)
        : Context(context), scheduler_(scheduler), work_(work), fronts_(fronts), next_ops_(next_ops) {}

    // Actors.

    void begins(unsigned actor) override;
    void waited(unsigned actor, Cycle end, bool over) override;
    void has_finished(unsigned actor) override { waiting_[actor] = {}; }
    /// A bubble between expanders and gate (RunOptions::seed).
    void delayed(unsigned thread, Cycle begin, Cycle end);

    // Instructions in front of their unit, or in it.

    /// An instruction starts: reports its wait. Later waits for the unit name it as the cause.
    void started(const Record& record, Cycle now);
    /// An instruction's time in a queue ends now.
    void queued(const Record& record, Cycle now, bool over);
    void unit_waited(const Record& record, const UnitWait& wait, Cycle begin, Cycle end, const Cause& ended_by,
                     bool over);
    void bank_passed(unsigned pipe, const Cause& by) { bank_passed_by_[pipe] = by; }

    const Cause& pipe_taker(unsigned pipe) const { return pipe_taker_[pipe]; }
    /// The last instruction to take what this one needs of its unit.
    const Cause& taker_before(const plan::Plan& plan) const;
    const Cause& dst_writer(unsigned block) const { return dst_writer_[block]; }
    const Cause& address_phase_holder() const { return address_phase_holder_; }
    void take_address_phase(const Cause& by) { address_phase_holder_ = by; }

    // Texts.

    std::string describe(const Wait& wait, unsigned actor) const;
    /// Why it waited, independent of the state now.
    std::string reason(const Wait& wait, unsigned actor) const;

private:
    tessera::Initiator doer(const Cause& cause) const;

    const Scheduler& scheduler_;
    const Workload& work_;
    const Fronts& fronts_;
    const NextOps& next_ops_;
};

}  // namespace tessera::engine
