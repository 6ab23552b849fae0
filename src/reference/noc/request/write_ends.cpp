// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/write_ends.hpp"

#include "reference/noc/request/alignment.hpp"

namespace tessera::reference::noc {

Checked<WriteEnds> ends_of_range(const Request& request, const std::vector<Tile*>& tiles) {
    const std::uint64_t length = request.initiator.length();
    if (auto defined = request.initiator.length_is_defined(); !defined) return refuse(defined);
    const Checked<End> from = resolve(request.noc, request.tile, request.targ_address(), length);
    if (!from) return refuse(from);
    // Also if nobody receives it.
    if (from->is_register() && (length != 4 || from->address % 4))
        return refuse("a request for MMIO has 4 bytes at a multiple of 4");
    WriteEnds ends{*from, {}};
    for (Tile* const tile : tiles) {
        const Checked<End> to = resolve(request.noc, *tile, request.ret_address(), length);
        if (!to) return refuse(to);
        if (auto agree = aligned(*from, *to, length); !agree) return refuse(agree);
        ends.to.push_back(*to);
    }
    return ends;
}

// WormholeB0/NoC/Alignment, when NOC_AT_LEN_BE contains a byte enable mask; Blackhole's mask has 64 bits.
Checked<WriteEnds> ends_of_bytes(const Request& request, const std::vector<Tile*>& tiles) {
    const std::uint64_t source = request.targ_address(), destination = request.ret_address();
    const std::uint32_t flit = request.map.flit;
    Checked<End> from = resolve(request.noc, request.tile, source, 4);
    if (!from) return refuse(from);
    std::vector<End> ends;
    for (Tile* const tile : tiles) {
        Checked<End> to = resolve(request.noc, *tile, destination, 4);
        if (!to) return refuse(to);
        if (to->is_register()) {
            if (destination % 4) return refuse("the destination must be a multiple of 4");
            if (!from->is_register() && source % 16 != destination % 16)
                return refuse("both addresses must be congruent modulo 16");
        } else {
            if (destination % flit) return refuse("the destination must be a multiple of " + std::to_string(flit));
            to = resolve(request.noc, *tile, destination, flit);
            if (!to) return refuse(to);
            if (!from->is_register()) {
                if (source % flit) return refuse("the source must be a multiple of " + std::to_string(flit));
                from = resolve(request.noc, request.tile, source, flit);
                if (!from) return refuse(from);
            }
        }
        ends.push_back(*to);
    }
    if (from->is_register() && source % 4) return refuse("the source must be a multiple of 4");
    return WriteEnds{*from, ends};
}

}  // namespace tessera::reference::noc
