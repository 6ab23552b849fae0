// SPDX-License-Identifier: Apache-2.0
// The commands of `tessera step`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tessera/chip_execution.hpp"
#include "tessera/job.hpp"

namespace tessera::cli {

class StepSession {
public:
    /// Requires that `execution` belongs to `job`, and that its remember() was called. `run`: the job and its options on a command line.
    StepSession(Execution& execution, const Job& job, std::string run)
        : execution_(execution), job_(job), run_(std::move(run)) {}
    /// Of a chip. `job` has the file, the options and kernels, whichever they are.
    StepSession(Chip& chip, ChipExecution& tiles, const Job& job)
        : execution_(tiles.tile()), job_(job), chip_(&chip), tiles_(&tiles) {}

    struct Reply {
        std::string text;
        bool error = false, quit = false;
    };
    /// Executes a command line; an empty one repeats the last.
    Reply obey(const std::string& line);

    static std::string help();

private:
    using Words = std::vector<std::string>;
    struct Command;
    static const std::vector<Command>& commands();

    Reply step(const Words& words);
    Reply cycle(const Words& words);
    Reply back(const Words& words);
    Reply go_on(const Words& words);
    Reply add_break(const Words& words);
    Reply watch(const Words& words);
    Reply breaks(const Words& words);
    Reply remove(const Words& words);
    Reply print(const Words& words);
    Reply waiting(const Words& words);
    Reply explain(const Words& words);
    Reply findings(const Words& words);
    Reply report(const Words& words);
    Reply tile(const Words& words);
    Reply packet(const Words& words);

    std::string describe(const Pause& pause) const;
    std::string describe_end() const;
    /// Those since the last call, without `told`.
    std::string new_findings(const Finding* told = nullptr);
    Reply paused(const Pause& pause);

    /// A breakpoint or watch, with its text as typed.
    struct Named {
        std::string text;
        Breakpoints what;
    };
    Execution& execution_;
    const Job& job_;
    std::string run_;
    Chip* chip_ = nullptr;             ///< null: a job of one tile
    ChipExecution* tiles_ = nullptr;   ///< of the chip
    std::vector<Named> breaks_;
    bool has_stopped_ = false;         ///< at an instruction
    std::string last_;
    std::optional<Pause> pause_;  ///< the last one
    std::uint64_t at_ = 0;        ///< the cycle that it has come to; its last event may be earlier
    std::size_t reported_ = 0;  ///< findings already printed
};

}  // namespace tessera::cli
