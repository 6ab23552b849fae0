// SPDX-License-Identifier: Apache-2.0
// Instructions' accesses, as the hazard checker gets them.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "hazards/order.hpp"

namespace tessera::hazards {

using plan::Access;
using plan::Pipe;
using plan::Storage;

inline constexpr unsigned b = static_cast<unsigned>(RiscvCore::b), t0 = core_of_thread(0), t1 = core_of_thread(1), t2 = core_of_thread(2),
                          nc = static_cast<unsigned>(RiscvCore::nc);
inline constexpr std::uint32_t place = 0x1000;
inline constexpr Access writes{Storage::l1, true, place, 16}, reads{Storage::l1, false, place, 16};

/// Tiles, as requests over the NoC have them.
inline constexpr std::uint16_t here = 0x0203, there = 0x0102, elsewhere = 0x0303;

inline void add(NocKnowledge& known, const NocRequest& request) {
    known.change(request.tile, [&](TileKnowledge& tile) { tile.complete[request.noc].add(request.number); });
}
inline void set_clock(NocKnowledge& known, std::uint16_t tile, const VectorClock& clock) {
    known.change(tile, [&](TileKnowledge& of) { of.clock = std::make_shared<VectorClock>(clock); });
}

/// Knowledge of the ends of these requests.
inline std::shared_ptr<NocKnowledge> knowing(std::initializer_list<NocRequest> requests = {}) {
    auto made = std::make_shared<NocKnowledge>();
    for (const NocRequest& one : requests) add(*made, one);
    return made;
}

/// The accesses of one instruction.
inline std::vector<Conflict> check(Order& order, const Ticket& ticket, const VectorClock& known, const std::vector<Access>& accesses,
                                   bool exact = true) {
    return order.check_accesses(ticket, known, accesses, exact, false);
}
inline std::vector<Conflict> check(Order& order, unsigned thread, Pipe unit, const Access& access, std::int64_t index = 0) {
    const Ticket ticket = order.issue(thread, bit(unit), index);
    return check(order, ticket, order.known(thread), {access});
}

}  // namespace tessera::hazards
