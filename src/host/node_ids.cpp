// SPDX-License-Identifier: Apache-2.0
#include "host/node_ids.hpp"

#include "noc/registers.hpp"

namespace tessera::host {

namespace {

using noc::TileKind;

/// An NIU's registers in tiles of a kind.
struct Niu {
    Arch arch;
    TileKind kind;
    std::uint8_t noc;
    std::uint64_t registers;
};
constexpr std::uint64_t behind_dram = 0x100'0000'0000, last_page = 0xFFFF'FFFF'FF00'0000, upper_page = 0xF'FFB2'0000,
                        dram_niu = 0x1'0008'0000;
constexpr Niu all_nius[] = {
    {Arch::blackhole, TileKind::ethernet, 0, 0xFFB2'0000},
    {Arch::blackhole, TileKind::ethernet, 1, 0xFFB3'0000},
    {Arch::blackhole, TileKind::dram, 0, behind_dram + 0xFFB2'0000},
    {Arch::blackhole, TileKind::dram, 1, behind_dram + 0xFFB3'0000},
    {Arch::blackhole, TileKind::pcie, 0, last_page},
    {Arch::blackhole, TileKind::arc, 0, last_page},
    {Arch::blackhole, TileKind::security, 0, last_page},
    {Arch::blackhole, TileKind::l2cpu, 0, last_page},
    {Arch::blackhole, TileKind::empty, 0, 0xFF00'0000},
    {Arch::wormhole, TileKind::ethernet, 0, 0xFFB2'0000},
    {Arch::wormhole, TileKind::ethernet, 1, 0xFFB3'0000},
    {Arch::wormhole, TileKind::pcie, 0, upper_page},
    {Arch::wormhole, TileKind::arc, 0, upper_page},
    {Arch::wormhole, TileKind::empty, 0, 0xFFB2'0000},
    {Arch::wormhole, TileKind::dram, 0, dram_niu},
    {Arch::wormhole, TileKind::dram, 1, dram_niu + 0x8000},
};

/// A channel of Wormhole's DRAM has three tiles, whose NIUs come one after the other; hosts read a tile's by the tile itself.
constexpr std::uint64_t next_tile = 0x1'0000, last_tile = 2;

}  // namespace

std::optional<std::uint32_t> node_id_at(const noc::Layout& chip, noc::Place place, std::uint64_t address) {
    const std::uint64_t node_id = noc::register_map(chip.arch).node_id;
    for (const Niu& niu : all_nius) {
        if (niu.arch != chip.arch || niu.kind != chip.kind(place)) continue;
        const std::uint64_t tiles = niu.kind == TileKind::dram ? last_tile : 0;
        for (std::uint64_t tile = 0; tile <= tiles; ++tile)
            if (address == niu.registers + tile * next_tile + node_id) return chip.node_id(place, niu.noc);
    }
    return std::nullopt;
}

}  // namespace tessera::host
