// SPDX-License-Identifier: Apache-2.0
// A thread's RISC-V core: it runs ahead of its thread until the FIFO is full; its stores act at their own time.
#include <algorithm>

#include "diagnostics/op_index.hpp"
#include "engine/engine.hpp"
#include "engine/run_recorder.hpp"
#include "frontend/auto_sync.hpp"
#include "state/config_store.hpp"

namespace tessera::engine {

namespace {

constexpr Signals no_signal = 0;       // Engine::refill() wakes who waits for room
constexpr Cycle most_core_delay = 24;  // under a seed: a core can lose time to caches and the others at any op

// Opcodes of instructions that are more to their core than a word that it pushes.
consteval std::array<bool, 256> noticed_opcodes(Arch arch) {
    std::array<bool, 256> noticed{};
    for (const isa::InstructionSpec& spec : isa::table) {
        const isa::Mnemonic mnemonic = isa::mnemonic(spec.name);
        if (isa::includes(spec.archs, arch) &&
            (mnemonic == isa::mnemonic("MOP") || mnemonic == isa::mnemonic("RESOURCEDECL")))
            noticed[spec.opcode] = true;
    }
    return noticed;
}
constexpr std::array noticed_when_pushed{noticed_opcodes(Arch::blackhole), noticed_opcodes(Arch::wormhole)};

// An op that does nothing but put a word into the FIFO.
bool only_pushed(const Op& op, Arch arch) {
    return op.kind == Op::Kind::ins && !noticed_when_pushed[static_cast<unsigned>(arch)][op.value >> 24];
}

}  // namespace

void Engine::act_core(unsigned t) {
    auto& thread = threads_[t];
    const auto& ops = program_->threads[t];
    if (thread.next_op >= ops.size()) {
        finish(t);
        raise(static_cast<Signals>(Signal::pushed), now_);
        return;
    }
    const Op& op = ops[thread.next_op];
    const auto index = static_cast<std::int64_t>(thread.next_op);
    const auto& cost = costs_.thread;
    const auto wait_for_instructions = [&] { park(t, {Wait::Kind::own_instructions}, Signal::unit | Signal::issued); };
    switch (op.kind) {
        case Op::Kind::ins:
            if (feeds_ahead(t) && only_pushed(op, state_.arch().arch)) return feed(t, now_);
            if (!push(t, {&op.value, 1}, index, false, now_)) return park(t, {Wait::Kind::fifo_full}, no_signal);
            break;
        case Op::Kind::cfg: {
            const auto& arch = state_.arch();
            const unsigned bank = op.index / arch.config_words, addr32 = op.index % arch.config_words;
            const auto cell = state::cells::config(arch, bank, addr32);
            const state::Resources resources = frontend::auto_sync::config_word(state_, t, bank, addr32);
            if (!in_order(t, resources, true)) return wait_for_instructions();
            checker_.check_fields(t, cell, op.value, index, now_);
            if (stopped_) return;
            store(t, {cell, plan::CellOp::set, op.value, t, index, true, -1, resources}, now_,
                  cost.config_store_latency);
            break;
        }
        case Op::Kind::gpr: {
            const state::Resources resources = frontend::auto_sync::gprs(state_, t);
            if (!in_order(t, resources, true)) return wait_for_instructions();
            store(t, {state::cells::gpr(t, op.index), plan::CellOp::set, op.value, t, index, true, -1, resources}, now_,
                  cost.config_store_latency);
            break;
        }
        case Op::Kind::mop:
            store_mop(t, op.index, op.value, index, now_);
            if (stopped_) return;
            break;
        case Op::Kind::drain:
            if (!thread_idle(t)) return park(t, {Wait::Kind::drain}, Signal::unit | Signal::issued);
            checker_.drained(t);
            break;
        case Op::Kind::sem_post:
        case Op::Kind::sem_get:
            store(t,
                  {state::cells::semaphore_value(op.index),
                   op.kind == Op::Kind::sem_post ? plan::CellOp::post : plan::CellOp::get, 0, t, index, false},
                  now_, cost.semaphore_latency);
            break;
        case Op::Kind::sem_wait: {
            if (op.value == Op::until_nonzero) touches_.awaited |= static_cast<std::uint8_t>(1u << op.index);
            const std::uint32_t value = state_[state::cells::semaphore_value(op.index)];
            const std::uint32_t max = state_[state::cells::semaphore_max(op.index)];
            if (op.value == Op::until_nonzero ? value == 0 : value >= max)
                return park(
                    t,
                    {Wait::Kind::semaphore, static_cast<std::uint8_t>(op.index), static_cast<std::uint8_t>(op.value)},
                    static_cast<Signals>(Signal::semaphore));
            order_.core_saw_semaphore(hazards::core_of_thread(t), op.index);
            break;
        }
    }
    ++thread.next_op;
    acted(t, now_ + cost.op_cycles + (delays_.up_to(7) == 7 ? delays_.up_to(most_core_delay) : 0));
}

// All words or none.
bool Engine::push(unsigned t, std::span<const std::uint32_t> words, std::int64_t index, bool expanded, Cycle now) {
    auto& thread = threads_[t];
    if (thread.front.fifo.size() + words.size() > costs_.thread.fifo_words[t]) return false;
    for (const std::uint32_t word : words) {
        state::Uses uses;
        const isa::Instruction instruction = isa::decode(word, state_.arch().arch);
        if (!expanded) {
            uses = track_push(t, instruction, index);
            if (instruction.is(isa::mnemonic("MOP"))) {
                thread.last_mop = index;
                thread.last_mop_word = word;
                order_.mop_pushed(t);
            }
        }
        thread.front.fifo.push_back({word, -1, expanded, uses, index, now, now + costs_.thread.push_latency});
        order_.core_pushes(cores_ ? diagnostics::KernelOp::of(index).core : hazards::core_of_thread(t), t, index);
        index += diagnostics::KernelOp::next_word;
    }
    l1_shared_ = true;
    caused_by({true, static_cast<int>(t), thread.front.fifo.back().index, now});
    raise(static_cast<Signals>(Signal::pushed), now, {.fifo = static_cast<std::uint8_t>(t)});
    return true;
}

// Whether pushing words is nobody's concern but the thread's, so that the core can do it before its time, or behind it.
bool Engine::feeds_ahead(unsigned t) const {
    return program_ && !options_.seed && !options_.on_wait && !frontend::auto_sync::tracks(state_, t);
}

// From next_op on, the first op that does more than put a word into the FIFO, or one that is beyond two of them.
std::size_t Engine::plain_end(unsigned t) {
    Thread& thread = threads_[t];
    const auto& ops = program_->threads[t];
    const Arch arch = state_.arch().arch;
    const std::size_t known = std::max(thread.plain_end, thread.next_op);
    const std::size_t most = std::min(ops.size(), thread.next_op + 2u * costs_.thread.fifo_words[t]);
    if (known >= most) return thread.plain_end = known;
    const Op* const end =
        std::find_if_not(&ops[known], ops.data() + most, [=](const Op& op) { return only_pushed(op, arch); });
    return thread.plain_end = static_cast<std::size_t>(end - ops.data());
}

// The core comes to its next op at `from`, pushes it once there is room, and so on until there is none. Only its front end takes
// words out of the FIFO, so that what has room now has room later.
void Engine::feed(unsigned t, Cycle from) {
    Thread& thread = threads_[t];
    const auto& ops = program_->threads[t];
    const auto& cost = costs_.thread;
    const std::size_t capacity = cost.fifo_words[t], end = plain_end(t), first = thread.next_op;
    const bool was_empty = thread.front.fifo.empty();
    if (first < end && thread.front.fifo.size() < capacity) {
        // What the core knows is the same for all of them.
        order_.core_pushes(hazards::core_of_thread(t), t, static_cast<std::int64_t>(first));
        const std::size_t count = std::min(end - first, capacity - thread.front.fifo.size());
        const Cycle latency = cost.push_latency, step = cost.op_cycles;
        // Whose room it takes; of the first words, nobody's, which is cycle 0.
        std::uint64_t popped = thread.front.fifo.taken() + thread.front.fifo.size() - capacity;
        auto next = static_cast<std::int64_t>(first);
        const Op* op = &ops[first];
        thread.front.fifo.add(count, [&](FifoEntry& entry) {
            from = std::max(from, thread.front.fifo.taken_at(popped++));
            entry = {op++->value, -1, false, {}, next++, from, from + latency};
            from += step;
        });
        thread.next_op += count;
    }
    l1_shared_ = true;
    const unsigned front_end = state::threads + t;
    if (was_empty && !thread.front.fifo.empty() && actors_[front_end].parked &&
        actors_[front_end].wait.kind == Wait::Kind::fifo_empty)
        wake(front_end, thread.front.fifo.front().pushed);
    acted(t, from);
    if (thread.next_op == end) return;
    Actor& actor = actors_[t];
    actor.wait = {Wait::Kind::fifo_full};
    actor.parked = true;
    actor.wakes = no_signal;
    actor.not_before = from;
    due_[t] = never;
}

bool Engine::fills_fifo(unsigned t) const {
    return actors_[t].parked && actors_[t].wait.kind == Wait::Kind::fifo_full && program_;
}

bool Engine::waits_for_room(unsigned t) const {
    return fills_fifo(t) && threads_[t].front.fifo.size() < costs_.thread.fifo_words[t];
}

// Something may have been taken out of the FIFO. While there is much in it, and the core will do nothing but push for as long, words
// are pushed later, at the same cycles.
void Engine::refill(unsigned t) {
    if (!waits_for_room(t)) return;
    const Thread& thread = threads_[t];
    const std::size_t capacity = costs_.thread.fifo_words[t];
    if (2 * thread.front.fifo.size() > capacity && thread.next_op + capacity <= thread.plain_end) return;
    if (!feeds_ahead(t)) return wake(t, now_);
    actors_[t].parked = false;
    feed(t, actors_[t].not_before);
}

// Pushes what refill() has put off. Whether there was anything.
bool Engine::catch_up(unsigned t) {
    if (!waits_for_room(t) || threads_[t].next_op >= threads_[t].plain_end) return false;
    actors_[t].parked = false;
    feed(t, actors_[t].not_before);
    return true;
}

// Whether the core has come to pushing the last word in the FIFO. Within a cycle actors act by their numbers, but for who is woken in it.
bool Engine::is_pushed(unsigned t) const {
    const Thread& thread = threads_[t];
    const Cycle time = thread.front.fifo.back().pushed;
    if (time != now_) return time < now_;
    const bool acted = acted_at_ == now_ && t <= acted_;
    if (actor_ != state::threads + t || !thread.plain_end) return acted;
    const std::uint64_t number = thread.front.fifo.taken() + thread.front.fifo.size() - 1,
                        capacity = costs_.thread.fifo_words[t];
    return number < capacity || thread.front.fifo.taken_at(number - capacity) != now_;
}

// The FIFO becomes what it is now: what the core would only push later it does push later.
void Engine::take_back(unsigned t) {
    Thread& thread = threads_[t];
    Actor& actor = actors_[t];
    catch_up(t);
    const auto acts_at = [&](Cycle time) {
        actor.parked = false;
        actor.wait = {};
        due_[t] = actor.since = time;
    };
    if (!program_) return;
    if (fills_fifo(t) && actor.not_before > now_) acts_at(actor.not_before);
    for (; !thread.front.fifo.empty() && !is_pushed(t); thread.front.fifo.pop_back()) {
        --thread.next_op;
        acts_at(thread.front.fifo.back().pushed);
    }
}

bool Engine::thread_idle(unsigned t) const {
    const Thread& thread = threads_[t];
    return thread.front.fifo.empty() && threads_[t].front.idle(state_) && work_.idle(t, now_);
}

// A MOP of before that may not have been expanded yet is a hazard. Where instructions complete when they are issued, it
// has been expanded when it was pushed: the store then keeps its place behind it.
void Engine::store_mop(unsigned t, unsigned item, std::uint32_t value, std::int64_t index, Cycle now) {
    auto& thread = threads_[t];
    const auto cell = state::cells::mop(t, item);
    if (costs_.completes_at_issue) {
        if (thread.front.fifo.empty() && threads_[t].front.idle(state_)) {
            state_.write(cell, value);
            thread.front.mop_register_stored(item);
            if (options_.on_write) tell_store(t, index, cell);
            return;
        }
        thread.front.fifo.push_back({value, static_cast<std::int16_t>(item), false, {}, index, now, now});
        caused_by({true, static_cast<int>(t), index, now});
        return raise(static_cast<Signals>(Signal::pushed), now, {.fifo = static_cast<std::uint8_t>(t)});
    }
    if (state_[cell] != value && !order_.mops_known_expanded(t))
        note({findings::id("hazard.mop-overtaken"), {item, static_cast<std::uint32_t>(index)}}, t, thread.last_mop,
             thread.last_mop_word);
    if (stopped_) return;
    state_.write(cell, value);
    thread.front.mop_register_stored(item);
    if (options_.on_write) tell_store(t, index, cell);
}

void Engine::store(unsigned t, const Store& what, Cycle now, Cycle latency) {
    if (what.counts) checker_.stores({t, what.cell, what.value, what.index, what.resources, now});
    if (what.resources) threads_[t].tracked_stores.push_back({what.index, {.writes = what.resources}});
    std::uint32_t id;
    if (free_stores_.empty()) {
        id = static_cast<std::uint32_t>(stores_.size());
        stores_.push_back(what);
    } else {
        id = free_stores_.back();
        free_stores_.pop_back();
        stores_[id] = what;
    }
    if (what.counts) work_.store_emitted(t);
    if (latency == 0)
        land_store(id, now);
    else
        clock_.schedule(now + latency, Event::Kind::land_store, id);
}

void Engine::land_store(std::uint32_t id, Cycle now) {
    const Store what = stores_[id];
    free_stores_.push_back(id);
    if (recorder_) recorder_->stored(what.cell);
    if (state::cells::config_block.contains(what.cell)) {
        const unsigned word = state::index(what.cell) - state::cells::config_block.first;
        state::store_config(state_, word / state::cells::max_config_words, word % state::cells::max_config_words,
                            what.value);
    } else {
        const plan::CellEffect effect{what.cell, what.op, plan::When::start, what.value};
        state_.write(what.cell, effect.result(state_[what.cell]));
    }
    const Touch by{true, what.thread == no_thread ? -1 : static_cast<int>(what.thread), what.index, now};
    caused_by(by);
    touches_.changed(what.cell, by, what.op);
    if (options_.on_write) tell_store(what.thread, what.index, what.cell);
    Signals signals = signals_of(what.cell);
    if (what.counts) work_.store_processed(what.thread);
    if (what.resources)
        std::erase_if(threads_[what.thread].tracked_stores,
                      [&](const Tracked& store) { return store.index == what.index; });
    if (what.core >= 0) --core_stores_[static_cast<unsigned>(what.core)];
    if (what.counts || what.core >= 0) signals = signals | Signal::store;
    if (state::cells::semaphore_value_block.contains(what.cell))
        order_.core_changes_semaphore(
            what.core >= 0 ? static_cast<unsigned>(what.core) : hazards::core_of_thread(what.thread),
            state::index(what.cell) - state::cells::semaphore_value_block.first);
    raise(signals, now);
}

}  // namespace tessera::engine
