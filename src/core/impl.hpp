// SPDX-License-Identifier: Apache-2.0
// The parts of a Core: state, plan cache and recorded runs.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "checks/l1_formats.hpp"
#include "core/recorded_runs.hpp"
#include "state/state.hpp"
#include "tessera/core.hpp"
#include "units/slots.hpp"

namespace tessera {

struct Core::Impl {
    Impl(Arch arch, Reset how, std::shared_ptr<core::RecordedRuns> recordings);
    Impl(const Impl& other);
    /// Requires the same architecture. The plan cache and the counters of this core stay.
    Impl& operator=(const Impl& other);

    void set(Reset how);

    std::array<std::span<std::uint32_t>, 2> banks(state::Src which) {
        return {state.bank(which, 0).datums, state.bank(which, 1).datums};
    }

    /// Clears bits that a source register does not have. Stores through a span of banks() bypass that check, so each
    /// run begins with this.
    void take_stored_datums();

    /// Prepares any run. Error "run.window".
    Result<void> prepare(const RunOptions& options);
    /// Prepares a run of this program. Errors "run.arch", "run.window", "program.op".
    Result<void> prepare(const Program& program, const RunOptions& options);
    Result<void> prepare(const Kernels& kernels, const RunOptions& options);

    /// Core::run() after prepare() succeeded.
    Run run(const Program& program, const RunOptions& options);

    state::State state;
    std::unique_ptr<units::Slots> slots;
    std::shared_ptr<core::RecordedRuns> recorded_runs;  ///< Recordings
    RunCounts run_counts;
    Reset reset;
    std::optional<unsigned> chip_tile;         ///< the number of the tile as which a chip has put it to its place since the last reset
    checks::L1Formats l1_formats;
};

namespace core {

/// Error "run.arch": `what` is for another architecture.
tl::unexpected<Error> other_arch(std::string_view what, Arch its, Arch own);

}  // namespace core

}  // namespace tessera
