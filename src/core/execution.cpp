// SPDX-License-Identifier: Apache-2.0
// A run in steps: advances an Engine until a breakpoint or step condition is met.
#include "tessera/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/checkpoints.hpp"
#include "core/impl.hpp"
#include "engine/engine.hpp"
#include "isa/names.hpp"
#include "tile/tile.hpp"

namespace tessera {

namespace {

/// The program or kernels of a run; constant during the run.
struct Source {
    std::optional<Program> program;
    std::optional<Kernels> kernels;
    Timing timing{};
    std::optional<std::uint64_t> seed;
    bool reference = false;

    Source(Program what, const RunOptions& how) : Source(how) { program = std::move(what); }
    Source(Kernels what, const RunOptions& how) : Source(how) { kernels = std::move(what); }

private:
    explicit Source(const RunOptions& how) : timing(how.timing), seed(how.seed), reference(how.reference) {}
};

bool is_end_of(std::string_view end, std::string_view text) { return !end.empty() && text.ends_with(end); }

bool contains(const Breakpoints::Elements& range, const StateElement& element) {
    return element.section == range.section && element.element >= range.first &&
           element.element - range.first < range.count;
}

}  // namespace

struct Execution::Snapshot::Impl {
    explicit Impl(Execution::Impl& of);

    std::shared_ptr<const Source> source;
    state::SavedState state;
    Reset reset{};
    engine::Progress progress;
    std::shared_ptr<const engine::Cores::Memory> cores;
    std::optional<Explanation> explanation;
    bool over = false;
    std::optional<Run> result;
};

struct Execution::Impl {
    Impl(Core& core_, Core::Impl& inside_, std::shared_ptr<const Source> source_, RunOptions options_)
        : core(&core_), inside(inside_), source(std::move(source_)), users(std::move(options_)) {
        users.timing = source->timing;
        users.seed = source->seed;
        users.reference = source->reference;
        options = users;
        // A single step reports what it did. Explaining every instruction on the way would cost more than the run.
        if (!users.explain) {
            options.elements.clear();
            options.explain = [this](unsigned t, std::int64_t, std::uint32_t) {
                return single_step && (!stepping || *stepping == t);
            };
        }
        begin();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void begin() {
        if (source->kernels) {
            tile.emplace(inside.state, *source->kernels, source->timing, true);
            engine.emplace(inside.state, *inside.slots, *tile, options, inside.reset);
        } else {
            engine.emplace(inside.state, *inside.slots, *source->program, options, inside.reset);
        }
        engine->knows_l1(inside.l1_tensors);
    }

    Pause run_until(const Breakpoints& breakpoints, bool any_instruction, std::optional<unsigned> thread);
    Snapshot snapshot();
    void restore(const Snapshot::Impl& from);
    Result<void> host_resets(RiscvCore which, bool start);
    bool word_holds(const WordCondition& word) const;
    bool is_at(const Breakpoints::Instruction& wanted, const Where& where, std::uint32_t word) const;
    void watch(const Breakpoints& breakpoints, Pause& pause);
    void end();

    Core* core;
    Core::Impl& inside;
    std::shared_ptr<const Source> source;
    RunOptions users;    ///< as given
    RunOptions options;  ///< as passed to the engine
    std::optional<tile::Tile> tile;
    std::optional<engine::Engine> engine;
    std::optional<Explanation> explanation;
    bool single_step = false, over = false;
    std::optional<unsigned> stepping;  ///< the thread of a single step
    std::optional<Run> result;  ///< once it is over
    std::optional<core::Checkpoints<Snapshot>> checkpoints;
};

// Installs the engine's on_write observer only if a breakpoint needs it, because the observer slows the run.
void Execution::Impl::watch(const Breakpoints& breakpoints, Pause& pause) {
    options.on_write = users.on_write;
    if (breakpoints.written.empty()) return;
    options.on_write = [&, this](const Write& write) {
        if (users.on_write) users.on_write(write);
        for (const StateElement& element : write.elements)
            if (std::any_of(breakpoints.written.begin(), breakpoints.written.end(),
                            [&](const auto& range) { return contains(range, element); }))
                pause.written.push_back(element);
        if (pause.written.empty() || pause.why == Pause::Why::written) return;
        pause.why = Pause::Why::written;
        pause.where = engine->where(engine->last_writer());
    };
}

bool Execution::Impl::is_at(const Breakpoints::Instruction& wanted, const Where& where, std::uint32_t word) const {
    if (wanted.thread && static_cast<int>(*wanted.thread) != where.thread) return false;
    if (wanted.index && *wanted.index != where.index) return false;
    if (!wanted.place.empty() && !is_end_of(wanted.place, where.place) &&
        std::none_of(where.frames.begin(), where.frames.end(),
                     [&](const Frame& frame) { return is_end_of(wanted.place, frame.place); }))
        return false;
    if (wanted.name.empty()) return true;
    const auto* spec = isa::find_spec(wanted.name, core->arch());
    return spec && isa::decode(word, core->arch()).spec == spec;
}

Pause Execution::Impl::run_until(const Breakpoints& breakpoints, bool any_instruction, std::optional<unsigned> thread) {
    Pause pause;
    explanation.reset();
    if (over) {
        pause.cycle = engine->now();
        return pause;
    }
    inside.take_stored_datums();
    watch(breakpoints, pause);
    single_step = any_instruction;
    stepping = thread;
    const std::size_t findings_before = engine->findings().found().size();
    const auto is_wanted_finding = [&](const Finding& finding) {
        return breakpoints.finding->empty() ? finding.level > Level::info : finding.code == *breakpoints.finding;
    };
    const bool looks_at_instructions = any_instruction || !breakpoints.instructions.empty();
    while (pause.why == Pause::Why::end) {
        if (breakpoints.word && word_holds(*breakpoints.word)) {
            pause.why = Pause::Why::word;
            break;
        }
        if (breakpoints.cycle && engine->next_time() >= *breakpoints.cycle &&
            engine->next_time() != engine::never) {
            pause.why = Pause::Why::cycle;
            break;
        }
        const std::uint64_t issued = engine->issued();
        if (checkpoints && checkpoints->wants(issued)) checkpoints->keep(issued, snapshot());
        if (!engine->advance()) {
            end();
            break;
        }
        if (pause.why == Pause::Why::end && looks_at_instructions && engine->issued() != issued) {
            const Where where = engine->where(engine->last_issued());
            const auto& wanted = breakpoints.instructions;
            if ((any_instruction && (!thread || static_cast<int>(*thread) == where.thread)) ||
                std::any_of(wanted.begin(), wanted.end(),
                            [&](const auto& one) { return is_at(one, where, engine->last_issued().word); })) {
                pause.why = Pause::Why::instruction;
                pause.where = where;
            }
        }
        const auto& found = engine->findings().found();
        if (pause.why == Pause::Why::end && breakpoints.finding) {
            const auto first = std::find_if(found.begin() + static_cast<std::ptrdiff_t>(findings_before), found.end(),
                                            is_wanted_finding);
            if (first != found.end()) {
                pause.why = Pause::Why::finding;
                pause.finding = *first;
                pause.where = first->where;
            }
        }
    }
    single_step = false;
    options.on_write = users.on_write;
    pause.cycle = engine->now();
    if (any_instruction && !users.explain) explanation = engine->take_explanation();
    if (!over) engine->publish();
    return pause;
}

bool Execution::Impl::word_holds(const WordCondition& word) const {
    const auto& l1 = inside.state.l1;
    std::uint32_t value = 0;
    if (!l1.contains(word.address, sizeof value)) return false;
    std::memcpy(&value, l1.bytes.data() + word.address, sizeof value);
    return word.holds(value);
}

void Execution::Impl::end() {
    over = true;
    result = engine->finish();
    inside.l1_tensors = engine->known_l1();
}

Execution::Execution(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Execution::Execution(Execution&&) noexcept = default;
Execution& Execution::operator=(Execution&&) noexcept = default;
Execution::~Execution() = default;

namespace {

tl::unexpected<Error> no_steps() {
    return fail("run.functional", "a run in steps needs a clock, and functional timing has none; use documented timing");
}

}  // namespace

Result<Execution> Execution::begin(Core& core, Program program, RunOptions options) {
    if (options.timing == Timing::functional) return no_steps();
    if (auto ready = core.impl_->prepare(program, options); !ready) return tl::make_unexpected(ready.error());
    auto source = std::make_shared<const Source>(std::move(program), options);
    return Execution(std::make_unique<Impl>(core, *core.impl_, std::move(source), std::move(options)));
}

Result<Execution> Execution::begin(Core& core, Kernels kernels, RunOptions options) {
    if (options.timing == Timing::functional) return no_steps();
    if (auto ready = core.impl_->prepare(kernels, options); !ready) return tl::make_unexpected(ready.error());
    auto source = std::make_shared<const Source>(std::move(kernels), options);
    return Execution(std::make_unique<Impl>(core, *core.impl_, std::move(source), std::move(options)));
}

Result<Execution> Execution::begin(Core& core, const Snapshot& snapshot, RunOptions options) {
    const auto& from = *snapshot.impl_;
    const Arch arch = from.state.rest.arch().arch;
    if (arch != core.arch()) return core::other_arch("snapshot is", arch, core.arch());
    if (auto ready = core.impl_->prepare(options); !ready) return tl::make_unexpected(ready.error());
    core.impl_->reset = from.reset;
    Execution execution(std::make_unique<Impl>(core, *core.impl_, from.source, std::move(options)));
    if (auto done = execution.restore(snapshot); !done) return tl::make_unexpected(done.error());
    return execution;
}

Pause Execution::step(std::optional<unsigned> thread) { return impl_->run_until({}, true, thread); }

Pause Execution::step_cycles(std::uint64_t cycles) {
    const std::uint64_t next = impl_->engine->next_time();
    const std::uint64_t from = next == engine::never ? cycle() : std::max(next, cycle());
    Breakpoints until;
    until.cycle = from + cycles;
    return run_until(until);
}

Pause Execution::run_until(const Breakpoints& breakpoints) { return impl_->run_until(breakpoints, false, {}); }

bool Execution::ended() const { return impl_->over; }
std::uint64_t Execution::cycle() const { return impl_->engine->now(); }
std::uint64_t Execution::instructions() const { return impl_->engine->issued(); }
Run Execution::run() const { return impl_->over ? *impl_->result : impl_->engine->so_far(); }
std::vector<Blocked> Execution::waiting() const { return impl_->engine->blocked(); }
const std::optional<Explanation>& Execution::explanation() const { return impl_->explanation; }
Core& Execution::core() { return *impl_->core; }
const Core& Execution::core() const { return *impl_->core; }

void Execution::remember(std::size_t most) { impl_->checkpoints.emplace(std::max<std::size_t>(most, 1)); }

Pause Execution::back(std::uint64_t instructions) {
    Impl& now = *impl_;
    Pause pause;
    pause.cycle = cycle();
    if (!now.checkpoints) return pause;
    const std::uint64_t issued = this->instructions();
    const std::uint64_t target = issued - std::min(issued, instructions);
    auto from = now.checkpoints->back_to(target);
    if (!from) from = now.checkpoints->first();
    if (!from) return pause;
    now.restore(*from->impl_);
    while (now.engine->issued() < target)
        if (pause = step(); pause.why != Pause::Why::instruction) return pause;
    pause.why = Pause::Why::instruction;
    pause.cycle = cycle();
    if (now.engine->issued()) pause.where = now.engine->where(now.engine->last_issued());
    return pause;
}

Execution::Snapshot::Impl::Impl(Execution::Impl& of)
    : source(of.source),
      state(of.inside.state.save()),
      reset(of.inside.reset),
      progress(of.engine->progress()),
      cores(of.tile ? of.tile->save() : nullptr),
      explanation(of.explanation),
      over(of.over),
      result(of.result) {}

Execution::Snapshot Execution::Impl::snapshot() { return Snapshot(std::make_shared<const Snapshot::Impl>(*this)); }

void Execution::Impl::restore(const Snapshot::Impl& from) {
    inside.state.restore(from.state);
    engine->go_back_to(from.progress);
    if (tile) tile->restore(*from.cores);
    explanation = from.explanation;
    over = from.over;
    result = from.result;
}

namespace {

tl::unexpected<Error> run_is_over() { return fail("run.over", "the run has ended"); }

}  // namespace

Result<void> Execution::write_l1(std::uint64_t address, std::span<const std::byte> bytes) {
    if (impl_->over) return run_is_over();
    // write_l1 reports the error for a bad range.
    if (!impl_->inside.state.l1.contains(address, bytes.size())) return core().write_l1(address, bytes);
    impl_->engine->host_writes(static_cast<std::uint32_t>(address), bytes);
    return {};
}

Result<void> Execution::Impl::host_resets(RiscvCore which, bool start) {
    if (over) return run_is_over();
    if (!tile) return fail("run.kernels", "a program's cores cannot be reset: only those of kernels");
    if (start && !source->kernels->images[static_cast<std::size_t>(which)])
        return fail("run.kernels", fmt::format("{} has no kernel", name(which)));
    engine->host_resets(which, start);
    return {};
}

Result<void> Execution::reset(RiscvCore core) { return impl_->host_resets(core, false); }
Result<void> Execution::start(RiscvCore core) { return impl_->host_resets(core, true); }

Execution::Snapshot Execution::snapshot() { return impl_->snapshot(); }

Result<void> Execution::restore(const Snapshot& snapshot) {
    if (snapshot.impl_->source != impl_->source)
        return fail("run.snapshot", "the snapshot belongs to another run; Execution::begin() continues from any snapshot");
    impl_->restore(*snapshot.impl_);
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
