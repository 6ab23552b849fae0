// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tessera::bench {

/// An example's text for a thread, "add/unpack". It is embedded, so no source tree is needed. Throws if there is none.
std::string_view text_of(std::string_view name);

}  // namespace tessera::bench
