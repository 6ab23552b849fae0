// SPDX-License-Identifier: Apache-2.0
#include "state/tile.hpp"

namespace tessera::state {

namespace {

constexpr std::uint32_t soft_reset_0 = 0x1B0, all_cores_in_reset = 0x47800;

// NOC_ID_LOGICAL, from NIU_BASE + 0x100.
constexpr std::uint32_t noc_id_logical(Arch arch) { return arch == Arch::blackhole ? 0x48 : 0x38; }

}  // namespace

Tile::Tile(Arch arch) : place(noc_place(arch)) {
    words[tile_words::debug_register(soft_reset_0)] = all_cores_in_reset;
    put(place);
}

void Tile::put(NocPlace at) {
    place = at;
    const Arch arch = at.width == noc_place(Arch::blackhole).width ? Arch::blackhole : Arch::wormhole;
    for (unsigned noc = 0; noc < tile_words::nocs; ++noc)
        words[tile_words::niu_configuration_register(noc, noc_id_logical(arch))] = at.coordinates(noc);
}

}  // namespace tessera::state
