// SPDX-License-Identifier: Apache-2.0
// Bits of a register, and a register's value as bytes of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::reference::noc {

/// Bits by "First bit" and "# Bits", as the pages name them.
constexpr std::uint32_t bits(std::uint32_t value, unsigned first, unsigned count) {
    return value >> first & static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
}
/// The bit of that number.
constexpr bool bit(std::uint32_t value, unsigned at) { return value >> at & 1; }

/// The value of up to four bytes, the lowest first.
constexpr std::uint32_t read_bytes(std::span<const std::uint8_t> bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint32_t{bytes[i]} << 8 * i;
    return value;
}
/// A value as bytes, the lowest first.
constexpr void write_bytes(std::span<std::uint8_t> bytes, std::uint32_t value) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(value >> 8 * i);
}

}  // namespace tessera::reference::noc
