// SPDX-License-Identifier: Apache-2.0
// Tiles of a chip and their places in the NoC (CHIP_FACTS 3; WormholeB0/NoC/Coordinates, BlackholeA0/README).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/arch.hpp"
#include "util/place_number.hpp"

namespace tessera::noc {

inline constexpr unsigned nocs = 2;

/// A tile's place, in the coordinates of NoC 0 without translation.
struct Place {
    std::uint8_t x = 0, y = 0;
    constexpr std::uint16_t number() const { return util::place_number(x, y); }
    static constexpr Place of_number(std::uint16_t number) {
        const auto place = util::place_of_number(number);
        return {place.first, place.second};
    }
    friend auto operator<=>(const Place&, const Place&) = default;
};
/// "(1, 2)".
std::string describe(Place place);

enum class TileKind : std::uint8_t { tensix, dram, ethernet, pcie, arc, l2cpu, security, empty };
/// "Tensix", "DRAM", "Ethernet", …
std::string_view name(TileKind kind);

/// Properties in which the chips differ.
struct Layout {
    Arch arch;
    std::uint8_t width, height;
    std::uint32_t flit_bytes, packet_bytes;
    std::uint32_t l1_bytes, ethernet_l1_bytes;
    std::uint64_t dram_bytes;             ///< of a channel
    std::uint8_t dram_channels;
    std::uint32_t dram_alignment;         ///< reads from DRAM and from the host keep the address modulo this
    Place host_tile;                      ///< the PCI Express tile that is in use
    std::uint64_t host_first, host_bytes; ///< its addresses that reach the host's memory (CHIP_FACTS 1.3)

    TileKind kind(Place place) const;
    /// All of a kind, row by row.
    std::vector<Place> places_of(TileKind kind) const;
    /// Some addresses below 4 GiB are registers; in other tiles all are memory.
    static bool has_registers(TileKind kind) { return kind != TileKind::dram && kind != TileKind::pcie; }
    /// Acknowledgements of writes there are those of transaction 0 (WormholeB0/NoC/MemoryMap, NOC_PACKET_TAG).
    bool loses_transactions(Place place) const {
        return arch == Arch::wormhole && (kind(place) == TileKind::pcie || kind(place) == TileKind::arc);
    }
    bool contains(unsigned x, unsigned y) const { return x < width && y < height; }
    /// The channel of a DRAM tile.
    std::optional<unsigned> dram_channel(Place place) const;
    /// The DRAM tiles of a channel; the first is the one that a host uses.
    std::span<const Place> dram_tiles(unsigned channel) const;
    /// The channel of an Ethernet tile: also the order of their endpoint numbers.
    unsigned ethernet_channel(Place place) const;
    /// Number of a tile: row by row.
    unsigned index(Place place) const { return place.y * unsigned{width} + place.x; }
    Place place(unsigned index) const {
        return {static_cast<std::uint8_t>(index % width), static_cast<std::uint8_t>(index / width)};
    }
    unsigned tiles() const { return unsigned{width} * height; }
    /// NoC 1 counts from the opposite corner: the same function goes both ways.
    Place seen_by(unsigned noc, Place place) const {
        if (noc == 0) return place;
        return {static_cast<std::uint8_t>(width - 1 - place.x), static_cast<std::uint8_t>(height - 1 - place.y)};
    }
    /// NOC_ENDPOINT_ID. On Wormhole each NIU has its own; on Blackhole DRAM tiles of a channel share one.
    std::uint32_t endpoint_id(Place place, unsigned noc) const;
    /// NOC_NODE_ID: the place in the NIU's own coordinates, and the size of the NoC.
    std::uint32_t node_id(Place place, unsigned noc) const {
        const Place seen = seen_by(noc, place);
        const std::uint32_t x_first = noc == 0;
        return seen.x | seen.y << 6 | std::uint32_t{width} << 12 | std::uint32_t{height} << 19 | x_first << 28;
    }
};
const Layout& layout(Arch arch);

/// Tensix tiles in the order of their endpoint numbers: row by row.
std::span<const Place> tensix_tiles(Arch arch);

}  // namespace tessera::noc
