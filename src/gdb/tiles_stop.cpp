// SPDX-License-Identifier: Apache-2.0
// Why cores stand still, and how gdb is told of it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gdb/tiles_target.hpp"

namespace tessera::gdb {

namespace {

using Why = Stopped::Why;

std::string described(const Where& where) {
    std::string text = where.instruction;
    if (where.thread >= 0) text = fmt::format("T{} {}", where.thread, text);
    if (const std::string place = where.describe_place(); !place.empty()) text += fmt::format(" ({})", place);
    return text;
}

/// One core makes a step, and no other one is resumed.
bool steps_alone(const Resume& how) {
    const auto count = [&](Resume::Action action) {
        return std::count_if(how.cores.begin(), how.cores.end(), [&](const Resume::OfCore& one) { return one.action == action; });
    };
    return count(Resume::Action::step) == 1 && count(Resume::Action::none) + 1 == static_cast<std::ptrdiff_t>(how.cores.size());
}

/// gdb's number for that fault.
unsigned signal_of(const Diagnosis& fault) {
    const std::string& code = fault.code;
    if (code == "riscv.ebreak") return signals::trap;
    if (code == "riscv.illegal" || code == "riscv.unsupported" || code == "riscv.interrupt-return" ||
        code == "unknown-opcode")
        return signals::illegal;
    constexpr std::string_view ends[] = {"deadlock", "no-progress", "kernel."};
    const bool is_end =
        std::any_of(std::begin(ends), std::end(ends), [&](std::string_view end) { return code.starts_with(end); });
    return is_end || fault.cut_short() ? signals::abort : signals::segment;
}

bool is_step(const Resume::OfCore& one) { return one.action == Resume::Action::step || one.action == Resume::Action::range; }

}  // namespace

bool TilesTarget::has_steps(const Resume& how) { return std::any_of(how.cores.begin(), how.cores.end(), is_step); }

unsigned TilesTarget::acting_core(const Resume& how) {
    for (unsigned core = 0; core < how.cores.size(); ++core)
        if (is_step(how.cores[core])) return core;
    if (how.cores[how.selected].action != Resume::Action::none) return how.selected;
    for (unsigned core = 0; core < how.cores.size(); ++core)
        if (how.cores[core].action != Resume::Action::none) return core;
    return how.selected;
}

Stopped TilesTarget::stop_at(const Hit& hit) {
    if (hit.stopped.why == Why::software_breakpoint || hit.stopped.why == Why::hardware_breakpoint)
        shown_ = Shown{hit.stopped.core, hit.executed, hit.pc};
    if (!hit.is_told_afterwards()) return hit.stopped;
    pretended_ = Pretended{hit.stopped.core, hit.before};
    Stopped stopped = hit.stopped;
    const char* const does = stopped.why == Why::write_watch ? "written" : stopped.why == Why::read_watch ? "read" : "accessed";
    stopped.text = fmt::format("Cycle {}: {} by {}\n", hit.told_cycle(), does, who(hit));
    return stopped;
}

std::optional<Stopped> TilesTarget::stop_unless_it_waits(const Hit& hit, const Resume& how) {
    const unsigned core = hit.stopped.core;
    const bool is_beside = has_steps(how) && how.cores[core].action == Resume::Action::none;
    if (is_beside && hit.by == core) {
        hold(core);
        return {};
    }
    if (is_beside && hit.stopped.is_watch()) {
        tell_later(hit);
        return {};
    }
    return stop_at(hit);
}

// Of what meets a watchpoint again and again, the last.
void TilesTarget::tell_later(const Hit& hit) {
    std::erase_if(told_later_, [&](const Hit& one) {
        return one.stopped.core == hit.stopped.core && one.stopped.why == hit.stopped.why && one.stopped.address == hit.stopped.address;
    });
    told_later_.push_back(hit);
}

void TilesTarget::forget_told_later(std::uint64_t cycle) {
    std::erase_if(told_later_, [&](const Hit& one) { return one.cycle >= cycle; });
}

Stopped::Why TilesTarget::watch_of(PointKind kind) {
    switch (kind) {
        case PointKind::write: return Why::write_watch;
        case PointKind::read: return Why::read_watch;
        default: return Why::access_watch;
    }
}

bool TilesTarget::is_watched(const Hit& hit) const {
    const auto& watches = points_.watches();
    return std::any_of(watches.begin(), watches.end(), [&](const Points::Watch& one) {
        return one.core == hit.stopped.core && watch_of(one.point.kind) == hit.stopped.why &&
               hit.stopped.address - one.point.address < one.point.bytes;
    });
}

std::optional<Stopped> TilesTarget::stop_at_once(const Resume& how) {
    if (auto stopped = pretended(how)) return stopped;
    if (how.backwards) return {};
    const auto is_resumed = [&](const Hit& hit) { return how.cores[hit.stopped.core].action != Resume::Action::none; };
    std::erase_if(told_later_, [&](const Hit& hit) { return is_resumed(hit) && !is_watched(hit); });
    const auto first = std::find_if(told_later_.begin(), told_later_.end(), is_resumed);
    if (first == told_later_.end()) return {};
    const Hit hit = *first;
    told_later_.erase(first);
    return stop_at(hit);
}

std::optional<Stopped> TilesTarget::pretended(const Resume& how) {
    const auto pretended = std::exchange(pretended_, {});
    const unsigned core = acting_core(how);
    if (!pretended || core != pretended->core || how.cores[core].action != Resume::Action::step) return {};
    if (pretended->before) go_before(*pretended->before);
    return Stopped{.why = Why::step, .core = core};
}

TilesTarget::Hit TilesTarget::why_paused(const Pause& pause, unsigned tile, unsigned core) const {
    Hit hit;
    hit.cycle = pause.cycle;
    hit.text = described(pause.where);
    Stopped& stopped = hit.stopped;
    stopped.core = core;
    if (const auto by = parse_riscv_core(pause.where.core)) stopped.core = first_core(tile) + static_cast<unsigned>(*by);
    const std::string name = tile_name(tile), at = name.empty() ? "" : fmt::format(", tile {}", name);
    switch (pause.why) {
        case Pause::Why::written: {
            const std::size_t l1 = l1_section(tile);
            for (const StateElement& one : pause.written) {
                const auto& watches = points_.watches();
                const auto met = std::find_if(watches.begin(), watches.end(), [&](const Points::Watch& watch) {
                    return tile_of(watch.core) == tile && watch.point.kind != PointKind::read && one.section == l1 &&
                           one.element - watch.point.address < watch.point.bytes;
                });
                if (met == watches.end()) continue;
                stopped.core = met->core;
                stopped.address = static_cast<std::uint32_t>(one.element);
                stopped.why = watch_of(met->point.kind);
                break;
            }
            if (pause.where.thread < 0 && pause.where.core.empty()) hit.text = writer_outside(tile, pause.written.front().element);
            if (stopped.why == Why::signal) stopped.text = fmt::format("Cycle {}{}: written by {}\n", pause.cycle, at, hit.text);
            break;
        }
        case Pause::Why::finding: stopped.text = fmt::format("Cycle {}{}: {}\n", pause.cycle, at, pause.finding->describe()); break;
        case Pause::Why::instruction:
            stopped.text = fmt::format("Cycle {}{}: issued {}\n", pause.cycle, at, described(pause.where));
            break;
        default: break;
    }
    return hit;
}

std::string TilesTarget::who(const Hit& hit) const {
    if (!hit.by) return hit.text;
    const core::TileView& view = tile(tile_of(*hit.by));
    const unsigned own = of_tile(*hit.by);
    return fmt::format("{} {} ({})", core_name(*hit.by), view.instruction(own, hit.pc), view.place(own, hit.pc));
}

// gdb steps a core alone over a breakpoint, and would stay in that step: it takes no end there.
Stopped TilesTarget::told_end(const Stopped& at_end, const Resume& how) {
    Stopped stopped = at_end;
    if (told_end_) stopped.why = Why::end;
    if (stopped.why == Why::end && steps_alone(how)) stopped.why = Why::step;
    if (stopped.why == Why::step || stopped.why == Why::end) stopped.signal = signals::trap;
    told_end_ = true;
    return stopped;
}

Stopped TilesTarget::stuck_without_held(unsigned core) {
    Stopped stopped = interrupted_at(core);
    stopped.text = "The run cannot go on without the cores that are held.\n";
    return stopped;
}

bool TilesTarget::is_stuck(const Fault& fault) {
    return fault.code == "deadlock" || fault.code == "no-progress.polling";
}

Stopped TilesTarget::at_fault(const Diagnosis& fault, std::optional<unsigned> tile, const Resume& how) const {
    Stopped stopped{.why = Why::signal, .core = acting_core(how), .signal = signal_of(fault)};
    const auto by = parse_riscv_core(fault.where.core);
    if (tile) stopped.core = first_core(*tile) + (by ? static_cast<unsigned>(*by) : 0);
    stopped.text =
        fmt::format("{}fault {}\n", tile ? fmt::format("Tile {}: ", tile_name(*tile)) : "", fault.describe());
    return stopped;
}

Stopped TilesTarget::at_end(const std::optional<Fault>& fault, const std::string& blocked, std::uint64_t cycles, unsigned core,
                            unsigned first) const {
    Stopped stopped{.why = Why::end, .core = core};
    if (!fault) {
        stopped.text = fmt::format("The run has ended well in cycle {}.\n", cycles);
        return stopped;
    }
    stopped.why = Why::signal;
    stopped.signal = signal_of(*fault);
    if (const auto by = parse_riscv_core(fault->where.core)) stopped.core = first + static_cast<unsigned>(*by);
    stopped.text = fault->describe() + "\n" + blocked;
    return stopped;
}

}  // namespace tessera::gdb
