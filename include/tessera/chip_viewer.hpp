// SPDX-License-Identifier: Apache-2.0
/// @file
/// A run of a grid as one HTML page.
#pragma once

#include <string>

#include "tessera/chip_job.hpp"

namespace tessera {

/// A run of a grid and its page.
struct ChipViewerPage {
    ChipRun run;  ///< as Chip::run() returned it
    /// One HTML file without other files: a timeline of each tile, which can be folded, and packets between them (docs/viewer.md). It
    /// contains the path of the job as given, and only the file names of other paths.
    std::string html;
};

/// Runs a job and makes a page of it; a run with a fault has a page, too. `threads`: of the host; their number changes no page. Observers
/// of ChipJob::options are not called. Errors: those of prepare() and Chip::run().
Result<ChipViewerPage> view(const ChipJob& job, unsigned threads = 1);

/// Writes a page to a file, whole or not at all. Error "viewer.write".
Result<void> write_page(const ChipViewerPage& page, const std::string& path);

}  // namespace tessera
