// SPDX-License-Identifier: Apache-2.0
#include "gdb/timeline.hpp"

#include <algorithm>

namespace tessera::gdb {

namespace {

constexpr std::uint64_t between_looks = std::uint64_t{1} << 18;  // cycles

}  // namespace

Timeline::Timeline(Execution& execution) : view_(execution) {
    look_closely(true);
    view_.tile().engine().ends() = {false, false};
    at_.executed = view_.tile().executed();
    keep(true, false);
}

Timeline::~Timeline() {
    look_closely(false);
    view_.tile().engine().ends() = {};
}

// An observed run takes other steps, so positions are those of a run that always is.
void Timeline::observe(std::function<void(const Event&)> on_event) {
    view_.observe(std::move(on_event));
    if (!view_.is_observed()) view_.observe([](const Event&) {});
}

void Timeline::look_closely(bool closely) {
    view_.tile().set_watch(closely ? this : nullptr);
    if (closely)
        observe({});
    else
        view_.observe({});
}

// A core that was stopped before its instruction had come to that instruction's cycle; by way of a checkpoint it has not yet.
std::uint64_t Timeline::cycle() const { return std::max(cycle_of_run(), there_); }

// Of a core that went far in one turn, the engine knows the turn's begin.
std::uint64_t Timeline::cycle_of_run() const { return std::max(view_.execution().cycle(), at_.from > 0 && !ended() ? at_.from - 1 : 0); }

Position Timeline::here() const {
    Position here = at_;
    here.cycle = cycle();
    here.ended = ended();
    return here;
}

Hooks::Answer Timeline::before_instruction(unsigned core) {
    if (held_ >> core & 1) return Hooks::Answer::waits;
    if (!hooks_) return Hooks::Answer::executes;
    if (stopped_by_core_) return Hooks::Answer::stops;
    const Hooks::Answer answer = hooks_->before(core);
    stopped_by_core_ = answer == Hooks::Answer::stops;
    return answer;
}

void Timeline::note_step() {
    const auto executed = view_.tile().executed();
    if (executed == at_.executed) {
        ++at_.steps;
        return;
    }
    at_ = {executed};
}

Pause Timeline::run(Hooks& hooks, const Breakpoints& breakpoints) {
    const util::Temporarily<Hooks*> asked(hooks_, &hooks);
    there_ = 0;
    stopped_by_core_ = false;
    bool first = true, goes_on = false;
    const Pause pause = view_.run(breakpoints, [&] {
        goes_on = false;
        if (stopped_by_core_) return true;
        if (!first) note_step();
        first = false;
        keep_if_due(true);
        goes_on = !hooks.after();
        return !goes_on;
    });
    // The last step, which nobody has been asked about.
    if (goes_on || pause.why != Pause::Why::cycle) note_step();
    if (ended()) note_end();
    return pause;
}

void Timeline::note_end() {
    end_ = {view_.execution().snapshot(), at_};
    const auto fault = view_.execution().run().fault;
    has_met_limit_ |= fault && fault->cut_short();
}

void Timeline::run_fast(const Interrupted& interrupted) {
    there_ = 0;
    look_closely(false);
    bool more = true;
    for (std::uint64_t to = view_.execution().cycle() + between_looks; more && !interrupted(); to += between_looks) {
        keep_if_due(false);
        more = view_.run_fast_to(to);
    }
    look_closely(true);
    come_together();
    // A limit has ended it, while the program could go on: coming together took no step.
    if (!ended() && !more) run_on();
    if (ended()) come_to_end_again();
}

// A core that was ahead has executed nothing that begins after the furthest one.
void Timeline::come_together() {
    if (ended()) return;
    const std::uint64_t cycle = std::max(view_.tile().furthest(), view_.execution().cycle() + 1);
    run_to_cycle(cycle);
}

void Timeline::run_to_cycle(std::uint64_t cycle) {
    Breakpoints at;
    at.cycle = cycle;
    static_cast<void>(view_.run(at, {}));
    at_ = {view_.tile().executed(), cycle};
}

// Cores were ahead of what has ended the run.
void Timeline::come_to_end_again() {
    const std::uint64_t end = view_.execution().cycle();
    const auto fault = view_.execution().run().fault;
    const MayEnd without_limits(view_.tile().engine().ends(), {false, true});
    const std::size_t last = kept_.last_that([&](const Checkpoint& one) { return one.exact_from <= end; });
    forget_after(last);
    go_back_to(last);
    // All but the last cycles need not be looked at.
    constexpr std::uint64_t near = 1 << 13;
    if (end > view_.execution().cycle() + near) {
        look_closely(false);
        static_cast<void>(view_.run_fast_to(end - near));
        look_closely(true);
        if (ended() || view_.tile().furthest() > end)
            go_back_to(last);
        else
            come_together();
    }
    if (!fault || !fault->cut_short()) return run_on();
    run_to_cycle(end);
    if (!ended()) view_.end_again(*fault);
    note_end();
}

void Timeline::run_on() {
    class Nothing final : public Hooks {
        Answer before(unsigned) override { return Answer::executes; }
        bool after() override { return false; }
    } nothing;
    run(nothing, {});
}

void Timeline::go_back_to(std::size_t checkpoint) {
    const Checkpoint& one = kept_[checkpoint];
    static_cast<void>(view_.execution().restore(one.snapshot));  // it is of this run
    at_ = one.at;
    there_ = 0;
    held_ = one.held;
    if (one.exact_from > 0) run_to_cycle(one.exact_from);
}

void Timeline::go_on_to(const Position& position) {
    if (position.ended && end_) {
        static_cast<void>(view_.execution().restore(end_->snapshot));  // it is of this run
        at_ = end_->at;
        return;
    }
    if (position.from > 0 && at_.from != position.from) run_to_cycle(position.from);
    class There final : public Hooks {
    public:
        There(const Timeline& timeline, const Position& position) : timeline_(timeline), position_(position) {}

    private:
        Answer before(unsigned) override { return Answer::executes; }
        bool after() override { return timeline_.at_ == position_; }
        const Timeline& timeline_;
        const Position& position_;
    } there(*this, position);
    run(there, {});
}

bool Timeline::look_back(const Position& begin, const std::function<bool(const Piece&)>& look) {
    Position until = begin;
    std::optional<std::uint64_t> until_cycle;
    bool enough = false;
    const util::Temporarily looks(looks_back_, true);
    for (std::size_t i = kept_.size(); !enough && i-- > kept_.oldest();) {
        if (!kept_[i].is_before(begin)) continue;
        go_back_to(i);
        // Steps that count from a cycle are met only behind that cycle.
        if (!until_cycle && until.from > 0 && at_.from != until.from) {
            until_cycle = until.from;
            run_to_cycle(until.from);
            enough = at_ != until && look({i, &until, {}});
            if (!enough) go_back_to(i);
        }
        enough = enough || look({i, until_cycle ? nullptr : &until, until_cycle});
        until = kept_[i].at;
        until_cycle.reset();
        if (kept_[i].exact_from > 0) until_cycle = kept_[i].exact_from;
    }
    return enough;
}

void Timeline::go_to(const Position& position) {
    const std::size_t last = kept_.last_that([&](const Checkpoint& one) { return one.is_before(position); });
    forget_after(last);
    go_back_to(last);
    if (!kept_[last].is_before(position)) return;
    go_on_to(position);
    there_ = position.cycle;
}

void Timeline::hold(unsigned cores) {
    if (cores == held_) return;
    const unsigned released = held_ & ~cores;
    held_ = cores;
    if (!ended())
        for (unsigned core = 0; core < riscv_cores; ++core)
            if (released >> core & 1) view_.tile().changed(static_cast<RiscvCore>(core));
    keep(true, true);
}

void Timeline::keep(bool changed) { keep(true, changed); }

void Timeline::keep_if_due(bool exact) {
    if (!looks_back_ && kept_.is_due(view_.execution().cycle())) keep(exact, false);
}

void Timeline::keep(bool exact, bool changed) {
    if (changed && has_just_changed()) {
        kept_.last().snapshot = view_.execution().snapshot();
        kept_.last().held = held_;
        return;
    }
    Position at = here();
    at.cycle = cycle_of_run();
    if (!exact) at.executed = view_.tile().executed();
    kept_.add({view_.execution().snapshot(), at, exact ? 0 : std::max<std::uint64_t>(view_.tile().furthest(), 1), changed, held_});
}

// Nothing has happened since the last change.
bool Timeline::has_just_changed() const { return kept_.last().changed && kept_.last().at == at_; }

}  // namespace tessera::gdb
