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

/// A core that other Python threads cannot use during a run.
class SharedCore {
public:
    explicit SharedCore(Core core) : core_(std::move(core)) {}

    Core& idle() {
        if (running_) raise(Error{"run.busy", "the core is running", {}, 0, 0});
        return core_;
    }
    bool running() const { return running_; }

    /// Number of runs begun on this core; an Execution of an earlier one is over.
    std::uint64_t begun() const { return begun_; }
    void begin() { ++begun_; }

    /// Calls `what` (of the Core) without the GIL. An exception from a signal handler, caught by the run's watch, is
    /// raised after `what` returns.
    template <class What>
    auto without_gil(SignalWatch& watch, What&& what) {
        Core& core = idle();
        const Running running(running_);
        watch.begin();
        std::optional<decltype(what(core))> result;
        {
            const py::gil_scoped_release released;
            result = what(core);
        }
        watch.raise();
        return std::move(*result);
    }

private:
    struct Running {
        explicit Running(std::atomic<bool>& which) : flag(which) { flag = true; }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        ~Running() { flag = false; }
        std::atomic<bool>& flag;
    };

    Core core_;
    std::atomic<bool> running_ = false;
    std::uint64_t begun_ = 0;
};

/// The types that a core can execute.
using Executable = std::variant<const Program*, const Kernels*, const Job*>;

/// Options of a run as given in Python. Missing ones come from the job, or from RunOptions' defaults.
struct RunArguments {
    std::optional<std::uint64_t> seed;
    std::optional<std::string> timing;
    std::optional<std::uint64_t> max_cycles;
    std::map<std::string, std::string> levels;
    bool reference = false;
    bool recorded = true;

    /// ValueError for unknown names; TypeError for None in place of a program.
    RunOptions over(const Executable& what) const;
};

void bind_memories(py::class_<SharedCore>& core);
void bind_sections(py::class_<SharedCore>& core);
void bind_executions(py::module_& module, py::class_<SharedCore>& core);

}  // namespace tessera::python
