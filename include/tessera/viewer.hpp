// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tessera/job.hpp"

namespace tessera {

/// How much of a run a page keeps. What does not fit is left out, and the page says so.
struct ViewerOptions {
    std::uint64_t state_bytes = 128 << 20;  ///< of what was written: the state of every moment is made from it
    std::uint64_t plans = 1'000'000;  ///< instructions whose plans (RunOptions::explain) are kept, from the first on
    /// Asked by this thread, some ms apart, during the run and while the page is made: true ends both, with error "viewer.interrupted".
    /// Empty: costs nothing. RunOptions::stop and ::interrupt of the job end the run alone, and the page shows what has been.
    std::function<bool()> interrupt{};
};

/// A run, and a page that shows it.
struct ViewerPage {
    Run run;
    /// One HTML file that needs nothing else: timeline, instructions, registers and memory at each moment, plans, findings
    /// (docs/viewer.md). Of paths it has Job::file as it is, and of others the file's name alone.
    std::string html;
};

/// Runs a job and makes a page of it. The observers of Job::options (on_event, on_write, on_wait, explain) are not called. Errors
/// as prepare() and Core::run(); a run that ends with a fault has a page.
Result<ViewerPage> view(const Job& job, const ViewerOptions& options = {});

/// Writes a page to a file, whole or not at all. Error "viewer.write".
Result<void> write_page(const ViewerPage& page, const std::string& path);

}  // namespace tessera
