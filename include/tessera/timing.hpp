// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// Which cost table a run uses.
enum class Timing : std::uint8_t {
    documented,  ///< costs of the vendor's pages; what nobody documents is an assumption marked as such
    instant,     ///< every instruction completes when it is issued, as in the vendor's simulator
};
std::string_view name(Timing timing);
std::optional<Timing> parse_timing(std::string_view text);

}  // namespace tessera
