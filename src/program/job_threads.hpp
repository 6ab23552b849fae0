// SPDX-License-Identifier: Apache-2.0
// The `threads` table of a job.
#pragma once

#include "program/job_schema.hpp"
#include "tessera/program.hpp"

namespace tessera::program {

/// Where a path that a job names leads.
std::string beside(const std::string& job_file, std::string_view path);

/// All threads as one program. Errors of jobs and of assemble().
Result<Program> read_threads(const Node& node, const SchemaReader& schema, Arch arch);

}  // namespace tessera::program
