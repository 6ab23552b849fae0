// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// What time is in a run.
enum class Timing : std::uint8_t {
    documented,  ///< costs of the vendor's pages; what nobody documents is an assumption marked as such
    instant,     ///< every instruction completes when it is issued, as in the vendor's simulator
    /// There is none: each thread, and each RISC-V core, goes on until it must wait for another. The same end state where a program has no
    /// race, many times as fast; no cycles, no hazards, and error "run.functional" for what needs them.
    functional,
};
/// In place of a cycle where there is none.
inline constexpr std::uint64_t no_cycle = ~std::uint64_t{0};
std::string_view name(Timing timing);
std::optional<Timing> parse_timing(std::string_view text);

}  // namespace tessera
