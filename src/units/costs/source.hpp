// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tessera::units {

/// The source of a figure.
struct Source {
    std::string_view text;
    bool assumed = false;  ///< no document gives it
};

}  // namespace tessera::units
