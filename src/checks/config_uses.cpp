// SPDX-License-Identifier: Apache-2.0
// Configuration that one thread, or its core, writes while another thread uses or writes it, without order between
// the two. RDCFG of two threads without such an order.
#include <fmt/format.h>

#include <algorithm>

#include "checks/checker.hpp"
#include "checks/replaced_bits.hpp"
#include "diagnostics/related.hpp"
#include "registers/field.hpp"
#include "units/write_rules.hpp"

namespace tessera::checks {

namespace {

using Write = hazards::ConfigOrder::Write;

/// Calls f with each word of configuration that the plan writes, and with what it writes there.
template <class F>
void for_each_write(const state::State& state, const plan::Plan& plan, F&& f) {
    const bool whole = plan.instruction.is(isa::mnemonic("WRCFG"));
    for (const auto& effect : plan.effects) {
        if (!state::cells::config_block.contains(effect.cell)) continue;
        const auto cell = static_cast<std::uint16_t>(effect.cell);
        const std::uint32_t changes = effect.value ^ state[effect.cell];
        const auto replaced = replaced_in(plan, cell);
        const std::uint32_t set = whole ? ~0u : replaced ? replaced->mask : changes;
        if (set) f(cell, Write{{}, changes, set, effect.value});
    }
    if (!std::holds_alternative<plan::MoverWork>(plan.work)) return;
    for (const auto& access : plan::footprint(plan).accesses)
        if (access.write && access.storage == plan::Storage::cell)
            for (unsigned i = access.first; i < access.first + access.count; ++i)
                if (state::cells::config_block.contains(state::Cell(i)))
                    f(static_cast<std::uint16_t>(i), Write{{}, ~0u, ~0u, {}});
}

// Whether the plan writes the cell, even a few bits only. Such a cell is no use of the configuration.
bool writes(const plan::Plan& plan, std::uint16_t cell) {
    return std::any_of(plan.effects.begin(), plan.effects.end(),
                       [&](const auto& effect) { return state::index(effect.cell) == cell; });
}

}  // namespace

bool Checker::is_news(const units::Resolved& resolved, hazards::ConfigOrder::Use& use) const {
    const hazards::ConfigOrder& config = memory_.config_order;
    if (use.writes == config.writes()) return false;
    if (config.since(use.writes, resolved.plan.thread, resolved.captures->storable)) return true;
    use.writes = config.writes();
    return false;
}

void Checker::check_config_order(const units::Resolved& resolved, const At& at, hazards::ConfigOrder::Use& use) {
    const plan::Plan& plan = resolved.plan;
    const unsigned t = plan.thread;
    const units::Captures::Bits captured = resolved.captures->config;
    const hazards::ConfigOrder::Who self = use_of(resolved, at);

    if (use.captured.empty()) {
        use.captured.assign(captured.begin(), captured.end());
        std::erase_if(use.captured, [&](const hazards::ConfigOrder::Bits& bits) { return writes(plan, bits.cell); });
    }
    use.who = self;
    const hazards::VectorClock& known = memory_.order.known(t);
    const auto report = [&](findings::Id id, const hazards::ConfigOrder::Bits& bits,
                            const hazards::ConfigOrder::Who& other, std::string_view detail) {
        const auto index = static_cast<std::uint32_t>(other.index);
        note_pair({id, {addr32_of(state::Cell(bits.cell)), other.thread(), index}, detail}, plan, at,
                  {other.thread(), bit(hazards::pipe_of_stream(other.stream)), other.index, bits, {}});
    };
    if (is_news(resolved, use)) {
        use.writes = memory_.config_order.writes();
        for (const auto& bits : use.captured)
            if (const auto other = memory_.config_order.unordered_write(t, bits, known)) {
                report(findings::id("hazard.config-use"), {bits.cell, bits.mask & other->mask}, other->who, {});
                use.writes = ~0u;
                break;
            }
    }
    if (!resolved.writes_config) return;
    for_each_write(state_, plan, [&](std::uint16_t cell, Write write) {
        const hazards::ConfigOrder::Bits changed{cell, write.mask};
        if (const auto writer = memory_.config_order.unordered_other_value(t, {cell, write.set}, write.value, known))
            report(findings::id("hazard.config-write"), {cell, writer->mask}, writer->who, "writes");
        else if (const auto user = memory_.config_order.unordered_use(changed, known, t, decides_what_is_read(changed)))
            report(findings::id("hazard.config-write"), changed, *user, "uses");
        write.who = self;
        memory_.config_order.written(cell, write, known);
    });
}

// RDCFG (Wormhole), Instruction scheduling: of several in one cycle all but one are dropped.
void Checker::check_rdcfg(const units::Resolved& resolved, const At& at) {
    const plan::Plan& plan = resolved.plan;
    const hazards::VectorClock& known = memory_.order.known(plan.thread);
    for (unsigned thread = 0; thread < state::threads; ++thread) {
        const hazards::ConfigOrder::Who& other = memory_.last_rdcfg[thread];
        if (thread == plan.thread || !other.number || known.has_issued(other.stream, other.sequence)) continue;
        note_pair({findings::id("config.rdcfg-together"), {thread, static_cast<std::uint32_t>(other.index)}}, plan, at,
                  {thread, plan.pipes, other.index, {}, {}});
    }
    memory_.last_rdcfg[plan.thread] = use_of(resolved, at);
}

void Checker::check_loaded_config(unsigned core, std::uint32_t pc, state::Cell cell, unsigned in_order, Cycle now) {
    if (!ordered_) return;
    const hazards::ConfigOrder::Bits all{static_cast<std::uint16_t>(cell), ~0u};
    const auto writer = memory_.config_order.unordered_write(in_order, all, memory_.order.core_known(core));
    if (!writer) return;
    const unsigned thread = writer->who.thread();
    const findings::Note met{findings::id("hazard.config-use"),
                             {addr32_of(cell), thread, static_cast<std::uint32_t>(writer->who.index)}};
    const Places& places = diagnostics_.places();
    diagnostics_.add(
        met, {state::threads + core, pc, places.key(thread, writer->who.index)},
        [&] { return places.where_of(core, pc, now); },
        diagnostics_.shown(thread, writer->who.index, hazards::ConfigOrder::Bits{all.cell, writer->mask}),
        [&](Finding& finding) {
            finding.cure = core == hazards::core_of_thread(thread)
                               ? "let the core wait until that instruction is over (TTSync: all of its thread's are), "
                                 "then load"
                               : fmt::format(
                                     "in T{} put SEMPOST behind that instruction; let the core wait for that "
                                     "semaphore, then load",
                                     thread);
        });
}

// A core's store. Its own thread's pushed instructions count, too: they may execute after the store.
void Checker::check_stored_config(state::Cell where, const Stored& what) {
    if (!state::cells::config_block.contains(where)) return;
    const auto cell = static_cast<std::uint16_t>(where);
    const hazards::VectorClock& known = memory_.order.core_known(hazards::core_of_thread(what.core));
    const auto report = [&](unsigned thread, std::int64_t index, std::uint32_t mask, std::string_view detail) {
        const findings::Note reported{
            findings::id("hazard.config-write"), {addr32_of(where), thread, static_cast<std::uint32_t>(index)}, detail};
        diagnostics_.add(
            reported, {what.core, cell, diagnostics_.places().key(thread, index)},
            [&] { return diagnostics_.where_of_store(what.core, what.index, what.at); },
            diagnostics_.shown(thread, index, hazards::ConfigOrder::Bits{cell, mask}));
    };
    // The stored word replaces all fields, those that it leaves as this core knows them, too.
    if (const auto store = memory_.order.stores().unordered_store(what.core, where, what.value, known))
        return report(store->core, store->index, store->value ^ what.value, "stores");
    // Pushed by this core, and not known to be over.
    const auto overtakes = [&](const hazards::ConfigOrder::Who& own, std::uint32_t mask, std::string_view detail) {
        const findings::Note reported{findings::id("hazard.config-overtaken"), {addr32_of(where)}, detail};
        const Subject subject{what.core, own.index, -1, own.word, own.at};
        const auto by = [&](Finding& finding) {
            diagnostics::add_store(finding, diagnostics_.places(), what.core, what.index);
        };
        diagnostics_.add(
            reported, overtaken(subject, what.core, what.index), [&] { return diagnostics_.where(subject); },
            diagnostics_.shown(what.core, what.index, hazards::ConfigOrder::Bits{cell, mask}), by);
    };
    const auto tell = [&](const hazards::ConfigOrder::Who& other, std::uint32_t mask, std::string_view detail) {
        if (other.thread() == what.core) return overtakes(other, mask, detail);
        report(other.thread(), other.index, mask, detail);
    };
    if (const auto writer = memory_.config_order.unordered_other_value(state::threads, {cell, ~0u}, what.value, known))
        return tell(writer->who, writer->mask, "writes");
    if (!what.changes) return;
    const hazards::ConfigOrder::Bits bits{cell, what.changes};
    const auto user = memory_.config_order.unordered_use(bits, known, state::threads, decides_what_is_read(bits));
    if (!user) return check_stored_while_busy(what, bits);
    tell(*user, what.changes, "uses");
}

// All uses have been issued.
void Checker::check_stored_while_busy(const Stored& what, const plan::CellBits& changes) {
    const hazards::VectorClock& known = memory_.order.core_known(hazards::core_of_thread(what.core));
    for (const auto& field : units::ruled_fields(state_.arch().arch, addr32_of(state::Cell(changes.cell)))) {
        const plan::CellBits bits{changes.cell, changes.mask & field.mask};
        if (!bits.mask) continue;
        const auto user = memory_.config_order.unfinished_use(bits, field.rule->users, known);
        if (!user) continue;
        const auto index = static_cast<std::uint32_t>(user->index);
        diagnostics_.add(
            {findings::id("config.write-while-busy"), {user->thread(), index}, field.name},
            {what.core, changes.cell, diagnostics_.places().key(user->thread(), user->index)},
            [&] { return diagnostics_.where_of_store(what.core, what.index, what.at); },
            diagnostics_.shown(user->thread(), user->index, bits));
    }
}

void Checker::check_store(state::Cell cell, Stored what) {
    what.changes = state_[cell] ^ what.value;
    if (ordered_) check_stored_config(cell, what);
    memory_.order.core_stores(cell, what);
}

}  // namespace tessera::checks
