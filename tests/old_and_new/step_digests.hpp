// SPDX-License-Identifier: Apache-2.0
// Runs a job one instruction at a time, with a snapshot after each.
#pragma once

#include <string>

namespace tessera::test {

/// Prints a line per step: cycle, place, digest of state; then the run's findings. A core made from each snapshot takes
/// one more step, which must lead to the next line's state. From every snapshot of a short run, and from a hundred of a
/// longer one, it also runs to the end, which must equal that of the run without steps. On a mismatch, prints a line
/// that begins with "WRONG" and returns false. Private state of RISC-V cores is excluded: they may run ahead, see
/// Execution.
bool print_steps(const std::string& job_file);

}  // namespace tessera::test
