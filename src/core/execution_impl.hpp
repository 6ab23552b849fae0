// SPDX-License-Identifier: Apache-2.0
// The parts of an Execution. Breakpoints, single steps and explanations are here; Steps knows how the tile advances: by itself, or as one
// of a chip.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/checkpoints.hpp"
#include "core/impl.hpp"
#include "engine/engine.hpp"
#include "engine/timing_in_use.hpp"
#include "tessera/execution.hpp"
#include "tile/tile.hpp"

namespace tessera {

namespace core {

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
    explicit Source(const RunOptions& how) : timing(engine::timing_in_use(how)), seed(how.seed), reference(how.reference) {}
};

/// The report of a run that an exception has left in the middle of a step: what it had found, and fault "interrupted".
Run left_run(const engine::Engine& engine);

}  // namespace core

struct Execution::Snapshot::Impl {
    explicit Impl(Execution::Impl& of);

    std::shared_ptr<const core::Source> source;  ///< null: of a tile of a chip
    state::SavedState state;
    Reset reset{};
    engine::Progress progress;
    std::shared_ptr<const engine::Cores::Memory> cores;
    std::uint64_t reached = 0;
    std::optional<Explanation> explanation;
    bool over = false;
    std::optional<Run> result;
    std::vector<core::CheckpointMark> past;  ///< Checkpoints::marks() then
};

struct Execution::Impl {
    /// The tile that is looked at. All of it stays valid until the next View.
    struct View {
        Core* core = nullptr;
        Core::Impl* inside = nullptr;
        engine::Engine* engine = nullptr;
        RunOptions* options = nullptr;  ///< the engine's
        tile::Tile* cores = nullptr;    ///< of kernels; null: a program
    };
    /// Advances the tile.
    class Steps {
    public:
        virtual ~Steps() = default;
        virtual View view() = 0;
        /// A step of the tile's engine, or what is due around the tile. False: nothing is left to do, or the run was stopped.
        virtual bool advance() = 0;
        /// The run goes on, and nothing happens in the tile before that cycle.
        virtual bool has_reached(std::uint64_t cycle) = 0;
        /// The report of the tile, once advance() has returned false.
        virtual Run finish() = 0;
        /// The same if an exception has left advance() or finish(): nothing is left to do.
        virtual Run leave_run() = 0;
        /// Begins the run again; view() is another one then, also behind an exception. False: it goes back by snapshots.
        virtual bool begin_again() { return false; }
    };
    /// A tile by itself.
    class OwnTile;

    /// `source` is null for a tile of a chip.
    Impl(std::unique_ptr<Steps> steps, std::shared_ptr<const core::Source> source);
    static std::unique_ptr<Impl> of_core(Core& core, Core::Impl& inside, std::shared_ptr<const core::Source> source, RunOptions options);
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    /// Looks at the tile that Steps::view() has now.
    void look();
    /// Gives the engine's options back to the user, before Steps looks at another tile.
    void leave() { *tile.options = users; }

    /// `enough`: a stop beside those of `breakpoints`; it gives Why::cycle.
    Pause run_until(const Breakpoints& breakpoints, bool any_instruction, std::optional<unsigned> thread,
                    const std::function<bool()>& enough = {});
    Pause back(std::uint64_t instructions);
    /// Runs kernels up to that cycle as fast as a run that is not in steps. Cores may be ahead then. False: the run may be over; the next
    /// step tells.
    bool run_fast_to(std::uint64_t cycle);
    Snapshot snapshot();
    void restore(const Snapshot::Impl& from);
    Result<void> host_resets(RiscvCore which, bool start);
    bool word_holds(const WordCondition& word) const;
    void watch(const Breakpoints& breakpoints, Pause& pause);
    /// The steps of run_until(): notes in `pause` what stops them.
    void advance(const Breakpoints& breakpoints, bool any_instruction, std::optional<unsigned> thread, const std::function<bool()>& enough,
                 Pause& pause);
    void end();
    /// Takes steps. An exception that leaves one ends the run, and reaches the caller.
    template <class Steps>
    void guarded(Steps&& take) {
        try {
            take();
        } catch (...) {
            leave_run();
            throw;
        }
    }
    void leave_run();
    /// As of Steps.
    bool begin_again();
    /// While nothing runs, the user may have stored into the core: datums, and arrays with a format.
    void take_stored();
    /// Shows in the core what the run has come to.
    void publish(std::uint64_t up_to);
    /// The core's arrays with a format are those that the run has not overwritten.
    void give_formats();

    std::unique_ptr<Steps> steps;
    std::shared_ptr<const core::Source> source;
    View tile;
    RunOptions users;  ///< the engine's options as given
    std::uint64_t written_at = 0;  ///< as of core::observe_writes()
    std::optional<Explanation> explanation;
    bool single_step = false, over = false;
    std::optional<unsigned> stepping;  ///< the thread of a single step
    std::optional<Run> result;         ///< once it is over
    std::uint64_t reached = 0;         ///< the last Breakpoints::cycle that was met
    std::optional<core::Checkpoints<Snapshot>> checkpoints;
};

}  // namespace tessera
