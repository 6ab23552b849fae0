// SPDX-License-Identifier: Apache-2.0
#include "engine/execution/held_instruction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tessera/assembly.hpp"

namespace tessera::engine {

bool HeldInstruction::has_all(const plan::Plan& plan) const {
    return banks_.ready(plan) && frontend::over(state_, work_.activity(), plan.thread, plan.conditions) &&
           plan::work_is_ready(plan, state_);
}

bool HeldInstruction::try_resume(std::uint32_t id, Cycle now) {
    Record& record = records_[id];
    if (!has_all(record.plan())) {
        held_ = Held{id, now};
        scheduler_.watch_lazy_ends();
        if (options_.on_wait && record.blocked_since == never) {
            record.blocked_since = now;
            wait_ = reason(record.plan());
        }
        return false;
    }
    if (record.blocked_since != never) waits_.unit_waited(record, wait_, record.blocked_since, now, ended_by_, true);
    held_.reset();
    thread_ = no_thread;
    return true;
}

void HeldInstruction::look_again() {
    if (!held_ || held_->scheduled || outcome_.stopped()) return;
    const plan::Plan& plan = records_[held_->record].plan();
    if (!has_all(plan)) return;
    Cycle time = scheduler_.now();
    if (const Cycle period = plan.cost.retry) {
        const Cycle attempts = std::max<Cycle>((time - held_->tried + period - 1) / period, 1);
        time = held_->tried + attempts * period;
    }
    held_->scheduled = true;
    ended_by_ = scheduler_.cause();
    scheduler_.clock().schedule(time, Event::Kind::land, held_->record);
}

UnitWait HeldInstruction::reason(const plan::Plan& plan) const {
    UnitWait wait{Wait::Kind::condition, missing(plan)};
    if (!banks_.ready(plan))
        wait.kind = Wait::Kind::bank;
    else if (!plan::missing(plan, state_).empty())
        wait.kind = Wait::Kind::memory;
    return wait;
}

std::string HeldInstruction::missing(const plan::Plan& plan) const {
    std::string text = plan::missing(plan, state_);
    if (text.empty()) text = frontend::unmet(state_, work_.activity(), plan.thread, plan.conditions);
    for (const auto& need : plan.banks)
        if (!banks_.ready(need)) text = waits_.describe(Banks::wait(need), plan.thread);
    return text.empty() ? std::string(Blocked::nothing) : text;
}

Blocked HeldInstruction::describe(const LastCauses& last_causes) const {
    const Record& record = records_[held_->record];
    const plan::Plan& plan = record.plan();
    Blocked b = blocked_in_unit(plan, record.pipe(), record.origin.index, state_.arch().arch, places_);
    b.who += fmt::format(" (T{})", plan.thread);
    b.since = record.times.start;
    b.waits_for = missing(plan);
    for (const auto& need : plan.banks)
        if (!banks_.ready(need)) name_bank(b, need, last_causes, places_);
    return b;
}

void HeldInstruction::report_unfinished() const {
    if (!held_) return;
    const Record& record = records_[held_->record];
    waits_.unit_waited(record, wait_, record.blocked_since, scheduler_.now(), {}, false);
}

}  // namespace tessera::engine
