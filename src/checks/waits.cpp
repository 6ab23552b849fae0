// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "checks/checker.hpp"
#include "frontend/wait_gate.hpp"

namespace tessera::checks {

// The thread acquires the clocks of everything that it has waited for.
void Checker::waited(unsigned t, state::ConditionMask conditions, std::int64_t index) {
    using state::Condition;
    auto has = [&](Condition c) { return (conditions & state::bit(c)) != 0; };
    // A wait for the configuration unit orders nothing.
    memory_.order.idle_seen(t, frontend::pipes_of(conditions) & ~bit(plan::Pipe::config));
    if (has(Condition::xmov)) memory_.order.mover_idle_seen(t);
    for (const frontend::BankCondition& each : frontend::bank_conditions) {
        if (!has(each.condition)) continue;
        if (each.owner == state::Owner::matrix)
            memory_.order.bank_valid_seen(t, each.src, each.bank(state_));
        else
            memory_.order.bank_seen(t, each.src, each.bank(state_));
    }
    if (has(Condition::trisc_cfg)) memory_.order.stores_seen(t, index);
    Memory::Thread& thread = memory_.threads[t];
    if (has(Condition::thcon)) thread.gprs_awaited = thread.gprs_not_awaited;
    for (LateWrite& write : thread.late_writes)
        write.awaited |= (has(Condition::xmov) && write.pipe == plan::Pipe::mover) ||
                         (has(Condition::thcon) && write.pipe == plan::Pipe::scalar) ||
                         (has(Condition::cfgexu) && write.pipe == plan::Pipe::config);
}

void Checker::awaited_is_over(unsigned t) {
    memory_.order.awaited_stores_are_over(t);
    Memory::Thread& thread = memory_.threads[t];
    thread.gprs_not_awaited &= ~std::exchange(thread.gprs_awaited, 0);
    std::erase_if(thread.late_writes, [](const LateWrite& write) { return write.awaited; });
}

// All instructions of the thread are done, and a core has seen that.
void Checker::drained(unsigned t) {
    memory_.order.drained(hazards::core_of_thread(t), t);
    forget_late_writes(t, plan::Pipe::scalar);
    forget_late_writes(t, plan::Pipe::mover);
}

}  // namespace tessera::checks
