// SPDX-License-Identifier: Apache-2.0
// Effects on the state, and what they signal to those who wait.
#pragma once

#include <cstdint>
#include <utility>

#include "engine/last_causes.hpp"
#include "plan/plan.hpp"
#include "state/state.hpp"

namespace tessera::functional {

class Effects {
public:
    explicit Effects(state::State& state) : state_(state) {}

    /// Writes an instruction's effects of one moment. Returns the mutexes among them, a bit each.
    std::uint32_t write(const plan::Plan& plan, plan::When when, const engine::Origin& origin);
    /// A core's store to configuration, a GPR or a semaphore.
    void store(state::Cell cell, plan::CellOp op, std::uint32_t value, const engine::Cause& by);
    void raise(engine::Signals signals) { signals_ |= signals; }
    bool has_signals() const { return static_cast<bool>(signals_); }
    /// Raised since the last call.
    engine::Signals take_signals() { return std::exchange(signals_, {}); }

    /// A core waits for the semaphore, or an instruction for those of its latched wait.
    void await(std::uint8_t semaphores) { last_causes_.awaited |= semaphores; }
    const engine::LastCauses& last_causes() const { return last_causes_; }

private:
    state::State& state_;
    engine::LastCauses last_causes_;
    engine::Signals signals_;
};

}  // namespace tessera::functional
