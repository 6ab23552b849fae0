// SPDX-License-Identifier: Apache-2.0
#include "engine/engine_port.hpp"

#include "diagnostics/op_index.hpp"
#include "engine/engine.hpp"
#include "frontend/mop_expander.hpp"
#include "frontend/status_kinds.hpp"
#include "units/tile_registers.hpp"

namespace tessera::engine {

namespace {

// Threads and their own cores go by the same number. What B and NC know, no thread learns from.
std::optional<unsigned> thread_of(unsigned core) {
    const auto which = static_cast<unsigned>(RiscvCore::t0);
    if (core < which || core >= which + state::threads) return std::nullopt;
    return core - which;
}

/// Then the engine has a look at limits and interrupts.
constexpr std::uint32_t instructions_per_turn = 4096;

}  // namespace

void EnginePort::begin_turn(unsigned core, Cycle now, Cycle limit) {
    turn_ = {core, now, limit, instructions_per_turn, l1_is_shared()};
    changed_ = false;
}

void EnginePort::at(Cycle now) { engine_.pass_to(now); }
state::State& EnginePort::state() { return engine_.state_; }
std::uint64_t& EnginePort::changes() { return engine_.changes_; }

std::int64_t EnginePort::index(By by, unsigned thread) {
    return diagnostics::KernelOp{engine_.threads_[thread].kernel_ops++, by.core, by.pc}.index();
}

bool EnginePort::push(By by, unsigned thread, std::span<const std::uint32_t> words, bool expanded) {
    auto& ops = engine_.threads_[thread].kernel_ops;
    if (!engine_.push(thread, words, diagnostics::KernelOp{ops, by.core, by.pc}.index(), expanded, engine_.now_)) return false;
    ops += words.size();
    changed();
    return true;
}

void EnginePort::changed() {
    ++engine_.changes_;
    changed_ = true;
    turn_.limit = engine_.now_;
}

bool EnginePort::in_order(By by, state::Resources resources, bool store) {
    const auto thread = thread_of(by.core);
    return !thread || engine_.in_order(*thread, resources, store);
}

void EnginePort::store(By by, state::Cell cell, plan::CellOp op, std::uint32_t value, Cycle latency,
                       state::Resources resources) {
    const auto thread = thread_of(by.core);
    const bool semaphore = state::cells::semaphore_value_block.contains(cell);
    Engine::Store what{
        cell,     op, value, thread.value_or(Engine::no_thread), 0, thread && !semaphore, static_cast<int>(by.core),
        resources};
    what.index = index(by, thread.value_or(0));
    if (thread && state::cells::config_block.contains(cell))
        engine_.checker_.check_fields(*thread, cell, value, what.index, engine_.now_);
    if (engine_.stopped_) return;
    ++engine_.core_stores_[by.core];
    engine_.store(what.thread, what, engine_.now_, latency);
    changed();
}

void EnginePort::store_config(By by, unsigned word, std::uint32_t value, state::Resources resources) {
    const auto& arch = engine_.state_.arch();
    store(by, state::cells::config(arch, word / arch.config_words, word % arch.config_words), plan::CellOp::set, value,
          engine_.costs_.thread.config_store_latency, resources);
}

void EnginePort::store_gpr(By by, unsigned thread, unsigned gpr, std::uint32_t value, state::Resources resources) {
    store(by, state::cells::gpr(thread, gpr), plan::CellOp::set, value, engine_.costs_.thread.config_store_latency,
          resources);
}

void EnginePort::store_mop(By by, unsigned thread, unsigned item, std::uint32_t value) {
    engine_.store_mop(thread, item, value, index(by, thread), engine_.now_);
    changed();
}

void EnginePort::post_semaphore(By by, unsigned semaphore) {
    store(by, state::cells::semaphore_value(semaphore), plan::CellOp::post, 0, engine_.costs_.thread.semaphore_latency);
}

void EnginePort::get_semaphore(By by, unsigned semaphore) {
    store(by, state::cells::semaphore_value(semaphore), plan::CellOp::get, 0, engine_.costs_.thread.semaphore_latency);
}

bool EnginePort::stores_done(By by) const { return engine_.core_stores_[by.core] == 0; }

void EnginePort::read_back(By by, hazards::CoreRegion region) {
    const auto thread = thread_of(by.core);
    if (thread && region == hazards::CoreRegion::gprs) engine_.order_.core_saw_thread(by.core, *thread);
    if (!thread) return;
    const diagnostics::KernelOp next{engine_.threads_[*thread].kernel_ops, 0, 0};
    engine_.order_.core_read_back(*thread, region, next.index());
}

std::uint32_t EnginePort::semaphore(By by, unsigned semaphore, bool waits) {
    if (waits) engine_.order_.core_saw_semaphore(by.core, semaphore);
    engine_.touches_.awaited |= static_cast<std::uint8_t>(1u << semaphore);
    return engine_.state_[state::cells::semaphore_value(semaphore)];
}

Port::Written EnginePort::write_tile_register(By by, std::uint32_t address, std::uint32_t value) {
    plan::Plan plan;
    const isa::Instruction none;
    const unsigned thread = thread_of(by.core).value_or(0);
    const units::Look look(none, thread, engine_.state_, engine_.costs_, nullptr);
    units::write_tile_register_or_command(look, plan, address, value, "a core's store");
    if (plan.fault) return Written::nothing;
    if (plan.pipes) {
        if (engine_.pipes_.free_at(plan.pipes) > engine_.now_) return Written::busy;
        engine_.start_command(plan, index(by, thread));
    } else {
        const Signals signals = engine_.write_effects(plan, plan::When::start, {});
        if (engine_.options_.on_write) {
            engine_.written_.add_effects(plan, plan::When::start);
            tell_written(by, engine_.now_);
        }
        engine_.raise(signals, engine_.now_);
    }
    changed();
    return Written::done;
}

std::optional<std::uint32_t> EnginePort::read_tile_register(By by, std::uint32_t address) {
    const isa::Instruction none;
    const units::Look look(none, thread_of(by.core).value_or(0), engine_.state_, engine_.costs_, nullptr);
    return units::tile_register(look, address);
}

void EnginePort::wrote(By by, state::Storage storage, std::uint32_t first, std::uint32_t count) {
    if (!engine_.options_.on_write) return;
    engine_.written_.add(storage, first, count);
    tell_written(by, engine_.now_);
}

void EnginePort::stored(By by, std::uint32_t address, std::uint32_t bytes, Cycle at) {
    if (!engine_.options_.on_write) return;
    engine_.written_.add(state::Storage::l1, address, bytes);
    tell_written(by, at);
}

// No op of its own: it comes before the thread's next.
void EnginePort::tell_written(By by, Cycle at) {
    const auto thread = thread_of(by.core);
    const std::uint64_t ops = thread ? engine_.threads_[*thread].kernel_ops : 0;
    engine_.tell_store(thread.value_or(Engine::no_thread), diagnostics::KernelOp{ops, by.core, by.pc}.index(), at);
}

bool EnginePort::idle(By by, unsigned thread) {
    if (!engine_.thread_idle(thread)) return false;
    if (thread_of(by.core) == thread)
        engine_.checker_.drained(thread);
    else
        engine_.order_.drained(by.core, thread);
    return true;
}

bool EnginePort::mops_expanded(By by, unsigned thread) {
    const auto& entries = engine_.threads_[thread].front.fifo;
    const bool waiting = std::any_of(entries.begin(), entries.end(), [&](const FifoEntry& entry) {
        return frontend::Expanders::for_mop_expander(entry, engine_.state_.arch().arch);
    });
    if (waiting || frontend::mop_active(engine_.state_, thread)) return false;
    if (thread_of(by.core) == thread) engine_.order_.mops_seen_expanded(thread);
    return true;
}

std::uint32_t EnginePort::queued(unsigned t) const {
    std::uint32_t kinds = 0;
    for (const FifoEntry& entry : engine_.threads_[t].front.fifo)
        if (entry.mop_register < 0)
            kinds |= frontend::status_kinds(isa::decode(entry.word, engine_.state_.arch().arch));
    if (frontend::mop_active(engine_.state_, t)) kinds |= frontend::mop_kind;
    if (engine_.threads_[t].front.gated())
        kinds |= frontend::status_kinds(engine_.threads_[t].front.gate().instruction);
    return kinds;
}

std::uint32_t EnginePort::busy(unsigned t) const {
    std::uint32_t kinds = queued(t);
    for (unsigned p = 0; p < plan::pipes; ++p)
        if (engine_.work_.activity().busy(plan::Pipe(p), t)) kinds |= frontend::status_kinds(plan::Pipe(p));
    return kinds;
}

bool EnginePort::l1_is_shared() const { return engine_.l1_shared_ && !engine_.costs_.completes_at_issue; }
void EnginePort::loaded_l1(By by, std::uint32_t address, std::uint32_t bytes) {
    if (!engine_.checker_.looks_on()) return;
    if (const auto conflict = engine_.order_.core_loads(by.core, address, bytes, by.pc)) tell(by, *conflict);
}

void EnginePort::stored_l1(By by, std::uint32_t address, std::uint32_t bytes) {
    engine_.checker_.l1_is_written(address, address + bytes - 1);
    if (!engine_.checker_.looks_on()) return;
    if (const auto conflict = engine_.order_.core_stores(by.core, address, bytes, by.pc)) tell(by, *conflict);
}

void EnginePort::accessed_dst(By by, unsigned first_row, unsigned last_row, bool write) {
    if (!engine_.checker_.looks_on()) return;
    engine_.checker_.core_accesses_dst(first_row, last_row, write);
    if (const auto conflict = engine_.order_.core_accesses_dst(by.core, first_row, last_row, write, by.pc))
        tell(by, *conflict);
}

void EnginePort::told(By by, std::uint32_t word) { engine_.order_.core_told(by.core, word); }
void EnginePort::heard(By by, std::uint32_t word) { engine_.order_.core_heard(by.core, word); }

// Rare, and not to be inlined where it is not told.
[[gnu::cold]] void EnginePort::tell(By by, const hazards::Conflict& c) {
    const auto id = c.storage == plan::Storage::dst ? findings::id("hazard.core-dst") : findings::id("hazard.core-l1");
    const findings::Note what{id, {c.first, c.last, c.other_thread, static_cast<std::uint32_t>(c.other_index)}};
    engine_.diagnostics_.add(
        what, {state::threads + by.core, by.pc, engine_.places_.key(c.other_thread, c.other_index)},
        [&] { return engine_.where_of(by.core, by.pc); }, engine_.diagnostics_.shown(c.other_thread, c.other_index));
}

void EnginePort::wake(unsigned core, Cycle time) {
    const unsigned which = Engine::actor_of(RiscvCore(core));
    auto& actor = engine_.actors_[which];
    if (!actor.finished && !actor.parked) return;
    engine_.account_wait(which, engine_.now_);
    engine_.l1_shared_ = true;
    actor.finished = actor.parked = false;
    actor.wait = {};
    engine_.due_[which] = actor.since = std::max(time, engine_.now_);
    if (engine_.turn_of_ == Engine::host)
        engine_.order_.host_starts(core);
    else
        engine_.order_.core_starts(core, Engine::core_of(engine_.turn_of_));
    changed();
}

void EnginePort::halt(unsigned core) {
    engine_.finish(Engine::actor_of(RiscvCore(core)));
    engine_.raise(static_cast<Signals>(Signal::pushed), engine_.now_);
    changed();
}

void EnginePort::raise(Signals signals) {
    engine_.raise(signals, engine_.now_);
    changed();
}

void EnginePort::host_saw(std::uint32_t address) { engine_.order_.host_saw(address); }

void EnginePort::host_wrote(std::uint32_t address, std::uint32_t bytes) {
    engine_.order_.host_wrote(address, bytes);
    changed();
    if (!engine_.options_.on_write) return;
    engine_.written_.add(state::Storage::l1, address, bytes);
    engine_.tell_host_wrote();
}

void EnginePort::host_read(HostRead read) { engine_.run_.host_reads.push_back(std::move(read)); }

void EnginePort::stop(const findings::Note& what, By by) {
    if (engine_.stopped_) return;
    engine_.stop(what, engine_.where_of(by.core, by.pc));
    engine_.run_.fault->registers = engine_.cores_->registers(by.core);
}

void EnginePort::stop_or_note(const findings::Note& what, By by) {
    if (engine_.log_.level(what.id) == Level::error)
        stop(what, by);
    else
        note(what, by);
}

void EnginePort::note(const findings::Note& what, By by) {
    engine_.diagnostics_.add(what, {state::threads + by.core, by.pc}, [&] { return engine_.where_of(by.core, by.pc); });
}

}  // namespace tessera::engine
