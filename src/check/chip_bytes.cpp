// SPDX-License-Identifier: Apache-2.0
#include "check/chip_bytes.hpp"

#include <fmt/format.h>

#include <cstring>
#include <tuple>
#include <utility>

#include "check/joined_ranges.hpp"

namespace tessera::check {

namespace {

constexpr std::uint64_t line_bytes = 16;

std::string describe_byte(const ChipRange& range, std::uint64_t address) {
    if (range.channel) return fmt::format("byte 0x{:X} of DRAM channel {}", address, *range.channel);
    return fmt::format("byte 0x{:X} of L1 of tile ({}, {})", address, range.column, range.row);
}

/// Adds lines of a place that differ; `place` has the address of the first byte.
void add_changed(ChipRange place, std::span<const std::byte> before, std::span<const std::byte> after,
                 std::vector<ChipRange>& ranges) {
    const std::uint64_t first = place.address;
    place.length = line_bytes;
    for (std::uint64_t at = 0; at + line_bytes <= after.size(); at += line_bytes) {
        if (std::memcmp(&before[at], &after[at], line_bytes) == 0) continue;
        place.address = first + at;
        ranges.push_back(place);
    }
}

/// All tiles come before all channels.
auto place_of(const ChipRange& range) {
    return std::tuple(range.channel ? *range.channel + 1 : 0, range.row, range.column);
}

}  // namespace

Result<std::vector<std::byte>> read_range(Chip& chip, const ChipRange& range) {
    if (range.channel) return chip.read_dram(*range.channel, range.address, range.length);
    return chip.tile(range.column, range.row).and_then([&](const Core* core) {
        return core->read_l1(range.address, range.length);
    });
}

Result<std::string> first_difference(Chip& chip, const std::vector<ChipCase::Expected>& expect) {
    std::string text;
    std::uint64_t count = 0;
    for (const auto& [where, bytes] : expect) {
        const auto is = read_range(chip, where);
        if (!is) return tl::make_unexpected(is.error());
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            if ((*is)[i] == bytes[i] || count++) continue;
            text = fmt::format("{} is 0x{:02X}, expected 0x{:02X}", describe_byte(where, where.address + i),
                               std::to_integer<unsigned>((*is)[i]), std::to_integer<unsigned>(bytes[i]));
        }
    }
    if (count > 1) text += fmt::format("; {} bytes differ", count);
    return text;
}

std::set<std::uint64_t> written_blocks(const Chip& a, const Chip& b, unsigned channel) {
    std::set<std::uint64_t> blocks;
    for (const Chip* chip : {&a, &b}) {
        const auto written = chip->dram_blocks(channel).value();
        blocks.insert(written.begin(), written.end());
    }
    return blocks;
}

std::vector<ChipRange> changed_lines(Chip& before, Chip& after, const ChipRun& run) {
    std::vector<ChipRange> ranges;
    for (const TileRun& tile : run.tiles) {
        ChipRange place;
        place.column = tile.column;
        place.row = tile.row;
        place.length = (*after.tile(tile.column, tile.row))->l1_size();
        add_changed(place, read_range(before, place).value(), read_range(after, place).value(), ranges);
    }
    for (unsigned channel = 0; channel < after.dram_channels(); ++channel) {
        for (const std::uint64_t at : written_blocks(before, after, channel)) {
            const ChipRange place{channel, 0, 0, at, Chip::dram_block_bytes};
            add_changed(place, read_range(before, place).value(), read_range(after, place).value(), ranges);
        }
    }
    return ranges;
}

std::vector<ChipRange> merged(std::vector<ChipRange> ranges) { return joined_ranges(std::move(ranges), place_of); }

}  // namespace tessera::check
