// SPDX-License-Identifier: Apache-2.0
// Packets on their way, in the order of time. Packets that want one link follow each other.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
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
    Cycle next_time() const { return next_.empty() ? never : next_.front().at; }
    /// When the first of the packets that are on their way reached its source's router; never: none is.
    Cycle first_sent() const;
    /// For each tile the earliest arrival of a packet that is on its way: into `earliest`, where that is sooner.
    void bound(std::vector<Cycle>& earliest) const;

private:
    enum Out : unsigned { out_x, out_y, out_niu, outs };
    struct Moving {
        Packet packet;
        Place router;
        BroadcastRoute::Branch branch;
        Cycle sent{};
        std::shared_ptr<const std::vector<Place>> reached{};  ///< by all copies of a broadcast
    };
    /// When the first flit of a packet reaches the router; `which`: its place in moving_.
    struct Next {
        Cycle at{};
        std::uint32_t which = 0;
    };
    /// When the packet leaves by that way; the way is then taken.
    Cycle leave(Moving& one, Cycle at, Out way);
    void onward(Next next, Axis axis, const BroadcastRoute::Branch& branch);
    Cycle deliver_here(Moving one, Cycle at, const Deliver& deliver);
    Cycle pass_broadcast(Next next, const Deliver& deliver);
    Cycle pass_unicast(Next next, const Deliver& deliver);
    std::uint32_t keep(Moving one);
    void drop(std::uint32_t which);
    void push(Next next);
    bool later(const Next& a, const Next& b) const;

    const Layout& chip_;
    const Costs& costs_;
    /// Packets are large and pass many routers: only next_ is kept in order.
    std::deque<Moving> moving_;
    std::vector<std::uint32_t> unused_;  ///< places in moving_
    /// A heap: the earliest first. Of one cycle: by NoC, source and sequence, and a broadcast's copies by router.
    std::vector<Next> next_;
    /// By NoC, router and way out (x, y, NIU): when it is free.
    std::vector<Cycle> free_;
};

}  // namespace tessera::noc
