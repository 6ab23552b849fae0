// SPDX-License-Identifier: Apache-2.0
// The vendor's simulator, https://github.com/tenstorrent/ttsim, by the interface that its docs/libttsim_api.md describes: a shared
// library.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tessera/job.hpp"

namespace tessera::bench {

struct VendorRun {
    double ns = 0;                  ///< processor time while its clock went on
    std::vector<std::byte> result;  ///< the bytes of the job's first output
};

/// Runs the kernels of a job for Blackhole, in a process of its own: there is one simulator in a process, and where it refuses something
/// it ends the process. Error "bench.peer", with what it said.
Result<VendorRun> run_in_vendor_simulator(const std::string& library, const Job& job);

}  // namespace tessera::bench
