// SPDX-License-Identifier: Apache-2.0
// Findings about writes to configuration: fields without a documented effect, and missing waits.
#include <algorithm>

#include "checks/checker.hpp"
#include "registers/field_family.hpp"
#include "units/write_rules.hpp"

namespace tessera::checks {

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

std::uint64_t gpr_bit(state::Cell gpr) {
    return std::uint64_t{1} << (state::index(gpr) - state::cells::gpr_block.first) % 64;
}

}  // namespace

// Reported once for each word, since a core's store has no instruction word to tell it apart.
void Checker::check_fields(unsigned t, state::Cell cell, std::uint32_t value, std::int64_t index, Cycle now) {
    const auto* field = undocumented_in(cell, value, state_.arch().arch);
    if (!field) return;
    const findings::Note reported{findings::id("config.undocumented-field"), {}, field->name};
    diagnostics_.add(reported, {t, state::index(cell)}, [&] { return diagnostics_.where_of_store(t, index, now); });
}

// Whether the instruction takes a GPR that a scalar instruction wrote without a wait between. The scalar unit itself
// works in order.
bool Checker::takes_gpr_not_awaited(const units::Resolved& resolved) const {
    const std::uint64_t written = memory_.threads[resolved.plan.thread].gprs_not_awaited;
    if (!written || !resolved.captures || resolved.plan.pipes & bit(plan::Pipe::scalar)) return false;
    const auto& captured = resolved.captures->bits;
    return std::any_of(captured.begin(), captured.end(), [&](const plan::CellBits& bits) {
        return state::cells::gpr_block.contains(state::Cell(bits.cell)) && gpr_bit(state::Cell(bits.cell)) & written;
    });
}

void Checker::check_config_writes(const units::Resolved& resolved, const At& at) {
    const plan::Plan& plan = resolved.plan;
    const auto report = [&](const findings::Note& what) { note(what, plan, at); };
    bool told_gpr = !takes_gpr_not_awaited(resolved);
    for (const auto& effect : plan.effects) {
        const std::uint32_t old = state_[effect.cell];
        if (const auto* field = undocumented_in(effect.cell, effect.value & ~old, state_.arch().arch))
            report({findings::id("config.undocumented-field"), {}, field->name});
        if (!ordered_ || !state::cells::config_block.contains(effect.cell)) continue;
        for (const auto& field : units::ruled_fields(state_.arch().arch, addr32_of(effect.cell))) {
            const std::uint32_t changes = (effect.value ^ old) & field.mask;
            if (!changes) continue;
            if (field.rule->from_gpr && !told_gpr) {
                told_gpr = true;
                report({findings::id("config.gpr-not-awaited"), {}, field.name});
            }
            const plan::CellBits bits{static_cast<std::uint16_t>(effect.cell), changes};
            if (const auto user =
                    memory_.config_order.unfinished_use(bits, field.rule->users, memory_.order.known(plan.thread)))
                note_pair({findings::id("config.write-while-busy"), {user->thread(), static_cast<std::uint32_t>(user->index)}, field.name},
                          plan, at,
                          {user->thread(), bit(hazards::pipe_of_stream(user->stream)), user->index, bits, {}});
        }
    }
    if (!(plan.pipes & bit(plan::Pipe::scalar))) return;
    Memory::Thread& thread = memory_.threads[plan.thread];
    for (const auto& effect : plan.effects) {
        if (!state::cells::gpr_block.contains(effect.cell)) continue;
        thread.gprs_not_awaited |= gpr_bit(effect.cell);
        thread.gprs_awaited &= ~gpr_bit(effect.cell);
    }
}

}  // namespace tessera::checks
