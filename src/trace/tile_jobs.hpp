// SPDX-License-Identifier: Apache-2.0
// The tiles of a job with a grid, each as a job of one tile: only its file, architecture and kernels.
#pragma once

#include <vector>

#include "tessera/chip_job.hpp"

namespace tessera::trace {

class TileJobs {
public:
    /// Keeps a reference to the job.
    explicit TileJobs(const ChipJob& job);
    /// A tile without an entry has kernels without images.
    const Job& of(unsigned column, unsigned row) const;

private:
    const ChipJob& job_;
    std::vector<Job> jobs_;  ///< by entry of ChipJob::tiles; the last one is for tiles without an entry
};

}  // namespace tessera::trace
