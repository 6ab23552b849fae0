// SPDX-License-Identifier: Apache-2.0
#include "noc/network.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tessera::noc {

Network::Network(const Layout& chip, const Costs& costs) : chip_(chip), costs_(costs) {
    free_.resize(std::size_t{nocs} * chip.tiles() * outs);
}

bool Network::later(const Next& a, const Next& b) const {
    if (a.at != b.at) return a.at > b.at;
    const auto key = [&](const Next& next) {
        const Moving& one = moving_[next.which];
        return std::tuple(one.packet.noc, one.packet.source, one.packet.sequence, one.router);
    };
    return key(a) > key(b);
}

void Network::push(Next next) {
    next_.push_back(next);
    std::push_heap(next_.begin(), next_.end(), [&](const Next& a, const Next& b) { return later(a, b); });
}

std::uint32_t Network::keep(Moving one) {
    if (unused_.empty()) {
        moving_.push_back(std::move(one));
        return static_cast<std::uint32_t>(moving_.size() - 1);
    }
    const std::uint32_t which = unused_.back();
    unused_.pop_back();
    moving_[which] = std::move(one);
    return which;
}

void Network::drop(std::uint32_t which) {
    moving_[which] = {};
    unused_.push_back(which);
}

void Network::send(Packet packet, Cycle at) {
    const Place from = packet.source;
    auto reached = packet.broadcast ? std::make_shared<const std::vector<Place>>(places_of(chip_, packet.noc, packet.rectangle)) : nullptr;
    push({at, keep({std::move(packet), from, {from}, at, std::move(reached)})});
}

// Flits that wait for the first one close up, so a packet that is held up loses its pauses. Else its last flit could come behind the next
// packet of its source.
Cycle Network::leave(Moving& one, Cycle at, Out way) {
    Cycle& free = free_[(std::size_t{one.packet.noc} * chip_.tiles() + chip_.index(one.router)) * outs + way];
    const Cycle leaves = std::max(at, free);
    one.packet.pauses -= static_cast<std::uint32_t>(std::min<Cycle>(one.packet.pauses, leaves - at));
    if (!costs_.at_once()) free = leaves + one.packet.flits(chip_);
    return leaves;
}

void Network::onward(Next next, Axis axis, const BroadcastRoute::Branch& branch) {
    Moving& one = moving_[next.which];
    next.at = leave(one, next.at, axis == Axis::x ? out_x : out_y) + costs_.hop;
    one.router = noc::next(chip_, one.packet.noc, one.router, axis);
    one.branch = branch;
    push(next);
}

Cycle Network::deliver_here(Moving one, Cycle at, const Deliver& deliver) {
    const Cycle first = leave(one, at, out_niu) + costs_.from_router;
    Arrival arrival{first + (costs_.at_once() ? 0 : one.packet.flits(chip_) - 1 + one.packet.pauses), std::move(one.packet)};
    arrival.packet.to = one.router;
    return deliver(one.router, std::move(arrival), one.sent);
}

Cycle Network::pass_broadcast(Next next, const Deliver& deliver) {
    const Moving& one = moving_[next.which];
    const Packet& packet = one.packet;
    const auto step = BroadcastRoute(chip_, packet.noc, packet.source, packet.rectangle).step(one.branch);
    const bool stays = step.here && (one.router != packet.source || packet.rectangle.include_source);
    const Cycle until = stays ? deliver_here(one, next.at, deliver) : never;
    const auto& [x, y] = step.onward;
    if (x && y) onward({next.at, keep(one)}, Axis::x, *x);
    if (y)
        onward(next, Axis::y, *y);
    else if (x)
        onward(next, Axis::x, *x);
    else
        drop(next.which);
    return until;
}

Cycle Network::pass_unicast(Next next, const Deliver& deliver) {
    Moving& one = moving_[next.which];
    const Packet& packet = one.packet;
    if (one.router == packet.to) {
        const Cycle until = deliver_here(std::move(one), next.at, deliver);
        drop(next.which);
        return until;
    }
    onward(next, way_out(chip_, packet.noc, one.router, packet.to), {});
    return never;
}

void Network::pass_to(Cycle until, const Deliver& deliver) {
    while (!next_.empty() && next_.front().at < until) {
        const Next next = next_.front();
        std::pop_heap(next_.begin(), next_.end(), [&](const Next& a, const Next& b) { return later(a, b); });
        next_.pop_back();
        const bool broadcast = moving_[next.which].packet.broadcast;
        until = std::min(until, broadcast ? pass_broadcast(next, deliver) : pass_unicast(next, deliver));
    }
}

Cycle Network::first_sent() const {
    Cycle first = never;
    for (const Next& next : next_) first = std::min(first, moving_[next.which].sent);
    return first;
}

void Network::bound(std::vector<Cycle>& earliest) const {
    const auto note = [&](const Moving& one, Cycle at, Place to) {
        Cycle& bound = earliest[chip_.index(to)];
        bound = std::min(bound, at + Cycle{costs_.hop} * hops(chip_, one.packet.noc, one.router, to) + costs_.from_router +
                                    (costs_.at_once() ? 0 : one.packet.flits(chip_) - 1));
    };
    for (const Next& next : next_) {
        const Moving& one = moving_[next.which];
        if (!one.packet.broadcast) {
            note(one, next.at, one.packet.to);
            continue;
        }
        for (Place place : *one.reached) note(one, next.at, place);
    }
}

}  // namespace tessera::noc
