// SPDX-License-Identifier: Apache-2.0
#include "noc/niu.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "noc/atomics.hpp"
#include "noc/coordinates.hpp"
#include "noc/routes.hpp"

namespace tessera::noc {

namespace {

constexpr std::uint32_t id_mask = 0xFF;
constexpr std::uint32_t line_bytes = 16;

}  // namespace

std::string_view name(Packet::Kind kind) {
    constexpr std::string_view names[] = {"read",          "write",     "inline write",   "atomic",
                                          "read response", "write ack", "atomic response"};
    return names[static_cast<std::size_t>(kind)];
}

std::uint32_t* Niu::plain_word(std::uint32_t offset) const {
    if (offset >= offset::configuration && offset < map_.configuration_end)
        return &words_.configuration[(offset - offset::configuration) / 4];
    const std::uint32_t which = offset / map_.initiator_stride, item = offset % map_.initiator_stride;
    if (which < initiators && item < map_.cmd_ctrl && item < initiator_words * 4) return &initiator(which)[item / 4];
    return nullptr;
}

bool Niu::is_pending(unsigned which) const {
    return std::any_of(queue_.begin(), queue_.end(), [&](const Waiting& one) { return one.initiator == which; });
}

std::optional<std::uint32_t> Niu::load(std::uint32_t offset) {
    const bool blackhole = chip_.arch == Arch::blackhole;
    if (offset >= offset::counters_begin && offset < offset::counters_end) return words_.counter[(offset - offset::counters_begin) / 4];
    if (!blackhole && offset == offset::combined_status) {
        std::uint32_t status = 0;
        for (unsigned i = 0; i < initiators; ++i) status |= std::uint32_t{is_pending(i)} << i;
        return status;
    }
    if (blackhole && offset == offset::rtz_clr) return 0;
    if (blackhole && offset == offset::rtz_source) return returned_to_zero_;
    if (blackhole && offset == offset::rtz_num) return interrupting_transaction();
    if (const auto* word = plain_word(offset)) return *word;
    const std::uint32_t which = offset / map_.initiator_stride, item = offset % map_.initiator_stride;
    if (which >= initiators) return std::nullopt;
    if (item == map_.cmd_ctrl) return is_pending(which);
    if (blackhole && item >= offset::fifo_status && item < offset::fifo_status_end) return 0;
    if (item == map_.endpoint_id) return chip_.endpoint_id(place_, noc_);
    if (item == map_.node_id) {
        const Place seen = chip_.seen_by(noc_, place_);
        const std::uint32_t x_first = noc_ == 0;
        return seen.x | seen.y << 6 | std::uint32_t{chip_.width} << 12 | std::uint32_t{chip_.height} << 19 | x_first << 28;
    }
    return std::nullopt;
}

std::uint32_t Niu::interrupting_transaction() {
    constexpr std::uint32_t enabled_ids = 0xFFFF, keeps = 1 << 28;
    const std::uint32_t settings = words_.configuration[(offset::rtz_cfg - offset::configuration) / 4];
    const std::uint32_t raised = returned_to_zero_ & settings & enabled_ids;
    const auto first = static_cast<std::uint32_t>(raised ? std::countr_zero(raised) : 0);
    if (raised && !(settings & keeps)) {
        returned_to_zero_ &= ~(1u << first);
        endpoint_.changed();
    }
    return first;
}

Niu::Stored Niu::store(std::uint32_t offset, std::uint32_t value, const Origin& by, Cycle at) {
    if (offset == map_.clear_outstanding) {
        for (unsigned i = 0; i < transactions; ++i)
            if (value >> i & 1) change_by_id(Counter::mst_reqs_outstanding_id, i, 0 - count(Counter::mst_reqs_outstanding_id, i));
        endpoint_.changed();
        return {};
    }
    if (chip_.arch == Arch::blackhole && offset == offset::rtz_clr) {
        returned_to_zero_ &= ~value;
        return {};
    }
    const std::uint32_t which = offset / map_.initiator_stride;
    if (which < initiators && offset % map_.initiator_stride == map_.cmd_ctrl) {
        if (value & 1 && !is_pending(which)) return {true, command(which, by, at)};
        return {true, {}, (value & 1) != 0};
    }
    auto* const word = plain_word(offset);
    if (!word) return {false, {}};
    const bool is_tag = offset % map_.initiator_stride == offset::packet_tag;
    *word = is_tag ? value & 0xFFFF : value;
    const bool of_initiator = offset < offset::configuration || offset >= map_.configuration_end;
    return {true, {}, of_initiator && is_pending(which)};
}

void Niu::change_by_id(Counter first, unsigned transaction, std::uint32_t amount) {
    std::uint32_t& counter = count(first, transaction);
    const std::uint32_t before = counter;
    counter = (counter + amount) & id_mask;
    if (first == Counter::mst_reqs_outstanding_id && before && !counter) returned_to_zero_ |= 1u << transaction;
}

std::uint32_t Niu::packets(const Request& request) const {
    if (request.is_atomic() || request.is_inline() || request.has_byte_enables()) return 1;
    return std::max(1u, (request.length() + chip_.packet_bytes - 1) / chip_.packet_bytes);
}

Places Niu::places_of(const Request& request) const {
    if (!(words_.configuration[0] & translate_enable)) return {request.target_place(), request.answer_place()};
    return {translate(chip_.arch, words_.configuration, request.target_place()),
            translate(chip_.arch, words_.configuration, request.answer_place())};
}

// Requests of one transaction go to one destination by one virtual channel (NOC_CMD_VC_LINKED).
std::string Niu::check_linked(const Request& request) {
    const bool is_static = request.control() & ctrl::static_vc;
    const Linked now{request.goes_to_answer() ? request.answer_place().bits : request.target_place().bits, request.broadcast(),
                     (request.control() & ctrl::y_major) != 0, requests_ + 1};
    const auto vc = is_static ? std::optional(request.control() >> ctrl::buddy & 7) : std::nullopt;
    if (linked_ && !linked_->goes_as(now)) return "the request before it is linked (NOC_CMD_VC_LINKED) and goes to another destination";
    if (linked_ && linked_vc_ && vc && *linked_vc_ != *vc)
        return "the request before it is linked (NOC_CMD_VC_LINKED) and uses another virtual channel";
    if (!(request.control() & ctrl::linked)) {
        linked_.reset();
        linked_vc_.reset();
    } else if (!linked_) {
        linked_ = now;
        linked_vc_ = vc;
    }
    return {};
}

std::string Niu::command(unsigned which, const Origin& by, Cycle at) {
    const Request request(chip_.arch, initiator(which));
    const Places places = places_of(request);
    if (auto wrong = check(chip_, *fabric_, noc_, place_, request, places); !wrong.empty()) return wrong;
    const bool continues = linked_.has_value();
    const std::uint32_t linked_since = continues ? linked_->first_request : request.control() & ctrl::linked ? requests_ + 1 : 0;
    if (auto wrong = check_linked(request); !wrong.empty()) return wrong;
    // Blackhole's registers keep what software wrote.
    if (chip_.arch == Arch::wormhole) {
        request.set_target_place(places.target);
        request.set_answer_place(places.answer);
    }
    const std::uint32_t parts = packets(request);
    if (!request.posted()) change_by_id(Counter::mst_reqs_outstanding_id, request.transaction(), parts);
    if (request.goes_to_answer()) change_by_id(Counter::mst_write_reqs_outgoing_id, request.transaction(), parts);
    if (chip_.arch == Arch::wormhole) {
        std::uint32_t& control = request.word(offset::ctrl);
        control = (control & ~(7u << ctrl::output_ports)) | output_ports(packet_of(request, places, by)) << ctrl::output_ports;
    }
    ++requests_;
    auto luggage = tell(request, places, by, way(request, places, linked_since));
    queue_.push_back({static_cast<std::uint8_t>(which), places, by, at + costs_.accept, continues, requests_, std::move(luggage)});
    if (queue_.size() == 1) plan_initiate(at);
    if (!costs_.at_once()) return {};
    std::string wrong;
    while (wrong.empty() && due() <= at)
        if (auto failed = act()) wrong = failed->why;
    return wrong;
}

// Two requests stay in order if they take the same virtual channel from the same NIU to the same place (NoC/Ordering).
std::uint64_t Niu::way(const Request& request, const Places& places, std::uint32_t linked_since) const {
    const bool is_static = request.control() & ctrl::static_vc;
    if (!is_static && !linked_since) return 0;
    const std::uint64_t channel = is_static ? 1 + (request.control() >> ctrl::buddy & 7) : 16 + std::uint64_t{linked_since};
    const std::uint64_t place = request.goes_to_answer() ? places.answer.bits : places.target.bits;
    const std::uint64_t tree = (request.broadcast() ? 2 : 0) | (request.control() & ctrl::y_major ? 1 : 0);
    return channel << 26 | tree << 24 | place;
}

// Of a broadcast, tiles of the rectangle that take it. That masks of other tiles leave some out is not known here.
std::uint32_t Niu::answers(const Packet& packet, std::uint32_t packets) const {
    if (packet.posted || packet.answer_to != place_) return 0;
    if (!packet.broadcast) return packets;
    const auto all = noc::places_of(chip_, noc_, packet.rectangle);
    const auto takes = [&](Place place) {
        if (chip_.kind(place) != TileKind::tensix || fabric_->is_off(place)) return false;
        return (place != place_ || packet.rectangle.include_source) && !excludes(packet.rectangle.exclude, chip_.seen_by(noc_, place));
    };
    return packets * static_cast<std::uint32_t>(std::count_if(all.begin(), all.end(), takes));
}

std::shared_ptr<const void> Niu::tell(const Request& request, const Places& places, const Origin& by, std::uint64_t way) const {
    const Packet first = packet_of(request, places, by);
    Asked asked{first, 0, 0, packets(request), 0, way};
    asked.answers = answers(first, asked.packets);
    const bool brings_home = request.is_read() && first.answer_to == place_;
    if (brings_home || request.goes_to_answer()) {
        asked.own = brings_home ? first.answer_address : request.target();
        asked.length = request.length();
        if (request.has_byte_enables()) asked.length = goes_to_register(first) ? sizeof(std::uint32_t) : chip_.flit_bytes;
        if (is_register(asked.own)) asked.length = 0;
    }
    return endpoint_.asked(asked);
}

std::uint32_t Niu::output_ports(const Packet& packet) const {
    constexpr std::uint32_t here = 1, y = 2, x = 4;
    if (packet.broadcast) {
        const auto step = BroadcastRoute(chip_, noc_, place_, packet.rectangle).step({place_});
        return (step.here && packet.rectangle.include_source ? here : 0) | (step.onward[0] ? x : 0) | (step.onward[1] ? y : 0);
    }
    if (packet.to == place_) return here;
    const bool along_x = distance(chip_, noc_, Axis::x, place_, packet.to) != 0, along_y = packet.to.y != place_.y;
    return noc_ == 0 ? (along_x ? x : y) : (along_y ? y : x);
}

void Niu::plan_initiate(Cycle now) {
    if (queue_.empty()) return;
    // The data of a write are read while the packet before it leaves.
    const Cycle leaves = std::max<Cycle>(port_free_, costs_.read_source);
    insert({std::max({now, leaves - costs_.read_source, queue_.front().earliest}), Act::Kind::initiate, {}});
}

void Niu::insert(Act act) {
    // Of one cycle, arrivals come last and in their own order; others as they were planned.
    const auto before = [](const Act& a, const Act& b) {
        if (a.at != b.at) return a.at < b.at;
        const bool arrives = a.kind == Act::Kind::arrive;
        if (arrives != (b.kind == Act::Kind::arrive)) return !arrives;
        return arrives && std::pair(a.packet.source, a.packet.sequence) < std::pair(b.packet.source, b.packet.sequence);
    };
    auto at = std::find_if(acts_.rbegin(), acts_.rend(), [&](const Act& other) { return before(act, other); });
    acts_.insert(at.base(), std::move(act));
}

void Niu::arrive(Arrival arrival) { insert({arrival.at, Act::Kind::arrive, std::move(arrival.packet)}); }

std::optional<Niu::Failure> Niu::act() {
    Act act = std::move(acts_.back());
    acts_.pop_back();
    std::string wrong;
    Origin origin = act.packet.origin;
    switch (act.kind) {
        case Act::Kind::initiate:
            origin = queue_.front().origin;
            wrong = initiate(act.at);
            break;
        case Act::Kind::sent: change_by_id(Counter::mst_write_reqs_outgoing_id, act.packet.transaction, ~0u); break;
        case Act::Kind::arrive: wrong = take(act.packet, act.at); break;
        case Act::Kind::answer: wrong = answer(act.packet, act.at); break;
    }
    endpoint_.changed();
    if (wrong.empty()) return std::nullopt;
    return Failure{wrong, origin};
}

// The request has passed check().
Packet Niu::packet_of(const Request& request, const Places& places, const Origin& origin) const {
    const auto place = [&](Coordinates at) { return *place_of(chip_, noc_, at.x(), at.y()); };
    Packet packet;
    packet.noc = static_cast<std::uint8_t>(noc_);
    packet.posted = request.posted();
    packet.transaction = request.transaction();
    packet.source = place_;
    packet.origin = origin;
    packet.request = requests_;
    packet.operands = request.length();
    packet.word = request.data();
    const Coordinates goes_to = request.goes_to_answer() ? places.answer : places.target;
    packet.address = request.goes_to_answer() ? request.answer() : request.target();
    if (request.broadcast()) {
        packet.broadcast = true;
        packet.rectangle = *rectangle_of(chip_, noc_, goes_to);
        packet.rectangle.y_major = request.control() & ctrl::y_major;
        packet.rectangle.include_source = request.control() & ctrl::include_source;
        packet.rectangle.exclude = chip_.arch == Arch::blackhole ? request.word(offset::brcst_exclude) : 0;
        packet.to = packet.rectangle.last;
    } else {
        packet.to = place(goes_to);
    }
    packet.answer_to = place_;
    if (request.is_atomic()) {
        packet.kind = Packet::Kind::atomic;
    } else if (request.is_inline()) {
        packet.kind = Packet::Kind::write_word;
    } else {
        packet.kind = request.is_read() ? Packet::Kind::read : Packet::Kind::write;
        packet.length = std::min(request.length(), chip_.packet_bytes);
    }
    if (request.is_read() || (request.is_atomic() && !packet.posted)) {
        packet.answer_to = place(places.answer);
        packet.answer_address = request.answer();
    } else if (request.goes_to_answer() && !packet.posted) {
        packet.answer_to = place(places.target);
    }
    if (request.stores_header()) packet.header_address = std::uint64_t{packet.word} << 4;
    return packet;
}

bool Niu::goes_to_register(const Packet& packet) const {
    // The last tile of a broadcast's rectangle need not be one of its receivers, which are Tensix tiles.
    return is_register(packet.broadcast ? TileKind::tensix : chip_.kind(packet.to), packet.address);
}

// Of byte enables, a register that is written takes none, and one that is read gives its word again and again
// (NoC/Alignment).
std::string Niu::read_source(Packet& packet, const Request& request, Cycle now) {
    const Access access{packet, true, now};
    if (request.has_byte_enables()) {
        packet.length = sizeof(std::uint32_t);
        if (!goes_to_register(packet)) {
            packet.byte_enables = request.byte_enables();
            packet.length = static_cast<std::uint32_t>(std::bit_width(packet.byte_enables));
        }
    }
    auto data = std::make_shared<Bytes>(packet.length);
    std::string wrong;
    if (is_register(request.target())) {
        std::uint32_t value = 0;
        wrong = endpoint_.load_register(access, static_cast<std::uint32_t>(request.target()), value);
        for (std::size_t i = 0; i < data->size(); ++i) (*data)[i] = static_cast<std::uint8_t>(value >> i % 4 * 8);
    } else {
        wrong = endpoint_.read(access, request.target(), *data);
    }
    packet.data = std::move(data);
    return wrong;
}

std::string Niu::initiate(Cycle now) {
    const Waiting waiting = queue_.front();
    const Request request(chip_.arch, initiator(waiting.initiator));
    Packet packet = packet_of(request, waiting.places, waiting.origin);
    packet.request = waiting.request;
    packet.luggage = waiting.luggage;
    if (packet.kind == Packet::Kind::write)
        if (auto wrong = read_source(packet, request, now); !wrong.empty()) return wrong;

    ++count(Counter::mst_cmd_accepted);
    Cycle leaves = now;
    switch (packet.kind) {
        case Packet::Kind::read:
            ++count(Counter::mst_rd_req_started);
            ++count(Counter::mst_rd_req_sent);
            break;
        case Packet::Kind::atomic:
            if (!packet.posted) ++count(Counter::mst_nonposted_atomic_started);
            count_for(packet, Counter::mst_nonposted_atomic_sent);
            break;
        default:
            count_for(packet, Counter::mst_nonposted_wr_req_started);
            count_for(packet, Counter::mst_nonposted_wr_req_sent);
            if (packet.kind == Packet::Kind::write_word) break;
            count_for(packet, Counter::mst_nonposted_wr_data_word_sent, packet.data_flits(chip_));
            leaves += costs_.read_source;
    }
    if (packet.broadcast && request.control() & ctrl::path_reserve && !waiting.continues)
        leaves += 2 * Cycle{costs_.reserve_hop} * BroadcastRoute(chip_, noc_, place_, packet.rectangle).depth();

    const bool more = (packet.kind == Packet::Kind::write || packet.kind == Packet::Kind::read) && !request.has_byte_enables() &&
                      request.length() > chip_.packet_bytes;
    if (more)
        request.advance(chip_.packet_bytes);
    else
        queue_.pop_front();
    leaves = std::max(leaves, port_free_);
    packet.pauses = pauses(packet);
    endpoint_.sent(packet);
    if (packet.kind == Packet::Kind::write) {
        Act sent{leaves + packet.flits(chip_) + packet.pauses, Act::Kind::sent, {}};
        if (costs_.at_once()) sent.at = now;
        sent.packet.transaction = packet.transaction;
        insert(std::move(sent));
    }
    leave(std::move(packet), leaves);
    plan_initiate(now);
    return {};
}

std::uint32_t Niu::pauses(const Packet& packet) const {
    if (costs_.at_once() || !packet.carries_data()) return 0;
    const std::uint32_t flits = packet.data_flits(chip_);
    if (packet.kind == Packet::Kind::write) return flits * costs_.write_pauses / 256;
    // A memory that is slower than the NIU gives all of it in that time.
    const auto memory = static_cast<std::uint32_t>(endpoint_.cycles_of(packet.length)), own = packet.flits(chip_) + costs_.gap;
    return std::max(flits * costs_.response_pauses[noc_] / 256, memory > own ? memory - own : 0);
}

void Niu::leave(Packet packet, Cycle at) {
    if (!costs_.at_once()) port_free_ = at + packet.flits(chip_) + packet.pauses + (packet.carries_data() ? costs_.gap : 0);
    packet.sequence = sequence_++;
    fabric_->send(std::move(packet), at + costs_.to_router);
}

Packet Niu::response(Packet::Kind kind, const Packet& to) const {
    Packet packet;
    packet.kind = kind;
    packet.noc = to.noc;
    packet.transaction = to.transaction;
    packet.source = place_;
    packet.to = to.answer_to;
    packet.address = to.answer_address;
    packet.origin = to.origin;
    packet.request = to.request;
    return packet;
}

bool Niu::opts_out(std::uint32_t exclude) const {
    const auto mask = [&](std::uint32_t at) { return words_.configuration[(at - offset::configuration) / 4]; };
    const Place seen = chip_.seen_by(noc_, place_);
    if (mask(offset::router_cfg_1) >> seen.x & 1 || mask(offset::router_cfg_3) >> seen.y & 1) return true;
    return excludes(exclude, seen);
}

// One quadrant around a place is left out.
bool Niu::excludes(std::uint32_t exclude, Place seen) const {
    if (!(exclude >> 22 & 1)) return false;
    const unsigned x = exclude >> 8 & 63, y = exclude >> 14 & 63;
    return (exclude >> 20 & 1 ? seen.x >= x : seen.x <= x) && (exclude >> 21 & 1 ? seen.y >= y : seen.y <= y);
}

std::string Niu::take(Packet& packet, Cycle now) {
    if (packet.broadcast && opts_out(packet.rectangle.exclude)) return {};
    const Access access{packet, false, now};
    if (packet.answers()) return take_answer(packet, access);
    Cycle answers = now;
    std::string wrong;
    switch (packet.kind) {
        case Packet::Kind::read:
            ++count(Counter::slv_req_accepted);
            ++count(Counter::slv_rd_req_received);
            answers += costs_.serve_read + endpoint_.delay(packet, now);
            break;
        case Packet::Kind::atomic:
            ++count(Counter::slv_req_accepted);
            count_for(packet, Counter::slv_nonposted_atomic_received);
            wrong = take_atomic(packet, access);
            answers += costs_.serve_write;
            break;
        default:
            count_for(packet, Counter::slv_nonposted_wr_req_started);
            count_for(packet, Counter::slv_nonposted_wr_data_word_received, std::max(1u, packet.data_flits(chip_)));
            count_for(packet, Counter::slv_nonposted_wr_req_received);
            wrong = take_write(packet, access);
            answers += costs_.serve_write + endpoint_.delay(packet, now);
    }
    if (!wrong.empty() || packet.posted) return wrong;
    if (costs_.at_once()) return answer(packet, answers);
    insert({answers, Act::Kind::answer, std::move(packet)});
    return {};
}

std::string Niu::take_write(const Packet& packet, const Access& access) {
    const auto address = static_cast<std::uint32_t>(packet.address);
    const bool to_register = is_register(chip_.kind(place_), packet.address);
    if (packet.kind == Packet::Kind::write_word) {
        if (to_register) return endpoint_.store_register(access, address, packet.word);
        const std::uint32_t line = address - address % line_bytes, mask = packet.operands | packet.operands >> 16;
        for (std::uint32_t i = 0; i < line_bytes; ++i) {
            const auto byte = static_cast<std::uint8_t>(packet.word >> i % 4 * 8);
            if (!(mask >> i & 1)) continue;
            if (auto wrong = endpoint_.write(access, line + i, {&byte, 1}); !wrong.empty()) return wrong;
        }
        return {};
    }
    const Bytes& data = *packet.data;
    if (to_register) {
        std::uint32_t value = 0;
        std::memcpy(&value, data.data(), std::min(sizeof value, data.size()));
        return endpoint_.store_register(access, address, value);
    }
    if (packet.header_address != never && !data.empty())
        if (auto wrong = endpoint_.write(access, packet.header_address, std::span(data).first(std::min<std::size_t>(line_bytes, data.size())));
            !wrong.empty())
            return wrong;
    if (!packet.byte_enables) return endpoint_.write(access, packet.address, data);
    for (std::uint32_t i = 0; i < data.size(); ++i)
        if (packet.byte_enables >> i & 1)
            if (auto wrong = endpoint_.write(access, packet.address + i, std::span(data).subspan(i, 1)); !wrong.empty()) return wrong;
    return {};
}

std::string Niu::take_atomic(Packet& packet, const Access& access) {
    std::array<std::uint8_t, line_bytes> line{};
    const std::uint64_t at = packet.address - packet.address % line_bytes;
    if (auto wrong = endpoint_.read(access, at, line); !wrong.empty()) return wrong;
    const auto before = line;
    packet.word = do_atomic(chip_.arch, packet.operands, packet.word, static_cast<std::uint32_t>(packet.address), line);
    // Only what the operation changes is written, so that nobody sees a write of its neighbours.
    std::size_t first = 0, last = line_bytes;
    while (first < last && line[first] == before[first]) ++first;
    while (last > first && line[last - 1] == before[last - 1]) --last;
    if (first == last) return {};
    first -= first % 4;
    last += (4 - last % 4) % 4;
    return endpoint_.write(access, at + first, std::span(line).subspan(first, last - first));
}

std::string Niu::take_answer(const Packet& packet, const Access& answered) {
    const Access access{packet, true, answered.at};
    std::string wrong;
    switch (packet.kind) {
        case Packet::Kind::write_ack: ++count(Counter::mst_wr_ack_received); break;
        case Packet::Kind::atomic_response: {
            std::array<std::uint8_t, 4> bytes;
            std::memcpy(bytes.data(), &packet.word, bytes.size());
            wrong = endpoint_.write(access, packet.address, bytes);
            ++count(Counter::mst_atomic_resp_received);
            break;
        }
        default:
            if (is_register(chip_.kind(place_), packet.address)) {
                std::uint32_t value = 0;
                std::memcpy(&value, packet.data->data(), std::min(sizeof value, packet.data->size()));
                wrong = endpoint_.store_register(access, static_cast<std::uint32_t>(packet.address), value);
            } else {
                wrong = endpoint_.write(access, packet.address, *packet.data);
            }
            ++count(Counter::mst_rd_resp_received);
            count(Counter::mst_rd_data_word_received) += packet.data_flits(chip_);
    }
    change_by_id(Counter::mst_reqs_outstanding_id, packet.transaction, ~0u);
    endpoint_.answered(packet);
    return wrong;
}

std::string Niu::answer(const Packet& packet, Cycle now) {
    const Access access{packet, false, now};
    Packet back;
    switch (packet.kind) {
        case Packet::Kind::read: {
            back = response(Packet::Kind::read_response, packet);
            back.length = packet.length;
            auto data = std::make_shared<Bytes>(packet.length);
            if (is_register(chip_.kind(place_), packet.address)) {
                std::uint32_t value = 0;
                if (auto wrong = endpoint_.load_register(access, static_cast<std::uint32_t>(packet.address), value); !wrong.empty()) return wrong;
                std::memcpy(data->data(), &value, std::min(sizeof value, data->size()));
            } else if (auto wrong = endpoint_.read(access, packet.address, *data); !wrong.empty()) {
                return wrong;
            }
            back.data = std::move(data);
            back.luggage = endpoint_.read_away(packet);
            ++count(Counter::slv_rd_resp_sent);
            count(Counter::slv_rd_data_word_sent) += back.data_flits(chip_);
            break;
        }
        case Packet::Kind::atomic:
            back = response(Packet::Kind::atomic_response, packet);
            back.word = packet.word;
            ++count(Counter::slv_atomic_resp_sent);
            break;
        default:
            back = response(Packet::Kind::write_ack, packet);
            if (chip_.loses_transactions(place_)) back.transaction = 0;
            ++count(Counter::slv_wr_ack_sent);
    }
    // Responses share the way to the router with requests.
    const Cycle leaves = std::max(now, port_free_);
    back.pauses = pauses(back);
    leave(std::move(back), leaves);
    return {};
}

}  // namespace tessera::noc
