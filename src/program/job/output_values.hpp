// SPDX-License-Identifier: Apache-2.0
// Outputs of a job from the bytes that a run left.
#pragma once

#include <string>
#include <vector>

#include "tessera/outputs.hpp"

namespace tessera::program {

/// The array, or the bytes themselves. Errors of from_bytes().
Result<OutputValue> output_value(const Job::Output& output, std::vector<std::byte> bytes);
/// An output in its file format. Errors of write_npy().
Result<std::string> file_text(const OutputValue& value);

}  // namespace tessera::program
