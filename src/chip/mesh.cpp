// SPDX-License-Identifier: Apache-2.0
#include "chip/mesh.hpp"

#include <algorithm>

#include "chip/places.hpp"

namespace tessera::chip {

Mesh::Mesh(const Surroundings& around, MakeNode make_node, unsigned threads)
    : around_(around), make_node_(std::move(make_node)), network_(around.grid.layout(), around.costs), workers_(threads) {
    at_place_.assign(around.grid.layout().tiles(), -1);
    safe_.assign(around.grid.layout().tiles(), 0);
}

void Mesh::add(std::unique_ptr<Node> node) {
    const auto& layout = around_.grid.layout();
    const auto from_place = [&](Place from, const Node& to) {
        Cycle least = far;
        for (Place place : to.places()) least = std::min(least, around_.distances.between(from, place));
        return least;
    };
    const auto from_node = [&](const Node& from, const Node& to) {
        Cycle least = far;
        for (Place place : from.places()) least = std::min(least, from_place(place, to));
        return least;
    };
    for (Place place : node->places()) at_place_[layout.index(place)] = static_cast<std::int16_t>(nodes_.size());
    Latencies to_it;
    for (unsigned tile = 0; tile < layout.tiles(); ++tile)
        to_it.from_place.push_back(from_place(layout.place(tile), *node));
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        latencies_to_[i].from_node.push_back(from_node(*node, *nodes_[i]));
        to_it.from_node.push_back(from_node(*nodes_[i], *node));
    }
    to_it.from_node.push_back(far);  // what it sends to itself limits it when it sends
    latencies_to_.push_back(std::move(to_it));
    next_.push_back(node->next_time());
    horizon_.push_back(never);
    calls_host_ |= node->needs_calling_thread();
    nodes_.push_back(std::move(node));
}

Node& Mesh::node_at(Place place) {
    const unsigned at = around_.grid.layout().index(place);
    if (at_place_[at] < 0) {
        add(make_node_(place));
        nodes_.back()->note_done(settled_);
    }
    return *nodes_[static_cast<std::size_t>(at_place_[at])];
}

// The packet arrives whatever the user's function does.
void Mesh::tell(const noc::Packet& packet, Place to, Cycle sent, Cycle at) try {
    on_packet_(packet_event(packet, to, sent, at));
} catch (...) {
    if (!thrown_) thrown_ = std::current_exception();
}

Cycle Mesh::deliver(Place to, noc::Arrival arrival, Cycle sent) {
    const Cycle at = arrival.at;
    ++packets_;
    if (on_packet_) tell(arrival.packet, to, sent, at);
    // A broadcast passes tiles that cannot receive it.
    if (arrival.packet.broadcast && (around_.grid.layout().kind(to) != noc::TileKind::tensix || around_.grid.is_off(to)))
        return never;
    Node& node = node_at(to);
    node.note_packet(sent);
    node.arrive(to, std::move(arrival));
    const auto number = static_cast<std::size_t>(at_place_[around_.grid.layout().index(to)]);
    next_[number] = std::min(next_[number], at);
    return at + around_.costs.to_router;
}

// Everything that reaches a router before the earliest packet that a node may still send.
void Mesh::move_packets(Cycle limit) {
    const Cycle earliest = nodes_.empty() ? limit : std::min(limit, *std::min_element(next_.begin(), next_.end()));
    network_.pass_to(earliest == never ? never : earliest + around_.costs.to_router,
                     [this](Place to, noc::Arrival arrival, Cycle sent) { return deliver(to, std::move(arrival), sent); });
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

// A receiver sends onward at once, even if it slept until then.
Cycle Mesh::earliest_from(std::size_t node, std::span<const Cycle> sends_at) const {
    const Latencies& latencies = latencies_to_[node];
    Cycle earliest = std::min(arrivals_[node], far);
    for (std::size_t i = 0; i < sends_at.size(); ++i)
        earliest = std::min(earliest, sends_at[i] + latencies.from_node[i]);
    for (const auto& [tile, at] : arrivals_elsewhere_) earliest = std::min(earliest, at + latencies.from_place[tile]);
    return earliest < far ? earliest : never;
}

void Mesh::note_arrivals() {
    const noc::Layout& layout = around_.grid.layout();
    arrivals_elsewhere_.clear();
    arrivals_.assign(nodes_.size(), never);
    arrival_by_tile_.assign(layout.tiles(), never);
    if (network_.next_time() == never) return;
    network_.bound(arrival_by_tile_);
    for (unsigned tile = 0; tile < arrival_by_tile_.size(); ++tile) {
        const Cycle at = arrival_by_tile_[tile];
        if (at == never) continue;
        if (const int node = at_place_[tile]; node >= 0)
            arrivals_[static_cast<std::size_t>(node)] = std::min(arrivals_[static_cast<std::size_t>(node)], at);
        else
            arrivals_elsewhere_.emplace_back(tile, at);
    }
}

template <class NextOf>
std::vector<Cycle> Mesh::may_send_at(const NextOf& next_of) const {
    std::vector<Cycle> all(nodes_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::min({next_of(i), arrivals_[i], far});
    return all;
}

// Nodes that sleep cost nothing here: they have no horizon until something wakes them.
void Mesh::set_horizons() {
    note_arrivals();
    const std::vector<Cycle> sends_at = may_send_at([&](std::size_t i) { return next_[i]; });
    awake_.clear();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (next_[i] == never) continue;
        awake_.push_back(i);
        horizon_[i] = earliest_from(i, sends_at);
    }
}

void Mesh::run_nodes(const std::vector<std::size_t>& nodes) {
    const auto run = [&](std::size_t i) { nodes_[i]->run_until(horizon_[i]); };
    if (!calls_host_) return workers_.run(nodes.size(), [&](std::size_t i) { run(nodes[i]); });
    workers_.run(nodes.size(), [&](std::size_t i) {
        if (!nodes_[nodes[i]]->needs_calling_thread()) run(nodes[i]);
    });
    for (std::size_t i : nodes)
        if (nodes_[i]->needs_calling_thread()) run(i);
}

Cycle Mesh::earliest_effect(std::size_t node) const {
    return earliest_from(
        node, may_send_at([&](std::size_t i) { return nodes_[i]->has_sent() ? next_[i] : nodes_[i]->next_time(); }));
}

std::optional<std::size_t> Mesh::number_at(Place place) const {
    const auto number = at_place_[around_.grid.layout().index(place)];
    return number < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(number));
}

// Nodes are asked in turn until all agree.
Cycle Mesh::all_done_at() {
    Cycle at = 0;
    for (std::size_t agree = 0; agree < nodes_.size(); ++undone_) {
        undone_ %= nodes_.size();
        const Cycle done = nodes_[undone_]->done_from(at);
        if (done == never) return never;
        agree = done == at ? agree + 1 : 1;
        at = done;
    }
    return network_.first_sent() <= at ? never : at;
}

// A node that has not come to that cycle may still cease to be done before.
bool Mesh::finds_end() {
    if (runs_.empty())
        for (const auto& node : nodes_) node->note_done(settled_);
    for (std::size_t i : runs_) nodes_[i]->note_done(settled_);
    may_end_at_ = all_done_at();
    settled_ = next_.empty() ? never : std::min(network_.first_sent(), *std::min_element(next_.begin(), next_.end()));
    return may_end_at_ != never && may_end_at_ <= settled_;
}

std::optional<Mesh::End> Mesh::begin_round() {
    move_packets();
    const bool is_first = runs_.empty(), all_sleep = std::all_of(next_.begin(), next_.end(), [](Cycle next) { return next == never; });
    if ((is_first || all_sleep) && finds_end()) return End::done;
    if (all_sleep) return End::stuck;
    set_horizons();
    choose_nodes();
    return std::nullopt;
}

std::optional<Cycle> Mesh::begin_cycle(Cycle limit) {
    move_packets(limit);
    runs_.clear();
    if (next_.empty()) return std::nullopt;
    const Cycle first = *std::min_element(next_.begin(), next_.end());
    if (first >= limit) return std::nullopt;
    note_arrivals();
    const std::vector<Cycle> sends_at = may_send_at([](std::size_t) { return never; });
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (next_[i] != first || earliest_from(i, sends_at) <= first) continue;
        horizon_[i] = first + 1;
        runs_.push_back(i);
    }
    return first;
}

bool Mesh::is_over() const {
    return network_.next_time() == never && std::all_of(next_.begin(), next_.end(), [](Cycle next) { return next == never; });
}

// Nobody goes beyond a cycle in which the run may have ended before the others have come there.
void Mesh::choose_nodes() {
    runs_.clear();
    for (std::size_t i : awake_) {
        horizon_[i] = std::min(horizon_[i], may_end_at_);
        if (next_[i] < horizon_[i]) runs_.push_back(i);
    }
}

void Mesh::take_sent() {
    for (std::size_t i : runs_) {
        next_[i] = nodes_[i]->next_time();
        if (!nodes_[i]->has_sent()) continue;
        for (auto& sent : nodes_[i]->take_sent()) network_.send(std::move(sent.packet), sent.at);
        // Until now only the node itself limited the effects of its packets that come back (Node::run_until()).
        for (Place place : nodes_[i]->places()) safe_[around_.grid.layout().index(place)] = 0;
    }
}

std::optional<Mesh::End> Mesh::end_round() {
    take_sent();
    for (std::size_t i : runs_)
        if (nodes_[i]->stopped()) return End::stop;
    if (finds_end()) return End::done;
    return std::nullopt;
}

void Mesh::replace(Place place, std::unique_ptr<Node> node) {
    nodes_[*number_at(place)] = std::move(node);
    touched(place);
}

void Mesh::touched(Place place) {
    const std::size_t node = *number_at(place);
    next_[node] = nodes_[node]->next_time();
    nodes_[node]->note_done(settled_);
    std::fill(safe_.begin(), safe_.end(), 0);
}

// Many nodes limit each other about as much as their neighbours do. One bound for all is found much sooner than one for each.
void Mesh::set_horizons_before(Cycle limit) {
    constexpr std::size_t few = 16;
    const auto awake = static_cast<std::size_t>(std::count_if(next_.begin(), next_.end(), [](Cycle next) { return next != never; }));
    if (awake <= few) {
        set_horizons();
        for (std::size_t i : awake_) horizon_[i] = std::min(horizon_[i], limit);
        return;
    }
    const Cycle to_neighbour = around_.costs.to_router + around_.costs.hop + around_.costs.from_router;
    note_arrivals();
    const Cycle horizon = std::min({limit, *std::min_element(next_.begin(), next_.end()) + to_neighbour,
                                    *std::min_element(arrival_by_tile_.begin(), arrival_by_tile_.end())});
    awake_.clear();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (next_[i] >= horizon) continue;
        awake_.push_back(i);
        horizon_[i] = horizon;
    }
}

void Mesh::act(const OnStop& on_stop) {
    run_nodes(runs_);
    for (std::size_t i : runs_)
        if (nodes_[i]->stopped()) on_stop(*nodes_[i]);
    take_sent();
}

bool Mesh::run_to(Cycle limit, const OnStop& on_stop) {
    for (bool acted = false;; acted = true) {
        move_packets(limit);
        if (std::all_of(next_.begin(), next_.end(), [&](Cycle next) { return next >= limit; })) return acted;
        set_horizons_before(limit);
        choose_nodes();
        act(on_stop);
    }
}

Cycle Mesh::earliest_arrival(Place place) {
    const noc::Layout& layout = around_.grid.layout();
    const int own = at_place_[layout.index(place)];
    Cycle earliest = never;
    note_arrivals();
    for (unsigned tile = 0; tile < at_place_.size(); ++tile) {
        const int node = at_place_[tile];
        const bool is_here = own < 0 ? tile == layout.index(place) : node == own;
        const Cycle acts = node < 0 || is_here ? never : next_[static_cast<std::size_t>(node)];
        const Cycle at = std::min(acts, arrival_by_tile_[tile]);
        if (at != never) earliest = std::min(earliest, is_here ? at : at + around_.distances.between(place, layout.place(tile)));
    }
    return earliest;
}

// The node alone goes on, as long as that is safe. Then all come to the limit, which makes some more cycles safe.
bool Mesh::run_for(Place place, Cycle limit, const OnStop& on_stop) {
    const auto number = number_at(place);
    const auto places = number ? nodes_[*number]->places() : std::span<const Place>(&place, 1);
    for (Place each : places) {
        Cycle& safe = safe_[around_.grid.layout().index(each)];
        if (safe < limit) safe = earliest_arrival(each);
        if (safe < limit) return run_to(limit, on_stop);
    }
    if (!number || next_[*number] >= limit) return false;
    horizon_[*number] = limit;
    runs_.assign(1, *number);
    act(on_stop);
    // The answer to a packet that it has sent may come before the limit, also to a node that sleeps by now.
    if (next_[*number] < limit || network_.next_time() < limit) run_to(limit, on_stop);
    return true;
}

Mesh::End Mesh::run() {
    // The caller that prepared the nodes may have given them something to do.
    runs_.clear();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        next_[i] = nodes_[i]->next_time();
        nodes_[i]->forget_done();
    }
    for (;;) {
        if (const auto end = begin_round()) return *end;
        run_nodes(runs_);
        if (const auto end = end_round()) return *end;
    }
}

}  // namespace tessera::chip
