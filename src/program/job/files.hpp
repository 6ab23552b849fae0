// SPDX-License-Identifier: Apache-2.0
// The files that a job reads and writes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program/documents/schema_reader.hpp"

namespace tessera::program {

/// The paths of all arrays, bytes, texts and kernels in a job's tree.
std::vector<std::string> named_files(const Node& root, const std::string& job_file);

/// The position of the path of an output that has been read.
Position place_of_path(const Node& output);

/// The script of that name in the folder of a file that is not there, or in one of those above: `folders` are looked at. Empty: there is
/// none, or the file is there.
std::string script_for(const std::string& missing, std::string_view script, int folders);

/// Checks that no output overwrites the job, a file that it reads, or another output. Error "job.value".
Result<void> check_output_files(std::span<const std::string> paths, std::span<const Position> places,
                                std::span<const std::string> inputs, const SchemaReader& schema);

}  // namespace tessera::program
