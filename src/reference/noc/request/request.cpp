// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/request.hpp"

#include <optional>

#include "reference/noc/bits.hpp"
#include "reference/noc/registers.hpp"
#include "reference/noc/request/first_ports.hpp"
#include "reference/noc/request/translation.hpp"

namespace tessera::reference::noc {

Request::Request(Chip& of, Tile& from, unsigned on_noc, unsigned index)
    : chip(of),
      tile(from),
      noc(on_noc),
      niu(from.niu[on_noc]),
      map(map_of(of.arch)),
      initiator(niu, index),
      ctrl(word(NOC_CTRL)),
      tag(word(NOC_PACKET_TAG)),
      kind(bits(ctrl, 0, 2)),
      id(bits(tag, NOC_PACKET_TRANSACTION_ID, 4)),
      posted(!bit(ctrl, NOC_CMD_RESP_MARKED)),
      broadcast(bit(ctrl, NOC_CMD_BRCST_PACKET)),
      inlined(bit(ctrl, NOC_CMD_WR_INLINE)) {}

Checked<> legal(const Request& request) {
    const std::uint32_t ctrl = request.ctrl;
    const bool blackhole = request.blackhole();
    if (!request.tile.has_l1()) return refuse(request.tile.name() + " has no request initiators here");
    if (request.kind == 3) return refuse("request type 3 is reserved");
    if (request.kind == NOC_CMD_RD && request.broadcast) return refuse("reads cannot be broadcast");
    if (ctrl & (blackhole ? 0x07FC'1C00 : 0x87FC'0000)) return refuse("NOC_CTRL: reserved bits must be zero");
    if (blackhole && bit(ctrl, NOC_CMD_L1_ACC_AT_EN))
        return refuse("NOC_CMD_L1_ACC_AT_EN cannot be used safely on Blackhole");
    if (blackhole && bit(request.niu.configuration(NIU_CFG_0), request_fifo_enable))
        return refuse("the pages do not describe the request FIFO (NIU_CFG_0, bit 16)");
    const std::uint32_t virtual_channel_class = bits(ctrl, NOC_CMD_STATIC_VC + 1, 2);
    if (bit(ctrl, NOC_CMD_VC_STATIC) &&
        (request.broadcast ? virtual_channel_class != 0b10 : virtual_channel_class > 0b01))
        return refuse("NOC_CMD_STATIC_VC has the wrong class bits for the request");
    if (request.kind == NOC_CMD_WR && bit(request.tag, DeliverToReceiverOverlay))
        return refuse("delivery to the receiver's overlay is not modelled");
    return {};
}

// NoC/Coordinates, coordinate translation.
Checked<> Request::translate_coordinates() {
    targ = initiator.coordinates(NOC_TARG_ADDR_LO);
    ret = initiator.coordinates(NOC_RET_ADDR_LO);
    if (!translates(niu)) return {};
    std::vector<Coordinates*> places = {&targ.end, &ret.end};
    if (broadcast) places.push_back(goes_to_ret() ? &ret.start : &targ.start);
    for (Coordinates* place : places) {
        const Checked<Coordinates> translated = translate(niu, *place);
        if (!translated) return refuse(translated);
        *place = *translated;
    }
    return {};
}

// NOC_CMD_VC_LINKED: what the NIU demands of the next request of a transaction.
Checked<> Request::continue_transaction() {
    const bool y_major = broadcast && bit(ctrl, NOC_CMD_BRCST_XY);
    const std::uint32_t packed = bits(pack_fields(destination()), 0, broadcast ? 24 : 12);
    std::optional<unsigned> static_vc;
    if (bit(ctrl, NOC_CMD_VC_STATIC)) static_vc = bits(ctrl, NOC_CMD_STATIC_VC, 3);
    transaction = {broadcast, y_major, packed, static_vc};
    if (!niu.transaction) return {};
    const Transaction& open = *niu.transaction;
    if (open.broadcast != broadcast || open.y_major != y_major || open.destination != packed)
        return refuse("the NIU's open transaction has another destination (NOC_CMD_VC_LINKED)");
    if (static_vc && open.static_vc != static_vc)
        return refuse("the NIU's open transaction has another virtual channel (NOC_CMD_VC_LINKED)");
    transaction.static_vc = open.static_vc;
    return {};
}

void Request::begin(const std::vector<Tile*>& to) const {
    if (!blackhole()) {
        initiator.write_back(NOC_TARG_ADDR_LO, targ);
        initiator.write_back(NOC_RET_ADDR_LO, ret);
        word(NOC_CTRL) = (ctrl & ~(7u << 10)) | first_ports(*this, to) << 10;
    }
    niu.transaction.reset();
    if (bit(ctrl, NOC_CMD_VC_LINKED)) niu.transaction = transaction;
}

}  // namespace tessera::reference::noc
