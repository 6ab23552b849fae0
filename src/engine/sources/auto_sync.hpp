// SPDX-License-Identifier: Apache-2.0
// Auto TTSync (Blackhole; AutoTTSync): a T core and the instructions that it pushes keep the order of its program where they use the same
// resource. A store or load of the core waits for instructions in front of the gate, an instruction at the gate for stores of the core. A
// core's loads are done when it goes on, so no instruction waits for them.
#pragma once

#include <array>

#include "engine/context.hpp"
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

class AutoSync : private Context, private AutoSyncState {
public:
    AutoSync(const Context& context, Scheduler& scheduler, const Workload& work, const Fronts& fronts, const Stores& stores,
             Writes& writes)
        : Context(context), scheduler_(scheduler), work_(work), fronts_(fronts), stores_(stores), writes_(writes) {}

    const AutoSyncState& saved() const { return *this; }
    void restore(const AutoSyncState& saved) { static_cast<AutoSyncState&>(*this) = saved; }

    /// RESOURCEDECL.
    void declare(unsigned thread, const isa::Instruction& declaration, std::int64_t index);
    /// A thread's own core pushes an instruction of op `index`: what that uses, if it is to be kept in order. Declarations count in the order of
    /// pushing. `idle`: nothing of the thread is under way.
    state::Uses pushes(unsigned thread, const isa::Instruction& instruction, std::int64_t index, bool idle);
    /// Whether an access of the thread's core may be done now. What passes the gate has taken its operands; what it changes itself is there
    /// once the units of fixed latency are done with it.
    bool may_access(unsigned thread, state::Resources resources, bool store);
    /// Whether the instruction at the gate, which uses something, may go on as far as stores of its core are concerned. False: the front end
    /// waits.
    bool passes_gate(unsigned thread, frontend::GateWord& at);

private:
    Scheduler& scheduler_;
    const Workload& work_;
    const Fronts& fronts_;
    const Stores& stores_;
    Writes& writes_;
};

}  // namespace tessera::engine
