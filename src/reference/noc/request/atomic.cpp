// SPDX-License-Identifier: Apache-2.0
// NoC/Counters, atomic requests.
#include <algorithm>
#include <array>
#include <span>

#include "reference/noc/bits.hpp"
#include "reference/noc/registers.hpp"
#include "reference/noc/request/atomics.hpp"
#include "reference/noc/request/counting.hpp"
#include "reference/noc/request/kinds.hpp"
#include "reference/noc/request/memory.hpp"
#include "reference/noc/request/recipients.hpp"

namespace tessera::reference::noc {

namespace {

/// An atomic at one tile.
struct Act {
    End end;                   ///< of the line
    Line line{};               ///< as the atomic leaves it
    std::uint32_t result = 0;  ///< the word that was there
};

Checked<Act> act_on(const Request& request, Tile& tile) {
    const std::uint64_t address = request.targ_address();
    const Checked<End> end = resolve(request.noc, tile, address & ~std::uint64_t{15}, 16);
    if (!end) return refuse(end);
    if (end->memory != Memory::l1) return refuse("atomics act on L1 only");
    Act act{.end = *end};
    const auto bytes = fetch(request.chip.dram, *end, 0, 16);
    std::copy(bytes.begin(), bytes.end(), act.line.begin());
    act.result = read_bytes(std::span(act.line).subspan(address % 16 & ~3u, 4));
    const Checked<> performed =
        perform_atomic(request.chip.arch, act.line, request.word(NOC_AT_LEN_BE), request.word(request.map.NOC_AT_DATA));
    if (!performed) return refuse(performed);
    return act;
}

/// The destination of the old word, if the request is not posted.
Checked<End> response_end(const Request& request) {
    const Checked<Tile*> returns = responding_tile(request, request.ret);
    if (!returns) return refuse(returns);
    const Checked<End> response = resolve(request.noc, **returns, request.ret_address(), 4);
    if (response && (response->memory != Memory::l1 || response->address % 4))
        return refuse("the response of an atomic needs a word of L1");
    return response;
}

/// Acts at all tiles, of which none has changed its L1 yet.
Checked<std::vector<Act>> acts_on(const Request& request, const std::vector<Tile*>& tiles, const End& response) {
    std::vector<Act> acts;
    for (Tile* const tile : tiles) {
        const Checked<Act> act = act_on(request, *tile);
        if (!act) return refuse(act);
        acts.push_back(*act);
        // NoC/Ordering: responses arrive in any order, and so do the parts of a broadcast.
        if (!request.posted && act->result != acts[0].result)
            return refuse("recipients of a broadcast respond different values, and their order is not known");
        if (!request.posted && tiles.size() > 1 && overlap(act->end, 16, response, 4))
            return refuse("the response of a broadcast goes to a line that it acts on");
    }
    return acts;
}

}  // namespace

Checked<> atomic(const Request& request) {
    const Checked<std::vector<Tile*>> tiles = recipients(request, request.targ);
    if (!tiles) return refuse(tiles);
    const bool has_result = !request.blackhole() || bits(request.word(NOC_AT_LEN_BE), 12, 4) != 9;
    if (has_result && request.targ_address() % 4) return refuse("the target of an atomic must be a multiple of 4");
    Checked<End> response;
    if (!request.posted) {
        if (!has_result) return refuse("the response of a parallel addition is an undefined value");
        response = response_end(request);
        if (!response) return refuse(response);
    }
    const Checked<std::vector<Act>> acts = acts_on(request, *tiles, *response);
    if (!acts) return refuse(acts);

    const Counting counting(request);
    request.begin(*tiles);
    if (!request.posted) counting.change_outstanding(request.tile, request.id, 1);
    counting.count(request.tile, NIU_MST_CMD_ACCEPTED);
    if (!request.posted) counting.count(request.tile, NIU_MST_NONPOSTED_ATOMIC_STARTED);
    counting.count_posted_or_not(request.tile, NIU_MST_NONPOSTED_ATOMIC_SENT);
    for (const Act& act : *acts) {
        Tile& tile = *act.end.tile;
        counting.count(tile, NIU_SLV_REQ_ACCEPTED);
        counting.count_posted_or_not(tile, NIU_SLV_NONPOSTED_ATOMIC_RECEIVED);
        put(request.chip.dram, act.end, 0, act.line);
        if (request.posted) continue;
        counting.count(tile, NIU_SLV_ATOMIC_RESP_SENT);
        std::array<std::uint8_t, 4> Result{};
        write_bytes(Result, act.result);
        put(request.chip.dram, *response, 0, Result);
        counting.count(*response->tile, NIU_MST_ATOMIC_RESP_RECEIVED);
        counting.change_outstanding(*response->tile, request.id, -1u);
    }
    return {};
}

}  // namespace tessera::reference::noc
