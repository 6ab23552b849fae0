// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/counting.hpp"

namespace tessera::reference::noc {

void Counting::count(Tile& tile, Counter index, std::uint32_t by) const {
    tile.niu[request_.noc].counters[index] += by;
}

void Counting::count_posted_or_not(Tile& tile, Counter nonposted, std::uint32_t by) const {
    count(tile, static_cast<Counter>(nonposted + (request_.posted ? 1 : 0)), by);
}

void Counting::change_outstanding(Tile& tile, unsigned id, std::uint32_t by) const {
    Niu& niu = tile.niu[request_.noc];
    niu.set_outstanding(id, niu.counters[NIU_MST_REQS_OUTSTANDING_ID + id] + by);
}

void Counting::change_outgoing(std::uint32_t by) const {
    std::uint32_t& counter = request_.niu.counters[NIU_MST_WRITE_REQS_OUTGOING_ID + request_.id];
    counter = (counter + by) & 0xFF;
}

}  // namespace tessera::reference::noc
