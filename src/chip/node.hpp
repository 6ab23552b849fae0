// SPDX-License-Identifier: Apache-2.0
// Something at one or several places of the NoC that acts in time.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <span>
#include <vector>

#include "chip/distances.hpp"
#include "chip/done_spans.hpp"
#include "chip/grid.hpp"
#include "engine/delays.hpp"
#include "hazards/memory_order.hpp"
#include "noc/niu.hpp"

namespace tessera::chip {

using noc::Cycle;
using noc::never;
using noc::Place;

/// Parts of a chip that all its nodes refer to.
struct Surroundings {
    const Grid& grid;
    const noc::Costs& costs;
    const Distances& distances;
};

class Node : private noc::Fabric {
public:
    explicit Node(const Surroundings& around) : around_(around) {}
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    /// The places of its NIUs.
    virtual std::span<const Place> places() const = 0;
    /// The cycle of its next act; never: it sleeps until a packet arrives.
    virtual Cycle next_time() const = 0;
    virtual void arrive(Place at, noc::Arrival arrival) = 0;
    /// Does all that comes before `horizon`, or less: not beyond what a packet that it sends can cause. Nodes run beside each other in
    /// several host threads.
    /// A node that goes on when it is done stops, too, where it becomes done or ceases to be.
    virtual void run_until(Cycle horizon) = 0;
    /// run_until() in steps: advance() until it returns false.
    virtual void begin_until(Cycle horizon) = 0;
    /// One act. False: the node has come to its horizon, sleeps or has stopped; it may have acted.
    virtual bool advance() = 0;
    /// The request that ended the run here, in a node without cores.
    virtual std::optional<Fault> failure() const { return std::nullopt; }
    virtual bool stopped() const { return false; }
    /// Nothing more is wanted of it, and it has nothing left to do.
    virtual bool done() const = 0;
    /// The cycle of its last act.
    virtual Cycle now() const = 0;
    /// It runs in the thread that calls Mesh.
    virtual bool needs_calling_thread() const { return false; }
    /// Accesses without an order in a memory without cores; null: it is none.
    virtual const hazards::MemoryOrder* order() const { return nullptr; }

    // When it was done.

    /// Whether it is done at its own time. Nobody asks about cycles before `settled`.
    void note_done(Cycle settled) {
        done_spans_.forget_before(settled);
        if (done())
            done_spans_.begin(std::max(now(), sends_until_));
        else
            done_spans_.end(now());
    }
    /// A packet reaches it that was on its way since that cycle. Call it before arrive().
    void note_packet(Cycle sent) { done_spans_.end_before(sent); }
    void forget_done() { done_spans_ = {}; }
    /// The first cycle from `from` on in which it was done; never: none is known.
    Cycle done_from(Cycle from) const { return done_spans_.first_from(from); }

    /// A packet that it has sent, and when it reaches its router.
    struct Sent {
        noc::Packet packet;
        Cycle at = 0;
    };
    /// Those since the last call.
    std::vector<Sent> take_sent() { return std::exchange(sent_, {}); }
    bool has_sent() const { return !sent_.empty(); }
    const std::vector<Sent>& sent() const { return sent_; }
    /// From now on packets leave later at times, as behind the traffic of others, and in the same order.
    void delay_packets(std::uint64_t seed) { delays_ = engine::Delays(seed); }
    /// Goes on as the last node of these places.
    void delay_packets_as(const Node& before) {
        delays_ = before.delays_;
        free_ = before.free_;
    }

protected:
    noc::Fabric& fabric() { return *this; }
    /// The node may not go beyond this cycle.
    virtual void limit(Cycle horizon) = 0;

private:
    noc::Refusal unreachable(Place place) const final { return around_.grid.unreachable(place); }
    bool is_off(Place place) const final { return around_.grid.is_off(place); }
    Cycle delayed(const noc::Packet& packet, Cycle at) {
        constexpr Cycle most_packet_delay = 200;
        Cycle& free = free_[{packet.source, packet.noc}];
        at = std::max(free, at + (delays_.up_to(3) == 3 ? delays_.up_to(most_packet_delay) : 0));
        free = at + packet.flits(around_.grid.layout()) + packet.pauses;
        return at;
    }
    void send(noc::Packet packet, Cycle at) final {
        if (delays_.drawn()) at = delayed(packet, at);
        limit(at + around_.distances.back(packet));
        sends_until_ = std::max(sends_until_, at);
        sent_.push_back({std::move(packet), at});
    }

    const Surroundings& around_;
    std::vector<Sent> sent_;
    Cycle sends_until_ = 0;  ///< its last packet reaches its router
    DoneSpans done_spans_;
    engine::Delays delays_{std::nullopt};
    std::map<std::pair<Place, unsigned>, Cycle> free_;  ///< when a NIU has sent its last packet; with delays
};

}  // namespace tessera::chip
