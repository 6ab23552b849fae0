// SPDX-License-Identifier: Apache-2.0
// A run of all nodes. A node may go on until something that another awake node does could reach it; then packets move, as far as no node
// can still send an earlier one. The host thread of a node changes nothing: arrivals have an order of their own.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "chip/node.hpp"
#include "chip/workers.hpp"
#include "noc/network.hpp"
#include "tessera/chip.hpp"

namespace tessera::chip {

class Mesh {
public:
    /// Makes the node at a place that packets go to; it lives as long as the mesh.
    using MakeNode = std::function<std::unique_ptr<Node>(Place)>;
    Mesh(const Surroundings& around, MakeNode make_node, unsigned threads);

    void add(std::unique_ptr<Node> node);
    const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
    void watch(std::function<void(const PacketEvent&)> on_packet) { on_packet_ = std::move(on_packet); }

    /// Why run() has returned.
    enum class End : std::uint8_t {
        done,   ///< all nodes were done at once (ended_at())
        stuck,  ///< none will ever act, and some are not done
        stop,   ///< a node stopped
    };
    End run();

    // run() in rounds: begin_round(), then all nodes that take part, then end_round(). A value: the run is over.

    std::optional<End> begin_round();
    /// The numbers of the nodes that take part, and how far each may go.
    const std::vector<std::size_t>& in_round() const { return runs_; }
    Cycle horizon(std::size_t node) const { return horizon_[node]; }
    /// Lets these nodes of the round go to their horizons, in several host threads.
    void run_nodes(const std::vector<std::size_t>& nodes);
    std::optional<End> end_round();
    /// After End::done: the first cycle in which all nodes were done and no packet was on its way. Some may have gone on since.
    Cycle ended_at() const { return may_end_at_; }
    /// The earliest cycle in which something that nodes do from now on can reach a node. Call it within a round.
    Cycle earliest_effect(std::size_t node) const;
    /// The number of the node at a place. Empty: there is none yet.
    std::optional<std::size_t> number_at(Place place) const;

    // A run cycle by cycle, for a debugger: all nodes stand still at the same one.

    /// Begins a round of what happens in the earliest cycle, unless that is `limit` or later: then empty.
    std::optional<Cycle> begin_cycle(Cycle limit);
    /// All nodes of the round have come to their horizons.
    void end_cycle() { take_sent(); }
    /// Nothing ever happens in a node again.
    bool is_over() const;
    /// Notes who is done since the last call. Whether the run has come to End::done.
    bool finds_end();

    // A chip that a host drives: no end, and time passes as far as the host says.

    /// The node at a place; it is made if there is none yet.
    Node& node_at(Place place);
    /// The node of a tile begins anew.
    void replace(Place place, std::unique_ptr<Node> node);
    /// A host has acted on the node between two calls of run_to() or run_for().
    void touched(Place place);
    using OnStop = std::function<void(Node&)>;
    /// Lets everything before `limit` happen. Calls `on_stop` for each node that stops; what is left of the others goes on. Returns whether
    /// anything has acted.
    bool run_to(Cycle limit, const OnStop& on_stop);
    /// The same as far as it can be noticed at a place: other nodes may stay behind. `limit` never goes back.
    bool run_for(Place place, Cycle limit, const OnStop& on_stop);

    std::uint64_t packets() const { return packets_; }

private:
    /// Those that no node, and no host before `limit`, can come before.
    void move_packets(Cycle limit = never);
    void set_horizons();
    /// The same for a run that pauses at `limit`.
    void set_horizons_before(Cycle limit);
    void note_arrivals();
    /// Nodes of the round run, those that stop are told, and packets leave.
    void act(const OnStop& on_stop);
    /// The earliest cycle in which something that happens elsewhere can reach a place.
    Cycle earliest_arrival(Place place);
    void choose_nodes();
    void take_sent();
    /// The first cycle in which, as far as is known, all nodes are done and no packet is on its way; never: there is none.
    Cycle all_done_at();
    /// By node: from when on it may send, since a packet reaches it, or in `next_of(node)`, a cycle in which it acts itself; far: never.
    template <class NextOf>
    std::vector<Cycle> may_send_at(const NextOf& next_of) const;
    /// The earliest cycle in which something can reach a node: a packet that is on its way to it, or what nodes, as may_send_at() says, or
    /// receivers elsewhere send.
    Cycle earliest_from(std::size_t node, std::span<const Cycle> sends_at) const;
    void tell(const noc::Packet& packet, Place to, Cycle sent, Cycle at);
    Cycle deliver(Place to, noc::Arrival arrival, Cycle sent);

    const Surroundings& around_;
    const MakeNode make_node_;
    noc::Network network_;
    Workers workers_;
    std::vector<std::unique_ptr<Node>> nodes_;
    bool calls_host_ = false;  ///< a node needs the calling thread
    std::vector<std::int16_t> at_place_;  ///< by tile: number of its node; -1: none yet
    /// Later than anything happens, and small enough to add to.
    static constexpr Cycle far = never / 2;
    /// The fewest cycles from an act until something that it causes is in a node. far: of the node itself.
    struct Latencies {
        std::vector<Cycle> from_node, from_place;
    };
    std::vector<Latencies> latencies_to_;  ///< by receiving node
    std::vector<Cycle> next_;     ///< by node: nothing happens in it earlier; never: it sleeps
    std::vector<Cycle> horizon_;  ///< by node; of those that are awake
    std::vector<Cycle> safe_;     ///< by tile: nothing reaches it before; 0: unknown
    // Of the present round.
    std::vector<Cycle> arrival_by_tile_;  ///< when a packet that is on its way may reach it; never: none is
    std::vector<Cycle> arrivals_;         ///< the same by node
    std::vector<std::pair<unsigned, Cycle>> arrivals_elsewhere_;  ///< the same by tile, where no node is yet
    std::vector<std::size_t> awake_, runs_;
    // The end of the run.
    std::size_t undone_ = 0;  ///< a node that was not done when it was last asked
    /// All acts of nodes before this cycle are known, no packet on its way was sent before it, and the run has not ended
    /// there.
    Cycle settled_ = 0;
    Cycle may_end_at_ = never;  ///< all_done_at()
    std::uint64_t packets_ = 0;
    std::function<void(const PacketEvent&)> on_packet_;
    std::exception_ptr thrown_;  ///< by `on_packet_`, since move_packets() began
};

}  // namespace tessera::chip
