// SPDX-License-Identifier: Apache-2.0
#include "noc/layout.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include <fmt/format.h>

namespace tessera::noc {

namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

// clang-format off
constexpr Layout layouts[] = {
    {Arch::blackhole, 17, 12, 64, 16384, 0x18'0000, 0x8'0000, 4 * gibibyte, 8, 64, {2, 0}, 0, std::uint64_t{8} << 58},
    {Arch::wormhole, 10, 12, 32, 8192, 0x16'E000, 0x4'0000, 2 * gibibyte, 6, 32, {0, 3}, 0x8'0000'0000, 0xFFFE'0000},
};
constexpr std::array<Place, 3> blackhole_dram[] = {
    {{{0, 0}, {0, 1}, {0, 11}}},  {{{0, 2}, {0, 10}, {0, 3}}},  {{{0, 9}, {0, 4}, {0, 8}}},  {{{0, 5}, {0, 7}, {0, 6}}},
    {{{9, 0}, {9, 1}, {9, 11}}},  {{{9, 2}, {9, 10}, {9, 3}}},  {{{9, 9}, {9, 4}, {9, 8}}},  {{{9, 5}, {9, 7}, {9, 6}}},
};
constexpr std::array<Place, 3> wormhole_dram[] = {
    {{{0, 0}, {0, 1}, {0, 11}}},  {{{0, 5}, {0, 6}, {0, 7}}},   {{{5, 0}, {5, 1}, {5, 11}}},
    {{{5, 2}, {5, 9}, {5, 10}}},  {{{5, 3}, {5, 4}, {5, 8}}},   {{{5, 5}, {5, 6}, {5, 7}}},
};
constexpr std::uint8_t blackhole_ethernet[] = {1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10};
constexpr std::uint8_t wormhole_ethernet[] = {9, 1, 8, 2, 7, 3, 6, 4};
constexpr std::uint8_t blackhole_l2cpu_column = 8;
constexpr std::uint8_t blackhole_l2cpu[] = {3, 9, 5, 7};  // in the order of their CPUs: Diagrams/Src/NoC.lua
// clang-format on

std::span<const std::array<Place, 3>> dram(Arch arch) {
    return arch == Arch::blackhole ? std::span<const std::array<Place, 3>>(blackhole_dram) : wormhole_dram;
}

unsigned position(std::span<const Place> places, Place place) {
    return static_cast<unsigned>(std::ranges::find(places, place) - places.begin());
}

}  // namespace

std::string describe(Place place) { return fmt::format("({}, {})", place.x, place.y); }

std::string_view name(TileKind kind) {
    constexpr std::string_view names[] = {"Tensix", "DRAM", "Ethernet", "PCI Express", "ARC", "L2CPU", "security", "empty"};
    return names[static_cast<std::size_t>(kind)];
}

const Layout& layout(Arch arch) { return layouts[static_cast<std::size_t>(arch)]; }

TileKind Layout::kind(Place at) const {
    const unsigned x = at.x, y = at.y;
    if (dram_channel(at)) return TileKind::dram;
    if (arch == Arch::blackhole) {
        if (x == 0) return TileKind::empty;
        if (x == blackhole_l2cpu_column) {
            if (y == 0) return TileKind::arc;
            if (y == 2) return TileKind::security;
            const bool is_l2cpu = std::ranges::find(blackhole_l2cpu, y) != std::end(blackhole_l2cpu);
            return is_l2cpu ? TileKind::l2cpu : TileKind::empty;
        }
        if (y == 0) return x == 2 || x == 11 ? TileKind::pcie : TileKind::empty;
        if (y == 1) return TileKind::ethernet;
        return TileKind::tensix;
    }
    if (x == 0) return y == 3 ? TileKind::pcie : y == 10 ? TileKind::arc : TileKind::empty;
    return y == 0 || y == 6 ? TileKind::ethernet : TileKind::tensix;
}

std::vector<Place> Layout::places_of(TileKind wanted) const {
    std::vector<Place> places;
    for (unsigned i = 0; i < tiles(); ++i)
        if (kind(place(i)) == wanted) places.push_back(place(i));
    return places;
}

unsigned Layout::ethernet_channel(Place place) const {
    const auto columns = arch == Arch::blackhole ? std::span<const std::uint8_t>(blackhole_ethernet) : wormhole_ethernet;
    const auto column = static_cast<unsigned>(std::find(columns.begin(), columns.end(), place.x) - columns.begin());
    return arch == Arch::wormhole && place.y == 6 ? column + static_cast<unsigned>(columns.size()) : column;
}

std::optional<unsigned> Layout::dram_channel(Place place) const {
    const auto channels = dram(arch);
    const bool is_in_column = place.x == channels.front()[0].x || place.x == channels.back()[0].x;  // there are two
    if (!is_in_column) return std::nullopt;
    for (unsigned i = 0; i < channels.size(); ++i)
        for (Place one : channels[i])
            if (one == place) return i;
    return std::nullopt;
}

std::span<const Place> Layout::dram_tiles(unsigned channel) const { return dram(arch)[channel]; }

std::uint32_t Layout::endpoint_id(Place at, unsigned noc) const {
    const TileKind what = kind(at);
    std::uint32_t number = 0, group = 0;
    switch (what) {
        case TileKind::tensix: number = position(tensix_tiles(arch), at); break;
        case TileKind::ethernet: number = ethernet_channel(at); break;
        case TileKind::pcie: number = 2; break;
        case TileKind::l2cpu:
            number = static_cast<std::uint32_t>(std::ranges::find(blackhole_l2cpu, at.y) - std::begin(blackhole_l2cpu));
            break;
        case TileKind::arc:
        case TileKind::security:
        case TileKind::empty: break;
        case TileKind::dram:
            group = *dram_channel(at);
            number = arch == Arch::blackhole ? group : position(dram_tiles(group), at);
    }
    const std::uint32_t above = std::uint32_t{noc} << 24 | number;
    if (arch == Arch::blackhole) {
        constexpr std::uint32_t types[] = {0x0100, 0x0800, 0x0200, 0x0300, 0x0500, 0x0901, 0x0A00, {}};  // {}: unknown for empty tiles
        return above | types[static_cast<std::size_t>(what)] << 8;
    }
    constexpr std::uint32_t types[] = {0, 8, 2, 3, 5, {}, {}, 3};  // {}: there are no such tiles
    return above | types[static_cast<std::size_t>(what)] << 16 | group << 8;
}

std::span<const Place> tensix_tiles(Arch arch) {
    static const std::array<std::vector<Place>, 2> tiles{layout(Arch::blackhole).places_of(TileKind::tensix),
                                                         layout(Arch::wormhole).places_of(TileKind::tensix)};
    return tiles[static_cast<std::size_t>(arch)];
}

}  // namespace tessera::noc
