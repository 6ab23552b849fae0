// SPDX-License-Identifier: Apache-2.0
// Hardware interlocks that hold an instruction before the backend, besides latched waits: mutexes, banks, blocks of
// Dst, room in the queue of its unit, the unit, and the result of the previous vector instruction.
#pragma once

#include <optional>

#include "engine/context.hpp"
#include "engine/execution/execution.hpp"
#include "engine/execution/vector_schedule.hpp"
#include "engine/kept.hpp"
#include "engine/observe/waits.hpp"
#include "engine/pipes/banks.hpp"
#include "engine/pipes/pipes.hpp"
#include "engine/scheduler.hpp"

namespace tessera::engine {

struct InterlocksState {
protected:
    std::optional<VectorPast> last_vector_;
    /// By thread: from when on the scalar unit reads what RDCFG has put into its GPRs (spec-notes B34).
    std::array<Cycle, state::threads> gprs_written_at_{};
};

struct InterlocksParts {
    Scheduler& scheduler_;
    const Pipes& pipes_;
    const Banks& banks_;
    const Execution& execution_;
    Occupation& occupation_;
    const VectorSchedule& schedule_;
    const Waits& waits_;
};

class Interlocks : private Context, public Kept<InterlocksState>, private InterlocksParts {
public:
    Interlocks(const Context& context, const InterlocksParts& parts) : Context(context), InterlocksParts(parts) {}

    /// True: the front end may issue the instruction now. False: it waits.
    bool pass_or_wait(unsigned actor, const plan::Plan& plan, Cycle now);
    /// The same for late results of RDCFG, for which only the scalar unit waits: no instruction that others cannot observe.
    bool gprs_written_or_wait(unsigned actor, const plan::Plan& plan, Cycle now);
    /// When the plan's banks and blocks of Dst are available; never: another actor decides.
    Cycle opens_at(const plan::Plan& plan, Cycle now) const;
    /// The instruction is issued; its GPR results arrive late.
    void note_late_gprs(const plan::Plan& plan, Cycle now);
    /// When the vector unit executes an instruction that is issued to it now.
    Cycle vector_start(const plan::Plan& plan, const units::RegisterUse& use, Cycle now) const;
    /// The instruction is issued to the vector unit, which executes it at `start`: the next one must respect it.
    void remember_vector(const units::RegisterUse& use, Cycle start) { last_vector_ = VectorPast{use, start}; }
    /// The cycle from which the place in front of the vector unit is free.
    Cycle vector_place_free_at() const { return last_vector_ ? last_vector_->start + 1 : 0; }

private:
    // As pass_or_wait(), each for one of the reasons.

    bool unit_free_or_wait(unsigned actor, const plan::Plan& plan, Cycle now);
    bool result_ready_or_wait(unsigned actor, const plan::Plan& plan, Cycle now);

    bool may_wait_in_place(const plan::Plan& plan, Cycle now) const;
};

}  // namespace tessera::engine
