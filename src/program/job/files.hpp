// SPDX-License-Identifier: Apache-2.0
// The files that a job reads.
#pragma once

#include <string>
#include <vector>

#include "program/documents/node.hpp"

namespace tessera::program {

/// The paths of all arrays, bytes, texts and kernels in a job's tree.
std::vector<std::string> named_files(const Node& root, const std::string& job_file);

}  // namespace tessera::program
