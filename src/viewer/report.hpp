// SPDX-License-Identifier: Apache-2.0
// JSON of a finished run's report, and of the facts about job and architecture that a page needs.
#pragma once

#include "tessera/job.hpp"
#include "viewer/packing.hpp"
#include "viewer/paths.hpp"

namespace tessera::viewer {

/// Cycles, use of units, waits, findings, fault, who is blocked.
Json report(const Run& run, const Paths& paths);

/// File, architecture, timing, seed, what was loaded to L1 and what the job reads from there.
Json describe(const Job& job);

/// Every configuration field: space (0: backend, 1: thread), word, lowest bit, width, name, kind.
Json fields(Arch arch);

/// Names of DataFormat's codes.
Json data_formats();

}  // namespace tessera::viewer
