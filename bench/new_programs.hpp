// SPDX-License-Identifier: Apache-2.0
// Programs of ops that nobody has run before, which the vendor's simulator takes, too.
#pragma once

#include <span>
#include <string_view>

#include "tessera/job.hpp"

namespace tessera::bench {

struct NewProgram {
    std::string_view name;
    unsigned ops = 0;  ///< a thread, of random programs; 0: of a kernel
    /// For Blackhole. Of a random program everything follows from the seed, of a kernel's the data. The output is memory that it writes.
    Job (*make)(const NewProgram& program, unsigned seed);
};

std::span<const NewProgram> new_programs();

/// Three threads of so many random ops each: T0 unpacks pairs of tiles for T1 and changes counters of the packer, T1 multiplies and adds
/// them onto Dst and calculates in LRegs, T2 calculates in GPRs and packs a tile of Dst at the end.
Program random_program(unsigned ops, unsigned seed);

}  // namespace tessera::bench
