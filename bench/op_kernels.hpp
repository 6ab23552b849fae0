// SPDX-License-Identifier: Apache-2.0
// Converts lists of ops to programs of the RISC-V cores, for simulators that accept only those.
#pragma once

#include "tessera/kernels.hpp"
#include "tessera/program.hpp"

namespace tessera::bench {

/// The program for Blackhole's cores. B starts the T cores and puts itself into reset. Each T core executes its
/// thread's ops in a straight line: one .ttinsn per instruction, stores for configuration and GPRs. It then waits for
/// the coprocessor and sets its word in L1, which ends the run. L1 is free from 0x20000 on. Error "bench.program"
/// (thread too long, or a word that .ttinsn cannot push).
Result<Kernels> kernels_of(const Program& program);

}  // namespace tessera::bench
