// SPDX-License-Identifier: Apache-2.0
#include "noc/network.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace tessera::noc {

Network::Network(const Layout& chip, const Costs& costs) : chip_(chip), costs_(costs) {
    free_.resize(std::size_t{nocs} * chip.tiles() * outs);
}

bool Network::later(const Moving& a, const Moving& b) {
    const auto key = [](const Moving& one) {
        return std::tuple(one.at, one.packet.noc, one.packet.source, one.packet.sequence, one.router);
    };
    return std::greater()(key(a), key(b));
}

void Network::push(Moving one) {
    moving_.push_back(std::move(one));
    std::push_heap(moving_.begin(), moving_.end(), later);
}

void Network::send(Packet packet, Cycle at) {
    const Place from = packet.source;
    auto reached = packet.broadcast ? std::make_shared<const std::vector<Place>>(places_of(chip_, packet.noc, packet.rectangle)) : nullptr;
    push({at, std::move(packet), from, {from}, at, std::move(reached)});
}

// Flits that wait for the first one close up, so a packet that is held up loses its pauses. Else its last flit could come behind the next
// packet of its source.
Cycle Network::leave(Moving& one, Out way) {
    Cycle& free = free_[(std::size_t{one.packet.noc} * chip_.tiles() + chip_.index(one.router)) * outs + way];
    const Cycle leaves = std::max(one.at, free);
    one.packet.pauses -= static_cast<std::uint32_t>(std::min<Cycle>(one.packet.pauses, leaves - one.at));
    if (!costs_.at_once()) free = leaves + one.packet.flits(chip_);
    return leaves;
}

void Network::onward(Moving one, Axis axis, const BroadcastRoute::Branch& branch) {
    one.at = leave(one, axis == Axis::x ? out_x : out_y) + costs_.hop;
    one.router = noc::next(chip_, one.packet.noc, one.router, axis);
    one.branch = branch;
    push(std::move(one));
}

Cycle Network::deliver_here(Moving one, const Deliver& deliver) {
    const Cycle first = leave(one, out_niu) + costs_.from_router;
    Arrival arrival{first + (costs_.at_once() ? 0 : one.packet.flits(chip_) - 1 + one.packet.pauses), std::move(one.packet)};
    arrival.packet.to = one.router;
    return deliver(one.router, std::move(arrival), one.sent);
}

void Network::pass_to(Cycle until, const Deliver& deliver) {
    while (!moving_.empty() && moving_.front().at < until) {
        std::pop_heap(moving_.begin(), moving_.end(), later);
        Moving one = std::move(moving_.back());
        moving_.pop_back();
        const Packet& packet = one.packet;
        if (packet.broadcast) {
            const auto step = BroadcastRoute(chip_, packet.noc, packet.source, packet.rectangle).step(one.branch);
            if (step.here && (one.router != packet.source || packet.rectangle.include_source))
                until = std::min(until, deliver_here(one, deliver));
            if (step.onward[0]) onward(one, Axis::x, *step.onward[0]);
            if (step.onward[1]) onward(std::move(one), Axis::y, *step.onward[1]);
            continue;
        }
        Axis axis = first_axis(packet.noc);
        if (distance(chip_, packet.noc, axis, one.router, packet.to) == 0) axis = other(axis);
        if (one.router == packet.to)
            until = std::min(until, deliver_here(std::move(one), deliver));
        else
            onward(std::move(one), axis, {});
    }
}

Cycle Network::first_sent() const {
    Cycle first = never;
    for (const Moving& one : moving_) first = std::min(first, one.sent);
    return first;
}

void Network::bound(std::vector<Cycle>& earliest) const {
    const auto note = [&](const Moving& one, Place to) {
        Cycle& bound = earliest[chip_.index(to)];
        bound = std::min(bound, one.at + Cycle{costs_.hop} * hops(chip_, one.packet.noc, one.router, to) + costs_.from_router +
                                    (costs_.at_once() ? 0 : one.packet.flits(chip_) - 1));
    };
    for (const Moving& one : moving_) {
        if (!one.packet.broadcast) {
            note(one, one.packet.to);
            continue;
        }
        for (Place place : *one.reached) note(one, place);
    }
}

}  // namespace tessera::noc
