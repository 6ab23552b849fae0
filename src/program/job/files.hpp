// SPDX-License-Identifier: Apache-2.0
// The files that a job reads and writes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "program/documents/schema_reader.hpp"

namespace tessera::program {

/// The paths of all arrays, bytes, texts and kernels in a job's tree.
std::vector<std::string> named_files(const Node& root, const std::string& job_file);

/// The position of the path of an output that has been read.
Position place_of_path(const Node& output);

/// Checks that no output overwrites the job, a file that it reads, or another output. Error "job.value".
Result<void> check_output_files(std::span<const std::string> paths, std::span<const Position> places,
                                std::span<const std::string> inputs, const SchemaReader& schema);

}  // namespace tessera::program
