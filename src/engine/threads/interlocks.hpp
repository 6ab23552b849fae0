// SPDX-License-Identifier: Apache-2.0
// All that hardware makes an instruction wait for before it enters the backend, whatever its thread has latched: mutexes, banks, blocks of
// Dst, room in its unit's queue, the unit itself, the result of the vector instruction before it.
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
               Gates& gates, const Waits& waits)
        : Context(context),
          scheduler_(scheduler),
          pipes_(pipes),
          banks_(banks),
          execution_(execution),
          gates_(gates),
          waits_(waits) {}

    const std::optional<VectorPast>& saved() const { return last_vector_; }
    void restore(const std::optional<VectorPast>& saved) { last_vector_ = saved; }

    /// Whether the front end may issue the instruction now. False: it waits.
    bool let_pass(unsigned actor, const plan::Plan& plan, Cycle now);
    /// The same of one that nobody would notice: what RDCFG writes late, the scalar unit waits for.
    bool gprs_are_written(unsigned actor, const plan::Plan& plan, Cycle now);
    /// From when on the plan's banks and blocks of Dst are there; never: others decide about that.
    Cycle opens_at(const plan::Plan& plan, Cycle now) const;
    /// It is issued: its results come late to a GPR.
    void writes_gprs_late(const plan::Plan& plan, Cycle now);
    /// It is issued to the vector unit: what the next one must keep away from.
    void issues_vector(const units::vector::Footmark& mark, Cycle now) { last_vector_ = VectorPast{mark, now}; }

private:
    bool unit_is_free(unsigned actor, const plan::Plan& plan, Cycle now);
    bool is_held_back(unsigned actor, const plan::Plan& plan, Cycle now);

    Scheduler& scheduler_;
    const Pipes& pipes_;
    const Banks& banks_;
    const Execution& execution_;
    Gates& gates_;
    const Waits& waits_;
    std::optional<VectorPast> last_vector_;
};

}  // namespace tessera::engine
