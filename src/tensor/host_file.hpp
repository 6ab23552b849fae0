// SPDX-License-Identifier: Apache-2.0
// Files of the host, read whole. tessera/output_file.hpp writes them.
#pragma once

#include <string>
#include <string_view>

#include "tessera/error.hpp"

namespace tessera::tensor {

/// The contents of a regular file. Error `code`.
Result<std::string> read_file(const std::string& path, std::string_view code);

/// Text without the byte order mark that some editors put before it.
inline std::string_view without_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    return text;
}

}  // namespace tessera::tensor
