// SPDX-License-Identifier: Apache-2.0
#include "gdb/job_watcher.hpp"

#include <algorithm>
#include <cstring>

namespace tessera::gdb {

namespace {

constexpr unsigned steps_between_looks = 1 << 14;

bool overlaps(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
    return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

std::optional<JobTarget::Hit> JobTarget::Watcher::breakpoint(unsigned core) {
    const std::uint64_t executed = view().executed(core);
    if (asked_[core] == executed) return {};
    asked_[core] = executed;
    return target_.meets_breakpoint(core);
}

bool JobTarget::Watcher::concerns(const Points::Watch& watch, unsigned core, const riscv::MemoryOperand& operand) const {
    if (!overlaps(watch.point.address, watch.point.bytes, operand.address, operand.bytes)) return false;
    // Others have memories of their own at the same address.
    const bool shared = target_.timeline_.view().state().l1.contains(watch.point.address, 1);
    if (core != watch.core && !shared) return false;
    if (watch.point.kind == PointKind::access) return true;
    return watch.point.kind == PointKind::read ? operand.loads : operand.stores;
}

void JobTarget::Watcher::look_at_operand(unsigned core) {
    touched_.reset();
    const auto& watches = target_.points_.watches();
    if (watches.empty()) return;
    const state::State& state = view().state();
    const std::uint32_t pc = state.riscv[core].pc;
    const auto code = target_.memory(core, pc);
    std::uint32_t word = 0;
    if (code.size() < sizeof word) return;
    std::memcpy(&word, code.data(), sizeof word);
    const auto operand = riscv::memory_operand(riscv::decode(state.arch().arch, word), state.riscv[core]);
    if (operand.bytes == 0) return;
    const auto met = std::find_if(watches.begin(), watches.end(), [&](const auto& one) { return concerns(one, core, operand); });
    if (met == watches.end()) return;
    Hit hit;
    hit.stopped.core = core;
    hit.stopped.why = met->point.kind == PointKind::write  ? Stopped::Why::write_watch
                      : met->point.kind == PointKind::read ? Stopped::Why::read_watch
                                                           : Stopped::Why::access_watch;
    hit.stopped.address = std::max(operand.address, met->point.address);
    hit.executed = view().executed(core);
    hit.shown_pc = pc;
    hit.cycle = view().execution().cycle();
    touched_ = hit;
}

std::optional<JobTarget::Hit> JobTarget::Watcher::watchpoint() {
    if (!touched_) return {};
    const bool executed = view().executed(touched_->stopped.core) != touched_->executed;
    const std::optional<Hit> hit = executed ? touched_ : std::nullopt;
    touched_.reset();
    return hit;
}

bool JobTarget::Watcher::is_interrupted() {
    if (++steps_ % steps_between_looks != 0) return false;
    was_interrupted_ = interrupted_ && interrupted_();
    return was_interrupted_;
}

JobTarget::Forwards::Forwards(JobTarget& target, const Resume& how, const Interrupted& interrupted)
    : Watcher(target, interrupted), how_(how), begin_(target.timeline_.view().executed()) {
    for (unsigned core = 0; core < how.cores.size(); ++core)
        if (how.cores[core].action == Resume::Action::step || how.cores[core].action == Resume::Action::range) steppers_.push_back(core);
}

Timeline::Answer JobTarget::Forwards::before(unsigned core) {
    hit_ = breakpoint(core);
    if (hit_) return Timeline::Answer::stops;
    look_at_operand(core);
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

bool JobTarget::Forwards::after() {
    if (auto met = watchpoint()) {
        hit_ = met;
        return true;
    }
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
    look_at_operand(core);
    return Timeline::Answer::executes;
}

bool JobTarget::Backwards::after() {
    if (const auto hit = watchpoint()) last_ = hit;
    before_step_ = target_.timeline_.here();
    is_there_ = until_ && before_step_ == *until_;
    return is_there_ || is_interrupted();
}

}  // namespace tessera::gdb
