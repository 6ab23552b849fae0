// SPDX-License-Identifier: Apache-2.0
// From issue to end: queues in front of unpackers and packers, start, landing of effects, hand-over of banks.
#include <bit>

#include "engine/engine.hpp"
#include "engine/op_index.hpp"
#include "tessera/assembly.hpp"

namespace tessera::engine {

namespace {

constexpr Cycle most_start_delay = 12;  // under a seed: L1 ports contended by others
constexpr plan::PipeMask unpackers = bit(plan::Pipe::unpacker0) | bit(plan::Pipe::unpacker1);

/// Calls f with the number of each bank that changes hands when the instruction ends.
template <class F>
void for_each_hand_over(const units::Resolved& resolved, F&& f) {
    for (unsigned mask = resolved.hands_over; mask; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

template <class F>
void for_each_pipe(plan::PipeMask mask, F&& f) {
    for (; mask; mask &= static_cast<plan::PipeMask>(mask - 1)) f(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace

std::uint32_t Engine::new_record() {
    if (free_records_.empty()) {
        free_records_.push_back(static_cast<std::uint32_t>(records_.size()));
        records_.emplace_back();
    }
    const std::uint32_t id = free_records_.back();
    free_records_.pop_back();
    Record& record = records_[id];
    record.used = true;
    record.number = next_number_++;
    record.blocked_since = never;
    return id;
}

// A bank that is about to be passed on is nobody's: an instruction that comes after must not slip in before.
bool Engine::bank_ready(const plan::BankNeed& need) const {
    const auto owner = state::cells::bank_owner(need.src, need.bank);
    return state_[owner] == static_cast<std::uint32_t>(need.owner) &&
           hand_overs_[state::index(owner) - state::cells::bank_owner_block.first] == 0;
}

bool Engine::banks_ready(const plan::Plan& plan, bool in_unit) const {
    for (const auto& need : plan.banks)
        if (need.in_unit == in_unit && !bank_ready(need)) return false;
    return true;
}

Cycle Engine::pipes_free_at(plan::PipeMask pipes) const {
    Cycle free = 0;
    for_each_pipe(pipes, [&](unsigned p) { free = std::max(free, pipes_[p].free_at); });
    return free;
}

// At most one try is pending per queue: the earliest asked for.
void Engine::try_queue(unsigned p, Cycle time) {
    if (pipes_[p].try_at <= time) return;
    pipes_[p].try_at = time;
    clock_.schedule(time, Event::Kind::start_queued, p);
}

void Engine::start_queued(unsigned p, Cycle now) {
    auto& queue = pipes_[p].queue;
    if (pipes_[p].try_at != now) return;  // an earlier try took its place
    pipes_[p].try_at = never;
    if (queue.empty()) return;
    const std::uint32_t id = queue.front();
    Record& record = records_[id];
    const Cycle earliest = std::max(record.ready, pipes_free_at(record.plan().pipes));
    if (earliest > now) return try_queue(p, earliest);
    if (!banks_ready(record.plan(), true)) {  // tried again when a bank changes hands
        if (record.blocked_since == never) {
            record.blocked_since = now;
            record.blocked_by = bank_wait(record.plan());
        }
        return;
    }
    queue.pop_front();
    start(id, now);
    caused_by(touch_of(record, now));
    raise(static_cast<Signals>(Signal::unit), now, {record.plan().pipes, record.plan().thread});
    if (!queue.empty()) try_queue(p, std::max(now, pipes_free_at(records_[queue.front()].plan().pipes)));
}

void Engine::busy_changes(plan::PipeMask mask, int by, Cycle now) {
    for_each_pipe(mask, [&](unsigned p) {
        auto& pipe = pipes_[p];
        if (by > 0 && pipe.executing++ == 0) pipe.busy_since = now;
        if (by < 0 && --pipe.executing == 0) pipe.busy += now - pipe.busy_since;
    });
    const int group = mask & unpackers ? 0 : mask & packer_pipes ? 2 : mask & bit(plan::Pipe::matrix) ? 1 : -1;
    if (group < 0) return;
    auto& executing = group_executing_[static_cast<unsigned>(group)];
    const bool was = executing != 0;
    executing += static_cast<std::uint32_t>(by);
    if (was == (executing != 0)) return;
    const unsigned before = busy_groups_;
    busy_groups_ += was ? -1u : 1u;
    if (before == 1 && busy_groups_ == 2) overlap_since_ = now;
    if (before == 2 && busy_groups_ == 1) overlapped_ += now - overlap_since_;
}

void Engine::start(std::uint32_t id, Cycle now) {
    Record& record = records_[id];
    const auto& plan = record.plan();
    const Cycle extra = plan.cost.latency > 1 && queue_depth(plan.pipes) > 0 ? random_delay(most_start_delay) : 0;
    const bool request = plan.cost.lands_at_end;
    if (options_.on_wait) tell_started(record, now);
    record.start = now;
    record.end = now + plan.cost.latency + extra + (request ? random_delay(most_start_delay) : 0);

    // Effects land at the start; under a seed anywhere that no interlock forbids: in order within a unit, and before
    // the unit's written blocks of Dst can be read again.
    // The vector unit's registers are nobody else's, and what is scheduled must find them as they are.
    record.land = request || plan.waits_in_unit ? record.end : now;
    if (options_.seed && record.end > record.land && !(plan.pipes & bit(plan::Pipe::vector))) {
        Cycle latest = record.end - 1;
        if (!plan.dst_writes.empty()) latest = std::min<Cycle>(latest, now + costs_.interlocks.dst_block_cycles);
        record.land = now + random_delay(latest - now);
    }
    const auto last_of = [&](unsigned p) -> Cycle& { return request ? pipes_[p].last_request : pipes_[p].last_land; };
    for_each_pipe(plan.pipes, [&](unsigned p) { record.land = std::max(record.land, last_of(p)); });
    record.end = std::max(record.end, record.land);
    for_each_pipe(plan.pipes, [&](unsigned p) {
        auto& pipe = pipes_[p];
        const Cycle free_at = now + plan.cost.occupancy + extra;
        pipe.free_at = plan.waits_in_unit ? never : std::max(pipe.free_at, free_at);
        if (plan.cost.interval) pipe.interval_over_at = now + plan.cost.interval;
        last_of(p) = record.land;
        ++pipe.instructions;
    });
    if (costs_.interlocks.dst_block_cycles)
        plan.dst_writes.for_each(
            [&](unsigned block) { dst_ready_[block] = now + costs_.interlocks.dst_block_cycles + 1; });
    busy_changes(plan.pipes, 1, now);
    for_each_hand_over(*record.resolved, [&](unsigned i) { ++hand_overs_[i]; });
    for (const auto& need : plan.banks)
        if (need.in_unit && !plan.waits_in_unit) order_.take_bank(record.ticket, need.src, need.bank);
    check_accesses(record);

    if (plan.waits_in_unit) {
        if (record.land == now) return attempt(id, now);
        clock_.schedule(record.land, Event::Kind::land, id);
        return;
    }
    if (record.land == now)
        land(id, now);
    else
        clock_.schedule(record.land, Event::Kind::land, id);
    if (record.end == now)
        end(id, now);
    else
        record.end_event = clock_.schedule(record.end, Event::Kind::end, id);
    if (plan.cost.transfer.bytes) begin_transfer(id, now, extra);
}

void Engine::land(std::uint32_t id, Cycle now) {
    Record& record = records_[id];
    const Touch by = touch_of(record, now);
    caused_by(by);
    if (record.explanation >= 0) trace_elements(record);
    if (options_.on_write) watch_work(record.plan());
    const bool done = options_.reference && !record.by_plan && land_by_reference(record);
    Signals signals = options_.reference ? write_effects(*record.resolved, plan::When::issue, by) : Signals{0};
    signals |= write_effects(*record.resolved, plan::When::start, by);
    if (signals) {
        for (const auto& effect : record.plan().effects) {
            if (effect.when != plan::When::start) continue;
            if (state::cells::semaphore_value_block.contains(effect.cell))
                order_.semaphore_changed(record.plan().thread,
                                         state::index(effect.cell) - state::cells::semaphore_value_block.first);
            if (state::cells::stream_register_block.contains(effect.cell))
                order_.told(record.plan().thread, stream_registers_word);
            if (!state::cells::mutex_block.contains(effect.cell)) continue;
            const unsigned mutex = state::index(effect.cell) - state::cells::mutex_block.first;
            order_.mutex_released(record.plan().thread, mutex);
            mutex_released(record.plan().thread, mutex, now);
        }
    }
    if (!done) plan::run_work(record.plan(), state_);
    if (options_.on_write) {
        if (options_.reference) wrote_effects(record.plan(), plan::When::issue);
        wrote_effects(record.plan(), plan::When::start);
        wrote_work();
        if (!written_.empty()) tell_written(record);
    }
    if (record.plan().pipes & bit(plan::Pipe::vector)) remember_scheduled(record);
    raise(signals & static_cast<Signals>(~static_cast<Signals>(Signal::mutex)), now);
}

void Engine::end(std::uint32_t id, Cycle now) {
    Record& record = records_[id];
    const auto& plan = record.plan();
    const Touch by = touch_of(record, now);
    caused_by(by);
    for_each_hand_over(*record.resolved, [&](unsigned i) {
        order_.give_bank(record.ticket, state::Src(i / 2), i % 2);
        --hand_overs_[i];
    });
    const Signals signals = write_effects(*record.resolved, plan::When::end, by);
    if (options_.on_write) {
        wrote_effects(plan, plan::When::end);
        if (!written_.empty()) tell_written(record);
    }
    busy_changes(plan.pipes, -1, now);
    for_each_pipe(plan.pipes, [&](unsigned p) { --activity_.in_pipe[p][plan.thread]; });
    if (!record.by_core) --threads_[plan.thread].in_flight;
    if (plan.cost.lands_at_end && plan.pipes & bit(plan::Pipe::scalar)) --activity_.scalar_requests[plan.thread];
    last_event_ = std::max(last_event_, now);
    if (options_.on_event) {
        tessera::Event event;
        event.thread = plan.thread;
        event.index = op_number(record.index);
        tell_core(record.index, event.core, event.pc);
        event.position = record.position;
        event.number = record.number;
        event.command = record.by_core;
        event.word = plan.instruction.word;
        event.instruction =
            record.by_core ? std::string("mover command") : disassemble(plan.instruction.word, plan.instruction.arch);
        for_each_pipe(plan.pipes, [&](unsigned p) {
            if (!event.unit.empty()) event.unit += ", ";
            event.unit += name(plan::Pipe(p));
        });
        event.pushed = record.pushed;
        event.gate = record.gate;
        event.ready = std::min(record.ready, record.start);
        event.occupancy = plan.cost.occupancy;
        event.latency = plan.cost.latency;
        list_accesses(plan, event);
        event.issue = record.issue;
        event.start = record.start;
        event.land = record.land;
        event.end = now;
        options_.on_event(event);
    }
    const Changed changed{plan.pipes, record.by_core ? no_thread : unsigned{plan.thread}};
    record.used = record.by_core = false;
    free_records_.push_back(id);
    raise(signals | Signal::unit, now, changed);
}

void Engine::tell_conflict(const Record& record, const Conflict& c) {
    const bool l1 = c.storage == plan::Storage::l1, dst = c.storage == plan::Storage::dst;
    if (c.core >= 0) {
        const auto core = static_cast<unsigned>(c.core);
        const findings::Note told{l1 ? findings::id("hazard.l1-core") : findings::id("hazard.dst-core"),
                                  {c.first, c.last, c.core_pc}};
        const std::uint32_t word = record.plan().instruction.word;
        const auto by = [&](std::uint32_t) { return op_text(static_cast<std::uint32_t>(KernelOp{0, core, c.core_pc}.index())); };
        if (log_.add(
                told, record.plan().thread, word,
                [&] { return where(record.plan().thread, record.index, word, now_, record.position); }, by))
            stopped_ = true;
        return;
    }
    const std::uint32_t index = static_cast<std::uint32_t>(c.other_index);
    const findings::Note told =
        l1 || dst ? findings::Note{l1 ? findings::id("hazard.l1") : findings::id("hazard.dst"),
                                   {c.first, c.last, c.other_thread, index}}
                  : findings::Note{findings::id("hazard.src"),
                                   {c.first, c.other_thread, index},
                                   c.storage == plan::Storage::src_a ? "SrcA" : "SrcB"};
    note_pair(told, record.plan(), record.index, record.position, {c.other_thread, c.other_pipe, c.other_index});
}

// Accesses to source banks, Dst and L1 against what came before, and whether anything read was ever written.
void Engine::check_accesses(Record& record) {
    if (!record.resolved->has_work) return;
    constexpr auto unwritten = findings::id("state.read-before-write");
    const bool look_for_unwritten = reset_ == Reset::silicon && log_.level(unwritten) != Level::off;
    if (costs_.completes_at_issue && !look_for_unwritten) return;

    const auto& accesses = record.resolved->accesses;
    auto tell = [&](const findings::Note& what) {
        note(what, record.plan().thread, record.index, record.plan().instruction.word, record.position);
    };

    // What waits for L1 is meant to meet the write that it waits for.
    if (!costs_.completes_at_issue && !record.plan().waits_in_unit) {
        std::vector<Conflict> conflicts;
        const bool atomic = std::holds_alternative<plan::IncrementWork>(record.plan().work);
        order_.check_accesses(record.ticket, record.resolved->ordered, record.resolved->exact, atomic, conflicts);
        for (const auto& c : conflicts) tell_conflict(record, c);
        if (record.plan().pipes & bit(plan::Pipe::scalar)) order_.flags(record.ticket, accesses);
    }
    if (!look_for_unwritten) return;
    for (const auto& access : accesses) {
        if (access.write) continue;
        using plan::Storage;
        constexpr std::uint32_t bank_datums = state::SrcBank::rows * state::columns;
        if (access.storage == Storage::l1) {
            if (!state_.l1.all_written(access.first, access.count)) tell({unwritten, {access.first}, "L1"});
        } else if (access.storage == Storage::src_a || access.storage == Storage::src_b) {
            const bool a = access.storage == Storage::src_a;
            const auto& bank = state_.bank(a ? state::Src::a : state::Src::b, access.first / bank_datums);
            const unsigned first = access.first % bank_datums / state::columns;
            const unsigned last = (access.first + access.count - 1) % bank_datums / state::columns;
            for (unsigned row = first; row <= last; ++row)
                if (!(bank.written >> row & 1)) return tell({unwritten, {row}, a ? "SrcA" : "SrcB"});
        } else if (access.storage == Storage::dst) {
            for (unsigned row = access.first / state::columns;
                 row <= (access.first + access.count - 1) / state::columns; ++row)
                if (!state_.dst.written[row]) return tell({unwritten, {row}, "Dst"});
        }
    }
}

}  // namespace tessera::engine
