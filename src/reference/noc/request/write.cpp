// SPDX-License-Identifier: Apache-2.0
// NoC/Counters, write requests with NOC_CMD_WR_INLINE=false.
#include <algorithm>
#include <cstddef>
#include <span>

#include "reference/noc/bits.hpp"
#include "reference/noc/registers.hpp"
#include "reference/noc/request/counting.hpp"
#include "reference/noc/request/header_store.hpp"
#include "reference/noc/request/kinds.hpp"
#include "reference/noc/request/recipients.hpp"
#include "reference/noc/request/write_ends.hpp"

namespace tessera::reference::noc {

namespace {

/// Of the source: none if nobody receives them, a word to or from MMIO, or one for each bit of the mask.
std::uint64_t bytes_to_enable(const Request& request, const WriteEnds& ends) {
    if (ends.to.empty()) return 0;
    return ends.from.is_register() || ends.to[0].is_register() ? 4 : request.map.flit;
}

// A word from MMIO is written again and again.
void put_enabled(const Request& request, const End& to, std::span<const std::uint8_t> data) {
    if (to.is_register()) {
        put(request.chip.dram, to, 0, data);
        return;
    }
    for (std::uint32_t i = 0; i < request.map.flit; ++i)
        if (bit(request.word(NOC_AT_LEN_BE + i / 32 * 4), i % 32))
            put(request.chip.dram, to, i, data.subspan(i % data.size(), 1));
}

// WormholeB0/NoC/MemoryMap, NOC_PACKET_TAG: the PCI Express tile and the ARC tile lose the transaction ID.
unsigned acknowledged_id(const Request& request, const Tile& writer) {
    return !request.blackhole() && (writer.kind == Kind::pcie || writer.kind == Kind::arc) ? 0 : request.id;
}

/// A write whose checks are done. `acknowledged` is null if it is posted, `headers` empty without stores of headers.
struct Write {
    const Request& request;
    const std::vector<Tile*>& tiles;
    Tile* acknowledged;
    const WriteEnds& ends;
    const std::vector<End>& headers;

    void perform() const;
    /// A packet's data at one of the tiles. `from` is its place in the request, `words` its length in flits.
    void receive(std::size_t n, std::uint64_t from, std::span<const std::uint8_t> data, std::uint32_t words) const;
    bool byte_enables() const { return bit(request.ctrl, NOC_CMD_WR_BE); }
};

void Write::perform() const {
    const Initiator& initiator = request.initiator;
    const std::uint32_t packet = request.map.packet;
    const Counting counting(request);
    request.begin(tiles);
    const std::uint32_t parts = byte_enables() ? 1 : initiator.packets();
    if (!request.posted) counting.change_outstanding(request.tile, request.id, parts);
    counting.change_outgoing(parts);
    for (std::uint64_t at = 0;; at += packet) {
        const std::uint64_t size = byte_enables() ? 0 : std::min<std::uint64_t>(initiator.length(), packet);
        const bool last = byte_enables() || initiator.length() <= packet;
        const std::uint32_t words = byte_enables() ? 1 : initiator.flits(size);
        counting.count(request.tile, NIU_MST_CMD_ACCEPTED);
        counting.count_posted_or_not(request.tile, NIU_MST_NONPOSTED_WR_REQ_STARTED);
        if (!last) initiator.advance();
        counting.count_posted_or_not(request.tile, NIU_MST_NONPOSTED_WR_REQ_SENT);
        counting.count_posted_or_not(request.tile, NIU_MST_NONPOSTED_WR_DATA_WORD_SENT, words);
        const auto data =
            fetch(request.chip.dram, ends.from, at, byte_enables() ? bytes_to_enable(request, ends) : size);
        counting.change_outgoing(-1u);
        for (std::size_t n = 0; n < tiles.size(); ++n) receive(n, at, data, words);
        if (last) return;
    }
}

void Write::receive(std::size_t n, std::uint64_t from, std::span<const std::uint8_t> data, std::uint32_t words) const {
    Tile& tile = *tiles[n];
    const Counting counting(request);
    counting.count_posted_or_not(tile, NIU_SLV_NONPOSTED_WR_REQ_STARTED);
    counting.count_posted_or_not(tile, NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED, words);
    counting.count_posted_or_not(tile, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED);
    if (byte_enables())
        put_enabled(request, ends.to[n], data);
    else
        put(request.chip.dram, ends.to[n], from, data);
    if (!headers.empty() && headers[n].tile) put(request.chip.dram, headers[n], 0, data.first(16));
    if (request.posted) return;
    counting.count(tile, NIU_SLV_WR_ACK_SENT);
    counting.count(*acknowledged, NIU_MST_WR_ACK_RECEIVED);
    counting.change_outstanding(*acknowledged, acknowledged_id(request, tile), -1u);
}

}  // namespace

Checked<> write(const Request& request) {
    const Checked<std::vector<Tile*>> tiles = recipients(request, request.ret);
    if (!tiles) return refuse(tiles);
    Checked<Tile*> acknowledged = nullptr;
    if (!request.posted) acknowledged = responding_tile(request, request.targ);
    if (!acknowledged) return refuse(acknowledged);
    const bool byte_enables = bit(request.ctrl, NOC_CMD_WR_BE);
    const Checked<WriteEnds> ends = byte_enables ? ends_of_bytes(request, *tiles) : ends_of_range(request, *tiles);
    if (!ends) return refuse(ends);
    Checked<std::vector<End>> headers;
    if (bit(request.tag, NOC_PACKET_TAG_HEADER_STORE)) headers = ends_of_headers(request, *tiles, *ends);
    if (!headers) return refuse(headers);
    Write{request, *tiles, *acknowledged, *ends, *headers}.perform();
    return {};
}

}  // namespace tessera::reference::noc
