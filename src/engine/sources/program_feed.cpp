// SPDX-License-Identifier: Apache-2.0
#include "engine/sources/program_feed.hpp"

#include <algorithm>

#include "checks/checker.hpp"
#include "frontend/auto_sync.hpp"
#include "hazards/order.hpp"

namespace tessera::engine {

namespace {

constexpr Signals no_signal;           // ProgramFeed::refill() wakes actors that wait for room
constexpr Cycle most_core_delay = 24;  // under a seed: caches and other cores can delay a core at any op

// An op that only puts a word into the FIFO.
bool only_pushed(const Op& op) { return op.kind == Op::Kind::ins && !Fifos::notices(op.value); }

}  // namespace

void ProgramFeed::act(unsigned t) {
    std::size_t& next_op = next_[t];
    const auto& ops = program_->threads[t];
    if (next_op >= ops.size()) {
        scheduler_.finish(t);
        return scheduler_.raise(Signal::pushed);
    }
    const Op& op = ops[next_op];
    if (feeds_ahead(t) && only_pushed(op)) return feed(t, scheduler_.now());
    if (!execute(t, op, static_cast<std::int64_t>(next_op))) return;
    ++next_op;
    scheduler_.acted(
        t, scheduler_.now() + costs_.thread.op_cycles + (delays_.up_to(7) == 7 ? delays_.up_to(most_core_delay) : 0));
}

// False: the core waits, or the run has ended.
bool ProgramFeed::execute(unsigned t, const Op& op, std::int64_t index) {
    const auto wait_for = [&](const Wait& wait, Signals wakes) {
        scheduler_.park(t, wait, wakes);
        return false;
    };
    if (op.kind == Op::Kind::ins)
        return fifos_.push(t, {&op.value, 1}, index, false) || wait_for({Wait::Kind::fifo_full}, no_signal);
    if (const auto what = store_of(op, t, state_)) {
        if (!auto_sync_.may_access(t, what->resources, true))
            return wait_for({Wait::Kind::own_instructions}, Signal::unit | Signal::issued);
        return stores_.emit({what->cell, what->how, op.value, t, index, what->resources});
    }
    if (op.kind == Op::Kind::mop) {
        fifos_.store_mop(t, op.index, op.value, index);
        return !outcome_.stopped();
    }
    if (op.kind == Op::Kind::drain) {
        if (!fifos_.is_idle(t)) return wait_for({Wait::Kind::drain}, Signal::unit | Signal::issued);
        checker_.drained(t);
        return true;
    }
    if (op.value == Op::until_nonzero) effects_.last_causes().awaited |= static_cast<std::uint8_t>(1u << op.index);
    if (const auto wait = semaphore_wait(op, state_)) return wait_for(*wait, Signal::semaphore);
    order_.core_saw_semaphore(hazards::core_of_thread(t), op.index);
    return true;
}

// Whether only the thread can observe pushes, so that the core may do them early or late.
bool ProgramFeed::feeds_ahead(unsigned t) const {
    return program_ && !options_.seed && !options_.on_wait && !frontend::auto_sync::tracks(state_, t);
}

void ProgramFeed::resume() {
    for (unsigned t = 0; t < state::threads; ++t)
        if (!feeds_ahead(t)) plain_end_[t] = 0;
}

// The first op from next_op on that does more than push a word, or that lies more than two FIFOs ahead.
std::size_t ProgramFeed::plain_end(unsigned t) {
    std::size_t& next_op = next_[t];
    const auto& ops = program_->threads[t];
    const std::size_t known = std::max(plain_end_[t], next_op);
    const std::size_t most = std::min(ops.size(), next_op + 2u * fifos_.capacity(t));
    if (known >= most) return plain_end_[t] = known;
    const Op* const end = std::find_if_not(&ops[known], ops.data() + most, only_pushed);
    return plain_end_[t] = static_cast<std::size_t>(end - ops.data());
}

// The core reaches its next op at `from`, pushes it when there is room, and continues until the FIFO is full. Only its
// front end takes words out, so room that exists now exists later.
void ProgramFeed::feed(unsigned t, Cycle from) {
    std::size_t& next_op = next_[t];
    frontend::Fifo& fifo = fifos_[t];
    const auto& ops = program_->threads[t];
    const std::size_t capacity = fifos_.capacity(t), end = plain_end(t), first = next_op;
    if (first < end && fifo.size() < capacity) {
        // The core's vector clock is the same for all of them.
        order_.core_pushes(hazards::core_of_thread(t), t, static_cast<std::int64_t>(first));
        const std::size_t count = std::min(end - first, capacity - fifo.size());
        const Cycle latency = costs_.thread.push_latency, step = costs_.thread.op_cycles;
        // The word whose room it takes; the first words find an empty FIFO, from cycle 0 on.
        std::uint64_t popped = fifo.taken() + fifo.size() - capacity;
        auto next = static_cast<std::int64_t>(first);
        const Op* op = &ops[first];
        fifo.add(count, [&](frontend::FifoEntry& entry) {
            from = std::max(from, fifo.taken_at(popped++));
            entry = {op++->value, -1, false, {}, next++, from, from + latency};
            from += step;
        });
        next_op += count;
    }
    const unsigned front_end = front_end_of(t);
    if (!fifo.empty() && scheduler_.is_parked(front_end) &&
        scheduler_.actor(front_end).wait.kind == Wait::Kind::fifo_empty)
        scheduler_.wake(front_end, fifo.front().pushed);
    scheduler_.acted(t, from);
    if (next_op != end) scheduler_.await_room(t, from);
}

void ProgramFeed::fill(unsigned t) {
    const frontend::Fifo& fifo = fifos_[t];
    const std::size_t capacity = fifos_.capacity(t);
    if (2 * fifo.size() > capacity && next_[t] + capacity <= plain_end_[t]) return;
    if (!feeds_ahead(t)) return scheduler_.wake(t, scheduler_.now());
    feed(t, scheduler_.unpark(t));
}

bool ProgramFeed::catch_up(unsigned t) {
    if (!waits_for_room(t) || next_[t] >= plain_end_[t]) return false;
    feed(t, scheduler_.unpark(t));
    return true;
}

// Whether the core has reached the push of the last word in the FIFO. Within a cycle actors act in the order of their
// numbers, except those woken in it.
bool ProgramFeed::is_pushed(unsigned t, Cycle reached) const {
    const frontend::Fifo& fifo = fifos_[t];
    const Cycle time = fifo.back().pushed, now = scheduler_.now();
    if (time != now || reached > now) return time < std::max(now, reached);
    if (scheduler_.acting() != front_end_of(t) || !plain_end_[t]) return scheduler_.has_acted(t);
    const std::uint64_t number = fifo.taken() + fifo.size() - 1, capacity = fifos_.capacity(t);
    return number < capacity || fifo.taken_at(number - capacity) != now;
}

void ProgramFeed::take_back(unsigned t, Cycle reached) {
    if (!program_) return;
    catch_up(t);
    // It finds the FIFO full, or will, and is woken once that has room.
    const bool comes_later = scheduler_.actor(t).not_before > std::max(scheduler_.now(), reached);
    if (fills_fifo(t) && !waits_for_room(t) && !comes_later && is_pushed(t, reached)) return;
    if (fills_fifo(t) && scheduler_.actor(t).not_before > scheduler_.now())
        scheduler_.act_at(t, scheduler_.actor(t).not_before);
    for (frontend::Fifo& fifo = fifos_[t]; !fifo.empty() && !is_pushed(t, reached); fifo.pop_back()) {
        --next_[t];
        scheduler_.act_at(t, fifo.back().pushed);
    }
}

}  // namespace tessera::engine
