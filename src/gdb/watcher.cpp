// SPDX-License-Identifier: Apache-2.0
#include "gdb/watcher.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tile/address_map.hpp"

namespace tessera::gdb {

namespace {

constexpr unsigned steps_between_looks = 1 << 14;

bool overlaps(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
    return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

std::optional<TilesTarget::Hit> TilesTarget::Watcher::breakpoint(unsigned core) {
    const std::uint64_t executed = target_.executed(core);
    if (asked_[core] == executed || !reports_[core]) return {};
    asked_[core] = executed;
    return target_.meets_breakpoint(core);
}

bool TilesTarget::Watcher::concerns(const Points::Watch& watch, unsigned core, const riscv::MemoryOperand& operand) const {
    if (!reports_[watch.core] || tile_of(core) != tile_of(watch.core)) return false;
    if (!overlaps(watch.point.address, watch.point.bytes, operand.address, operand.bytes)) return false;
    // Others have memories of their own at the same address.
    const bool shared = target_.tile(tile_of(core)).state().l1.contains(watch.point.address, 1);
    if (core != watch.core && !shared) return false;
    if (watch.point.kind == PointKind::access) return true;
    return watch.point.kind == PointKind::read ? operand.loads : operand.stores;
}

std::pair<unsigned, riscv::MemoryOperand> TilesTarget::Watcher::behind_window(unsigned core,
                                                                              riscv::MemoryOperand operand) const {
    const Arch arch = target_.tile(tile_of(core)).core().arch();
    const auto place =
        tile::find(arch, tile::user(static_cast<RiscvCore>(of_tile(core))), operand.address, operand.stores);
    const bool is_window =
        place.kind == tile::Place::Kind::mapped && place.region->device == tile::Device::local_window;
    if (!is_window) return {core, operand};
    operand.address += state::Riscv::local_base - place.region->where(arch).first;
    return {first_core(tile_of(core)) + place.region->index, operand};
}

std::optional<TilesTarget::Hit> TilesTarget::Watcher::watchpoint(unsigned core) const {
    const auto& watches = target_.points_.watches();
    if (watches.empty()) return {};
    const state::Riscv& riscv = target_.riscv(core);
    const std::uint32_t pc = riscv.pc;
    const auto code = target_.memory(core, pc);
    std::uint32_t word = 0;
    if (code.size() < sizeof word) return {};
    std::memcpy(&word, code.data(), sizeof word);
    const auto operand = tessera::riscv::memory_operand(tessera::riscv::decode(target_.tile(tile_of(core)).core().arch(), word), riscv);
    if (operand.bytes == 0) return {};
    const auto accessed = behind_window(core, operand);
    const auto met = std::find_if(watches.begin(), watches.end(),
                                  [&](const auto& one) { return concerns(one, accessed.first, accessed.second); });
    if (met == watches.end()) return {};
    Hit hit;
    hit.stopped.core = met->core;
    hit.by = core;
    hit.stopped.why = watch_of(met->point.kind);
    hit.stopped.address = std::max(accessed.second.address, met->point.address);
    hit.executed = target_.executed(core);
    hit.pc = pc;
    hit.cycle = target_.tile(tile_of(core)).cycle();
    return hit;
}

std::optional<TilesTarget::Hit> TilesTarget::Watcher::take_touched(std::uint64_t stored_at) {
    std::optional<Hit> touched = std::exchange(touched_, {});
    // Otherwise the instruction has to wait, and meets it again.
    if (!touched || target_.executed(*touched->by) == touched->executed) return {};
    touched->stored_at = stored_at;
    return touched;
}

bool TilesTarget::Watcher::is_interrupted() {
    if (++steps_ % steps_between_looks != 0) return false;
    was_interrupted_ = interrupted_ && interrupted_();
    return was_interrupted_;
}

TilesTarget::Forwards::Forwards(TilesTarget& target, const Resume& how, const Interrupted& interrupted) : Watcher(target, interrupted) {
    const bool has_steps = TilesTarget::has_steps(how);
    for (unsigned core = 0; core < how.cores.size(); ++core) {
        const Resume::OfCore& one = how.cores[core];
        // Cores that gdb has not resumed are not to stop. Beside a step they wait for it (stop_unless_it_waits()).
        reports_[core] = one.action != Resume::Action::none || has_steps;
        if (one.action == Resume::Action::step || one.action == Resume::Action::range)
            steppers_.push_back({core, one, target.executed(core)});
    }
}

Hooks::Answer TilesTarget::Forwards::before(unsigned core) {
    hit_ = breakpoint(core);
    if (hit_) return Answer::stops;
    const auto watched = watchpoint(core);
    if (watched && !watched->is_told_afterwards()) {
        hit_ = watched;
        return Answer::stops;
    }
    touches(watched);
    return Answer::executes;
}

bool TilesTarget::Forwards::has_stepped(Stepper& one) const {
    // A core that has ended in a jump to itself has no more turns. Its pc stays.
    const state::Riscv& riscv = target_.riscv(one.core);
    const bool has_ended = riscv.running && target_.tile(tile_of(one.core)).has_finished(of_tile(one.core));
    if (one.how.action == Resume::Action::step && (has_ended || riscv.paused)) return true;
    const std::uint64_t executed = target_.executed(one.core);
    if (executed == one.executed) return false;
    one.executed = executed;
    return one.how.action == Resume::Action::step || riscv.pc < one.how.first || riscv.pc >= one.how.end;
}

bool TilesTarget::Forwards::has_accessed(std::uint64_t stored_at) {
    hit_ = take_touched(stored_at);
    return hit_.has_value();
}

bool TilesTarget::Forwards::after() {
    if (has_accessed()) return true;
    for (Stepper& one : steppers_)
        if (has_stepped(one)) {
            hit_.emplace();
            hit_->stopped.why = Stopped::Why::step;
            hit_->stopped.core = one.core;
            return true;
        }
    return is_interrupted();
}

}  // namespace tessera::gdb
