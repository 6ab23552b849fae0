// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "reports/json.hpp"
#include "tessera/chip_job.hpp"

namespace tessera::cli {

/// A run of a grid as text: cycles, packets, a line for each tile, findings, end.
std::string describe_chip_run(const Chip& chip, const ChipRun& run);

/// The findings, the fault, and what is blocked, each with its tiles; empty if there are none.
std::string describe_chip_diagnoses(const ChipRun& run);

/// A run of a grid as JSON. `written`: paths of outputs.
Json chip_run_json(const ChipJob& job, const Chip& chip, const ChipRun& run, std::span<const std::string> written);

}  // namespace tessera::cli
