// SPDX-License-Identifier: Apache-2.0
// Checks what an instruction captures against writes still in flight: stores of the cores, and words of configuration
// and GPRs that earlier instructions write at their end. Checks what it writes against stores that have overtaken it.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "checks/checker.hpp"
#include "checks/replaced_bits.hpp"
#include "diagnostics/related.hpp"

namespace tessera::checks {

namespace {

unsigned gpr_of(state::Cell cell) { return (state::index(cell) - state::cells::gpr_block.first) % 64; }

// Cycles from the store until a core that knows of it pushes the instruction, without the instruction's wait in the
// FIFO. 0: the core that pushes it does not know.
Cycle cycles_between(const hazards::CellStores::Conflict& store, const At& at) {
    return store.follows && at.pushed > store.at ? at.pushed - store.at : 0;
}

findings::Note store_finding(const hazards::CellStores::Conflict& conflict, Cycle distance) {
    const auto cell = state::Cell(conflict.bits.cell);
    const bool far = distance > hazards::CellStores::reach, gpr = state::cells::gpr_block.contains(cell);
    const auto cycles = static_cast<std::uint32_t>(std::min<Cycle>(distance, ~std::uint32_t{0}));
    const std::string_view how = conflict.written ? "writes" : "uses";
    if (conflict.overtaken)
        return gpr ? findings::Note{findings::id("hazard.gpr-overtaken"), {gpr_of(cell)}, how}
                   : findings::Note{findings::id("hazard.config-overtaken"), {addr32_of(cell)}, how};
    if (gpr)
        return far ? findings::Note{findings::id("hazard.gpr-store-far"), {gpr_of(cell), cycles}}
                   : findings::Note{findings::id("hazard.gpr-store"), {gpr_of(cell)}, how};
    return far ? findings::Note{findings::id("hazard.config-store-far"), {addr32_of(cell), conflict.core, cycles}}
               : findings::Note{findings::id("hazard.config-store"), {addr32_of(cell), conflict.core}, how};
}

findings::Note late_write_finding(state::Cell cell, const LateWrite& write, plan::PipeMask user) {
    const auto index = static_cast<std::uint32_t>(write.index);
    if (write.pipe == plan::Pipe::scalar) return {findings::id("hazard.gpr-request"), {gpr_of(cell), index}};
    if (write.pipe == plan::Pipe::mover) return {findings::id("hazard.config-mover"), {addr32_of(cell), index}};
    if (state::cells::gpr_block.contains(cell)) {
        if (user & bit(plan::Pipe::scalar)) return {findings::id("hazard.gpr-late-scalar"), {gpr_of(cell), index}};
        return {findings::id("hazard.gpr-late"), {gpr_of(cell), index}};
    }
    if (write.by == isa::mnemonic("STREAMWRCFG")) return {findings::id("hazard.config-stream"), {addr32_of(cell), index}};
    return {findings::id("hazard.config-late"), {addr32_of(cell), index}};
}

// CFGSHIFTMASK, Instruction scheduling: the configuration unit itself keeps its next instruction away.
bool is_kept_away(const LateWrite& write, plan::PipeMask user) {
    return write.by == isa::mnemonic("CFGSHIFTMASK") && user & bit(plan::Pipe::config);
}

// The pipes whose instructions write configuration and GPRs.
constexpr plan::PipeMask writers = bit(plan::Pipe::config) | bit(plan::Pipe::scalar) | bit(plan::Pipe::mover);

// Calls f with each cell that the instruction writes.
template <class F>
void for_each_written_cell(const plan::Plan& plan, F&& f) {
    if (std::holds_alternative<plan::NoWork>(plan.work)) {
        for (const auto& effect : plan.effects) f(state::index(effect.cell));
        return;
    }
    for (const auto& access : plan::footprint(plan).accesses)
        if (access.write && access.storage == plan::Storage::cell)
            for (unsigned i = 0; i < access.count; ++i) f(access.first + i);
}

// The value that the instruction writes to the cell; none: its work brings it.
std::optional<std::uint32_t> value_written(const plan::Plan& plan, unsigned cell) {
    for (const auto& effect : plan.effects)
        if (state::index(effect.cell) == cell && effect.op == plan::CellOp::set) return effect.value;
    return std::nullopt;
}

// Bits in which a store and a later write to its cell differ. RMWCIB is asked about the bits that it captures.
std::uint32_t replaced_bits(const plan::Plan& plan, std::uint16_t cell, std::uint32_t stored) {
    if (replaced_in(plan, cell)) return 0;
    const auto value = value_written(plan, cell);
    return value ? *value ^ stored : ~std::uint32_t{0};
}

}  // namespace

void Checker::check_captures(const units::Resolved& resolved, const At& at, hazards::ConfigOrder::Use& use) {
    const plan::Plan& plan = resolved.plan;
    const auto& late = memory_.threads[plan.thread].late_writes;
    const bool may_replace = plan.pipes & writers && memory_.order.stores().any_behind(plan.thread, at.index);
    const bool overwrites = overwrites_store(plan, use.stores);
    if (late.empty() && !may_replace && !overwrites &&
        !memory_.order.stores().since(use.stores, resolved.captures->storable)) {
        use.stores = memory_.order.stores().count();
        return;
    }
    if (!late.empty() && check_captured_late_writes(resolved, at)) return;
    auto [before, behind] = captured_stores(resolved, at);
    if (!before && overwrites) before = overwritten_store(plan, at.index);
    const bool replaces = may_replace && replaces_store(plan, at.index, behind);
    if (behind) note_store(*behind, resolved, at);
    // A store that this instruction has met before is not reported again.
    if (before && (use.stores == hazards::CellStores::never || before->number > use.stores))
        note_store(*before, resolved, at);
    if (!behind && !replaces) use.stores = memory_.order.stores().count();
    if (!late.empty()) check_overwritten_late_writes(plan, at);
}

const LateWrite* Checker::late_write_of(const plan::Plan& plan, unsigned cell, bool written) const {
    for (const LateWrite& write : memory_.threads[plan.thread].late_writes)
        if (cell >= write.first && cell < write.first + write.count && !is_kept_away(write, plan.pipes) &&
            (!written || write.after == 0 || write.overtaken))
            return &write;
    return nullptr;
}

bool Checker::check_captured_late_writes(const units::Resolved& resolved, const At& at) {
    for (const plan::CellBits& bits : resolved.captures->bits)
        if (const LateWrite* write = late_write_of(resolved.plan, bits.cell, false)) {
            note_late_write(late_write_finding(state::Cell(bits.cell), *write, resolved.plan.pipes), bits, resolved,
                            at);
            return true;
        }
    return false;
}

Checker::CapturedStores Checker::captured_stores(const units::Resolved& resolved, const At& at) const {
    const plan::Plan& plan = resolved.plan;
    CapturedStores stores;
    for (const plan::CellBits& bits : resolved.captures->bits) {
        if (!memory_.order.stores().has(bits.cell)) continue;
        const auto conflict = memory_.order.check_capture(plan.thread, at.index, bits, replaced_in(plan, bits.cell));
        if (!conflict) continue;
        auto& last = conflict->overtaken ? stores.behind : stores.before;
        if (!last || last->number < conflict->number) last = conflict;
    }
    return stores;
}

void Checker::check_overwritten_late_writes(const plan::Plan& plan, const At& at) {
    const LateWrite* overwritten = nullptr;
    unsigned which = 0;
    for_each_written_cell(plan, [&](unsigned cell) {
        if (overwritten) return;
        overwritten = late_write_of(plan, cell, true);
        which = cell;
    });
    if (overwritten)
        note(late_write_finding(state::Cell(which), *overwritten, plan.pipes), plan, at,
             plan::CellBits{static_cast<std::uint16_t>(which), ~std::uint32_t{0}});
}

void Checker::note_late_write(const findings::Note& what, const plan::CellBits& bits, const units::Resolved& resolved,
                              const At& at) {
    std::optional<Unread> unread;
    if (decides_what_is_read(bits)) unread = unread_place(resolved, at);
    if (!unread) return note(what, resolved.plan, at, bits);
    unread->note = what;
    unread->bits = bits;
    set_aside(*unread);
}

// Whether a core has stored a word that the instruction writes, since the store numbered `until`.
bool Checker::overwrites_store(const plan::Plan& plan, std::uint32_t until) const {
    if (!(plan.pipes & writers)) return false;
    bool any = false;
    for_each_written_cell(
        plan, [&](unsigned cell) { any |= memory_.order.stores().has_since(static_cast<std::uint16_t>(cell), until); });
    return any;
}

// The last store of a word that the instruction writes with another value, if it may still be on its way. RMWCIB is asked about the
// bits that it captures.
std::optional<hazards::CellStores::Conflict> Checker::overwritten_store(const plan::Plan& plan,
                                                                        std::int64_t index) const {
    std::optional<hazards::CellStores::Conflict> last;
    for_each_written_cell(plan, [&](unsigned written) {
        const auto cell = static_cast<std::uint16_t>(written);
        if (!memory_.order.stores().has(cell) || replaced_in(plan, cell)) return;
        std::optional<hazards::CellStores::Replacement> replaced;
        if (const auto value = value_written(plan, cell)) replaced = {~0u, *value};
        auto conflict = memory_.order.check_capture(plan.thread, index, {cell, ~0u}, replaced);
        if (!conflict || conflict->overtaken || (last && last->number > conflict->number)) return;
        conflict->written = true;
        last = conflict;
    });
    return last;
}

// Looks for stores of the thread's own core that its program has behind the instruction, and that the instruction replaces. Returns
// whether there are any; `last` becomes the last one of another value, if it comes behind.
bool Checker::replaces_store(const plan::Plan& plan, std::int64_t index, std::optional<hazards::CellStores::Conflict>& last) const {
    bool any = false;
    for_each_written_cell(plan, [&](unsigned written) {
        const auto cell = static_cast<std::uint16_t>(written);
        const hazards::CellStores::Store* store = memory_.order.stores().behind(plan.thread, index, cell);
        if (!store) return;
        any = true;
        const plan::CellBits bits{cell, replaced_bits(plan, cell, store->value)};
        if (bits.mask && (!last || last->number < store->of_all))
            last = {.core = store->core,
                    .overtaken = true,
                    .written = true,
                    .index = store->index,
                    .number = store->of_all,
                    .at = store->at,
                    .bits = bits};
    });
    return any;
}

// Each step was checked against the stores up to its own last issue. Nothing is left to check if all later ones are to other cells.
bool Checker::stores_may_matter(const units::Trace& trace, unsigned thread, std::int64_t index) const {
    if (!memory_.order.stores_may_matter(thread, index)) return false;
    const hazards::CellStores& stores = memory_.order.stores();
    auto& known = trace.stores_known;
    if (known.run != run_ || stores.since(known.stores, trace.storable))
        for (const units::Trace::Step& step : trace.steps) {
            const auto* use = memory_.config_order.find(thread, use_key(*step.plan));
            if (!use || stores.since(use->stores, step.plan->captures->storable)) return true;
        }
    known = {run_, stores.count()};
    return false;
}

void Checker::note_store(const hazards::CellStores::Conflict& store, const units::Resolved& resolved, const At& at) {
    const Cycle far = store.overtaken ? 0 : cycles_between(store, at);
    // Kernels clear GPRs by stores and write them by instructions much later.
    if (store.written && far > hazards::CellStores::reach) return;
    std::optional<Unread> unread;
    if (resolved.brings_only() && decides_what_is_read(store.bits)) unread = unread_place(resolved, at);
    if (!unread) return note_store(store, far, subject_of(resolved.plan, at));
    unread->store = store;
    unread->distance = far;
    set_aside(*unread);
}

void Checker::note_store(const hazards::CellStores::Conflict& store, Cycle distance, const Subject& subject) {
    const Places& places = diagnostics_.places();
    const auto place = [&] { return diagnostics_.where(subject); };
    const auto by = [&](Finding& finding) {
        diagnostics::add_store(finding, places, store.core, store.index);
        if (distance && distance <= hazards::CellStores::reach)
            finding.message +=
                fmt::format(", {} cycle{} before this instruction was pushed", distance, distance == 1 ? "" : "s");
        if (std::string cure = missing_store_wait(store, subject); !cure.empty()) finding.cure = std::move(cure);
    };
    const FindingsLog::Subject about =
        store.overtaken ? overtaken(subject, store.core, store.index)
                        : FindingsLog::Subject{subject.thread, subject.word, places.key(store.core, store.index)};
    diagnostics_.add(store_finding(store, distance), about, place,
                     diagnostics_.shown(store.core, store.index, store.bits), by);
}

// In kernels, all stores of one call behind pushes of another call have one cause: the missing wait between the
// calls.
FindingsLog::Subject Checker::overtaken(const Subject& user, unsigned core, std::int64_t store) const {
    const Places& places = diagnostics_.places();
    if (!places.of_kernels()) return {user.thread, user.word, places.key(core, store)};
    return {user.thread, static_cast<std::uint32_t>(places.call_key(user.thread, user.index)),
            places.call_key(core, store)};
}

void Checker::remember(unsigned t, const LateWrite& write) {
    auto& late = memory_.threads[t].late_writes;
    for (LateWrite& known : late)
        if (known.first == write.first && known.count == write.count && known.pipe == write.pipe) {
            known = write;
            return;
        }
    late.push_back(write);
}

void Checker::forget_late_writes(unsigned t, plan::Pipe pipe) {
    std::erase_if(memory_.threads[t].late_writes, [&](const LateWrite& write) { return write.pipe == pipe; });
}

// Behind WRCFG, RDCFG, CFGSHIFTMASK or STREAMWRCFG the next instructions are too early, however late they issue in
// this run, unless a wait for the configuration unit is over. Data of a memory request or of the mover needs a wait. An
// instruction that holds its thread until its end leaves nothing late.
void Checker::remember_late_writes(const plan::Plan& plan, std::int64_t index) {
    const unsigned t = plan.thread;
    auto& late = memory_.threads[t].late_writes;
    std::erase_if(late, [](LateWrite& write) { return write.after && --write.after == 0; });
    const bool moves = std::holds_alternative<plan::MoverWork>(plan.work);
    if (plan.cost.lands_at_end || moves) {
        const auto& block = moves ? state::cells::config_block : state::cells::gpr_block;
        const auto pipe = moves ? plan::Pipe::mover : plan::Pipe::scalar;
        plan::Plan brought = plan;  // without effects that land at once
        brought.effects.clear();
        for (const auto& effect : plan.effects)
            if (effect.when == plan::When::end) brought.effects.push_back(effect);
        for (const auto& access : plan::footprint(brought).accesses)
            if (access.write && access.storage == plan::Storage::cell && block.contains(state::Cell(access.first)))
                remember(t, {access.first, access.count, index, pipe});
        return;
    }
    if (plan.cost.latency < 2 || plan.waits_in_unit) return;
    const bool held = plan.cost.hold >= plan.cost.latency;
    if (held && memory_.order.disregards().allow(Ordering::scalar_hold, t)) return;
    for (const auto& effect : plan.effects) {
        const bool gpr = state::cells::gpr_block.contains(effect.cell);
        if (effect.when != plan::When::end || !(gpr || state::cells::config_block.contains(effect.cell))) continue;
        if (held) {
            remember(t, {state::index(effect.cell), 1, index, plan::Pipe::scalar});
            continue;
        }
        remember(t, {state::index(effect.cell), 1, index, plan::Pipe::config, plan.instruction.mnemonic,
                     plan.cost.latency - Cycle{1}, plan.cost.latency > 2});
    }
}

}  // namespace tessera::checks
