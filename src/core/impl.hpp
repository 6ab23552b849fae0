// SPDX-License-Identifier: Apache-2.0
// What a Core is: a state, its kept plans, and where recorded runs are kept.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "checks/l1_tensors.hpp"
#include "core/recorded_runs.hpp"
#include "state/state.hpp"
#include "tessera/core.hpp"
#include "units/slots.hpp"

namespace tessera {

struct Core::Impl {
    Impl(Arch arch, Reset how, std::shared_ptr<core::RecordedRuns> recordings);
    Impl(const Impl& other);
    /// Of the same architecture. What this one has kept of instructions, and counted, stays.
    Impl& operator=(const Impl& other);

    void set(Reset how);

    std::array<std::span<std::uint32_t>, 2> banks(state::Src which) {
        return {state.bank(which, 0).datums, state.bank(which, 1).datums};
    }

    /// Whoever stores through a span of banks() may set bits that a source register does not have, and no bank notices: what a
    /// run, or another part of it, begins with.
    void take_stored_datums();

    /// What every run begins with. Error "run.window".
    Result<void> prepare(const RunOptions& options);
    /// A program may run here. Errors "run.arch", "run.window", "program.op".
    Result<void> prepare(const Program& program, const RunOptions& options);
    Result<void> prepare(const Kernels& kernels, const RunOptions& options);

    /// What Core::run() does, of a program that may run here.
    Run run(const Program& program, const RunOptions& options);

    state::State state;
    std::unique_ptr<units::Slots> slots;
    std::shared_ptr<core::RecordedRuns> recorded_runs;  ///< Recordings
    RunCounts run_counts;
    Reset reset;
    std::vector<checks::L1Tensor> l1_tensors;  ///< that nothing has been written to since
};

namespace core {

/// Error "run.arch": `what` is for another architecture.
tl::unexpected<Error> other_arch(std::string_view what, Arch its, Arch own);

}  // namespace core

}  // namespace tessera
