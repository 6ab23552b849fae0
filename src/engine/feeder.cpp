// SPDX-License-Identifier: Apache-2.0
// A thread's RISC-V core: it runs ahead of its thread until the FIFO is full; its stores act at their own time.
#include "engine/engine.hpp"
#include "engine/op_index.hpp"
#include "frontend/auto_sync.hpp"
#include "state/config_store.hpp"

namespace tessera::engine {

namespace {

constexpr Cycle most_core_delay = 24;  // under a seed: a core can lose time to caches and the others at any op

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
    const auto wait_for_instructions = [&] { park(t, {Wait::Kind::own_instructions}, Signal::unit | Signal::popped); };
    switch (op.kind) {
        case Op::Kind::ins:
            if (!push(t, {&op.value, 1}, index, false, now_))
                return park(t, {Wait::Kind::fifo_full}, static_cast<Signals>(Signal::popped));
            break;
        case Op::Kind::cfg: {
            const auto& arch = state_.arch();
            const unsigned bank = op.index / arch.config_words, addr32 = op.index % arch.config_words;
            const auto cell = state::cells::config(arch, bank, addr32);
            const state::Resources resources = frontend::auto_sync::config_word(state_, t, bank, addr32);
            if (!in_order(t, resources, true)) return wait_for_instructions();
            check_config_store(t, cell, op.value, index);
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
            if (!thread_idle(t)) return park(t, {Wait::Kind::drain}, Signal::unit | Signal::popped);
            drained(t);
            break;
        case Op::Kind::sem_post:
        case Op::Kind::sem_get:
            store(t,
                  {state::cells::semaphore_value(op.index),
                   op.kind == Op::Kind::sem_post ? plan::CellOp::post : plan::CellOp::get, 0, t, index, false},
                  now_, cost.semaphore_latency);
            break;
        case Op::Kind::sem_wait: {
            const std::uint32_t value = state_[state::cells::semaphore_value(op.index)];
            const std::uint32_t max = state_[state::cells::semaphore_max(op.index)];
            if (op.value == Op::until_nonzero ? value == 0 : value >= max)
                return park(
                    t,
                    {Wait::Kind::semaphore, static_cast<std::uint8_t>(op.index), static_cast<std::uint8_t>(op.value)},
                    static_cast<Signals>(Signal::semaphore));
            order_.core_saw_semaphore(core_of_thread(t), op.index);
            break;
        }
    }
    ++thread.next_op;
    acted(t, now_ + cost.op_cycles + (random_delay(7) == 7 ? random_delay(most_core_delay) : 0));
}

// All words or none.
bool Engine::push(unsigned t, std::span<const std::uint32_t> words, std::int64_t index, bool expanded, Cycle now) {
    auto& thread = threads_[t];
    if (thread.fifo.size() + words.size() > costs_.thread.fifo_words[t]) return false;
    for (const std::uint32_t word : words) {
        state::Uses uses;
        if (!expanded) {
            const isa::Instruction instruction = isa::decode(word, state_.arch().arch);
            uses = track_push(t, instruction, index);
            if (instruction.is(isa::mnemonic("MOP"))) {
                thread.last_mop = index;
                thread.last_mop_word = word;
                order_.mop_pushed(t);
            }
        }
        thread.fifo.push_back({word, index, now + costs_.thread.push_latency, -1, expanded, now, uses});
        order_.core_pushes(cores_ ? KernelOp::of(index).core : core_of_thread(t), t, index);
        index += KernelOp::next_word;
    }
    l1_shared_ = true;
    caused_by({true, static_cast<int>(t), thread.fifo.back().index, now});
    raise(static_cast<Signals>(Signal::pushed), now);
    return true;
}

bool Engine::thread_idle(unsigned t) const {
    return threads_[t].fifo.empty() && expanders_idle(t) && !threads_[t].in_flight;
}

// A core knows that all that its thread was given is done.
void Engine::drained(unsigned t) {
    order_.drained(core_of_thread(t), t);
    forget_late_writes(t, plan::Pipe::scalar);
    forget_late_writes(t, plan::Pipe::mover);
}

// A MOP of before that may not have been expanded yet is a hazard. Where instructions complete when they are issued, it
// has been expanded when it was pushed: the store then keeps its place behind it.
void Engine::store_mop(unsigned t, unsigned item, std::uint32_t value, std::int64_t index, Cycle now) {
    auto& thread = threads_[t];
    const auto cell = state::cells::mop(t, item);
    if (costs_.completes_at_issue) {
        if (thread.fifo.empty() && expanders_idle(t)) {
            state_.write(cell, value);
            if (options_.on_write) tell_store(t, index, cell);
            return;
        }
        thread.fifo.push_back({value, index, now, static_cast<int>(item), false, now});
        caused_by({true, static_cast<int>(t), index, now});
        return raise(static_cast<Signals>(Signal::pushed), now);
    }
    if (state_[cell] != value && !order_.mops_known_expanded(t))
        note({findings::id("hazard.mop-overtaken"), {item, static_cast<std::uint32_t>(index)}}, t, thread.last_mop,
             thread.last_mop_word);
    if (stopped_) return;
    state_.write(cell, value);
    if (options_.on_write) tell_store(t, index, cell);
}

void Engine::store(unsigned t, const Store& what, Cycle now, Cycle latency) {
    if (what.counts) {
        check_stored_config(what);
        order_.core_stores(t, what.cell, what.index, state_[what.cell] ^ what.value, what.resources);
    }
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
    if (what.counts) ++activity_.pending_stores[t];
    if (latency == 0)
        land_store(id, now);
    else
        clock_.schedule(now + latency, Event::Kind::land_store, id);
}

void Engine::land_store(std::uint32_t id, Cycle now) {
    const Store what = stores_[id];
    free_stores_.push_back(id);
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
    touch(what.cell, by);
    if (options_.on_write) tell_store(what.thread, what.index, what.cell);
    Signals signals = signals_of(what.cell);
    if (what.counts) --activity_.pending_stores[what.thread];
    if (what.resources)
        std::erase_if(threads_[what.thread].tracked_stores,
                      [&](const Tracked& store) { return store.index == what.index; });
    if (what.core >= 0) --core_stores_[static_cast<unsigned>(what.core)];
    if (what.counts || what.core >= 0) signals = signals | Signal::store;
    if (state::cells::semaphore_value_block.contains(what.cell))
        order_.core_changes_semaphore(what.core >= 0 ? static_cast<unsigned>(what.core) : core_of_thread(what.thread),
                                      state::index(what.cell) - state::cells::semaphore_value_block.first);
    raise(signals, now);
}

}  // namespace tessera::engine
