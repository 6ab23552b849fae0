// SPDX-License-Identifier: Apache-2.0
// Names of the values of `reset` in jobs and cases.
#pragma once

#include <optional>
#include <string_view>

#include "tessera/core.hpp"

namespace tessera::program {

constexpr std::string_view name(Reset reset) { return reset == Reset::silicon ? "silicon" : "vendor-sim"; }

constexpr std::optional<Reset> parse_reset(std::string_view text) {
    for (const Reset reset : {Reset::silicon, Reset::vendor_sim})
        if (text == name(reset)) return reset;
    return std::nullopt;
}

}  // namespace tessera::program
