// SPDX-License-Identifier: Apache-2.0
#include "gdb/job_watcher.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tessera::gdb {

namespace {

constexpr unsigned steps_between_looks = 1 << 14;

bool overlaps(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
    return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

std::optional<JobTarget::Hit> JobTarget::Watcher::breakpoint(unsigned core) {
    const std::uint64_t executed = view().executed(core);
    if (asked_[core] == executed || !(reports_ >> core & 1)) return {};
    asked_[core] = executed;
    return target_.meets_breakpoint(core);
}

bool JobTarget::Watcher::concerns(const Points::Watch& watch, unsigned core, const riscv::MemoryOperand& operand) const {
    if (!(reports_ >> watch.core & 1)) return false;
    if (!overlaps(watch.point.address, watch.point.bytes, operand.address, operand.bytes)) return false;
    // Others have memories of their own at the same address.
    const bool shared = target_.timeline_.view().state().l1.contains(watch.point.address, 1);
    if (core != watch.core && !shared) return false;
    if (watch.point.kind == PointKind::access) return true;
    return watch.point.kind == PointKind::read ? operand.loads : operand.stores;
}

std::optional<JobTarget::Hit> JobTarget::Watcher::watchpoint(unsigned core) const {
    const auto& watches = target_.points_.watches();
    if (watches.empty()) return {};
    const state::State& state = view().state();
    const std::uint32_t pc = state.riscv[core].pc;
    const auto code = target_.memory(core, pc);
    std::uint32_t word = 0;
    if (code.size() < sizeof word) return {};
    std::memcpy(&word, code.data(), sizeof word);
    const auto operand = riscv::memory_operand(riscv::decode(state.arch().arch, word), state.riscv[core]);
    if (operand.bytes == 0) return {};
    const auto met = std::find_if(watches.begin(), watches.end(), [&](const auto& one) { return concerns(one, core, operand); });
    if (met == watches.end()) return {};
    Hit hit;
    hit.stopped.core = met->core;
    hit.by = core;
    hit.stopped.why = met->point.kind == PointKind::write  ? Stopped::Why::write_watch
                      : met->point.kind == PointKind::read ? Stopped::Why::read_watch
                                                           : Stopped::Why::access_watch;
    hit.stopped.address = std::max(operand.address, met->point.address);
    hit.executed = view().executed(core);
    hit.pc = pc;
    hit.cycle = view().execution().cycle();
    return hit;
}

std::optional<JobTarget::Hit> JobTarget::Watcher::take_touched() {
    const std::optional<Hit> touched = std::exchange(touched_, {});
    // Otherwise the instruction has to wait, and meets it again.
    return touched && view().executed(*touched->by) != touched->executed ? touched : std::nullopt;
}

bool JobTarget::Watcher::is_interrupted() {
    if (++steps_ % steps_between_looks != 0) return false;
    was_interrupted_ = interrupted_ && interrupted_();
    return was_interrupted_;
}

JobTarget::Forwards::Forwards(JobTarget& target, const Resume& how, const Interrupted& interrupted)
    : Watcher(target, interrupted), how_(how), begin_(target.timeline_.view().executed()) {
    for (unsigned core = 0; core < how.cores.size(); ++core)
        if (how.cores[core].action == Resume::Action::none) reports_ &= ~(1u << core);
    for (unsigned core = 0; core < how.cores.size(); ++core)
        if (how.cores[core].action == Resume::Action::step || how.cores[core].action == Resume::Action::range) steppers_.push_back(core);
}

Timeline::Answer JobTarget::Forwards::before(unsigned core) {
    hit_ = breakpoint(core);
    if (hit_) return Timeline::Answer::stops;
    const auto watched = watchpoint(core);
    if (watched && !watched->is_told_afterwards()) {
        hit_ = watched;
        return Timeline::Answer::stops;
    }
    touches(watched);
    return Timeline::Answer::executes;
}

bool JobTarget::Forwards::has_stepped(unsigned core) {
    const std::uint64_t executed = view().executed(core);
    const state::Riscv& riscv = view().state().riscv[core];
    if (executed == begin_[core]) return false;
    begin_[core] = executed;
    const Resume::OfCore& how = how_.cores[core];
    return how.action == Resume::Action::step || riscv.pc < how.first || riscv.pc >= how.end;
}

bool JobTarget::Forwards::has_accessed() {
    hit_ = take_touched();
    return hit_.has_value();
}

bool JobTarget::Forwards::after() {
    if (has_accessed()) return true;
    for (const unsigned core : steppers_)
        if (has_stepped(core)) {
            hit_.emplace();
            hit_->stopped.why = Stopped::Why::step;
            hit_->stopped.core = core;
            return true;
        }
    return is_interrupted();
}

Timeline::Answer JobTarget::Backwards::before(unsigned core) {
    if (const auto hit = breakpoint(core)) last_ = hit;
    touches(watchpoint(core));
    return Timeline::Answer::executes;
}

bool JobTarget::Backwards::notes_access() {
    auto touched = take_touched();
    if (!touched) return false;
    touched->before = before_step_;
    touched->position = target_.timeline_.here();
    last_ = std::move(touched);
    return true;
}

bool JobTarget::Backwards::after() {
    notes_access();
    before_step_ = target_.timeline_.here();
    is_there_ = until_ && before_step_ == *until_;
    return is_there_ || is_interrupted();
}

}  // namespace tessera::gdb
