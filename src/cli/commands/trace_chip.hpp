// SPDX-License-Identifier: Apache-2.0
// The part of tessera trace that is about a grid of tiles.
#pragma once

#include "tessera/chip_job.hpp"

namespace tessera::cli {

struct ChipTraceArguments {
    std::string output, perfetto;  ///< paths; empty: not wanted
    bool writes = false, report = false, json = false;
    unsigned threads = 1;  ///< of the host
};

/// Runs the job and writes what is asked for. Returns the exit status.
int trace_chip(const ChipJob& job, const ChipTraceArguments& arguments);

}  // namespace tessera::cli
