// SPDX-License-Identifier: Apache-2.0
#include "step/packets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::cli {

namespace {

std::string grid_name(const Chip& chip, NocPlace place) {
    for (unsigned row = 0; row < chip.rows(); ++row)
        for (unsigned column = 0; column < chip.columns(); ++column)
            if (chip.place(column, row) == place) return fmt::format("tile ({}, {})", column, row);
    for (unsigned channel = 0; channel < chip.dram_channels(); ++channel)
        if (chip.dram_place(channel) == place) return fmt::format("DRAM {}", channel);
    return fmt::format("({}, {}) of the NoC", place.x, place.y);
}

/// Of the cores only: "brisc waits for …".
std::string short_waits(const TileProgress& tile) {
    std::string text;
    for (const Blocked& one : tile.waiting) {
        if (one.finished || one.in_reset || one.waits_for.empty() || one.runs() || !parse_riscv_core(one.who)) continue;
        text += fmt::format("{}{} waits for {}", text.empty() ? "" : "; ", one.who, one.waits_for);
    }
    return text.empty() ? tile.done ? "done" : "runs" : text;
}

std::string tile_line(const TileProgress& tile, char mark) {
    return fmt::format("{} {:<8}  cycle {:>8}  {}\n", mark, fmt::format("({}, {})", tile.column, tile.row), tile.cycle, short_waits(tile));
}

bool is_looked_at(const TileProgress& tile, const ChipExecution& tiles) {
    return tile.column == tiles.column() && tile.row == tiles.row();
}

}  // namespace

std::string describe_packet(const PacketEvent& packet, const Chip& chip, const ChipExecution& tiles) {
    const bool leaves = packet.arrived == 0;
    const std::string other = grid_name(chip, leaves ? packet.to : packet.from);
    std::string text = fmt::format("cycle {}: {} {} {}, 0x{:X}", leaves ? packet.sent : packet.arrived, packet.kind,
                                   leaves ? "leaves for" : "has come from", other, packet.address);
    if (packet.bytes) text += fmt::format(", {} bytes", packet.bytes);
    text += fmt::format(", NoC {}\n  asked for by {} of {}", packet.noc, name(packet.core), grid_name(chip, packet.asked_by));
    if (const std::string place = tiles.where(packet).describe_place(); !place.empty()) text += fmt::format(" ({})", place);
    return text + "\n";
}

const PacketEvent* writer_of(const Pause& pause, const ChipExecution& tiles) {
    if (pause.where.thread >= 0 || pause.where.index >= 0 || pause.written.empty()) return nullptr;
    const std::uint64_t written = pause.written.front().element;
    const auto by = std::ranges::find_if(tiles.arrived(), [&](const PacketEvent& one) {
        constexpr std::uint64_t word = 4;
        return written >= one.address && written < one.address + std::max<std::uint64_t>(one.bytes, word);
    });
    return by == tiles.arrived().end() ? nullptr : &*by;
}

std::string describe_tile(const ChipExecution& tiles) {
    std::string text;
    for (const TileProgress& tile : tiles.tiles())
        if (is_looked_at(tile, tiles)) text = tile_line(tile, '*');
    return text;
}

std::string describe_tiles(const ChipExecution& tiles) {
    std::string text;
    for (const TileProgress& tile : tiles.tiles()) text += tile_line(tile, is_looked_at(tile, tiles) ? '*' : ' ');
    return text;
}

}  // namespace tessera::cli
