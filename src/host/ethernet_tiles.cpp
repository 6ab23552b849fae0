// SPDX-License-Identifier: Apache-2.0
#include "host/ethernet_tiles.hpp"

#include <span>

#include "noc/layout.hpp"

namespace tessera::host {

namespace {

struct Word {
    std::uint32_t address, value;
};

constexpr std::uint32_t returns = 0x0000'8067;  // ret

// Version 6.14.0, training: not connected, and a function that firmware calls.
constexpr Word wormhole_remains[] = {{0x210, 0x0006'E000}, {0x1104, 3}, {0x9020, 0x440}, {0x440, returns}};
// Set-up: passed, port: down, version 1.6.0, and three functions that firmware calls.
constexpr Word blackhole_remains[] = {{0x7'CC00, 0xC0DE'A000}, {0x7'CC04, 2},        {0x7'CFBC, 0x0001'0600},
                              {0x7'CF00, 0x7'1574},    {0x7'CF04, 0x7'59AC}, {0x7'CF08, 0x7'5414},
                              {0x7'1574, returns},     {0x7'59AC, returns},  {0x7'5414, returns}};

/// Bits of SOFT_RESET_0.
std::uint32_t cores_of(Arch arch) { return arch == Arch::blackhole ? 0x1800 : 0x800; }

}  // namespace

EthernetTiles::EthernetTiles(HostedChip& chip) : arch_(chip.arch()) {
    const noc::Layout& layout = noc::layout(arch_);
    const auto words = arch_ == Arch::blackhole ? std::span<const Word>(blackhole_remains) : std::span<const Word>(wormhole_remains);
    for (const noc::Place at : layout.places_of(noc::TileKind::ethernet))
        for (const Word& word : words)
            (void)chip.write({at.x, at.y}, word.address, std::as_bytes(std::span(&word.value, 1)));
}

std::uint32_t EthernetTiles::reset(NocPlace place) const {
    const auto found = resets_.find({place.x, place.y});
    return found == resets_.end() ? cores_of(arch_) : found->second;
}

Result<void> EthernetTiles::set_reset(NocPlace place, std::uint32_t value) {
    const std::uint32_t before = reset(place);
    resets_[{place.x, place.y}] = value;
    if (!(before & ~value & cores_of(arch_))) return {};
    return fail("host.ethernet", "a core of an Ethernet tile is released, but Tessera does not model these cores: it does nothing");
}

std::uint32_t EthernetTiles::heartbeat() const { return arch_ == Arch::blackhole ? 0x7'CC70 : 0; }

}  // namespace tessera::host
