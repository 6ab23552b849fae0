// SPDX-License-Identifier: Apache-2.0
// Names of the condition of a `sem_wait` in texts and jobs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tessera/program.hpp"

namespace tessera::program {

constexpr std::string_view condition_name(std::uint32_t value) {
    return value == Op::until_nonzero ? "nonzero" : "below_max";
}

/// The condition as an op's value.
constexpr std::optional<std::uint32_t> parse_semaphore_condition(std::string_view text) {
    for (const std::uint32_t value : {Op::until_nonzero, Op::until_below_max})
        if (text == condition_name(value)) return value;
    return std::nullopt;
}

}  // namespace tessera::program
