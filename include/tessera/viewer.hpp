// SPDX-License-Identifier: Apache-2.0
/// @file
/// A run as one HTML page.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tessera/job.hpp"

namespace tessera {

/// The limits of a page. The page names what it leaves out.
struct ViewerOptions {
    std::uint64_t state_bytes = 128 << 20;  ///< bytes for writes, from which the page computes the state at any moment
    std::uint64_t plans = 1'000'000;        ///< instructions with a plan (RunOptions::explain), from the first on
    /// Called by this thread every few milliseconds, during the run and while the page is made. If it returns true, view() ends with
    /// error "viewer.interrupted". An empty function costs nothing.
    ///
    /// RunOptions::stop and RunOptions::interrupt of the job end only the run; the page then shows the run until there.
    std::function<bool()> interrupt{};
};

/// A run and its page.
struct ViewerPage {
    Run run;  ///< as Core::run() returned it
    /// One HTML file without other files: timeline, instructions, registers and memory at each moment, plans, findings
    /// (docs/viewer.md). It contains the path of the job as given, and only the file names of other paths.
    std::string html;
};

/// Runs a job and makes a page of it; a run with a fault has a page, too. Observers of Job::options are not called.
///
/// Errors: "viewer.interrupted", and those of prepare() and Core::run().
Result<ViewerPage> view(const Job& job, const ViewerOptions& options = {});

/// Writes a page to a file, whole or not at all. Error "viewer.write".
Result<void> write_page(const ViewerPage& page, const std::string& path);

}  // namespace tessera
