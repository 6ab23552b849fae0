// SPDX-License-Identifier: Apache-2.0
// Packets on their way, in the order of time. Packets that want one link follow each other.
#pragma once

#include <array>
#include <functional>
#include <queue>
#include <vector>

#include "noc/packet.hpp"
#include "noc/routes.hpp"

namespace tessera::noc {

/// Packets between routers, and when each link is free.
class Network {
public:
    Network(const Layout& chip, const Costs& costs);

    /// The packet's first flit reaches the router of its source at `at`.
    void send(Packet packet, Cycle at);
    /// Takes a packet whose last flit reaches an NIU at `Arrival::at`. Returns until when packets may go on after that.
    using Deliver = std::function<Cycle(Place to, Arrival arrival, Cycle sent)>;
    /// Moves packets whose next router is reached before `until`.
    void pass_to(Cycle until, const Deliver& deliver);
    /// When the next packet reaches a router; never: none is on its way.
    Cycle next_time() const { return moving_.empty() ? never : moving_.front().at; }
    /// When the first of the packets that are on their way reached its source's router; never: none is.
    Cycle first_sent() const;
    /// For each tile the earliest arrival of a packet that is on its way: into `earliest`, where that is sooner.
    void bound(std::vector<Cycle>& earliest) const;

private:
    enum Out : unsigned { out_x, out_y, out_niu, outs };
    struct Moving {
        Cycle at{};  ///< its first flit reaches the router
        Packet packet;
        Place router;
        BroadcastRoute::Branch branch;
        Cycle sent{};
        std::shared_ptr<const std::vector<Place>> reached{};  ///< by all copies of a broadcast
    };
    /// When the packet leaves by that way; the way is then taken.
    Cycle leave(Moving& one, Out way);
    void onward(Moving one, Axis axis, const BroadcastRoute::Branch& branch);
    Cycle deliver_here(Moving one, const Deliver& deliver);
    void push(Moving one);
    static bool later(const Moving& a, const Moving& b);

    const Layout& chip_;
    const Costs& costs_;
    /// A heap: the earliest first. Of one cycle: by NoC, source and sequence, and a broadcast's copies by router.
    std::vector<Moving> moving_;
    /// By NoC, router and way out (x, y, NIU): when it is free.
    std::vector<Cycle> free_;
};

}  // namespace tessera::noc
