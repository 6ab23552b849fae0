// SPDX-License-Identifier: Apache-2.0
// Runs a job one instruction at a time, with a snapshot after each.
#pragma once

#include <string>

namespace tessera::test {

/// Prints a line per step: cycle, place, digest of state; then what the run told. A core made from each snapshot goes one step on, which
/// must lead to the state that the next line has; from every snapshot of a short run, and from a hundred of a longer one, it goes on
/// to the end, which must be that of the run without steps. False, with a line that begins with "WRONG", where one of these is not so.
/// What RISC-V cores have for themselves is left out: they may be ahead, see Execution.
bool print_steps(const std::string& job_file);

}  // namespace tessera::test
