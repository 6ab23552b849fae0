// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tessera::util {

/// Text without the byte order mark that some editors put before it.
inline std::string_view without_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    return text;
}

}  // namespace tessera::util
