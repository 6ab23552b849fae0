// SPDX-License-Identifier: Apache-2.0
// Paths that no file can have. Code that opens a file asks here first.
#pragma once

#include <string_view>

namespace tessera::util {

/// Why no file can have this path; empty if a file can. The system would end the path at a NUL byte, and open another file.
inline std::string_view path_refusal(std::string_view path) {
    if (path.empty()) return "the path is empty";
    if (path.find('\0') != path.npos) return "the path has a NUL byte";
    return {};
}

}  // namespace tessera::util
