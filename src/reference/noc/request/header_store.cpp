// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/header_store.hpp"

#include <cstddef>

#include "reference/noc/bits.hpp"
#include "reference/noc/registers.hpp"

namespace tessera::reference::noc {

namespace {

bool ignores_header_store(const Request& request, const Tile& tile) {
    return !tile.has_l1() && bit(tile.niu[request.noc].configuration(NIU_CFG_0), double_store_disable);
}

}  // namespace

Checked<std::vector<End>> ends_of_headers(const Request& request, const std::vector<Tile*>& tiles,
                                          const WriteEnds& ends) {
    const std::uint64_t length = request.initiator.length();
    const std::uint32_t packet = request.map.packet;
    if (!request.posted) return refuse("NOC_PACKET_TAG_HEADER_STORE is for posted writes");
    if (bit(request.ctrl, NOC_CMD_WR_BE) || ends.from.memory != Memory::l1)
        return refuse("the pages do not say what the first 128 bits of such a packet are");
    if (length % packet && length % packet < 16)
        return refuse("NOC_PACKET_TAG_HEADER_STORE: a packet has fewer than 128 bits");
    if (ends.from.address % 16) return refuse("NOC_PACKET_TAG_HEADER_STORE: the source must be a multiple of 16");
    std::vector<End> headers(tiles.size());
    for (std::size_t n = 0; n < tiles.size(); ++n) {
        if (ignores_header_store(request, *tiles[n])) continue;
        const std::uint64_t address = std::uint64_t{request.word(request.map.NOC_AT_DATA)} << 4;
        const Checked<End> header = resolve(request.noc, *tiles[n], address, 16);
        if (!header) return refuse(header);
        if (header->is_register() || ends.to[n].is_register())
            return refuse("NOC_PACKET_TAG_HEADER_STORE is for memory");
        if (overlap(*header, 16, ends.from, length) || overlap(*header, 16, ends.to[n], length))
            return refuse("NOC_PACKET_TAG_HEADER_STORE: the header's place overlaps the data's");
        headers[n] = *header;
    }
    return headers;
}

}  // namespace tessera::reference::noc
