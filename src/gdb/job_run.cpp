// SPDX-License-Identifier: Apache-2.0
// Lets the cores of a tile run: forwards, and back.
#include <fmt/format.h>

#include <utility>

#include "gdb/job_watcher.hpp"

namespace tessera::gdb {

namespace {

using Why = Stopped::Why;

tl::unexpected<Error> was_interrupted() {
    return fail("gdb.command", "interrupted before the answer was found; ask again to look once more");
}

}  // namespace

JobTarget::JobTarget(Execution& execution) : TilesTarget(execution.core(), 1), timeline_(execution) {
    views()[0] = view_;
}

void JobTarget::changed(unsigned core) {
    timeline_.view().tile().changed(static_cast<RiscvCore>(core));
    timeline_.keep(true);
}

std::optional<Stopped> JobTarget::resume(const Resume& how, const Interrupted& interrupted) {
    if (auto stopped = stop_at_once(how)) return *stopped;
    Stopped stopped = how.backwards ? back(how, interrupted) : go(how, interrupted);
    // gdb does not expect a core to stop that it has not resumed.
    if (how.cores[stopped.core].action == Resume::Action::none) stopped.core = acting_core(how);
    return stopped;
}

Stopped JobTarget::go(const Resume& how, const Interrupted& interrupted) {
    const unsigned core = acting_core(how);
    if (timeline_.ended()) return stop_at_end(how);
    goes_on();
    const auto into_new = timeline_.into_new();
    unsigned held = 0;
    for (unsigned i = 0; how.holds_others && i < how.cores.size(); ++i)
        held |= unsigned{how.cores[i].action == Resume::Action::none} << i;
    timeline_.hold(held);
    if (!has_steps(how) && !how.holds_others && points_.empty() && breaks_.empty()) {
        timeline_.run_fast(interrupted);
        return timeline_.ended() ? stop_at_end(how) : interrupted_at(core);
    }
    Breakpoints breakpoints = breakpoints_around(0);
    Forwards forwards(*this, how, interrupted);
    std::optional<Stopped> stopped;
    while (!stopped) stopped = why_stopped(timeline_.run(forwards, breakpoints), how, forwards);
    timeline_.hold(0);
    return *stopped;
}

std::optional<Stopped> JobTarget::why_stopped(const Pause& pause, const Resume& how, Forwards& forwards) {
    const unsigned core = acting_core(how);
    if (pause.why == Pause::Why::end) return timeline_.held() ? end_of_held(how, forwards) : stop_at_end(how);
    if (pause.why != Pause::Why::cycle) forwards.has_accessed(stored_at(pause));
    if (forwards.hit()) return stop_unless_it_waits(*forwards.hit(), how);
    if (forwards.was_interrupted()) return interrupted_at(core);
    return stop_unless_it_waits(why_paused(pause, 0, core), how);
}

// If the run is stuck, the others may wait for something that the held cores would do.
std::optional<Stopped> JobTarget::end_of_held(const Resume& how, Forwards& forwards) {
    const auto fault = timeline_.view().execution().run().fault;
    if (!fault || !is_stuck(*fault)) return stop_at_end(how);
    timeline_.go_back_to(timeline_.checkpoints().size() - 1);
    forget_told_later(cycle());
    if (!how.holds_others) {
        for (unsigned core = 0; core < cores(); ++core)
            if (timeline_.held() >> core & 1) forwards.ignore(core);
        timeline_.hold(0);
        return {};
    }
    return stuck_without_held(acting_core(how));
}

Result<void> JobTarget::restart() {
    goes_back_from_here();
    timeline_.forget_after(0);
    timeline_.go_back_to(0);
    return {};
}

Stopped JobTarget::stop_at_end(const Resume& how) {
    const Run run = timeline_.view().execution().run();
    return told_end(at_end(run.fault, run.describe_blocked(), run.cycles, acting_core(how), 0), how);
}

Stopped JobTarget::back(const Resume& how, const Interrupted& interrupted) {
    const unsigned core = acting_core(how);
    const bool steps = how.cores[core].action == Resume::Action::step;
    goes_back_from_here();
    if (auto stopped = steps ? step_back(core) : continue_back(core, interrupted)) return *stopped;
    const std::size_t oldest = timeline_.checkpoints().oldest();
    timeline_.forget_after(oldest);
    timeline_.go_back_to(oldest);
    Stopped stopped{.why = Why::begin, .core = core};
    if (oldest > 0)
        stopped.text = "What was before is forgotten, since registers, memory or held cores have changed too often. gdb's run begins again.\n";
    return stopped;
}

// A checkpoint near the present makes the next steps short.
std::optional<Stopped> JobTarget::step_back(unsigned core) {
    constexpr std::uint64_t near = 256;
    const std::uint64_t executed = TilesTarget::executed(core);
    // Of the first instruction since a reset.
    if ((executed & 0xFFFF'FFFF'FFFF) == 0) return {};
    for (std::size_t i = timeline_.checkpoints().size(); i-- > timeline_.checkpoints().oldest();) {
        if (timeline_.checkpoints()[i].at.executed[core] >= executed) continue;
        timeline_.go_back_to(i);
        const std::uint64_t now = TilesTarget::executed(core);
        if (now >= executed) continue;
        timeline_.forget_after(i);
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
    Breakpoints breakpoints = breakpoints_around(0);
    std::optional<Found> found;
    timeline_.look_back(begin, [&](const Timeline::Piece& piece) {
        Backwards backwards(*this, piece.until, interrupted);
        breakpoints.cycle = piece.until_cycle;
        for (;;) {
            const Pause pause = timeline_.run(backwards, breakpoints);
            // A core's store is told of twice.
            const bool accessed = backwards.notes_access(stored_at(pause));
            if (pause.why == Pause::Why::cycle || pause.why == Pause::Why::end) break;
            if (accessed) continue;
            Hit hit = why_paused(pause, 0, core);
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
    timeline_.forget_after(found->checkpoint);
    timeline_.go_back_to(found->checkpoint);
    if (hit.position) {
        timeline_.go_on_to(*hit.position);
    } else {
        BeforeInstruction there(timeline_, *hit.by, hit.executed);
        timeline_.run(there, {});
    }
    return stop_at(hit);
}

Result<std::string> JobTarget::last_writer(unsigned core, std::uint32_t address, std::uint32_t bytes, const Interrupted& interrupted) {
    Points only(cores());
    const Point point{PointKind::write, address, bytes};
    if (auto fits = check_memory(core, address, bytes); !fits) return tl::make_unexpected(fits.error());
    only.insert(core, point);
    const util::Temporarily points(points_, std::move(only));
    const util::Temporarily breaks(breaks_, {});
    const Position here = timeline_.here();
    const auto found = look_back(core, here, interrupted);
    timeline_.go_to(here);
    if (!found && known_from() > 0)
        return fmt::format("0x{:X} has not been written since cycle {}; what was before is forgotten\n", address, known_from());
    if (!found) return fmt::format("0x{:X} has not been written since the begin of the run\n", address);
    if (found->interrupted) return was_interrupted();
    const Hit& hit = found->hit;
    return fmt::format("Cycle {}: written by {}\n", hit.told_cycle(), who(hit));
}

Result<std::vector<Event>> JobTarget::last_instructions(unsigned, std::size_t most, const Interrupted& interrupted) {
    const Position here = timeline_.here();
    std::vector<Event> all;
    bool interrupts = false;
    timeline_.look_back(here, [&](const Timeline::Piece& piece) {
        std::vector<Event> events;
        const Timeline::Observer observer(timeline_, [&](const Event& event) {
            events.push_back(event);
            if (events.size() > 2 * most)
                events.erase(events.begin(), events.end() - static_cast<std::ptrdiff_t>(most));
        });
        Backwards way(*this, piece.until, interrupted);
        Breakpoints breakpoints;
        breakpoints.cycle = piece.until_cycle;
        timeline_.run(way, breakpoints);
        all.insert(all.begin(), events.begin(), events.end());
        interrupts = way.was_interrupted();
        return interrupts || all.size() >= most;
    });
    timeline_.go_to(here);
    if (interrupts) return was_interrupted();
    if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
    return all;
}

}  // namespace tessera::gdb
