// SPDX-License-Identifier: Apache-2.0
// Measures what a round of a loop takes on RISC-V cores, as measurements on chips do: each core reads the wall clock before and after
// its loop, and the difference of two runs with different numbers of rounds is free of everything that happens once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"
#include "tessera/kernels.hpp"
#include "tessera/timing.hpp"

namespace tessera::bench::silicon {

/// The code of one core.
struct CoreLoop {
    std::vector<std::uint32_t> setup;  ///< executed once, before the clock is read
    std::vector<std::uint32_t> body;   ///< executed `times` times a round
    unsigned times = 1;
    /// Whether the core may push four adjacent .ttinsn in a cycle (cfg0.DisTriscCache is clear), as after reset; tt-metal's firmware
    /// forbids it on Blackhole (its issue 16439).
    bool gathers = true;
};
/// By RiscvCore. Cores without a loop stay in reset.
using Loops = std::array<std::optional<CoreLoop>, riscv_cores>;
/// Cycles by RiscvCore; 0 for cores without a loop.
using Cycles = std::array<double, riscv_cores>;

/// A chip and the time of its instructions.
struct Machine {
    Arch arch = Arch::blackhole;
    Timing timing = Timing::documented;
};

/// Cycles of each core's loop with so many rounds, both readings of the clock included. Errors "silicon.run" (the run ends with a
/// fault), "silicon.size" (code too long for its place).
Result<Cycles> cycles_of(const Machine& machine, const Loops& loops, unsigned rounds);

/// Cycles of a round: the difference of two runs, divided by that of their rounds.
Result<Cycles> cycles_of_round(const Machine& machine, const Loops& loops, unsigned few = 32, unsigned many = 128);

/// Same, without the cycles of a round of empty loops: the counter's decrement and the branch.
Result<Cycles> cycles_of_body(const Machine& machine, const Loops& loops);

/// Instructions of the core itself in a round, by RiscvCore: what a compiler's code does beside its pushes and stores.
using Own = std::array<unsigned, riscv_cores>;

/// Loops from assembly. Each thread's ops are in blocks `.repeat PART … .end`. The parts of a round: BODY once, then LOOP `inner` times, in a
/// loop of the core's own, then AFTER once; SETUP is executed before all rounds. Between the ops of BODY are nops, evenly, as many as `own`
/// says. `symbols` gets `.equ` lines. No core of Blackhole gathers .ttinsn. Errors as assemble(), and "bench.program".
Result<Loops> loops_of(Arch arch, std::string_view text, const std::string& symbols = {}, const Own& own = {},
                       unsigned inner = 0);

}  // namespace tessera::bench::silicon
