// SPDX-License-Identifier: Apache-2.0
// Lists of ops as programs of the RISC-V cores, for simulators that take nothing else.
#pragma once

#include "tessera/kernels.hpp"
#include "tessera/program.hpp"

namespace tessera::bench {

/// The program for Blackhole's cores. B starts the T cores and holds itself in reset. Each T core does its thread's ops in a straight
/// line: one .ttinsn per instruction, stores for configuration and GPRs; it then waits for the coprocessor and says so in L1, which ends
/// the run. L1 is free from 0x20000 on. Error "bench.program" (a thread is too long, or a word is none that .ttinsn can push).
Result<Kernels> kernels_of(const Program& program);

}  // namespace tessera::bench
