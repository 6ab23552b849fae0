// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "shared_core.hpp"
#include "tessera/chip.hpp"

namespace tessera::python {

inline std::pair<unsigned, unsigned> xy(NocPlace place) { return {place.x, place.y}; }

/// A chip that other Python threads cannot use during a run. Its tiles, and views of their memories, keep it alive.
class SharedChip {
public:
    /// `options` are those of runs, for each tile.
    explicit SharedChip(Chip chip, RunOptions options = {})
        : chip_(std::make_shared<Chip>(std::move(chip))),
          running_(std::make_shared<std::atomic<bool>>(false)),
          options_(std::move(options)) {}

    Chip& idle() {
        if (*running_) raise(Error{"run.busy", "the chip is running", {}, 0, 0});
        return *chip_;
    }
    bool running() const { return *running_; }
    const RunOptions& options() const { return options_; }

    /// For SharedCore::handed_over().
    std::unique_ptr<SharedCore> tile(unsigned column, unsigned row) {
        Core* const core = value_of(idle().tile(column, row));
        return std::make_unique<SharedCore>(std::shared_ptr<Core>(chip_, core), running_);
    }
    /// Calls `what` (of the Chip), during which nothing else can use the chip or its tiles.
    template <class What>
    auto exclusively(What&& what) {
        Chip& chip = idle();
        const SetRunning running(running_);
        return what(chip);
    }

private:
    std::shared_ptr<Chip> chip_;
    RunningFlag running_;
    RunOptions options_;
};

/// Options of a run of a chip as given in Python.
struct ChipRunArguments {
    RunArguments tile;
    unsigned threads = 1;
    std::optional<PacketCallback> on_packet;
};

/// Runs a chip without the GIL. Raises tessera.ChipFault, an exception of `on_packet`, and one of a signal handler.
ChipRun run_chip(Chip& chip, const RunOptions& base, const ChipRunArguments& arguments);

}  // namespace tessera::python
