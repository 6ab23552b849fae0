// SPDX-License-Identifier: Apache-2.0
// The vendor's simulator, https://github.com/tenstorrent/ttsim, a shared library with the interface of its
// docs/libttsim_api.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tessera/job.hpp"

namespace tessera::bench {

struct VendorRun {
    double ns = 0;                  ///< processor time while its clock ran
    std::vector<std::byte> result;  ///< the bytes of the job's first output
};

/// Runs the kernels of Blackhole jobs one after another in a process of its own; nothing else is reset in between. A
/// process can hold only one simulator, which ends the process when it rejects something. Completion of a job is
/// checked every `clocks`. Error "bench.peer", with the simulator's output.
Result<std::vector<VendorRun>> run_in_vendor_simulator(const std::string& library, std::span<const Job> jobs, std::uint32_t clocks);

}  // namespace tessera::bench
