// SPDX-License-Identifier: Apache-2.0
#include "chip/memory_node.hpp"

#include <algorithm>

#include "tile/askers.hpp"

namespace tessera::chip {

MemoryNode::MemoryNode(const Surroundings& around, std::vector<Place> places, noc::Endpoint& memory)
    : MemoryNode(around, std::move(places), memory, nullptr) {}

MemoryNode::MemoryNode(const Surroundings& around, Place place, HostMemory& host)
    : MemoryNode(around, {place}, host, &host) {}

MemoryNode::MemoryNode(const Surroundings& around, std::vector<Place> places, noc::Endpoint& memory, HostMemory* host)
    : Node(around), host_(host), places_(std::move(places)), memory_(memory) {
    noc::Endpoint& behind = host ? memory : memory_;
    for (Place place : places_)
        for (unsigned noc = 0; noc < noc::nocs; ++noc) {
            Words& words = words_.emplace_back();
            nius_.emplace_back(around.grid.layout(), noc, place, noc::NiuWords{words.initiator, words.configuration, words.counter}, behind,
                               around.costs);
            nius_.back().connect(fabric());
        }
}

noc::Niu& MemoryNode::next_niu() {
    return *std::min_element(nius_.begin(), nius_.end(), [](const auto& a, const auto& b) { return a.due() < b.due(); });
}

Cycle MemoryNode::next_time() const {
    Cycle next = never;
    for (const auto& niu : nius_) next = std::min(next, niu.due());
    return next;
}

void MemoryNode::arrive(Place at, noc::Arrival arrival) {
    niu(at, arrival.packet.noc).arrive(std::move(arrival));
}

void MemoryNode::run_until(Cycle horizon) {
    begin_until(horizon);
    while (advance()) {}
}

bool MemoryNode::advance() {
    noc::Niu& niu = next_niu();
    if (failure_ || niu.due() >= horizon_) return false;
    now_ = niu.due();
    if (const auto failed = niu.act()) {
        const std::string text = tile::text_of(*failed, niu.place());
        findings::describe({tile::code_of(failed->refusal), {}, text}, failure_.emplace());
        failure_->where.cycle = now_;
    }
    if (host_) host_->tell_thrown();
    return true;
}

}  // namespace tessera::chip
