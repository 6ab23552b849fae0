// SPDX-License-Identifier: Apache-2.0
#include "frontend/pushed_uses.hpp"

#include <algorithm>

#include "frontend/auto_sync.hpp"
#include "registers/field.hpp"

namespace tessera::frontend {

namespace {

constexpr auto setc16_word = isa::operand("SETC16", "setc16_reg");
constexpr auto setc16_value = isa::operand("SETC16", "setc16_value");
constexpr auto state_id = registers::field("CFG_STATE_ID_StateID");

}  // namespace

state::Uses PushedUses::push(const state::State& state, unsigned thread, const isa::Instruction& instruction,
                             std::int64_t index, bool idle) {
    if (idle) bank_.reset();
    const state::Uses uses = auto_sync::uses(state, thread, instruction, bank_.value_or(state.config_bank(thread)));
    const auto& at = state_id[state.arch().arch];
    if (instruction.is(isa::mnemonic("SETC16")) && instruction[setc16_word] == at.addr32)
        bank_ = at.extract(instruction[setc16_value]);
    if (uses.any()) pushes_.push_back({index, uses});
    return uses;
}

void PushedUses::discard_behind(std::int64_t last) {
    while (!pushes_.empty() && pushes_.back().index > last) pushes_.pop_back();
    bank_.reset();
}

bool PushedUses::may_access(state::Resources resources, bool store, std::int64_t oldest, const Activity& activity,
                            unsigned thread) {
    while (!pushes_.empty() && pushes_.front().index < oldest) pushes_.pop_front();
    const bool is_held_up = std::any_of(pushes_.begin(), pushes_.end(), [&](const Push& push) {
        return (resources & (store ? push.uses.any() : push.uses.writes)) != 0;
    });
    constexpr auto scalar = static_cast<unsigned>(plan::Pipe::scalar);
    return !is_held_up && !activity.busy(plan::Pipe::config, thread) &&
           activity.busy_until[scalar][thread] <= activity.now &&
           activity.in_pipe[scalar][thread] <= activity.scalar_requests[thread];
}

}  // namespace tessera::frontend
