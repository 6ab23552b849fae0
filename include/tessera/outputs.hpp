// SPDX-License-Identifier: Apache-2.0
/// @file
/// The outputs of a job in memory. write_outputs() writes the same to files.
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "tessera/job.hpp"

namespace tessera {

/// An array's values, or raw bytes.
using OutputValue = std::variant<Matrix, std::vector<std::byte>>;

/// All outputs of a finished run, in the order of Job::outputs. `reads` are Run::host_reads.
///
/// Errors: "run.arch" for a core of another architecture; "l1.range"; "host.step" if the run ended before the host read an output;
/// those of from_bytes().
Result<std::vector<OutputValue>> read_outputs(const Job& job, const Core& core, std::span<const HostRead> reads = {});

}  // namespace tessera
