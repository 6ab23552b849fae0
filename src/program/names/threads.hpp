// SPDX-License-Identifier: Apache-2.0
// Names of the three threads in texts and jobs.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace tessera::program {

inline constexpr std::array<std::string_view, 3> thread_names = {"unpack", "math", "pack"};

constexpr std::optional<unsigned> parse_thread_name(std::string_view text) {
    for (unsigned i = 0; i < thread_names.size(); ++i)
        if (text == thread_names[i]) return i;
    return std::nullopt;
}

}  // namespace tessera::program
