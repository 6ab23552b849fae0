// SPDX-License-Identifier: Apache-2.0
// Issued instructions that have not executed: only unpackers and packers have queues, and only the scalar unit holds
// an instruction.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "frontend/wait_gate.hpp"
#include "plan/plan.hpp"
#include "state/state.hpp"
#include "units/costs/costs.hpp"
#include "units/resolved.hpp"
#include "util/ring.hpp"

namespace tessera::functional {

class Units {
public:
    struct Waiting {
        units::PlanRef resolved;
        std::int64_t index = 0, position = -1;

        const plan::Plan& plan() const { return resolved->plan; }
    };
    using Queue = Ring<Waiting>;

    Units(const state::State& state, const units::CostTable& costs) : state_(state), costs_(costs) {}

    static std::uint8_t pipe_of(const plan::Plan& plan) {
        return static_cast<std::uint8_t>(std::countr_zero(plan.pipes));
    }
    bool bank_ready(const plan::BankNeed& need) const {
        return state_[state::cells::bank_owner(need.src, need.bank)] == static_cast<std::uint32_t>(need.owner);
    }
    /// Whether the unit of the instruction has a queue.
    bool has_queue(const plan::Plan& plan) const { return plan.pipes && costs_.queue_depth[pipe_of(plan)]; }
    /// Only for a unit with a queue.
    bool is_full(const plan::Plan& plan) const { return queues_[pipe_of(plan)].size() >= costs_.queue_depth[pipe_of(plan)]; }
    /// Whether the instruction cannot start when it is issued.
    bool must_queue(const plan::Plan& plan) const {
        return has_queue(plan) && (!queues_[pipe_of(plan)].empty() || !banks_ready(plan));
    }
    void queue(Waiting instruction);
    void hold(Waiting instruction);

    /// The head of a unit's queue, if its banks are ready.
    std::optional<Waiting> take_queued(unsigned pipe);
    /// The held instruction, if all that it waits for is there.
    std::optional<Waiting> take_held();

    bool any_queued() const { return queued_; }
    const Queue& queue(unsigned pipe) const { return queues_[pipe]; }
    /// Null: the scalar unit holds none.
    const Waiting* held() const { return held_ ? &*held_ : nullptr; }
    bool holds_one_of(unsigned thread) const { return held_ && held_->plan().thread == thread; }
    /// Counts the instructions here, and those that SFPLOADMACRO has scheduled.
    frontend::Activity& activity() { return activity_; }
    const frontend::Activity& activity() const { return activity_; }
    bool is_idle(unsigned thread) const {
        return std::none_of(activity_.in_pipe.begin(), activity_.in_pipe.end(), [&](const auto& pipe) { return pipe[thread] != 0; });
    }

private:
    bool banks_ready(const plan::Plan& plan) const {
        return std::all_of(plan.banks.begin(), plan.banks.end(), [&](const auto& need) { return bank_ready(need); });
    }
    bool goes_on(const plan::Plan& plan) const;
    void count(const plan::Plan& plan, int by);

    const state::State& state_;
    const units::CostTable& costs_;
    frontend::Activity activity_;
    std::array<Queue, plan::pipes> queues_;
    unsigned queued_ = 0;  ///< in all of them
    std::optional<Waiting> held_;
};

}  // namespace tessera::functional
