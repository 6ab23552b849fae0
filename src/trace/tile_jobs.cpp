// SPDX-License-Identifier: Apache-2.0
#include "trace/tile_jobs.hpp"

namespace tessera::trace {

TileJobs::TileJobs(const ChipJob& job) : job_(job), jobs_(job.tiles.size() + 1) {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
        jobs_[i].file = job.file;
        jobs_[i].arch = job.arch;
        jobs_[i].kernels = Kernels{};
        if (i < job.tiles.size() && job.tiles[i].kernels) jobs_[i].kernels = job.tiles[i].kernels;
    }
}

const Job& TileJobs::of(unsigned column, unsigned row) const {
    const auto has = [&](const ChipJob::Tiles& one) {
        return column >= one.first_column && column <= one.last_column && row >= one.first_row && row <= one.last_row;
    };
    std::size_t i = 0;
    while (i < job_.tiles.size() && !has(job_.tiles[i])) ++i;
    return jobs_[i];
}

}  // namespace tessera::trace
