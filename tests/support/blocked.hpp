// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "tessera/core.hpp"

namespace tessera::test {

/// One of those that wait at the end of a run, by its name.
inline const Blocked& blocked(const Run& run, std::string_view who) {
    for (const Blocked& one : run.blocked)
        if (one.who == who) return one;
    throw std::runtime_error(std::string(who) + " is not among the blocked");
}

}  // namespace tessera::test
