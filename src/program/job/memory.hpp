// SPDX-License-Identifier: Apache-2.0
// The `l1` and `output` entries of a job.
#pragma once

#include "program/documents/schema_reader.hpp"
#include "tessera/job.hpp"

namespace tessera::program {

/// Reads one entry.
Result<Job::Region> read_region(const Node& node, const SchemaReader& schema, Arch arch);
Result<Job::Output> read_output(const Node& node, const SchemaReader& schema, Arch arch);

Result<std::vector<Job::Region>> read_regions(const Node& node, const SchemaReader& schema, Arch arch);

Result<std::vector<Job::Output>> read_outputs(const Node& node, const SchemaReader& schema, Arch arch);

}  // namespace tessera::program
