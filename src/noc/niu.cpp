// SPDX-License-Identifier: Apache-2.0
#include "noc/niu.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tessera::noc {

std::string_view name(Packet::Kind kind) {
    constexpr std::string_view names[] = {"read",          "write",     "inline write",   "atomic",
                                          "read response", "write ack", "atomic response"};
    return names[static_cast<std::size_t>(kind)];
}

bool is_answer(std::string_view kind) {
    using enum Packet::Kind;
    return kind == name(read_response) || kind == name(write_ack) || kind == name(atomic_response);
}

Niu::Stored Niu::store(std::uint32_t offset, std::uint32_t value, const Origin& by, Cycle at) {
    const auto initiator = registers_.initiator_of(offset);
    const bool waits = initiator && initiators_.pending() >> *initiator & 1;
    if (!registers_.is_command(offset)) {
        const bool known = registers_.store(offset, value);
        return {.known = known, .misuse = known && waits ? Misuse::too_early : Misuse::none};
    }
    if (!(value & 1)) return {};
    if (waits) return {.misuse = Misuse::too_early};
    const Misuse misuse = initiators_.splits() ? Misuse::in_split : Misuse::none;
    return {.wrong = command(*initiator, by, at), .misuse = misuse};
}

Refusal Niu::command(unsigned which, const Origin& by, Cycle at) {
    if (auto wrong = initiators_.command(which, by, at, *fabric_); !wrong.empty()) return wrong;
    if (initiators_.waiting() == 1) plan_begin(at);
    if (!site_.costs.at_once()) return {};
    Refusal wrong;
    while (wrong.empty() && due() <= at)
        if (auto failed = act()) wrong = std::move(failed->refusal);
    return wrong;
}

void Niu::plan_begin(Cycle now) {
    if (initiators_.is_empty()) return;
    // The data of a write are read while the packet before it leaves.
    const Cycle leaves = std::max<Cycle>(own_.port_free, site_.costs.read_source);
    insert({std::max({now, leaves - site_.costs.read_source, initiators_.earliest()}), NiuAct::Kind::begin, {}});
}

void Niu::insert(NiuAct act) {
    // Of one cycle, arrivals come last and in their own order; others as they were planned.
    const auto key = [](const NiuAct& one) {
        const bool arrives = one.kind == NiuAct::Kind::arrive;
        std::pair<Place, std::uint32_t> order;
        if (arrives) order = {one.packet.source, one.packet.sequence};
        return std::tuple(one.at, arrives, order);
    };
    const auto at = std::ranges::upper_bound(own_.acts.rbegin(), own_.acts.rend(), key(act), {}, key);
    own_.acts.insert(at.base(), std::move(act));
}

void Niu::arrive(Arrival arrival) { insert({arrival.at, NiuAct::Kind::arrive, std::move(arrival.packet)}); }

std::optional<Niu::Failure> Niu::act() {
    NiuAct act = std::move(own_.acts.back());
    own_.acts.pop_back();
    Refusal wrong;
    Origin origin = act.packet.origin;
    switch (act.kind) {
        case NiuAct::Kind::begin:
            origin = initiators_.origin();
            wrong = begin(act.at);
            break;
        case NiuAct::Kind::sent: registers_.change_by_id(Counter::mst_write_reqs_outgoing_id, act.packet.transaction, ~0u); break;
        case NiuAct::Kind::arrive: wrong = take(act.packet, act.at); break;
        case NiuAct::Kind::answer: wrong = answer(act.packet, act.at); break;
    }
    site_.behind.changed();
    if (wrong.empty()) return std::nullopt;
    return Failure{std::move(wrong), origin};
}

Refusal Niu::begin(Cycle now) {
    Initiators::Begun begun;
    if (auto wrong = initiators_.begin(now, begun); !wrong.empty()) {
        plan_begin(now);
        return wrong;
    }
    Packet& packet = begun.packet;
    const Cycle leaves = std::max(begun.leaves, own_.port_free);
    packet.pauses = pauses(packet);
    site_.behind.sent(packet);
    if (packet.kind == Packet::Kind::write) {
        NiuAct sent{leaves + packet.flits(site_.chip) + packet.pauses, NiuAct::Kind::sent, {}};
        if (site_.costs.at_once()) sent.at = now;
        sent.packet.transaction = packet.transaction;
        insert(std::move(sent));
    }
    leave(std::move(packet), leaves);
    plan_begin(now);
    return {};
}

Refusal Niu::take(Packet& packet, Cycle now) {
    std::optional<Cycle> answers_at;
    if (auto wrong = receiver_.take(packet, now, answers_at); !wrong.empty() || !answers_at) return wrong;
    insert({*answers_at, NiuAct::Kind::answer, std::move(packet)});
    return {};
}

Refusal Niu::answer(const Packet& packet, Cycle now) {
    Packet back;
    if (auto wrong = receiver_.answer(packet, now, back); !wrong.empty()) return wrong;
    // Answers share the way to the router with requests.
    const Cycle leaves = std::max(now, own_.port_free);
    back.pauses = pauses(back);
    leave(std::move(back), leaves);
    return {};
}

std::uint32_t Niu::pauses(const Packet& packet) const {
    const std::uint32_t flits = packet.data_flits(site_.chip);
    if (packet.kind == Packet::Kind::write) return flits * site_.costs.write_pauses / 256;
    // A memory that is slower than the NIU gives all of it in that time.
    const auto memory = static_cast<std::uint32_t>(site_.behind.cycles_of(packet.length)), own = packet.flits(site_.chip) + site_.costs.gap;
    return std::max(flits * site_.costs.response_pauses[site_.noc] / 256, std::max(memory, own) - own);
}

void Niu::leave(Packet packet, Cycle at) {
    if (!site_.costs.at_once()) own_.port_free = at + packet.flits(site_.chip) + packet.pauses + (packet.carries_data() ? site_.costs.gap : 0);
    packet.sequence = own_.sequence++;
    fabric_->send(std::move(packet), at + site_.costs.to_router);
}

NiuMemory Niu::save() const { return {own_, initiators_.memory(), registers_.returned_to_zero()}; }

void Niu::go_on_at(Cycle now) {
    std::vector<NiuAct> acts = std::exchange(own_.acts, {});
    for (; !acts.empty(); acts.pop_back()) {
        acts.back().at = std::max(acts.back().at, now);
        insert(std::move(acts.back()));
    }
}

void Niu::restore(const NiuMemory& memory) {
    own_ = memory.niu;
    initiators_.restore(memory.initiators);
    registers_.set_returned_to_zero(memory.returned_to_zero);
}

}  // namespace tessera::noc
