// SPDX-License-Identifier: Apache-2.0
// Numbers that parse_number() cannot hold.
#pragma once

#include <string_view>

namespace tessera::util {

/// Whether the text is a number as parse_number() takes it, or one of more than 64 bits.
bool is_written_as_number(std::string_view text);

}  // namespace tessera::util
