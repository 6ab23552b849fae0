// SPDX-License-Identifier: Apache-2.0
// The `host` entries of a job.
#pragma once

#include "program/documents/schema_reader.hpp"
#include "tessera/job.hpp"

namespace tessera::program {

/// Adds the steps to the job's kernels, which must exist, and their reads to the outputs. Errors of jobs, "host.step".
Result<void> read_host(const Node& node, const SchemaReader& schema, Job& job);

}  // namespace tessera::program
