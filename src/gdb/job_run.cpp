// SPDX-License-Identifier: Apache-2.0
// Lets the cores of a tile run: forwards, and back.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gdb/job_watcher.hpp"

namespace tessera::gdb {

namespace {

using Why = Stopped::Why;

bool is_watch(const Point& point) { return point.kind != PointKind::software && point.kind != PointKind::hardware; }

/// The watched bytes of L1, which others than cores write, too.
void add_watched(const Points& points, const state::State& state, std::size_t l1, Breakpoints& breakpoints) {
    for (const auto& one : points.watches())
        if (is_watch(one.point) && one.point.kind != PointKind::read && state.l1.contains(one.point.address, one.point.bytes))
            breakpoints.written.push_back({l1, one.point.address, one.point.bytes});
}

Stopped interrupted_at(unsigned core) { return {.why = Why::signal, .core = core, .signal = signals::interrupt}; }

std::string described(const Where& where) {
    std::string text = where.instruction;
    if (where.thread >= 0) text = fmt::format("T{} {}", where.thread, text);
    if (const std::string place = where.describe_place(); !place.empty()) text += fmt::format(" ({})", place);
    return text;
}

}  // namespace

unsigned JobTarget::acting_core(const Resume& how) const {
    for (unsigned core = 0; core < how.cores.size(); ++core)
        if (how.cores[core].action == Resume::Action::step || how.cores[core].action == Resume::Action::range) return core;
    if (how.cores[how.selected].action != Resume::Action::none) return how.selected;
    for (unsigned core = 0; core < how.cores.size(); ++core)
        if (how.cores[core].action != Resume::Action::none) return core;
    return how.selected;
}

Stopped JobTarget::resume(const Resume& how, const Interrupted& interrupted) {
    if (auto stopped = pretended(how)) return *stopped;
    Stopped stopped = how.backwards ? back(how, interrupted) : go(how, interrupted);
    // gdb does not expect a core to stop that it has not resumed.
    if (how.cores[stopped.core].action == Resume::Action::none) stopped.core = acting_core(how);
    return stopped;
}

Stopped JobTarget::go(const Resume& how, const Interrupted& interrupted) {
    const unsigned core = acting_core(how);
    if (timeline_.ended()) return ended(core);
    shown_.reset();
    const bool steps = std::any_of(how.cores.begin(), how.cores.end(), [](const auto& one) {
        return one.action == Resume::Action::step || one.action == Resume::Action::range;
    });
    if (!steps && !how.holds_others && points_.empty() && breaks_.empty()) {
        timeline_.run_fast(interrupted);
        return timeline_.ended() ? ended(core) : interrupted_at(core);
    }
    unsigned held = 0;
    for (unsigned i = 0; how.holds_others && i < how.cores.size(); ++i)
        held |= unsigned{how.cores[i].action == Resume::Action::none} << i;
    timeline_.hold(held);
    Breakpoints breakpoints = coprocessor_breaks();
    add_watched(points_, timeline_.view().state(), (*timeline_.view().core().find_section("l1"))->id, breakpoints);
    Forwards forwards(*this, how, interrupted);
    const Pause pause = timeline_.run(forwards, breakpoints);
    if (pause.why == Pause::Why::end && held) {
        // It may need what the others would have done.
        timeline_.go_back_to(timeline_.checkpoints() - 1);
        timeline_.hold(0);
        Stopped stopped = interrupted_at(core);
        stopped.text = "The run cannot go on without the cores that are held.\n";
        return stopped;
    }
    timeline_.hold(0);
    if (pause.why == Pause::Why::end) return ended(core);
    if (pause.why != Pause::Why::cycle) forwards.has_accessed();
    if (forwards.hit()) return stop_at(*forwards.hit());
    if (forwards.was_interrupted()) return interrupted_at(core);
    return stop_at(why_paused(pause, core));
}

Stopped JobTarget::stop_at(const Hit& hit) {
    if (hit.stopped.why == Why::software_breakpoint || hit.stopped.why == Why::hardware_breakpoint)
        shown_ = Shown{hit.stopped.core, hit.executed, hit.pc};
    if (!hit.is_told_afterwards()) return hit.stopped;
    pretended_ = Pretended{hit.stopped.core, hit.before};
    Stopped stopped = hit.stopped;
    const char* const does = stopped.why == Why::write_watch ? "written" : stopped.why == Why::read_watch ? "read" : "accessed";
    stopped.text = fmt::format("Cycle {}: {} by {}\n", hit.cycle, does, who(hit));
    return stopped;
}

std::optional<Stopped> JobTarget::pretended(const Resume& how) {
    const auto pretended = std::exchange(pretended_, {});
    const unsigned core = acting_core(how);
    if (!pretended || core != pretended->core || how.cores[core].action != Resume::Action::step) return {};
    if (pretended->before) timeline_.go_to(*pretended->before);
    return Stopped{.why = Why::step, .core = core};
}

// Something around the cores.
JobTarget::Hit JobTarget::why_paused(const Pause& pause, unsigned core) const {
    Hit hit;
    hit.cycle = pause.cycle;
    hit.text = described(pause.where);
    Stopped& stopped = hit.stopped;
    stopped.core = core;
    if (const auto by = parse_riscv_core(pause.where.core)) stopped.core = static_cast<unsigned>(*by);
    switch (pause.why) {
        case Pause::Why::written: {
            const std::size_t l1 = (*timeline_.view().execution().core().find_section("l1"))->id;
            for (const StateElement& one : pause.written) {
                const auto& watches = points_.watches();
                const auto met = std::find_if(watches.begin(), watches.end(), [&](const Points::Watch& watch) {
                    return one.section == l1 && one.element - watch.point.address < watch.point.bytes;
                });
                if (met == watches.end()) continue;
                stopped.core = met->core;
                stopped.address = one.element;
                stopped.why = met->point.kind == PointKind::write ? Why::write_watch : Why::access_watch;
                break;
            }
            if (pause.where.instruction.empty()) hit.text = "the host or the NoC";
            if (stopped.why == Why::signal) stopped.text = fmt::format("Cycle {}: written by {}\n", pause.cycle, hit.text);
            break;
        }
        case Pause::Why::finding: stopped.text = fmt::format("Cycle {}: {}\n", pause.cycle, pause.finding->describe()); break;
        case Pause::Why::instruction:
            stopped.text = fmt::format("Cycle {}: issued {}\n", pause.cycle, described(pause.where));
            break;
        default: break;
    }
    return hit;
}

std::string JobTarget::who(const Hit& hit) const {
    if (!hit.by) return hit.text;
    const core::DebugView& view = timeline_.view();
    return fmt::format("{} {} ({})", name(static_cast<RiscvCore>(*hit.by)), view.instruction(*hit.by, hit.pc), view.place(*hit.by, hit.pc));
}

Stopped JobTarget::ended(unsigned core) {
    Stopped stopped = at_end(core);
    if (told_end_) stopped.why = Why::end;
    if (stopped.why == Why::end) stopped.signal = signals::trap;
    told_end_ = true;
    return stopped;
}

Stopped JobTarget::at_end(unsigned core) const {
    const Run run = timeline_.view().execution().run();
    Stopped stopped{.why = Why::end, .core = core};
    if (!run.fault) {
        stopped.text = fmt::format("The run has ended well in cycle {}.\n", run.cycles);
        return stopped;
    }
    stopped.why = Why::signal;
    const std::string& code = run.fault->code;
    stopped.signal = code == "riscv.illegal" || code == "riscv.unsupported" ? signals::illegal
                     : code.starts_with("deadlock") || code.starts_with("no-progress") || code.starts_with("kernel.")
                         ? signals::abort
                         : signals::segment;
    if (const auto by = parse_riscv_core(run.fault->where.core)) stopped.core = static_cast<unsigned>(*by);
    stopped.text = run.fault->describe() + "\n" + run.describe_blocked();
    return stopped;
}

Stopped JobTarget::back(const Resume& how, const Interrupted& interrupted) {
    const unsigned core = acting_core(how);
    const bool steps = how.cores[core].action == Resume::Action::step;
    shown_.reset();
    told_end_ = false;
    if (auto stopped = steps ? step_back(core) : continue_back(core, interrupted)) return *stopped;
    timeline_.go_back_to(0);
    timeline_.forget_later();
    return {.why = Why::begin, .core = core};
}

// A checkpoint near the present makes the next steps short.
std::optional<Stopped> JobTarget::step_back(unsigned core) {
    constexpr std::uint64_t near = 256;
    const std::uint64_t executed = timeline_.view().executed(core);
    // Of the first instruction since a reset.
    if ((executed & 0xFFFF'FFFF'FFFF) == 0) return {};
    for (std::size_t i = timeline_.checkpoints(); i-- > 0;) {
        if (timeline_.executed_at(i, core) >= executed) continue;
        timeline_.go_back_to(i);
        const std::uint64_t now = timeline_.view().executed(core);
        if (now >= executed) continue;
        timeline_.forget_later();
        if (executed - now > 2 * near) {
            BeforeInstruction early(timeline_, core, executed - near);
            timeline_.run(early, {});
            timeline_.keep(false);
        }
        BeforeInstruction target(timeline_, core, executed - 1);
        timeline_.run(target, {});
        return Stopped{.why = Why::step, .core = core};
    }
    return {};
}

std::optional<JobTarget::Found> JobTarget::look_back(unsigned core, const Position& begin, const Interrupted& interrupted) {
    Breakpoints breakpoints = coprocessor_breaks();
    add_watched(points_, timeline_.view().state(), (*timeline_.view().core().find_section("l1"))->id, breakpoints);
    std::optional<Found> found;
    timeline_.look_back(begin, [&](const Timeline::Piece& piece) {
        Backwards backwards(*this, piece.until, interrupted);
        breakpoints.cycle = piece.until_cycle;
        for (;;) {
            const Pause pause = timeline_.run(backwards, breakpoints);
            if (pause.why == Pause::Why::cycle || pause.why == Pause::Why::end) break;
            // A core's store is told of twice.
            if (backwards.notes_access()) continue;
            Hit hit = why_paused(pause, core);
            hit.position = timeline_.here();
            hit.before = backwards.before_step();
            backwards.note(hit);
        }
        if (backwards.last() || backwards.was_interrupted())
            found = Found{piece.checkpoint, backwards.last().value_or(Hit{}), backwards.was_interrupted()};
        return found.has_value();
    });
    return found;
}

std::optional<Stopped> JobTarget::continue_back(unsigned core, const Interrupted& interrupted) {
    const Position begin = timeline_.here();
    const auto found = look_back(core, begin, interrupted);
    if (!found) return {};
    if (found->interrupted) {
        timeline_.go_to(begin);
        return interrupted_at(core);
    }
    const Hit& hit = found->hit;
    timeline_.go_back_to(found->checkpoint);
    if (hit.position) {
        timeline_.go_on_to(*hit.position);
    } else {
        BeforeInstruction there(timeline_, *hit.by, hit.executed);
        timeline_.run(there, {});
    }
    timeline_.forget_later();
    return stop_at(hit);
}

Result<std::string> JobTarget::last_writer(unsigned core, std::uint32_t address, std::uint32_t bytes) {
    Points only(cores());
    const Point point{PointKind::write, address, bytes};
    if (bytes == 0 || memory(core, address).size() < bytes)
        return fail("gdb.memory", fmt::format("0x{:X} is in no memory of {}", address, name(static_cast<RiscvCore>(core))));
    only.insert(core, point);
    std::vector<Break> no_breaks;
    std::swap(points_, only);
    std::swap(breaks_, no_breaks);
    const Position here = timeline_.here();
    const auto found = look_back(core, here, {});
    std::swap(points_, only);
    std::swap(breaks_, no_breaks);
    timeline_.go_to(here);
    if (!found) return fmt::format("0x{:X} has not been written since the begin of the run\n", address);
    const Hit& hit = found->hit;
    return fmt::format("Cycle {}: written by {}\n", hit.cycle, who(hit));
}

std::vector<Event> JobTarget::last_instructions(std::size_t most) {
    class Nothing final : public Timeline::Hooks {
    public:
        Nothing(const Timeline& timeline, const Position* until) : timeline_(timeline), until_(until) {}

    private:
        Timeline::Answer before(unsigned) override { return Timeline::Answer::executes; }
        bool after() override { return until_ && timeline_.here() == *until_; }
        const Timeline& timeline_;
        const Position* until_;
    };
    const Position here = timeline_.here();
    std::vector<Event> all;
    timeline_.look_back(here, [&](const Timeline::Piece& piece) {
        std::vector<Event> events;
        timeline_.view().observe([&](const Event& event) {
            events.push_back(event);
            if (events.size() > 2 * most) events.erase(events.begin(), events.end() - static_cast<std::ptrdiff_t>(most));
        });
        Nothing nothing(timeline_, piece.until);
        Breakpoints breakpoints;
        breakpoints.cycle = piece.until_cycle;
        timeline_.run(nothing, breakpoints);
        timeline_.view().observe({});
        all.insert(all.begin(), events.begin(), events.end());
        return all.size() >= most;
    });
    timeline_.go_to(here);
    if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
    return all;
}

}  // namespace tessera::gdb
