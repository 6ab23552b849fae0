// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <variant>

#include "bindings.hpp"
#include "signal_watch.hpp"
#include "tessera/execution.hpp"
#include "tessera/job.hpp"

namespace tessera::python {

/// Whether a run is under way. The tiles of a chip share it with the chip.
using RunningFlag = std::shared_ptr<std::atomic<bool>>;

/// Sets the flag while it lives.
class SetRunning {
public:
    explicit SetRunning(const RunningFlag& flag) : flag_(*flag) { flag_ = true; }
    SetRunning(const SetRunning&) = delete;
    SetRunning& operator=(const SetRunning&) = delete;
    ~SetRunning() { flag_ = false; }

private:
    std::atomic<bool>& flag_;
};

/// A core that other Python threads cannot use during a run.
class SharedCore {
public:
    explicit SharedCore(Core core)
        : core_(std::make_shared<Core>(std::move(core))), running_(std::make_shared<std::atomic<bool>>(false)) {}
    /// A tile, which keeps its chip alive, for handed_over().
    SharedCore(std::shared_ptr<Core> tile, RunningFlag running_chip)
        : core_(std::move(tile)), running_(std::move(running_chip)), is_tile_(true), is_handle_(true) {}

    Core& idle() {
        if (*running_) raise(Error{"run.busy", is_tile_ ? "the chip is running" : "the core is running", {}, 0, 0});
        return *core_;
    }
    /// idle(), for what a tile of a chip cannot do by itself, with the reason.
    Core& alone(const char* why = "a tile of a chip runs with its chip, by Chip.run(), and keeps its place there; Core(tile) is a copy that "
                                  "runs alone") {
        if (is_tile_) raise_value(why);
        return idle();
    }
    bool running() const { return *running_; }

    /// Chip._tile() gives a tile to Python's class Core, whose object of this class is the same tile, and no snapshot. Otherwise null.
    std::unique_ptr<SharedCore> handed_over() const {
        if (!is_handle_) return nullptr;
        auto same = std::make_unique<SharedCore>(core_, running_);
        same->is_handle_ = false;
        return same;
    }

    /// Number of runs begun on this core; an Execution of an earlier one is over.
    std::uint64_t begun() const { return begun_; }
    void begin() { ++begun_; }
    /// The run that begin() counted was refused before anything ran.
    void refused() { --begun_; }

    /// Calls `what` (of the Core) without the GIL. An exception from a signal handler, caught by the run's watch, is
    /// raised after `what` returns.
    template <class What>
    auto without_gil(SignalWatch& watch, What&& what) {
        Core& core = idle();
        const SetRunning running(running_);
        watch.begin();
        std::optional<decltype(what(core))> result;
        {
            const WithoutGil released;
            result = what(core);
        }
        watch.raise();
        return std::move(*result);
    }

private:
    std::shared_ptr<Core> core_;
    RunningFlag running_;
    bool is_tile_ = false, is_handle_ = false;
    std::uint64_t begun_ = 0;
};

/// The types that a core can execute.
using Executable = std::variant<const Program*, const Kernels*, const Job*>;

/// Limits of this computer on a run, as given in Python.
struct HostArguments {
    std::optional<double> timeout;  ///< seconds
    std::optional<std::uint64_t> max_memory;
};

/// Options of a run as given in Python. Missing ones come from the job, or from RunOptions' defaults.
struct RunArguments {
    std::optional<std::uint64_t> seed;
    std::optional<std::string> timing;
    std::optional<std::uint64_t> max_cycles;
    std::map<std::string, std::string> levels;
    bool reference = false;
    bool recorded = true;
    HostArguments host{};
    std::vector<std::string> disregard{};

    /// Whether any is given that is not a limit of this computer.
    bool changes_results() const {
        return seed || timing || max_cycles || !levels.empty() || reference || !recorded || !disregard.empty();
    }
    /// ValueError for unknown names.
    RunOptions over(RunOptions options) const;
    /// The same; TypeError for None in place of a program.
    RunOptions over(const Executable& what) const;
};

/// Raises InputError for a code that no fault or finding has.
void check_finding(const std::string& code);

void bind_memories(py::class_<SharedCore>& core);
void bind_sections(py::class_<SharedCore>& core);
void bind_executions(py::module_& module, py::class_<SharedCore>& core);

}  // namespace tessera::python
