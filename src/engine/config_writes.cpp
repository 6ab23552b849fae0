// SPDX-License-Identifier: Apache-2.0
// What is to be said when configuration is written: fields without a documented effect, and waits that are missing.
#include "engine/engine.hpp"
#include "registers/field_family.hpp"
#include "units/write_rules.hpp"

namespace tessera::engine {

namespace {

const registers::FieldSpec* undocumented_in(state::Cell cell, std::uint32_t value, Arch arch) {
    if (state::cells::config_block.contains(cell))
        return registers::undocumented_in(registers::Space::backend, addr32_of(cell), value, arch);
    if (state::cells::thread_config_block.contains(cell))
        return registers::undocumented_in(
            registers::Space::thread,
            (state::index(cell) - state::cells::thread_config_block.first) % state::cells::max_thread_config_words,
            value, arch);
    return nullptr;
}

}  // namespace

// Told once for each word of configuration: a core's store has no instruction word of its own.
void Engine::check_config_store(unsigned t, state::Cell cell, std::uint32_t value, std::int64_t index) {
    const auto* field = undocumented_in(cell, value, state_.arch().arch);
    if (!field) return;
    const findings::Note told{findings::id("config.undocumented-field"), {}, field->name};
    const auto place = [&] {
        Where at = where(t, index, 0, now_);
        at.instruction.clear();
        return at;
    };
    if (log_.add(told, t, state::index(cell), place)) stopped_ = true;
}

void Engine::check_config_writes(const plan::Plan& plan, const GateWord& at) {
    const auto tell = [&](const findings::Note& what) {
        note(what, plan.thread, at.index, plan.instruction.word, at.position);
    };
    for (const auto& effect : plan.effects) {
        const std::uint32_t old = state_[effect.cell];
        if (const auto* field = undocumented_in(effect.cell, effect.value & ~old, state_.arch().arch))
            tell({findings::id("config.undocumented-field"), {}, field->name});
        if (costs_.completes_at_issue || !state::cells::config_block.contains(effect.cell)) continue;
        for (const auto& field : units::ruled_fields(state_.arch().arch, addr32_of(effect.cell))) {
            if (!((effect.value ^ old) & field.mask)) continue;
            if (field.rule->from_gpr && threads_[plan.thread].scalar_not_awaited)
                tell({findings::id("config.gpr-not-awaited"), {}, field.name});
            if (const auto user = order_.not_known_done(plan.thread, field.rule->users))
                tell({findings::id("config.write-while-busy"), {*user}, field.name});
        }
    }
    if (plan.pipes & bit(plan::Pipe::scalar)) threads_[plan.thread].scalar_not_awaited = true;
}

}  // namespace tessera::engine
