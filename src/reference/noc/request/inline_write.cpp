// SPDX-License-Identifier: Apache-2.0
// NoC/Counters, write requests with NOC_CMD_WR_INLINE=true.
#include <array>
#include <span>

#include "reference/noc/bits.hpp"
#include "reference/noc/registers.hpp"
#include "reference/noc/request/counting.hpp"
#include "reference/noc/request/kinds.hpp"
#include "reference/noc/request/memory.hpp"
#include "reference/noc/request/recipients.hpp"

namespace tessera::reference::noc {

namespace {

/// A tile's end of an inline write: a register, or 16 bytes of L1.
Checked<End> inline_end(const Request& request, Tile& tile) {
    const std::uint64_t address = request.targ_address();
    if (!tile.has_l1()) return refuse("inline writes are for Tensix and Ethernet tiles, not for " + tile.name());
    const Checked<End> end = resolve(request.noc, tile, address, 1);
    if (!end) return end;
    if (end->is_register()) {
        if (address % 4) return refuse("MMIO addresses must be multiples of 4");
        return end;
    }
    if (request.blackhole()) return refuse("inline writes to L1 are not safe on Blackhole");
    return resolve(request.noc, tile, address & ~std::uint64_t{15}, 16);
}

/// NOC_AT_LEN_BE enables bytes of the 16: bits 0 to 15 and bits 16 to 31 alike.
void put_inline(const Request& request, const End& to, std::span<const std::uint8_t> data) {
    const std::uint32_t mask = request.word(NOC_AT_LEN_BE);
    if (to.is_register()) {
        put(request.chip.dram, to, 0, data);
        return;
    }
    for (unsigned i = 0; i < 16; ++i)
        if (bit(mask, i) || bit(mask, 16 + i)) put(request.chip.dram, to, i, data.subspan(i & 3, 1));
}

}  // namespace

Checked<> write_inline(const Request& request) {
    const Checked<std::vector<Tile*>> tiles = recipients(request, request.targ);
    if (!tiles) return refuse(tiles);
    if (bit(request.tag, NOC_PACKET_TAG_HEADER_STORE))
        return refuse("NOC_PACKET_TAG_HEADER_STORE: NOC_AT_DATA is the data of an inline write");
    std::vector<End> ends;
    for (Tile* const tile : *tiles) {
        const Checked<End> end = inline_end(request, *tile);
        if (!end) return refuse(end);
        ends.push_back(*end);
    }

    const Counting counting(request);
    request.begin(*tiles);
    if (!request.posted) counting.change_outstanding(request.tile, request.id, 1);
    counting.count(request.tile, NIU_MST_CMD_ACCEPTED);
    counting.count_posted_or_not(request.tile, NIU_MST_NONPOSTED_WR_REQ_STARTED);
    counting.count_posted_or_not(request.tile, NIU_MST_NONPOSTED_WR_REQ_SENT);
    std::array<std::uint8_t, 4> data{};
    write_bytes(data, request.word(request.map.NOC_AT_DATA));
    for (const End& to : ends) {
        counting.count_posted_or_not(*to.tile, NIU_SLV_NONPOSTED_WR_REQ_STARTED);
        counting.count_posted_or_not(*to.tile, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED);
        counting.count_posted_or_not(*to.tile, NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED);
        put_inline(request, to, data);
        if (request.posted) continue;
        counting.count(*to.tile, NIU_SLV_WR_ACK_SENT);
        counting.count(request.tile, NIU_MST_WR_ACK_RECEIVED);
        counting.change_outstanding(request.tile, request.id, -1u);
    }
    return {};
}

}  // namespace tessera::reference::noc
