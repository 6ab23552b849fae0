// SPDX-License-Identifier: Apache-2.0
// The vendor's simulator, https://github.com/tenstorrent/ttsim, by the interface that its docs/libttsim_api.md describes: a shared
// library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tessera/job.hpp"

namespace tessera::bench {

struct VendorRun {
    double ns = 0;                  ///< processor time while its clock went on
    std::vector<std::byte> result;  ///< the bytes of the job's first output
};

/// Runs the kernels of jobs for Blackhole one behind the other, without anything else being reset in between, in a process of its own:
/// there is one simulator in a process, and where it refuses something it ends the process. Whether a job is done is looked at every
/// `clocks`. Error "bench.peer", with what it said.
Result<std::vector<VendorRun>> run_in_vendor_simulator(const std::string& library, std::span<const Job> jobs, std::uint32_t clocks);

}  // namespace tessera::bench
