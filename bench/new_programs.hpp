// SPDX-License-Identifier: Apache-2.0
// Programs that no core has run before, and that the vendor's simulator also accepts.
#pragma once

#include <span>
#include <string_view>

#include "tessera/job.hpp"

namespace tessera::bench {

struct NewProgram {
    std::string_view name;
    unsigned ops = 0;  ///< per thread, of random programs; 0: a kernel's
    /// Makes a job for Blackhole. The seed determines a random program, or a kernel's data. The output is the memory
    /// that it writes.
    Job (*make)(const NewProgram& program, unsigned seed);
};

std::span<const NewProgram> new_programs();

/// Three threads with so many random ops each. T0 unpacks pairs of tiles for T1 and changes the packer's counters. T1
/// multiplies and adds them onto Dst, and computes in LRegs. T2 computes in GPRs, and packs a tile of Dst at the end.
Program random_program(unsigned ops, unsigned seed);

}  // namespace tessera::bench
