// SPDX-License-Identifier: Apache-2.0
// The keys that jobs of one tile and of a grid have in common.
#pragma once

#include "program/documents/schema_reader.hpp"
#include "tessera/job.hpp"

namespace tessera::program {

/// Whether the root is a table with keys of jobs only. Errors "job.type", "job.unknown-key".
Result<void> check_job_keys(const Node& root, const SchemaReader& schema);

/// Reads `arch`. Errors "job.missing-key", "job.type", "job.value".
Result<Arch> read_job_arch(const Node& root, const SchemaReader& schema);

/// Reads `reset`, `timing`, `max_cycles`, `seed` or `findings`; nothing for another key. Errors of jobs.
Result<void> read_run_key(const Node::Member& member, const SchemaReader& schema, Reset& reset, RunOptions& options);

}  // namespace tessera::program
