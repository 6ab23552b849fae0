// SPDX-License-Identifier: Apache-2.0
// The bit layout of a scheduled instruction's cells, and of SFPLOADMACRO's configuration (its page, Functional
// model).
#pragma once

#include <cstdint>

namespace tessera::units::vector {

struct RegisterCell {
    std::uint8_t b = 0, c = 0, d = 0;

    constexpr std::uint32_t packed() const { return b | std::uint32_t{c} << 8 | std::uint32_t{d} << 16; }
    static constexpr RegisterCell from(std::uint32_t cell) {
        return {static_cast<std::uint8_t>(cell), static_cast<std::uint8_t>(cell >> 8),
                static_cast<std::uint8_t>(cell >> 16)};
    }
};

struct StoreCell {
    std::uint16_t address = 0;
    std::uint8_t mode = 0;

    constexpr std::uint32_t packed() const { return address | std::uint32_t{mode} << 16; }
    static constexpr StoreCell from(std::uint32_t cell) {
        return {static_cast<std::uint16_t>(cell), static_cast<std::uint8_t>(cell >> 16)};
    }
};

struct HowCell {
    std::uint8_t thread = 0;
    bool by_instructions = false;

    constexpr std::uint32_t packed() const { return thread | std::uint32_t{by_instructions} << 8; }
    static constexpr HowCell from(std::uint32_t cell) {
        return {static_cast<std::uint8_t>(cell), (cell >> 8 & 1) != 0};
    }
};

/// Eight bits of a sequence: one sub-unit's step.
struct SequenceBits {
    enum Code : std::uint8_t { nothing, undefined, nop, store, first_template };

    std::uint8_t bits = 0;

    constexpr unsigned code() const { return bits & 7; }
    constexpr unsigned delay() const { return bits >> 3 & 7; }
    constexpr bool to_hidden() const { return bits & 0x40; }  ///< VD is LReg 16
    constexpr bool second_choice() const { return bits & 0x80; }
};

/// Misc of LoadMacroConfig.
struct MiscBits {
    std::uint32_t bits = 0;

    constexpr std::uint8_t store_mode() const { return bits & 0xF; }
    constexpr bool uses_load_mode(unsigned macro) const { return bits >> (4 + macro) & 1; }
    constexpr bool by_instructions(unsigned sub_unit) const { return bits >> (8 + sub_unit) & 1; }
};

}  // namespace tessera::units::vector
