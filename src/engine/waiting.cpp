// SPDX-License-Identifier: Apache-2.0
// Instructions that wait inside their unit: ATCAS and ATINCGETPTR for L1, FLUSHDMA for units, STOREIND for a source bank. They
// hold the scalar unit for all threads. Hardware tries again every few cycles; here it is tried when something has changed,
// at the cycle in which hardware would.
#include <fmt/format.h>

#include "engine/engine.hpp"
#include "tessera/assembly.hpp"

namespace tessera::engine {

bool Engine::goes_on(const plan::Plan& plan) const {
    return banks_ready(plan, true) && frontend::over(state_, work_.activity(), plan.thread, plan.conditions) &&
           plan::work_is_ready(plan, state_);
}

void Engine::attempt(std::uint32_t id, Cycle now) {
    Record& record = records_[id];
    if (!goes_on(record.plan())) {
        held_ = Held{id, now};
        watch_unseen_ends();
        if (options_.on_wait && record.blocked_since == never) {
            record.blocked_since = now;
            held_wait_ = held_wait();
        }
        return;
    }
    if (record.blocked_since != never) tell_unit_wait(record, held_wait_, record.blocked_since, now, held_by_);
    held_.reset();
    --waiting_in_units_;
    pipes_.release(record.plan().pipes, now);
    threads_[record.plan().thread].hold_until = now;
    record.times.land = record.times.end = now;
    if (record.plan().conditions) checker_.waited(record.plan().thread, record.plan().conditions);
    for (const auto& need : record.plan().banks) order_.take_bank(record.ticket, need.src, need.bank);
    if (checker_.looks_on() && record.plan().pipes & bit(plan::Pipe::scalar))
        order_.flags(record.ticket, record.resolved->accesses);
    land(id, now);
    end(id, now);
}

void Engine::try_held() {
    if (!held_ || held_->scheduled || stopped_) return;
    const plan::Plan& plan = records_[held_->record].plan();
    if (!goes_on(plan)) return;
    Cycle time = now_;
    if (const Cycle period = plan.cost.retry) {
        const Cycle attempts = std::max<Cycle>((now_ - held_->tried + period - 1) / period, 1);
        time = held_->tried + attempts * period;
    }
    held_->scheduled = true;
    held_by_ = cause_;
    clock_.schedule(time, Event::Kind::land, held_->record);
}

Blocked Engine::held() const {
    const Record& record = records_[held_->record];
    Blocked b;
    b.who = fmt::format("{} (T{})", name(plan::Pipe(queue_of(record.plan().pipes))), record.plan().thread);
    b.since = record.times.start;
    b.instruction = disassemble_named(record.plan().instruction.word, state_.arch().arch);
    b.place = place_of(record.plan().thread, record.index);
    b.waits_for = plan::missing(record.plan(), state_);
    if (b.waits_for.empty())
        b.waits_for = frontend::unmet(state_, work_.activity(), record.plan().thread, record.plan().conditions);
    for (const auto& need : record.plan().banks) {
        if (bank_ready(need)) continue;
        b.waits_for = fmt::format("Src{} bank {} to be handed to the unpackers", need.src == state::Src::a ? 'A' : 'B',
                                  need.bank);
        b.holder = "matrix unit";
        b.last_touched = describe(touches_.banks[static_cast<unsigned>(need.src) * 2 + need.bank]);
    }
    if (b.waits_for.empty()) b.waits_for = "nothing";
    return b;
}

}  // namespace tessera::engine
