// SPDX-License-Identifier: Apache-2.0
// STALLWAIT, SEMWAIT, STREAMWAIT: they latch a wait in the thread's gate (frontend/wait_gate), which tests it in
// every cycle.
//
// Reference: reference/models/sync.cpp.
#include "units/sync/sync.hpp"

namespace tessera::units::sync {

namespace {

constexpr auto sem_conditions = isa::operand("SEMWAIT", "wait_sem_cond");
constexpr auto sem_mask = isa::operand("SEMWAIT", "sem_sel");

constexpr auto stream_block = isa::operand("STREAMWAIT", "stall_res");
constexpr auto stream_target = isa::operand("STREAMWAIT", "target_value");
constexpr auto stream_condition = isa::operand("STREAMWAIT", "target_sel");
constexpr auto stream_select = isa::operand("STREAMWAIT", "wait_stream_sel");
constexpr auto phase_high = registers::field("STREAMWAIT_PHASE_HI_Val");
constexpr auto messages_high = registers::field("STREAMWAIT_NUM_MSGS_HI_Val");

struct Wait {
    state::LatchKind kind;
    std::uint32_t block_mask;
    std::uint32_t conditions;
    std::uint32_t semaphores;
};

void latch(const StateView& view, plan::Plan& plan, const Wait& wait) {
    const std::uint32_t block = wait.block_mask ? wait.block_mask : isa::block::math;
    auto set = [&](state::Latch item, std::uint32_t value) {
        plan.effect(state::cells::latch(view.thread, item), value, plan::When::issue);
    };
    set(state::Latch::kind, static_cast<std::uint32_t>(wait.kind));
    set(state::Latch::block_mask, block);
    set(state::Latch::conditions, wait.conditions);
    set(state::Latch::semaphores, wait.semaphores);
    plan.latches_wait = true;
}

// A zero mask means the documented default.
state::ConditionMask stall_mask(const state::ArchDescription& arch, std::uint32_t bits) {
    if (!bits) bits = arch.default_conditions;
    state::ConditionMask mask = 0;
    for (unsigned i = 0; i < arch.conditions.size(); ++i)
        if ((bits >> i & 1) && arch.conditions[i] != state::Condition::count) mask |= state::bit(arch.conditions[i]);
    return mask;
}

void resolve_stallwait(const StateView& view, plan::Plan& plan) {
    latch(view, plan, {state::LatchKind::stall, view[stall_block], stall_mask(view.arch(), view[stall_conditions]), 0});
}

void resolve_semwait(const StateView& view, plan::Plan& plan) {
    if (view[sem_conditions]) {
        latch(view, plan, {state::LatchKind::sem, view[sem_block], view[sem_conditions], view[sem_mask]});
        return;
    }
    plan.note(findings::id("sync.semwait-no-condition"));
    latch(view, plan, {state::LatchKind::stall, view[sem_block], stall_mask(view.arch(), 0), 0});
}

// The gate determines the stream in each cycle again.
void resolve_streamwait(const StateView& view, plan::Plan& plan) {
    const std::uint32_t condition = view[stream_condition];
    const std::uint32_t high = view[condition ? messages_high : phase_high];
    latch(view, plan, {state::LatchKind::stream, view[stream_block], 1u << condition, 0});
    plan.effect(state::cells::latch(view.thread, state::Latch::stream), view[stream_select], plan::When::issue);
    plan.effect(state::cells::latch(view.thread, state::Latch::target), high << 10 | view[stream_target],
                plan::When::issue);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("STALLWAIT"), resolve_stallwait, {1, 1, unit_page}},
    {isa::mnemonic("SEMWAIT"), resolve_semwait, {1, 1, unit_page}},
    {isa::mnemonic("STREAMWAIT"), resolve_streamwait, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> waits_rules() { return behaviours; }

}  // namespace tessera::units::sync
