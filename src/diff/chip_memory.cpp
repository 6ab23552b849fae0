// SPDX-License-Identifier: Apache-2.0
#include "diff/chip_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "check/chip_bytes.hpp"

namespace tessera::diff {

void compare_bytes(std::string_view what, std::uint64_t address, std::span<const std::byte> a, std::span<const std::byte> b,
                   PlaceDifference& difference) {
    const std::size_t size = std::min(a.size(), b.size());
    if (size == 0 || std::memcmp(a.data(), b.data(), size) == 0) return;
    for (std::size_t i = 0; i < size; ++i) {
        if (a[i] == b[i] || difference.count++) continue;
        StateDifference& first = difference.first;
        first.name = fmt::format("{} 0x{:X}", what, address + i);
        first.a = static_cast<std::uint64_t>(a[i]);
        first.b = static_cast<std::uint64_t>(b[i]);
        first.a_text = fmt::format("0x{:02X}", *first.a);
        first.b_text = fmt::format("0x{:02X}", *first.b);
    }
}

PlaceDifference compare_dram(const Chip& a, const Chip& b, unsigned channel) {
    PlaceDifference difference;
    difference.place = channel_name(channel);
    for (const std::uint64_t at : check::written_blocks(a, b, channel)) {
        const auto in_a = a.read_dram(channel, at, Chip::dram_block_bytes), in_b = b.read_dram(channel, at, Chip::dram_block_bytes);
        if (in_a && in_b) compare_bytes("byte", at, *in_a, *in_b, difference);
    }
    return difference;
}

std::string tile_name(unsigned column, unsigned row) { return fmt::format("tile ({}, {})", column, row); }
std::string channel_name(unsigned channel) { return fmt::format("DRAM channel {}", channel); }

}  // namespace tessera::diff
