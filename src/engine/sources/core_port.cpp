// SPDX-License-Identifier: Apache-2.0
#include "engine/sources/core_port.hpp"

#include <algorithm>

#include "checks/checker.hpp"
#include "diagnostics/op_index.hpp"
#include "frontend/visible.hpp"
#include "hazards/order.hpp"
#include "state/mmio.hpp"
#include "units/tile_registers.hpp"

namespace tessera::engine {

using diagnostics::KernelOp;

std::int64_t CorePort::next_index(By by, unsigned thread) { return KernelOp{ops_[thread]++, by.core, by.pc}.index(); }

std::int64_t CorePort::command_index(const Asker& asker) {
    const By by = asker.author();
    return KernelOp{ops_[asker.thread()]++, by.core, by.pc, true}.index();
}

std::int64_t CorePort::index_before_next(By by) const {
    const auto thread = thread_of(by.core);
    return KernelOp{thread ? ops_[*thread] : 0, by.core, by.pc}.index();
}

Cause CorePort::cause_of(By by) const {
    const auto thread = thread_of(by.core);
    return {true, thread ? static_cast<int>(*thread) : -1, index_before_next(by), scheduler_.now()};
}

bool CorePort::push(By by, unsigned thread, std::span<const std::uint32_t> words, bool expanded) {
    if (!fifos_.push(thread, words, KernelOp{ops_[thread], by.core, by.pc}.index(), expanded)) return false;
    ops_[thread] += words.size();
    l1_shared_ = true;
    changed();
    return true;
}

bool CorePort::push_by_debug_bus(const Asker& asker, unsigned thread, std::uint32_t word) {
    if (!push(asker.author(), thread, {&word, 1}, true)) return false;
    start_front_end(thread, scheduler_.now());
    return true;
}

Port::Fifo CorePort::fifo(unsigned thread) {
    return {!fifos_.has_room(thread, 1, true),
            fronts_[thread].fifo.empty() && frontend::mops_expanded(fronts_[thread], thread, state_)};
}

bool CorePort::in_order(By by, state::Resources resources, bool store) {
    const auto thread = thread_of(by.core);
    return !thread || auto_sync_.may_access(*thread, resources, store);
}

void CorePort::store(By by, state::Cell cell, plan::CellOp op, std::uint32_t value, state::Resources resources) {
    const auto thread = thread_of(by.core);
    const std::int64_t index = next_index(by, thread.value_or(0));
    if (stores_.emit({cell, op, value, thread.value_or(no_thread), index, resources, static_cast<int>(by.core)}))
        changed();
}

void CorePort::store_mop(By by, unsigned thread, unsigned item, std::uint32_t value) {
    fifos_.store_mop(thread, item, value, next_index(by, thread));
    changed();
}

void CorePort::loads_gpr(By by) {
    const auto thread = thread_of(by.core);
    if (!thread) return;
    order_.core_saw_thread(by.core, *thread);
    read_back(*thread, hazards::CoreRegion::gprs);
}

void CorePort::loads_config(By by, std::optional<state::Cell> cell, state::Resources resources) {
    const auto thread = thread_of(by.core);
    // Auto TTSync has held the load until the thread's own instructions have written.
    const unsigned in_order = thread && resources ? *thread : no_thread;
    if (cell) checker_.check_loaded_config(by.core, by.pc, *cell, in_order, scheduler_.now());
    if (thread) read_back(*thread, hazards::CoreRegion::config);
}

void CorePort::read_back(unsigned thread, hazards::CoreRegion region) {
    const KernelOp next{ops_[thread]};
    order_.core_read_back(thread, region, next.index());
}

std::uint32_t CorePort::semaphore(By by, unsigned semaphore, bool waits) {
    if (waits) order_.core_saw_semaphore(by.core, semaphore);
    effects_.last_causes().awaited |= static_cast<std::uint8_t>(1u << semaphore);
    return state_[state::cells::semaphore_value(semaphore)];
}

tl::expected<Port::Written, findings::Note> CorePort::write_tile_register(const Asker& asker, std::uint32_t address,
                                                                          std::uint32_t value) {
    plan::Plan plan;
    const isa::Instruction none;
    plan.thread = static_cast<std::uint8_t>(asker.thread());
    const units::StateView view(none, plan.thread, state_, costs_, nullptr);
    units::write_tile_register_or_command(view, plan, address, value, "a core's store");
    if (plan.fault) return tl::unexpected(*plan.fault);
    if (plan.pipes && pipes_.free_at(plan.pipes) > scheduler_.now()) return Written::busy;
    for (const auto& finding : plan.findings) note(asker.named_in(finding), asker.by);
    if (plan.pipes) {
        l1_shared_ = true;
        if (!outcome_.stopped()) execution_.start_command(plan, command_index(asker), asker.core());
    } else {
        const Cause by = asker.by.core < riscv_cores ? cause_of(asker.by) : Cause();
        const Signals signals = effects_.write(plan, plan::When::start, by);
        if (writes_.are_told()) {
            writes_.written().add_effects(plan, plan::When::start);
            report_written(asker.by.core < riscv_cores ? &asker.by : nullptr, scheduler_.now());
        }
        scheduler_.raise(signals);
    }
    changed();
    return Written::done;
}

std::optional<std::uint32_t> CorePort::read_tile_register(std::optional<By> by, std::uint32_t address) {
    if (address == state::mmio::tdma_status) {
        bool busy = false;
        for (unsigned t = 0; t < state::threads; ++t) busy |= work_.activity().busy(plan::Pipe::mover, t);
        if (!busy && by) order_.core_saw_mover_idle(by->core);
        return state::mmio::tdma_queues_empty | (busy ? state::mmio::tdma_mover_busy : 0);
    }
    const isa::Instruction none;
    const units::StateView view(none, 0, state_, costs_, nullptr);
    return units::tile_register(view, address);
}

void CorePort::wrote(By by, state::Storage storage, std::uint32_t first, std::uint32_t count, Cycle at) {
    if (!writes_.are_told()) return;
    writes_.written().add(storage, first, count);
    report_written(&by, std::max(at, scheduler_.now()));
}

void CorePort::report_written(const By* by, Cycle at) {
    if (by)
        writes_.core_wrote(thread_of(by->core).value_or(no_thread), index_before_next(*by), at);
    else
        writes_.packet_wrote();
}

bool CorePort::idle(By by, unsigned thread) {
    if (!fifos_.is_idle(thread)) return false;
    if (thread_of(by.core) == thread)
        checker_.drained(thread);
    else
        order_.drained(by.core, thread);
    return true;
}

bool CorePort::mops_expanded(By by, unsigned thread) {
    if (!frontend::mops_expanded(fronts_[thread], thread, state_)) return false;
    if (thread_of(by.core) == thread) order_.mops_seen_expanded(thread);
    return true;
}

std::uint32_t CorePort::queued(unsigned t) const { return frontend::queued_kinds(fronts_[t], t, state_); }

std::uint32_t CorePort::busy(unsigned t) const { return frontend::busy_kinds(fronts_[t], t, state_, work_.activity()); }

void CorePort::accessed_l1(unsigned core, std::span<const state::L1Access> accesses) {
    const Cycle last = accesses.back().at;
    for (;;) {
        accesses = accesses.subspan(note_undisturbed(core, accesses));
        if (accesses.empty()) break;
        check_l1(core, accesses.front());
        accesses = accesses.subspan(1);
    }
    scheduler_.pass_to(last);
}

std::size_t CorePort::note_undisturbed(unsigned core, std::span<const state::L1Access> accesses) {
    const std::size_t noted = checker_.looks_on() ? order_.core_accesses_undisturbed(core, accesses) : accesses.size();
    if (checker_.knows_l1_formats())
        for (const state::L1Access& access : accesses.first(noted))
            if (access.is_store) checker_.l1_is_written(access.address, access.address + access.bytes - 1);
    return noted;
}

void CorePort::check_l1(unsigned core, const state::L1Access& access) {
    scheduler_.pass_to(access.at);
    if (access.is_store) checker_.l1_is_written(access.address, access.address + access.bytes - 1);
    const auto met = access.is_store ? order_.core_stores(core, access.address, access.bytes, access.pc)
                                     : order_.core_loads(core, access.address, access.bytes, access.pc);
    if (met) noc_.report(core, access.pc, *met);
}

void CorePort::accessed_dst(By by, unsigned first_row, unsigned last_row, bool write) {
    if (!checker_.looks_on()) return;
    checker_.core_accesses_dst(first_row, last_row, write);
    if (const auto conflict = order_.core_accesses_dst(by.core, first_row, last_row, write, by.pc))
        noc_.report(by.core, by.pc, *conflict);
}

void CorePort::wake(unsigned core, Cycle time) {
    const unsigned which = actor_of(RiscvCore(core));
    ++begun_[core];
    l1_shared_ = true;
    const Cycle at = std::max(time, scheduler_.now());
    scheduler_.start(which, at);
    for (unsigned t = 0; t < state::threads; ++t) start_front_end(t, at);
    if (turn_of_ == host)
        order_.host_starts(core);
    else
        order_.core_starts(core, core_of(turn_of_));
    changed();
}

void CorePort::start_front_end(unsigned thread, Cycle at) {
    if (scheduler_.actor(front_end_of(thread)).finished) scheduler_.start(front_end_of(thread), at);
}

void CorePort::halt(unsigned core) {
    scheduler_.finish(actor_of(RiscvCore(core)));
    scheduler_.raise(Signal::pushed);
    changed();
}

void CorePort::discard(unsigned thread) {
    fifos_.discard(thread, expansion_);
    changed();
}

void CorePort::raise(Signals signals) {
    scheduler_.raise(signals);
    changed();
}

void CorePort::host_wrote(std::uint32_t address, std::uint32_t bytes) {
    order_.host_wrote(address, bytes);
    changed();
    if (!writes_.are_told()) return;
    writes_.written().add(state::Storage::l1, address, bytes);
    writes_.host_wrote();
}

void CorePort::noc_wrote(const By* by, std::uint32_t address, std::uint32_t bytes) {
    checker_.l1_is_written(address, address + bytes - 1);
    changed();
    if (!writes_.are_told()) return;
    writes_.written().add(state::Storage::l1, address, bytes);
    report_written(by, scheduler_.now());
}

void CorePort::stop(const findings::Note& what, By by) {
    if (outcome_.stopped()) return;
    if (cores_->goes_on_after_faults()) {
        const std::uint32_t program = by.core < riscv_cores ? begun_[by.core] : 0;
        return diagnostics_.add(what, {state::threads + by.core, by.pc, program}, [&] { return where_of(by); });
    }
    outcome_.stop(what, where_of(by), scheduler_.now());
    outcome_.run().fault->registers = cores_->registers(by.core);
}

void CorePort::stop_or_note(const findings::Note& what, By by) {
    if (outcome_.log().level(what.id) == Level::error)
        stop(what, by);
    else
        note(what, by);
}

void CorePort::note(const findings::Note& what, By by) {
    diagnostics_.add(what, {state::threads + by.core, by.pc}, [&] { return where_of(by); });
}

}  // namespace tessera::engine
