// SPDX-License-Identifier: Apache-2.0
#include "gdb/chip_target.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "core/breakpoints.hpp"
#include "gdb/watcher.hpp"

namespace tessera::gdb {

/// Breakpoints of a tile that are none of a core's instructions. It observes writes as long as it lives.
class ChipTarget::Around {
public:
    Around(core::TileView& view, unsigned tile, Breakpoints breakpoints)
        : tile_(tile), view_(view), breakpoints_(std::move(breakpoints)), users_(view.options().on_write) {
        if (!breakpoints_.written.empty())
            view.options().on_write = core::observe_writes(view.engine(), breakpoints_, users_, pause_, written_at_);
        step_begins();
    }
    ~Around() { view_.options().on_write = users_; }
    Around(const Around&) = delete;
    Around& operator=(const Around&) = delete;

    unsigned tile() const { return tile_; }
    /// Behind a step of the tile. Empty: it has met nothing.
    std::optional<Pause> met() {
        core::look_behind_step(view_.engine(), breakpoints_, view_.core().arch(), issued_, findings_, pause_);
        step_begins();
        if (pause_.why == Pause::Why::end) return {};
        pause_.cycle = view_.cycle();
        return std::exchange(pause_, {});
    }
    /// As of core::DebugView.
    std::uint64_t written_at() const { return written_at_; }

private:
    void step_begins() {
        issued_ = view_.issued();
        findings_ = view_.findings().size();
    }

    const unsigned tile_;
    core::TileView& view_;
    const Breakpoints breakpoints_;
    const std::function<void(const Write&)> users_;
    Pause pause_;
    std::uint64_t written_at_ = 0;
    std::uint64_t issued_ = 0;
    std::size_t findings_ = 0;
};

/// The last instructions of a tile. It observes them as long as it lives, but for the time between leave() and look().
class ChipTarget::Last {
public:
    explicit Last(core::TileView& view) : view_(view) { look(); }
    ~Last() { leave(); }
    Last(const Last&) = delete;
    Last& operator=(const Last&) = delete;

    void look() {
        users_ = view_.options().on_event;
        view_.options().on_event = [this](const Event& event) {
            constexpr std::size_t kept = 10'000;
            if (users_) users_(event);
            events_.push_back(event);
            if (events_.size() > kept) events_.pop_front();
        };
    }
    void leave() { view_.options().on_event = users_; }
    std::vector<Event> take(std::size_t most) const {
        return {events_.end() - static_cast<std::ptrdiff_t>(std::min(most, events_.size())), events_.end()};
    }

private:
    core::TileView& view_;
    std::function<void(const Event&)> users_;
    std::deque<Event> events_;
};

/// A resume() that has begun.
struct ChipTarget::Going {
    Going(ChipTarget& target, const Resume& how, const Interrupted& interrupted) : forwards(target, how, interrupted) {}

    Forwards forwards;
    std::vector<std::unique_ptr<Around>> around;  ///< of tiles that have such breakpoints
    /// Met by acts of a host since the last step, also at tiles that have begun anew.
    std::vector<std::pair<unsigned, Pause>> met{};
};

ChipTarget::ChipTarget(std::unique_ptr<chip::DebugView> chip) : TilesTarget(chip->any_core(), chip->tiles()), chip_(std::move(chip)) {
    chip_->watch(this);
    for (unsigned tile = 0; tile < tiles(); ++tile)
        if (chip_->is_there(tile)) begins(tile);
}

ChipTarget::~ChipTarget() = default;

void ChipTarget::leaves(unsigned tile) {
    if (const auto last = last_.find(tile); last != last_.end()) last->second->leave();
    if (!going_) return;
    std::erase_if(going_->around, [&](const std::unique_ptr<Around>& one) {
        if (one->tile() != tile) return false;
        if (auto pause = one->met()) going_->met.emplace_back(tile, std::move(*pause));
        return true;
    });
}

void ChipTarget::begins(unsigned tile) {
    views()[tile] = &chip_->tile(tile);
    if (const auto last = last_.find(tile); last != last_.end()) last->second->look();
    if (going_) look_around(tile);
}

void ChipTarget::set_limit(std::uint64_t cycle) { limit_ = cycle; }

// A chip that has booted has five cores in each of up to 140 tiles; gdb needs a second for a hundred of them.
bool ChipTarget::is_shown(unsigned core) const {
    constexpr unsigned most_tiles = 16;
    const auto is_used = [&](unsigned tile) {
        if (!view(tile)) return false;
        const auto& cores = view(tile)->state().riscv;
        return !chip_->is_hosted() || std::any_of(cores.begin(), cores.end(), [](const state::Riscv& one) { return one.running || one.paused; });
    };
    unsigned before = 0;
    for (unsigned i = 0; i < tile_of(core); ++i) before += is_used(i);
    if (is_used(tile_of(core))) return !chip_->is_hosted() || before < most_tiles;
    // There is always something to look at.
    if (tile_of(core) > 0) return false;
    for (unsigned i = 1; i < tiles(); ++i)
        if (is_used(i)) return false;
    return true;
}

chip::DebugView::Answer ChipTarget::before_instruction(unsigned tile, unsigned core) {
    const unsigned number = first_core(tile) + core;
    if (!is_held_.empty() && is_held_[number]) return Hooks::Answer::waits;
    return going_ ? static_cast<Hooks&>(going_->forwards).before(number) : Hooks::Answer::executes;
}

std::optional<Stopped> ChipTarget::resume(const Resume& how, const Interrupted& interrupted) {
    if (!going_)
        if (auto stopped = stop_at_once(how)) return *stopped;
    if (how.backwards) return cannot_go_back(how);
    auto stopped = go(how, interrupted);
    if (!stopped) return {};
    going_.reset();
    release();
    chip_->settle();
    // gdb does not expect a core to stop that it has not resumed.
    if (how.cores[stopped->core].action == Resume::Action::none) stopped->core = acting_core(how);
    return stopped;
}

void ChipTarget::leave() {
    going_.reset();
    release();
}

void ChipTarget::hold(unsigned core) {
    is_held_.resize(cores());
    is_held_[core] = true;
    held_since_ = cycle();
}

void ChipTarget::release() {
    const auto held = std::exchange(is_held_, {});
    for (unsigned core = 0; !ended() && core < held.size(); ++core)
        if (held[core] && chip_->is_there(tile_of(core))) changed(core);
}

// A hosted chip is never stuck: its host may act later.
bool ChipTarget::needs_held() const {
    constexpr std::uint64_t patience = 1 << 14;
    if (is_held_.empty()) return false;
    return chip_->is_hosted() ? cycle() - held_since_ >= patience : chip_->is_stuck();
}

void ChipTarget::let_pass() {
    for (unsigned core = 0; core < is_held_.size(); ++core)
        if (is_held_[core]) going_->forwards.ignore(core);
    release();
}

void ChipTarget::run_free(const Interrupted& interrupted) {
    // A fault ends a piece of it.
    bool was_interrupted = false;
    do {
        chip_->run_fast(limit_, [&] { return was_interrupted = interrupted(); });
        chip_->take_faults();
    } while (chip_->is_hosted() && !was_interrupted && cycle() < limit_);
}

Result<void> ChipTarget::can_restart() const {
    return fail("gdb.chip", "a chip's run does not begin again here; start it anew, and attach to that");
}

Stopped ChipTarget::cannot_go_back(const Resume& how) const {
    return {.why = Stopped::Why::begin,
            .core = acting_core(how),
            .text = "A chip does not go back: there are no checkpoints of all its tiles. Jobs of one tile go back.\n"};
}

std::optional<Stopped> ChipTarget::go(const Resume& how, const Interrupted& interrupted) {
    const unsigned core = acting_core(how);
    if (ended()) return stop_at_end(how);
    if (!has_steps(how) && !how.holds_others && points_.empty() && breaks_.empty()) {
        goes_on();
        bool was_interrupted = false;
        chip_->run_fast(limit_, [&] { return was_interrupted = interrupted(); });
        if (ended()) return stop_at_end(how);
        if (auto stopped = stop_at_fault(how)) return stopped;
        if (was_interrupted) return interrupted_at(core);
        return {};
    }
    if (!going_) begin(how, interrupted);
    // Writes of a host since it ran last can meet a watchpoint.
    for (const auto& one : going_->around)
        if (const auto pause = one->met()) going_->met.emplace_back(one->tile(), *pause);
    while (!going_->met.empty()) {
        const auto [tile, pause] = going_->met.front();
        going_->met.erase(going_->met.begin());
        if (auto stopped = stop_unless_it_waits(why_paused(pause, tile, core), how)) return stopped;
    }
    for (;;) {
        if (static_cast<Hooks&>(going_->forwards).after()) {
            if (!going_->forwards.hit()) return interrupted_at(core);
            if (auto stopped = stop_unless_it_waits(*going_->forwards.hit(), how)) return stopped;
            continue;
        }
        if (how.holds_others && chip_->is_stuck()) return stuck_without_held(acting_core(how));
        if (!how.holds_others && needs_held()) let_pass();
        switch (chip_->advance(limit_)) {
            case chip::DebugView::Reached::limit:
                if (interrupted()) return interrupted_at(core);
                return {};
            case chip::DebugView::Reached::end: {
                Stopped stopped = stop_at_end(how);
                if (!is_held_.empty()) stopped.text += "Cores were held until then.\n";
                return stopped;
            }
            case chip::DebugView::Reached::step: break;
        }
        if (auto stopped = step(how)) return stopped;
        if (auto stopped = stop_at_fault(how)) return stopped;
    }
}

std::optional<Stopped> ChipTarget::stop_at_fault(const Resume& how) {
    std::optional<Stopped> first;
    for (const auto& one : chip_->take_faults()) {
        Stopped stopped = at_fault(one.what, one.tile, how);
        if (first)
            first->text += stopped.text;
        else
            first = std::move(stopped);
    }
    return first;
}

std::optional<Stopped> ChipTarget::step(const Resume& how) {
    Forwards& forwards = going_->forwards;
    if (chip_->was_stopped() && forwards.hit()) return stop_unless_it_waits(*forwards.hit(), how);
    if (!chip_->acted()) return {};
    for (const auto& one : going_->around) {
        if (one->tile() != *chip_->acted()) continue;
        const auto pause = one->met();
        if (!pause) continue;
        // A core's own access is told of with its instruction.
        const std::uint64_t stored_at = pause->why == Pause::Why::written ? one->written_at() : 0;
        const Hit hit =
            forwards.has_accessed(stored_at) ? *forwards.hit() : why_paused(*pause, one->tile(), acting_core(how));
        if (auto stopped = stop_unless_it_waits(hit, how)) return stopped;
    }
    return {};
}

void ChipTarget::begin(const Resume& how, const Interrupted& interrupted) {
    goes_on();
    going_ = std::make_unique<Going>(*this, how, interrupted);
    if (how.holds_others) {
        is_held_.resize(cores());
        for (unsigned core = 0; core < cores(); ++core) is_held_[core] = how.cores[core].action == Resume::Action::none;
    }
    std::vector<unsigned> awake;
    for (unsigned tile = 0; tile < tiles(); ++tile) {
        bool is_meant = false;
        for (unsigned core = first_core(tile); core < first_core(tile + 1); ++core) {
            const auto action = how.cores[core].action;
            is_meant |= points_.has_breakpoints(core) || action == Resume::Action::step || action == Resume::Action::range;
        }
        for (const auto& one : points_.watches()) is_meant |= tile_of(one.core) == tile;
        if (is_meant) awake.push_back(tile);
    }
    chip_->keep_awake(std::move(awake));
    for (unsigned tile = 0; tile < tiles(); ++tile) look_around(tile);
}

void ChipTarget::look_around(unsigned tile) {
    bool has = std::any_of(breaks_.begin(), breaks_.end(), [&](const Break& one) { return one.tile == tile; });
    for (const auto& one : points_.watches()) has |= tile_of(one.core) == tile;
    const auto& around = going_->around;
    has = has && std::none_of(around.begin(), around.end(), [&](const auto& one) { return one->tile() == tile; });
    if (!has) return;
    if (is_there(tile))
        going_->around.push_back(std::make_unique<Around>(this->tile(tile), tile, breakpoints_around(tile)));
    else
        this->tile(tile);  // it begins, which leads here again
}

Stopped ChipTarget::stop_at_end(const Resume& how) {
    const unsigned core = acting_core(how);
    const ChipRun& run = chip_->result();
    unsigned first = core - of_tile(core);
    const auto failed = std::find_if(run.tiles.begin(), run.tiles.end(), [](const TileRun& one) { return one.run.fault.has_value(); });
    if (failed != run.tiles.end()) first = first_core(chip_->number(*failed));
    return told_end(at_end(run.fault, run.describe_waits(), run.cycles, core, first), how);
}

std::string ChipTarget::writer_outside(unsigned tile, std::size_t address) const {
    const std::string writer = chip_->writer(tile, address);
    return writer.empty() ? "the host or the NoC" : writer;
}

Result<std::string> ChipTarget::last_writer(unsigned, std::uint32_t, std::uint32_t, const Interrupted&) {
    return fail("gdb.chip", "a chip does not go back, so nobody knows who wrote before now; watch the address from the begin of the run");
}

// Kept from the first question on, since the observer makes a run slower.
Result<std::vector<Event>> ChipTarget::last_instructions(unsigned tile, std::size_t most, const Interrupted&) {
    if (const auto last = last_.find(tile); last != last_.end()) return last->second->take(most);
    last_.emplace(tile, std::make_unique<Last>(this->tile(tile)));
    return fail("gdb.chip",
                "a chip does not go back: from now on the tile's last instructions are kept; ask again later");
}

}  // namespace tessera::gdb
