// SPDX-License-Identifier: Apache-2.0
// The part of tessera run that is about a grid of tiles.
#pragma once

#include "tessera/chip_job.hpp"

namespace tessera::cli {

struct ChipArguments {
    unsigned threads = 1;  ///< of the host
    bool json = false;
    bool no_output = false;
    bool digest = false;
};

/// Runs the job, writes outputs and reports. Returns the exit status.
int run_chip(const ChipJob& job, const ChipArguments& arguments);

}  // namespace tessera::cli
