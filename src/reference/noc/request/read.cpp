// SPDX-License-Identifier: Apache-2.0
// NoC/Counters, read requests.
#include <algorithm>

#include "reference/noc/request/alignment.hpp"
#include "reference/noc/request/counting.hpp"
#include "reference/noc/request/kinds.hpp"
#include "reference/noc/request/memory.hpp"
#include "reference/noc/request/recipients.hpp"

namespace tessera::reference::noc {

Checked<> read(const Request& request) {
    const Initiator& initiator = request.initiator;
    const Checked<Tile*> target = one_tile(request, request.targ);
    if (!target) return refuse(target);
    const Checked<Tile*> returns = responding_tile(request, request.ret);
    if (!returns) return refuse(returns);
    if (auto defined = initiator.length_is_defined(); !defined) return defined;
    const Checked<End> from = resolve(request.noc, **target, request.targ_address(), initiator.length());
    if (!from) return refuse(from);
    const Checked<End> to = resolve(request.noc, **returns, request.ret_address(), initiator.length());
    if (!to) return refuse(to);
    if (auto agree = aligned(*from, *to, initiator.length()); !agree) return agree;

    const Counting counting(request);
    request.begin({*target});
    counting.change_outstanding(request.tile, request.id, initiator.packets());
    for (std::uint64_t at = 0;; at += request.map.packet) {
        const std::uint64_t size = std::min<std::uint64_t>(initiator.length(), request.map.packet);
        const bool last = initiator.length() <= request.map.packet;
        counting.count(request.tile, NIU_MST_CMD_ACCEPTED);
        counting.count(request.tile, NIU_MST_RD_REQ_STARTED);
        if (!last) initiator.advance();
        counting.count(request.tile, NIU_MST_RD_REQ_SENT);
        counting.count(**target, NIU_SLV_REQ_ACCEPTED);
        counting.count(**target, NIU_SLV_RD_REQ_RECEIVED);
        const auto data = fetch(request.chip.dram, *from, at, size);
        counting.count(**target, NIU_SLV_RD_RESP_SENT);
        counting.count(**target, NIU_SLV_RD_DATA_WORD_SENT, initiator.flits(size));
        put(request.chip.dram, *to, at, data);
        counting.count(**returns, NIU_MST_RD_RESP_RECEIVED);
        counting.count(**returns, NIU_MST_RD_DATA_WORD_RECEIVED, initiator.flits(size));
        counting.change_outstanding(**returns, request.id, -1u);
        if (last) return {};
    }
}

}  // namespace tessera::reference::noc
