// SPDX-License-Identifier: Apache-2.0
// RISCV_DEBUG_REG_DBG_ARRAY_RD_*: reads two datums of a physical row of Dst, in stored order. To show SrcA, the kernel
// library copies it to Dst. No source documents reads of SrcB's rows.
#include "formats/layouts.hpp"
#include "tile/device.hpp"
#include "tile/registers.hpp"

namespace tessera::tile {

Reply debug_array(Devices& devices, const Request& request) {
    using state::tile_words::debug_register;
    constexpr std::uint32_t dst_array = 2;
    if (!(devices.tile[debug_register(debug_offset("DBG_ARRAY_RD_EN"))] & 1))
        return Reply::not_modelled("DBG_ARRAY_RD_DATA needs DBG_ARRAY_RD_EN");
    const std::uint32_t command = devices.tile[debug_register(debug_offset("DBG_ARRAY_RD_CMD"))];
    const unsigned row = command & 0xFFF, pair = command >> 12 & 0xF;
    if (command >> 16 != dst_array || row >= state::Dst::rows || pair >= state::columns / 2)
        return Reply::not_modelled("Tessera models DBG_ARRAY_RD_CMD for rows of Dst only");
    // A host's or another tile's request has no core here whose order could be known.
    if (!request.origin) devices.port().accessed_dst(request.by(), row, row, false);
    const auto& dst = devices.state.dst;
    // Only Wormhole takes the row's validity into account (spec-notes T18).
    if (devices.arch == Arch::wormhole && !dst.valid[row]) return Reply::of(0);
    const std::uint16_t* datums = &dst.datums[row * state::columns + 2 * pair];
    return Reply::of(formats::dst_to_stored(datums[0]) | formats::dst_to_stored(datums[1]) << 16);
}

}  // namespace tessera::tile
