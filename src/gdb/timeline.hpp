// SPDX-License-Identifier: Apache-2.0
// A run that goes forwards and back. It goes back by a checkpoint and from there on again, since runs are deterministic.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "core/debug_view.hpp"
#include "gdb/checkpoints.hpp"
#include "gdb/hooks.hpp"
#include "util/temporarily.hpp"

namespace tessera::gdb {

class Timeline final : private tile::CoreWatch {
public:
    using Interrupted = std::function<bool()>;

    explicit Timeline(Execution& execution);
    ~Timeline();
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    core::DebugView& view() { return view_; }
    const core::DebugView& view() const { return view_; }
    bool ended() const { return view_.execution().ended(); }
    Position here() const;
    /// The last one in which something has happened; before an instruction at which a core was stopped, that instruction's.
    std::uint64_t cycle() const;

    /// While it lives, these may end the run.
    using MayEnd = util::Temporarily<engine::Outcome::Ends>;
    /// The run goes on for the user: a limit of this computer may end it, but only once, and polls that nothing will end. Otherwise neither ends
    /// it: it only comes again to where it was.
    MayEnd into_new() { return {view_.tile().engine().ends(), {!has_met_limit_, true}}; }

    /// Runs step by step. Pause::Why::cycle: the hooks ended it. Keeps checkpoints on the way.
    Pause run(Hooks& hooks, const Breakpoints& breakpoints);
    /// While it lives, it is told of instructions of the coprocessor that end in run().
    class Observer {
    public:
        Observer(Timeline& timeline, std::function<void(const Event&)> on_event) : timeline_(timeline) {
            timeline_.observe(std::move(on_event));
        }
        ~Observer() { timeline_.observe({}); }
        Observer(const Observer&) = delete;
        Observer& operator=(const Observer&) = delete;

    private:
        Timeline& timeline_;
    };
    /// Runs as fast as without a debugger, until it is interrupted or the run ends. Then no core is ahead.
    void run_fast(const Interrupted& interrupted);

    // Going back.

    const Checkpoints& checkpoints() const { return kept_; }
    /// Goes there, and on to where no core is ahead. Later checkpoints stay; before the run goes on for good, forget_after() drops them.
    void go_back_to(std::size_t checkpoint);
    /// Goes on to a position that lies ahead.
    void go_on_to(const Position& position);
    /// Drops the checkpoints after that one.
    void forget_after(std::size_t checkpoint) { kept_.forget_after(checkpoint); }
    /// Goes to a position by way of the last checkpoint before it, and forgets what was later. If the position is forgotten, goes to the
    /// oldest checkpoint.
    void go_to(const Position& position);

    /// The time between a checkpoint and the part that has been looked at already.
    struct Piece {
        std::size_t checkpoint = 0;              ///< where the run is now
        const Position* until = nullptr;         ///< null: until the cycle
        std::optional<std::uint64_t> until_cycle;
    };
    /// Goes through the time before `begin` piece by piece, the last one first, until `look` returns true, which it may do anywhere.
    /// `look` may run the timeline. Meanwhile no checkpoint comes or goes.
    bool look_back(const Position& begin, const std::function<bool(const Piece&)>& look);

    /// Keeps a checkpoint here. `changed`: a debugger has changed something, so the way to here cannot be gone again.
    void keep(bool changed);
    /// These cores are held from now on (a bit each); of replayed time, too.
    void hold(unsigned cores);
    unsigned held() const { return held_; }

private:
    std::uint64_t cycle_of_run() const;
    Hooks::Answer before_instruction(unsigned core) override;
    /// Watches the cores, or lets them run ahead.
    void look_closely(bool closely);
    /// From now on; an empty function: as the run began.
    void observe(std::function<void(const Event&)> on_event);
    void note_step();
    void keep_if_due(bool exact);
    void keep(bool exact, bool changed);
    bool has_just_changed() const;
    void come_together();
    void come_to_end_again();
    /// Step by step to the end.
    void run_on();
    void run_to_cycle(std::uint64_t cycle);
    void note_end();

    core::DebugView view_;
    Hooks* hooks_ = nullptr;
    bool stopped_by_core_ = false;
    Position at_;
    /// The end that the run came to last. Where a run ends by limits or polls depends on its steps.
    struct End {
        Execution::Snapshot snapshot;
        Position at;
    };
    std::optional<End> end_;
    bool has_met_limit_ = false;  ///< it counts no more
    std::uint64_t there_ = 0;  ///< cycle of the position that go_to() has come to; 0: the run has gone on since
    Checkpoints kept_;
    unsigned held_ = 0;
    bool looks_back_ = false;
};

}  // namespace tessera::gdb
