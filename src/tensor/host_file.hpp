// SPDX-License-Identifier: Apache-2.0
// Files of the host, read whole. tessera/output_file.hpp writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/error.hpp"

namespace tessera::tensor {

/// Bounds of what is read (docs/limits.md): of arrays, traces and bytes, and of jobs and assembly, whose trees take many times as much.
inline constexpr std::uint64_t most_file_bytes = std::uint64_t{4} << 30, most_text_bytes = std::uint64_t{64} << 20;

/// The contents of a regular file, to its end whatever size it claims. Error `code`, also for a path that no file can have, and for more
/// than `most` bytes.
Result<std::string> read_file(const std::string& path, std::string_view code, std::uint64_t most = most_file_bytes);

}  // namespace tessera::tensor
