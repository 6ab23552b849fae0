// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tessera::bench {

/// A thread's text of an example, "add/unpack": embedded, so that no source tree is needed. Throws when there is none.
std::string_view text_of(std::string_view name);

}  // namespace tessera::bench
