// SPDX-License-Identifier: Apache-2.0
// Which files a job reads.
#pragma once

#include <string>
#include <vector>

#include "program/documents/node.hpp"

namespace tessera::program {

/// The paths of all arrays, bytes, texts and kernels that a job's tree names.
std::vector<std::string> named_files(const Node& root, const std::string& job_file);

}  // namespace tessera::program
