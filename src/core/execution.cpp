// SPDX-License-Identifier: Apache-2.0
// A run in steps: advances an Engine until a breakpoint or step condition is met.
#include "tessera/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/breakpoints.hpp"
#include "core/execution_impl.hpp"
#include "core/place_kernels.hpp"
#include "findings/catalogue.hpp"

namespace tessera {

namespace {

/// While it lives, the cores of a tile by itself do nothing in `cycle` and later.
class HeldCores {
public:
    HeldCores(tile::Tile* cores, std::uint64_t cycle) : cores_(cores) {
        if (cores_) cores_->set_horizon(cycle);
    }
    ~HeldCores() {
        if (cores_) cores_->set_horizon(engine::never);
    }
    HeldCores(const HeldCores&) = delete;
    HeldCores& operator=(const HeldCores&) = delete;

private:
    tile::Tile* cores_;
};

}  // namespace

Execution::Impl::Impl(std::unique_ptr<Steps> steps_, std::shared_ptr<const core::Source> source_)
    : steps(std::move(steps_)), source(std::move(source_)) {
    look();
}

void Execution::Impl::look() {
    tile = steps->view();
    users = *tile.options;
    // A single step reports what it did. Explaining every instruction on the way would cost more than the run.
    if (users.explain) return;
    tile.options->elements.clear();
    tile.options->explain = [this](unsigned t, std::int64_t, std::uint32_t) {
        return single_step && (!stepping || *stepping == t);
    };
}

class Execution::Impl::OwnTile final : public Steps {
public:
    OwnTile(Core& core, Core::Impl& inside, const core::Source& source, RunOptions options)
        : core_(core), inside_(inside), options_(std::move(options)) {
        options_.timing = source.timing;
        options_.seed = source.seed;
        options_.reference = source.reference;
        if (source.kernels) {
            tile_.emplace(inside.state, *source.kernels, source.timing, true);
            engine_.emplace(inside.state, *inside.slots, *tile_, options_, inside.reset);
        } else {
            engine_.emplace(inside.state, *inside.slots, *source.program, options_, inside.reset);
        }
        engine_->set_l1_formats(inside.l1_formats);
    }

    View view() override { return {&core_, &inside_, &*engine_, &options_, tile_ ? &*tile_ : nullptr}; }
    bool advance() override { return engine_->advance(); }
    bool has_reached(std::uint64_t cycle) override {
        const auto next = engine_->next_time();
        return next >= cycle && next != engine::never;
    }
    Run finish() override {
        Run run = engine_->finish();
        inside_.l1_formats = engine_->l1_formats();
        return run;
    }
    Run leave_run() override { return core::left_run(*engine_); }

private:
    Core& core_;
    Core::Impl& inside_;
    RunOptions options_;
    std::optional<tile::Tile> tile_;
    std::optional<engine::Engine> engine_;
};

std::unique_ptr<Execution::Impl> Execution::Impl::of_core(Core& core, Core::Impl& inside, std::shared_ptr<const core::Source> source,
                                                          RunOptions options) {
    auto steps = std::make_unique<OwnTile>(core, inside, *source, std::move(options));
    return std::make_unique<Impl>(std::move(steps), std::move(source));
}

// Installs the engine's on_write observer only if a breakpoint needs it, because the observer slows the run.
void Execution::Impl::watch(const Breakpoints& breakpoints, Pause& pause) {
    tile.options->on_write = users.on_write;
    if (!breakpoints.written.empty())
        tile.options->on_write = core::observe_writes(*tile.engine, breakpoints, users.on_write, pause, written_at);
}

Pause Execution::Impl::run_until(const Breakpoints& breakpoints, bool any_instruction, std::optional<unsigned> thread,
                                 const std::function<bool()>& enough) {
    Pause pause;
    explanation.reset();
    if (over) {
        pause.cycle = tile.engine->now();
        return pause;
    }
    take_stored();
    watch(breakpoints, pause);
    single_step = any_instruction;
    stepping = thread;
    const HeldCores held(source ? tile.cores : nullptr, breakpoints.cycle.value_or(engine::never));
    // A range of an earlier call only shortens turns.
    if (tile.cores) tile.cores->look_at_stores(core::stores_looked_at(breakpoints, tile.core->arch()));
    guarded([&] { advance(breakpoints, any_instruction, thread, enough, pause); });
    single_step = false;
    tile.options->on_write = users.on_write;
    pause.cycle = tile.engine->now();
    if (any_instruction && !users.explain) explanation = tile.engine->take_explanation();
    if (!over) publish(reached);
    return pause;
}

void Execution::Impl::advance(const Breakpoints& breakpoints, bool any_instruction, std::optional<unsigned> thread,
                              const std::function<bool()>& enough, Pause& pause) {
    const std::size_t findings_before = tile.engine->findings().found().size();
    const Arch arch = tile.core->arch();
    while (pause.why == Pause::Why::end) {
        if (breakpoints.word && word_holds(*breakpoints.word)) {
            pause.why = Pause::Why::word;
            break;
        }
        if (breakpoints.cycle && steps->has_reached(*breakpoints.cycle)) {
            pause.why = Pause::Why::cycle;
            reached = std::max(reached, *breakpoints.cycle);
            break;
        }
        if (enough && enough()) {
            pause.why = Pause::Why::cycle;
            break;
        }
        const std::uint64_t issued = tile.engine->issued();
        if (checkpoints && checkpoints->wants(issued)) checkpoints->keep(issued, snapshot());
        if (!steps->advance()) {
            end();
            break;
        }
        if (any_instruction && pause.why == Pause::Why::end && tile.engine->issued() != issued) {
            const Where where = tile.engine->where(tile.engine->last_issued());
            if (!thread || static_cast<int>(*thread) == where.thread) {
                pause.why = Pause::Why::instruction;
                pause.where = where;
            }
        }
        core::look_behind_step(*tile.engine, breakpoints, arch, issued, findings_before, pause);
    }
}

bool Execution::Impl::run_fast_to(std::uint64_t cycle) {
    if (over) return false;
    take_stored();
    explanation.reset();
    leave();
    const HeldCores held(tile.cores, cycle);
    bool goes_on = false;
    try {
        goes_on = tile.engine->run_to_own_horizon();
    } catch (...) {
        look();
        leave_run();
        throw;
    }
    look();
    publish(0);
    return goes_on;
}

bool Execution::Impl::word_holds(const WordCondition& word) const {
    const auto& l1 = tile.inside->state.l1;
    std::uint32_t value = 0;
    if (!l1.contains(word.address, sizeof value)) return false;
    std::memcpy(&value, l1.bytes.data() + word.address, sizeof value);
    return word.holds(value);
}

void Execution::Impl::take_stored() {
    tile.inside->take_stored_datums();
    tile.engine->set_l1_formats(tile.inside->l1_formats);
}

void Execution::Impl::publish(std::uint64_t up_to) {
    tile.engine->publish(up_to);
    give_formats();
}

void Execution::Impl::give_formats() { tile.inside->l1_formats = tile.engine->l1_formats(); }

void Execution::Impl::end() {
    result = steps->finish();  // its callers may ask
    over = true;
}

void Execution::Impl::leave_run() {
    single_step = false;
    tile.options->on_write = users.on_write;
    result = steps->leave_run();
    over = true;
}

Run core::left_run(const engine::Engine& engine) {
    Run run;
    run.cycles = engine.now();
    run.findings = engine.findings().found();
    run.blocked = engine.outcome().blocked;
    run.fault = engine.outcome().fault;
    if (run.fault) return run;
    run.fault.emplace();
    findings::describe({findings::id("interrupted")}, *run.fault);
    run.fault->message = "an exception has ended the run";
    run.fault->where.cycle = engine.now();
    return run;
}

Execution::Execution(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Execution::Execution(Execution&&) noexcept = default;
Execution& Execution::operator=(Execution&&) noexcept = default;
Execution::~Execution() = default;

namespace {

tl::unexpected<Error> no_steps() {
    return fail("run.functional", "a run in steps needs a clock, and functional timing has none; use documented timing");
}

/// The error of a call that only a tile by itself can serve.
tl::unexpected<Error> of_chip(std::string_view why) {
    return fail("chip.steps", fmt::format("tiles of a chip go together: {}", why));
}

}  // namespace

Result<Execution> Execution::begin(Core& core, Program program, RunOptions options) {
    if (options.timing == Timing::functional) return no_steps();
    if (auto ready = core.impl_->prepare(program, options); !ready) return tl::make_unexpected(ready.error());
    auto source = std::make_shared<const core::Source>(std::move(program), options);
    return Execution(Impl::of_core(core, *core.impl_, std::move(source), std::move(options)));
}

Result<Execution> Execution::begin(Core& core, Kernels kernels, RunOptions options) {
    if (options.timing == Timing::functional) return no_steps();
    auto ready = core.impl_->prepare(kernels, options);
    if (ready) ready = core::check_loaded(core.impl_->state, kernels);
    if (!ready) return tl::make_unexpected(ready.error());
    auto source = std::make_shared<const core::Source>(std::move(kernels), options);
    return Execution(Impl::of_core(core, *core.impl_, std::move(source), std::move(options)));
}

Result<Execution> Execution::begin(Core& core, const Snapshot& snapshot, RunOptions options) {
    const auto& from = *snapshot.impl_;
    if (!from.source) return of_chip("a snapshot of one of its tiles cannot be gone on from");
    const Arch arch = from.state.rest.arch().arch;
    if (arch != core.arch()) return core::other_arch("snapshot is", arch, core.arch());
    if (auto ready = core.impl_->prepare(options); !ready) return tl::make_unexpected(ready.error());
    core.impl_->reset = from.reset;
    Execution execution(Impl::of_core(core, *core.impl_, from.source, std::move(options)));
    if (auto done = execution.restore(snapshot); !done) return tl::make_unexpected(done.error());
    return execution;
}

Pause Execution::step(std::optional<unsigned> thread) { return impl_->run_until({}, true, thread); }

Pause Execution::step_cycles(std::uint64_t cycles) {
    const std::uint64_t from = std::max(impl_->reached, cycle());
    Breakpoints until;
    until.cycle = from + std::min(cycles, engine::never - from);
    return run_until(until);
}

Pause Execution::run_until(const Breakpoints& breakpoints) { return impl_->run_until(breakpoints, false, {}); }

bool Execution::ended() const { return impl_->over; }
std::uint64_t Execution::cycle() const { return impl_->tile.engine->now(); }
std::uint64_t Execution::instructions() const { return impl_->tile.engine->issued(); }
Run Execution::run() const { return impl_->over ? *impl_->result : impl_->tile.engine->so_far(); }
std::vector<Blocked> Execution::waiting() const {
    return impl_->over && !impl_->result->blocked.empty() ? impl_->result->blocked : impl_->tile.engine->blocked();
}
const std::optional<Explanation>& Execution::explanation() const { return impl_->explanation; }
Core& Execution::core() { return *impl_->tile.core; }
const Core& Execution::core() const { return *impl_->tile.core; }

void Execution::remember(std::size_t most) { impl_->checkpoints.emplace(std::max<std::size_t>(most, 1)); }

Pause Execution::back(std::uint64_t instructions) { return impl_->back(instructions); }

bool Execution::Impl::begin_again() {
    leave();
    try {
        const bool again = steps->begin_again();
        look();
        return again;
    } catch (...) {
        look();
        leave_run();
        throw;
    }
}

Pause Execution::Impl::back(std::uint64_t instructions) {
    Pause pause;
    pause.cycle = tile.engine->now();
    const std::uint64_t target = tile.engine->issued() - std::min(tile.engine->issued(), instructions);
    if (begin_again()) {
        over = false;
        result.reset();
        explanation.reset();
        reached = 0;
        // All but the last without an explanation.
        guarded([&] {
            while (tile.engine->issued() + 1 < target)
                if (!steps->advance()) break;
        });
    } else {
        if (!checkpoints) return pause;
        // Before the first step none is kept, and the run is at that moment.
        if (const auto from = checkpoints->back_to(target)) restore(*from->impl_);
        if (over) return pause;
    }
    while (tile.engine->issued() < target)
        if (pause = run_until({}, true, {}); pause.why != Pause::Why::instruction) return pause;
    pause.why = Pause::Why::instruction;
    pause.cycle = tile.engine->now();
    if (tile.engine->issued()) pause.where = tile.engine->where(tile.engine->last_issued());
    return pause;
}

Execution::Snapshot::Impl::Impl(Execution::Impl& of)
    : source(of.source),
      state(of.tile.inside->state.save()),
      reset(of.tile.inside->reset),
      progress(of.tile.engine->progress()),
      cores(of.tile.cores ? of.tile.cores->save() : nullptr),
      reached(of.reached),
      explanation(of.explanation),
      over(of.over),
      result(of.result) {
    if (of.checkpoints) past = of.checkpoints->marks();
}

Execution::Snapshot Execution::Impl::snapshot() { return Snapshot(std::make_shared<const Snapshot::Impl>(*this)); }

void Execution::Impl::restore(const Snapshot::Impl& from) {
    tile.inside->state.restore(from.state);
    tile.engine->go_back_to(from.progress);
    if (tile.cores) {
        tile.cores->restore(*from.cores);
        tile.cores->forget_time_loops();
    }
    give_formats();
    reached = from.reached;
    explanation = from.explanation;
    over = from.over;
    result = from.result;
}

namespace {

constexpr std::string_view no_host = "a host cannot act on one of them between steps; it can by Kernels::host";

tl::unexpected<Error> run_is_over() { return fail("run.over", "the run has ended"); }

}  // namespace

Result<void> Execution::write_l1(std::uint64_t address, std::span<const std::byte> bytes) {
    if (impl_->over) return run_is_over();
    if (!impl_->source) return of_chip(no_host);
    // write_l1 reports the error for a bad range.
    if (!impl_->tile.inside->state.l1.contains(address, bytes.size())) return core().write_l1(address, bytes);
    impl_->tile.engine->be_at(impl_->reached);
    impl_->tile.engine->host_writes(static_cast<std::uint32_t>(address), bytes);
    impl_->give_formats();
    return {};
}

Result<void> Execution::Impl::host_resets(RiscvCore which, bool start) {
    if (over) return run_is_over();
    if (!source) return of_chip(no_host);
    if (!tile.cores) return fail("run.kernels", "a program's cores cannot be reset: only those of kernels");
    if (start && !source->kernels->images[static_cast<std::size_t>(which)])
        return fail("run.kernels", fmt::format("{} has no kernel", name(which)));
    tile.engine->be_at(reached);
    tile.engine->host_resets(which, start);
    return {};
}

Result<void> Execution::reset(RiscvCore core) { return impl_->host_resets(core, false); }
Result<void> Execution::start(RiscvCore core) { return impl_->host_resets(core, true); }

Execution::Snapshot Execution::snapshot() { return impl_->snapshot(); }

Result<void> Execution::restore(const Snapshot& snapshot) {
    if (!impl_->source || !snapshot.impl_->source) return of_chip("there are no snapshots of one of them");
    if (snapshot.impl_->source != impl_->source)
        return fail("run.snapshot", "the snapshot belongs to another run: start a run from it instead");
    impl_->restore(*snapshot.impl_);
    if (impl_->checkpoints) impl_->checkpoints->follow(snapshot.impl_->past);
    return {};
}

Execution::Snapshot::Snapshot(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Execution::Snapshot::Snapshot(const Snapshot&) = default;
Execution::Snapshot& Execution::Snapshot::operator=(const Snapshot&) = default;
Execution::Snapshot::Snapshot(Snapshot&&) noexcept = default;
Execution::Snapshot& Execution::Snapshot::operator=(Snapshot&&) noexcept = default;
Execution::Snapshot::~Snapshot() = default;
std::uint64_t Execution::Snapshot::cycle() const { return impl_->progress.cycle; }
std::uint64_t Execution::Snapshot::instructions() const { return impl_->progress.issued; }

std::string_view name(Pause::Why why) {
    switch (why) {
        case Pause::Why::end: return "end";
        case Pause::Why::instruction: return "instruction";
        case Pause::Why::cycle: return "cycle";
        case Pause::Why::written: return "written";
        case Pause::Why::finding: return "finding";
        case Pause::Why::word: return "word";
    }
    return "?";
}

}  // namespace tessera
