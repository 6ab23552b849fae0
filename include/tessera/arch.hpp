// SPDX-License-Identifier: Apache-2.0
/// @file
/// The two chip generations.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// A generation of the Tensix tile.
enum class Arch : std::uint8_t {
    blackhole,
    wormhole,  ///< Wormhole B0
};

/// Both generations, for loops over them.
inline constexpr Arch all_archs[] = {Arch::blackhole, Arch::wormhole};

/// "blackhole" or "wormhole", the spelling of jobs and cases.
constexpr std::string_view name(Arch arch) { return arch == Arch::blackhole ? "blackhole" : "wormhole"; }

/// The inverse of name(). Empty for any other text.
constexpr std::optional<Arch> parse_arch(std::string_view text) {
    for (Arch arch : all_archs)
        if (text == name(arch)) return arch;
    return std::nullopt;
}

}  // namespace tessera
