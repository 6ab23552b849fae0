// SPDX-License-Identifier: Apache-2.0
// Hardware interlocks that hold an instruction before the backend, besides latched waits: mutexes, banks, blocks of
// Dst, room in the queue of its unit, the unit, and the result of the previous vector instruction.
#pragma once

#include <optional>

#include "engine/context.hpp"
#include "engine/observe/waits.hpp"
#include "engine/pipes/banks.hpp"
#include "engine/execution/execution.hpp"
#include "engine/pipes/pipes.hpp"
#include "engine/scheduler.hpp"
#include "engine/gates.hpp"
#include "units/vector/scheduling.hpp"

namespace tessera::engine {

/// A vector instruction that a thread has issued.
struct VectorPast {
    units::vector::Footmark mark;
    Cycle start = 0;
};

class Interlocks : private Context {
public:
    Interlocks(const Context& context, Scheduler& scheduler, const Pipes& pipes, const Banks& banks, const Execution& execution,
               Occupation& occupation, Gates& gates, const Waits& waits)
        : Context(context),
          scheduler_(scheduler),
          pipes_(pipes),
          banks_(banks),
          execution_(execution),
          occupation_(occupation),
          gates_(gates),
          waits_(waits) {}

    const std::optional<VectorPast>& saved() const { return last_vector_; }
    void restore(const std::optional<VectorPast>& saved) { last_vector_ = saved; }

    /// Whether the front end may issue the instruction now. False: it waits.
    bool let_pass(unsigned actor, const plan::Plan& plan, Cycle now);
    /// The same for an instruction without effects on others: only the scalar unit waits for late results of RDCFG.
    bool gprs_are_written(unsigned actor, const plan::Plan& plan, Cycle now);
    /// When the plan's banks and blocks of Dst are available; never: another actor decides.
    Cycle opens_at(const plan::Plan& plan, Cycle now) const;
    /// The instruction is issued; its GPR results arrive late.
    void writes_gprs_late(const plan::Plan& plan, Cycle now);
    /// The instruction is issued to the vector unit: the next one must respect it.
    void issues_vector(const units::vector::Footmark& mark, Cycle now) { last_vector_ = VectorPast{mark, now}; }

private:
    bool unit_is_free(unsigned actor, const plan::Plan& plan, Cycle now);
    bool is_held_back(unsigned actor, const plan::Plan& plan, Cycle now);

    Scheduler& scheduler_;
    const Pipes& pipes_;
    const Banks& banks_;
    const Execution& execution_;
    Occupation& occupation_;
    Gates& gates_;
    const Waits& waits_;
    std::optional<VectorPast> last_vector_;
};

}  // namespace tessera::engine
