// SPDX-License-Identifier: Apache-2.0
#include "noc/initiators.hpp"

#include <algorithm>
#include <bit>

#include "noc/coordinates.hpp"
#include "noc/request_packets.hpp"
#include "noc/routes.hpp"

namespace tessera::noc {

unsigned Initiators::pending() const {
    unsigned pending = 0;
    for (const Waiting& one : queue_) pending |= 1u << one.initiator;
    return pending;
}

bool Initiators::splits() const {
    return std::any_of(queue_.begin(), queue_.end(), [](const Waiting& one) { return one.is_split; });
}

// Of a unicast, the first place has no meaning.
std::uint32_t Initiators::destination(const Request& request, const Places& places) {
    const std::uint32_t bits = request.goes_to_answer() ? places.answer.bits : places.target.bits;
    return request.broadcast() ? bits : bits & 0xFFF;
}

// Requests of one transaction go to one destination by one virtual channel (NOC_CMD_VC_LINKED).
std::string Initiators::check_linked(const Request& request, const Places& places, const Origin& by) {
    const bool is_static = request.control() & ctrl::static_vc;
    const auto vc = is_static ? std::optional(request.control() >> ctrl::buddy & 7) : std::nullopt;
    const Linked now{destination(request, places), request.broadcast(), (request.control() & ctrl::y_major) != 0, requests_ + 1, vc};
    if (linked_ && !linked_->goes_as(now)) return "the request before it is linked (NOC_CMD_VC_LINKED) and goes to another destination";
    if (linked_ && linked_->vc && vc && *linked_->vc != *vc)
        return "the request before it is linked (NOC_CMD_VC_LINKED) and uses another virtual channel";
    if (!(request.control() & ctrl::linked))
        linked_.reset();
    else if (!linked_)
        linked_ = now;
    if (linked_) linked_->last = by;
    return {};
}

Refusal Initiators::command(unsigned which, const Origin& by, Cycle at, const Neighbourhood& around) {
    const Request request = registers_.request(which);
    const Places places = registers_.places_of(request);
    if (registers_.has_request_fifo())
        return Refusal::not_modelled("Tessera does not model the FIFO of requests (NIU_CFG_0, bit 16)");
    if (auto wrong = check(site_, around, request, places); !wrong.empty()) return wrong;
    const bool continues = linked_.has_value();
    const std::uint32_t linked_since = continues ? linked_->first_request : request.control() & ctrl::linked ? requests_ + 1 : 0;
    if (auto wrong = check_linked(request, places, by); !wrong.empty()) return wrong;
    // Blackhole's registers keep what software wrote.
    if (site_.chip.arch == Arch::wormhole) {
        request.set_target_place(places.target);
        request.set_answer_place(places.answer);
    }
    const std::uint32_t parts = packets_of(site_.chip, request);
    count_accepted(request, parts);
    if (site_.chip.arch == Arch::wormhole) {
        std::uint32_t& control = request.word(offset::ctrl);
        control = (control & ~(7u << ctrl::output_ports)) | output_ports(site_, packet_of(site_, request, places, by)) << ctrl::output_ports;
    }
    ++requests_;
    auto hazard_tag = tell(request, places, by, way(request, places, linked_since), around);
    queue_.push_back(
        {static_cast<std::uint8_t>(which), places, by, at + site_.costs.accept, continues, requests_, std::move(hazard_tag), parts > 1});
    return {};
}

// Two requests stay in order if they take the same virtual channel from the same NIU to the same place (NoC/Ordering).
std::uint64_t Initiators::way(const Request& request, const Places& places, std::uint32_t linked_since) const {
    const bool is_static = request.control() & ctrl::static_vc;
    if (!is_static && !linked_since) return 0;
    // Static channels are 8 to 15, transactions multiples of 16.
    const std::uint64_t channel = is_static ? 8 | (request.control() >> ctrl::buddy & 7) : std::uint64_t{linked_since} << 4;
    const std::uint64_t tree = (request.broadcast() ? 2 : 0) | (request.control() & ctrl::y_major ? 1 : 0);
    return channel << 26 | tree << 24 | destination(request, places);
}

// Of a broadcast, tiles of the rectangle that take it. That masks of other tiles leave some out is not known here.
std::uint32_t Initiators::answers(const Packet& packet, std::uint32_t packets, const Neighbourhood& around) const {
    if (packet.posted || packet.answer_to != site_.place) return 0;
    if (!packet.broadcast) return packets;
    const auto all = noc::places_of(site_.chip, site_.noc, packet.rectangle);
    const auto takes = [&](Place place) {
        if (site_.chip.kind(place) != TileKind::tensix || around.is_off(place)) return false;
        return (place != site_.place || packet.rectangle.include_source) && !excludes(packet.rectangle.exclude, site_.chip.seen_by(site_.noc, place));
    };
    return packets * static_cast<std::uint32_t>(std::count_if(all.begin(), all.end(), takes));
}

std::uint64_t Initiators::source(const Request& request) const {
    return local_address(site_.chip.arch, site_.chip.kind(site_.place), request.target());
}

std::shared_ptr<const void> Initiators::tell(const Request& request, const Places& places, const Origin& by, std::uint64_t way, const Neighbourhood& around) const {
    Packet first = packet_of(site_, request, places, by);
    first.request = requests_;
    const std::uint32_t packets = packets_of(site_.chip, request);
    Asked asked{.first = first, .packets = packets, .answers = answers(first, packets, around), .way = way};
    asked.linked = request.control() & ctrl::linked;
    const bool brings_home = request.is_read() && first.answer_to == site_.place;
    if (brings_home || request.goes_to_answer()) {
        asked.own = brings_home ? first.answer_address : source(request);
        asked.length = request.length();
        if (request.has_byte_enables()) asked.length = goes_to_register(site_.chip, first) ? sizeof(std::uint32_t) : site_.chip.flit_bytes;
        if (is_register(asked.own)) asked.length = 0;
    }
    return site_.behind.asked(asked);
}

// Of byte enables, a register that is written takes none, and one that is read gives its word again and again
// (NoC/Alignment).
Refusal Initiators::read_source(Packet& packet, const Request& request, Cycle now) {
    const Access access{packet, true, now};
    if (request.has_byte_enables()) {
        packet.length = sizeof(std::uint32_t);
        if (!goes_to_register(site_.chip, packet)) {
            packet.byte_enables = request.byte_enables();
            packet.length = static_cast<std::uint32_t>(std::bit_width(packet.byte_enables));
        }
    }
    auto data = std::make_shared<Bytes>(packet.length);
    Refusal wrong;
    if (is_register(source(request))) {
        std::uint32_t value{};
        wrong = site_.behind.load_register(access, static_cast<std::uint32_t>(source(request)), value);
        for (unsigned i = 0; std::uint8_t& byte : *data) byte = static_cast<std::uint8_t>(value >> i++ % 4 * 8);
    } else {
        wrong = site_.behind.read(access, request.target(), *data);
    }
    packet.data = std::move(data);
    return wrong;
}

void Initiators::count_accepted(const Request& request, std::uint32_t packets) {
    if (!request.posted()) registers_.change_by_id(Counter::mst_reqs_outstanding_id, request.transaction(), packets);
    if (request.goes_to_answer())
        registers_.change_by_id(Counter::mst_write_reqs_outgoing_id, request.transaction(), packets);
}

void Initiators::leave_out(const Request& request) {
    count_accepted(request, 0u - packets_of(site_.chip, request));
    queue_.pop_front();
}

void Initiators::count_start(const Packet& packet) {
    ++registers_.count(Counter::mst_cmd_accepted);
    switch (packet.kind) {
        case Packet::Kind::read:
            ++registers_.count(Counter::mst_rd_req_started);
            ++registers_.count(Counter::mst_rd_req_sent);
            break;
        case Packet::Kind::atomic:
            if (!packet.posted) ++registers_.count(Counter::mst_nonposted_atomic_started);
            registers_.count_for(packet, Counter::mst_nonposted_atomic_sent);
            break;
        default:
            registers_.count_for(packet, Counter::mst_nonposted_wr_req_started);
            registers_.count_for(packet, Counter::mst_nonposted_wr_req_sent);
            registers_.count_for(packet, Counter::mst_nonposted_wr_data_word_sent, packet.data_flits(site_.chip));
    }
}

Cycle Initiators::delay(const Packet& packet, const Request& request, bool continues) const {
    Cycle delay = packet.kind == Packet::Kind::write ? site_.costs.read_source : 0;
    if (packet.broadcast && request.control() & ctrl::path_reserve && !continues)
        delay += 2 * Cycle{site_.costs.reserve_hop} * BroadcastRoute(site_.chip, site_.noc, site_.place, packet.rectangle).depth();
    return delay;
}

Refusal Initiators::begin(Cycle now, Begun& begun) {
    const Waiting waiting = queue_.front();
    const Request request = registers_.request(waiting.initiator);
    Packet& packet = begun.packet;
    packet = packet_of(site_, request, waiting.places, waiting.origin);
    packet.request = waiting.request;
    packet.hazard_tag = waiting.hazard_tag;
    if (packet.kind == Packet::Kind::write)
        if (auto wrong = read_source(packet, request, now); !wrong.empty()) {
            leave_out(request);
            return wrong;
        }

    count_start(packet);
    begun.leaves = now + delay(packet, request, waiting.continues);
    if (packets_of(site_.chip, request) > 1) {
        request.advance(site_.chip.packet_bytes);
        queue_.front().continues |= (request.control() & ctrl::linked) != 0;
    } else {
        queue_.pop_front();
    }
    return {};
}

}  // namespace tessera::noc
