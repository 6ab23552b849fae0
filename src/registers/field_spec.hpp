// SPDX-License-Identifier: Apache-2.0
// The declaration of a configuration field: the place of its bits on each architecture.
#pragma once

#include <cstdint>
#include <string_view>

#include "tessera/arch.hpp"

namespace tessera::registers {

/// The two configuration spaces, which number their words independently of each other.
enum class Space : std::uint8_t { backend, thread };

struct FieldPosition {
    std::uint16_t addr32 = 0;  ///< word index in its space
    std::uint8_t lo = 0;       ///< lowest bit
    std::uint8_t width = 0;    ///< 0: the architecture has no such field

    constexpr bool present() const { return width != 0; }
    constexpr std::uint32_t mask() const { return width == 32 ? ~0u : ((1u << width) - 1); }
    constexpr std::uint32_t extract(std::uint32_t word) const { return word >> lo & mask(); }
    constexpr std::uint32_t insert(std::uint32_t word, std::uint32_t value) const {
        return (word & ~(mask() << lo)) | (value & mask()) << lo;
    }
};

struct FieldSpec {
    std::string_view name;
    FieldPosition blackhole;
    FieldPosition wormhole;

    constexpr const FieldPosition& at(Arch arch) const { return arch == Arch::blackhole ? blackhole : wormhole; }
};

}  // namespace tessera::registers
