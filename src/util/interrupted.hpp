// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

#include "tessera/run.hpp"

namespace tessera::util {

/// True if the run was cut off from outside; its end must not be compared.
inline bool interrupted(const Run& run) {
    constexpr std::string_view codes[] = {"interrupted", "limit.time", "limit.memory"};
    return run.fault && std::find(std::begin(codes), std::end(codes), run.fault->code) != std::end(codes);
}

}  // namespace tessera::util
