// SPDX-License-Identifier: Apache-2.0
// Auto TTSync (Blackhole; AutoTTSync): keeps a T core's accesses and its pushed instructions in program order where
// both use the same resource. A store or load of the core waits for instructions in front of the gate. An instruction
// at the gate waits for the core's stores. It need not wait for loads: those are done when the core continues.
#pragma once

#include <array>

#include "engine/context.hpp"
#include "engine/kept.hpp"
#include "engine/observe/waits.hpp"
#include "engine/observe/writes.hpp"
#include "engine/scheduler.hpp"
#include "engine/sources/stores.hpp"
#include "frontend/pushed_uses.hpp"

namespace tessera::engine {

struct AutoSyncState {
protected:
    std::array<frontend::PushedUses, state::threads> pushed_{};
};

class AutoSync : private Context, public Kept<AutoSyncState> {
public:
    AutoSync(const Context& context, Scheduler& scheduler, const Workload& work, const Fronts& fronts, const Stores& stores,
             Writes& writes)
        : Context(context), scheduler_(scheduler), work_(work), fronts_(fronts), stores_(stores), writes_(writes) {}

    /// RESOURCEDECL.
    void declare(unsigned thread, const isa::Instruction& declaration, std::int64_t index);
    /// The thread's own core pushes an instruction of op `index`. Returns the resources that are to be kept in order.
    /// Declarations take effect in push order. `idle`: nothing of the thread is in flight.
    state::Uses push(unsigned thread, const isa::Instruction& instruction, std::int64_t index, bool idle);
    /// As frontend::PushedUses::discard_behind().
    void discard_behind(unsigned thread, std::int64_t last) { pushed_[thread].discard_behind(last); }
    /// As frontend::PushedUses::may_access().
    bool may_access(unsigned thread, state::Resources resources, bool store);
    /// True: stores of its core allow the instruction at the gate to continue. False: the front end waits.
    bool pass_gate_or_wait(unsigned thread, frontend::GateWord& at);

private:
    Scheduler& scheduler_;
    const Workload& work_;
    const Fronts& fronts_;
    const Stores& stores_;
    Writes& writes_;
};

}  // namespace tessera::engine
