// SPDX-License-Identifier: Apache-2.0
// The `threads` table of a job.
#pragma once

#include "program/assembly/assembler.hpp"
#include "program/documents/schema_reader.hpp"
#include "tessera/program.hpp"

namespace tessera::program {

/// Resolves a path named in a job, relative to the job's file.
std::string beside(const std::string& job_file, std::string_view path);

/// Reads the `symbols` table. Errors "job.type", "job.value".
Result<Symbols> read_symbols(const Node& node, const SchemaReader& schema);

/// Reads all threads as one program. Errors of jobs and of assemble().
Result<Program> read_threads(const Node& node, const SchemaReader& schema, Arch arch, const Given& given);

}  // namespace tessera::program
