// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// The two Tensix generations that Tessera executes. Everything that differs between them is data.
enum class Arch : std::uint8_t { blackhole, wormhole };

inline constexpr Arch all_archs[] = {Arch::blackhole, Arch::wormhole};

/// "blackhole" or "wormhole", as written in jobs and cases.
constexpr std::string_view name(Arch arch) { return arch == Arch::blackhole ? "blackhole" : "wormhole"; }

/// The inverse of name(); nothing for any other text.
constexpr std::optional<Arch> parse_arch(std::string_view text) {
    for (Arch arch : all_archs)
        if (text == name(arch)) return arch;
    return std::nullopt;
}

}  // namespace tessera
