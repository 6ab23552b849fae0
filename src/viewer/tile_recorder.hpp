// SPDX-License-Identifier: Apache-2.0
// Watches a tile of a grid and keeps what the page of a chip shows of it. Tiles run in several host threads, so they share nothing.
#pragma once

#include <vector>

#include "tessera/chip.hpp"
#include "viewer/instruction_table.hpp"
#include "viewer/packing.hpp"
#include "viewer/paths.hpp"
#include "viewer/signal_table.hpp"
#include "viewer/sources.hpp"
#include "viewer/wait_table.hpp"

namespace tessera::viewer {

class TileRecorder {
public:
    /// Both outlive it; `core` is as it is before its run.
    TileRecorder(const Job& job, const Core& core);

    /// Sets the observers; the options must not outlive this.
    void watch(RunOptions& options);
    /// The tile's data. `cycles`: of the chip's run.
    Json json(const TileRun& run, std::uint64_t cycles, Packer& packer);

private:
    struct Busy {
        std::uint64_t begin = 0, end = 0;
    };
    Json activity(std::uint64_t cycles, Packer& packer) const;

    Paths paths_;
    Texts texts_;
    Sources sources_;
    InstructionTable instructions_;
    WaitTable waits_;
    SignalTable signals_;
    std::vector<Busy> busy_;  ///< times of instructions in units; neighbours are joined
};

}  // namespace tessera::viewer
