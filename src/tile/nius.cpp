// SPDX-License-Identifier: Apache-2.0
#include "tile/nius.hpp"

#include <algorithm>
#include <cstring>

#include "engine/sources/noc_port.hpp"
#include "noc/routes.hpp"
#include "state/mmio.hpp"
#include "tile/device.hpp"
#include "tile/requests.hpp"
#include "tile/texts.hpp"

namespace tessera::tile {

namespace {

namespace words_of = state::tile_words;

noc::Place place_of(const state::NocPlace& place) { return {place.x, place.y}; }

constexpr std::uint32_t atomic_result_bytes = 4;

/// How many bytes of L1 an answer has written.
std::uint32_t brought_bytes(const noc::Packet& answer) {
    if (answer.kind == noc::Packet::Kind::atomic_response) return atomic_result_bytes;
    return answer.kind == noc::Packet::Kind::read_response && !noc::is_register(answer.address) ? answer.length : 0;
}

std::span<std::uint32_t> block(state::Tile& tile, unsigned first, unsigned count) {
    return std::span(tile.words).subspan(first, count);
}

}  // namespace

Nius::Nius(Devices& devices, Timing timing)
    : devices_(devices),
      loop_(*this, noc::layout(devices.arch), noc::costs(devices.arch, timing)),
      nius_{{{noc::layout(devices.arch), 0, place_of(devices.tile.place), words(0), *this,
              noc::costs(devices.arch, timing)},
             {noc::layout(devices.arch), 1, place_of(devices.tile.place), words(1), *this,
              noc::costs(devices.arch, timing)}}},
      writers_(devices.state.arch()) {
    connect(loop_);
}

noc::NiuWords Nius::words(unsigned noc) {
    static_assert(words_of::initiator_words == noc::initiator_words && words_of::niu_counters == noc::counters &&
                  words_of::niu_configuration_words == noc::configuration_words);
    state::Tile& tile = devices_.tile;
    return {block(tile, words_of::initiator_register(noc, 0, 0), noc::initiators * noc::initiator_words),
            block(tile, words_of::niu_configuration_register(noc, 0), noc::configuration_words),
            block(tile, words_of::counter(noc, 0), noc::counters)};
}

void Nius::connect(noc::Fabric& fabric) {
    for (auto& niu : nius_) niu.connect(fabric);
}

std::optional<noc::Niu::Failure> Nius::act() { return nius_[nius_[1].due() < nius_[0].due()].act(); }

noc::Refusal Nius::Loop::unreachable(noc::Place place) const {
    if (place == nius_.place()) return {};
    return "the other end is another tile, and a job of one tile has none: only a chip has other tiles and DRAM";
}

void Nius::Loop::send(noc::Packet packet, noc::Cycle at) {
    if (packet.broadcast) {
        const auto receivers = noc::places_of(chip_, packet.noc, packet.rectangle);
        if (!packet.rectangle.include_source || std::ranges::find(receivers, nius_.place()) == receivers.end()) return;
    }
    const std::uint32_t tail = costs_.at_once() ? 0 : packet.flits(chip_) - 1;
    packet.to = nius_.place();
    nius_[packet.noc].arrive({at + costs_.from_router + tail, std::move(packet)});
}

noc::Refusal Nius::read(const noc::Access& access, std::uint64_t address, std::span<std::uint8_t> bytes) {
    const auto& l1 = devices_.state.l1;
    const auto size = static_cast<std::uint32_t>(bytes.size());
    if (!l1.contains(address, size)) return "not all of its bytes are in L1";
    const auto first = static_cast<std::uint32_t>(address);
    if (!access.own) arrives(access, first, size, false);
    std::memcpy(bytes.data(), l1.bytes.data() + first, size);
    return {};
}

noc::Refusal Nius::write(const noc::Access& access, std::uint64_t address, std::span<const std::uint8_t> bytes) {
    auto& l1 = devices_.state.l1;
    const auto size = static_cast<std::uint32_t>(bytes.size());
    if (!l1.contains(address, size)) return "not all of its bytes are in L1";
    if (bytes.empty()) return {};
    const auto first = static_cast<std::uint32_t>(address);
    if (!access.own) {
        arrives(access, first, size, true);
        writers_.wrote(access.packet.origin, first, size, access.at);
    }
    std::memcpy(l1.write(first, size), bytes.data(), size);
    const auto& origin = access.packet.origin;
    const By by{origin.core, origin.pc};
    devices_.noc_wrote(origin.is_core_of(place()) ? &by : nullptr, first, size);
    return {};
}

std::shared_ptr<const void> Nius::asked(const noc::Asked& what) {
    const noc::Packet& first = what.first;
    engine::NocPort* const watch = devices_.port().noc();
    if (!watch || first.origin.by_host) return {};
    using Kind = hazards::NocOrder::Kind;
    const Kind kind = first.kind == noc::Packet::Kind::read     ? Kind::read
                      : first.kind == noc::Packet::Kind::atomic ? Kind::atomic
                                                                : Kind::write;
    hazards::NocOrder::Asked asked{
        origin_of(first), kind,       first.transaction, what.packets, what.answers, 0, 0, what.way,
        first.broadcast,  what.linked};
    if (what.length && devices_.state.l1.contains(what.own, what.length)) {
        asked.first = static_cast<std::uint32_t>(what.own);
        asked.bytes = what.length;
    }
    return watch->asked(asked);
}

void Nius::sent(const noc::Packet& packet) {
    if (engine::NocPort* const watch = devices_.port().noc()) watch->order().noc_sent(request_of(packet));
}

void Nius::answered(const noc::Packet& packet) {
    engine::NocPort* const watch = devices_.port().noc();
    if (!watch) return;
    watch->order().noc_answered(request_of(packet), static_cast<std::uint32_t>(packet.address), brought_bytes(packet),
                                knowledge(packet));
}

std::shared_ptr<const void> Nius::read_away(const noc::Packet& asks) {
    engine::NocPort* const watch = devices_.port().noc();
    if (!watch || asks.origin.by_host) return {};
    if (const auto word = state::mmio::stream_word(devices_.state.arch(), asks.address))
        return watch->order().noc_stream_read_away(*word);
    if (noc::is_register(asks.address)) return {};
    const std::uint32_t bytes = asks.kind == noc::Packet::Kind::atomic ? atomic_result_bytes : asks.length;
    return watch->order().noc_read_away(
        {origin_of(asks), static_cast<std::uint32_t>(asks.address), bytes, knowledge(asks), false});
}

void Nius::arrives(const noc::Access& access, std::uint32_t first, std::uint32_t bytes, bool write) {
    engine::NocPort* const watch = devices_.port().noc();
    if (!watch || !bytes || access.packet.origin.by_host) return;
    watch->arrived({origin_of(access.packet), first, bytes, knowledge(access.packet), write, access.packet.broadcast});
}

void Nius::counter_seen(const By& by, unsigned which, unsigned counter) {
    using Sign = hazards::NocOrder::Sign;
    using noc::Counter;
    const auto at = [&](Counter first) { return counter - static_cast<unsigned>(first); };
    const auto tell = [&](Sign sign, unsigned transaction = 0) {
        if (engine::NocPort* const watch = devices_.port().noc())
            watch->order().core_saw_noc(by.core, by.pc, which, sign, transaction);
    };
    if (at(Counter::mst_reqs_outstanding_id) < noc::transactions) return tell(Sign::transaction, at(Counter::mst_reqs_outstanding_id));
    if (at(Counter::mst_write_reqs_outgoing_id) < noc::transactions)
        return tell(Sign::sent_of_transaction, at(Counter::mst_write_reqs_outgoing_id));
    switch (Counter(counter)) {
        case Counter::mst_rd_resp_received:
        case Counter::mst_rd_data_word_received: return tell(Sign::reads);
        case Counter::mst_wr_ack_received: return tell(Sign::writes);
        case Counter::mst_atomic_resp_received: return tell(Sign::atomics);
        default: break;
    }
    // Of requests with a response, and behind it of those without.
    for (const Counter sent : {Counter::mst_nonposted_wr_data_word_sent, Counter::mst_nonposted_wr_req_sent})
        if (at(sent) < 2) tell(at(sent) == 0 ? Sign::sent : Sign::posted_sent);
}

void Nius::returned_to_zero_seen(const By& by, unsigned which, std::uint32_t transactions) {
    engine::NocPort* const watch = transactions ? devices_.port().noc() : nullptr;
    for (unsigned i = 0; watch && i < noc::transactions; ++i)
        if (transactions >> i & 1)
            watch->order().core_saw_noc(by.core, by.pc, which, hazards::NocOrder::Sign::returned, i);
}

void Nius::tell_open_transactions() {
    for (std::uint32_t which = 0; which < noc::nocs; ++which)
        if (const auto origin = nius_[which].open_transaction())
            devices_.note({.user = User::noc, .pc = origin->pc, .origin = &*origin},
                          {findings::id("tile.noc-linked"), {which}});
}

// The other registers of a tile are those of its devices.
noc::Refusal Nius::load_register(const noc::Access& access, std::uint32_t address, std::uint32_t& value) {
    const auto& origin = access.packet.origin;
    Request request{.user = User::noc, .address = address, .pc = origin.pc, .at = access.at, .origin = &origin};
    const Reply reply = devices_.load(request);
    value = reply.value;
    return refusal(request, reply, "loads from");
}

noc::Refusal Nius::store_register(const noc::Access& access, std::uint32_t address, std::uint32_t value) {
    const auto& origin = access.packet.origin;
    Request request{.user = User::noc, .address = address, .pc = origin.pc, .at = access.at, .origin = &origin};
    if (is_of_initiator(address)) return refusal(request, Reply::not_modelled("Tessera does not model requests that start requests"), "stores to");
    writers_.wrote(origin, address, 4, access.at);
    engine::NocPort* const watch = origin.by_host ? nullptr : devices_.port().noc();
    if (const auto word = state::mmio::stream_word(devices_.state.arch(), address); watch && word)
        watch->order().noc_wrote_stream(*word, knowledge(access.packet));
    return refusal(request, devices_.store(request, value), "stores to");
}

bool Nius::is_of_initiator(std::uint32_t address) const {
    const std::uint32_t which = (address - noc::niu_base) / noc::niu_bytes;
    return which < nius_.size() && nius_[which].is_of_initiator(address % noc::niu_bytes);
}

noc::Refusal Nius::refusal(const Request& request, const Reply& reply, const char* does) {
    if (reply.kind == Reply::Kind::wait) return noc::Refusal::not_modelled(target_is_busy);
    if (reply.kind != Reply::Kind::fault) return {};
    std::string why = fault_text(devices_.arch, request, does, reply.why);
    return reply.fault == findings::id("tile.not-modelled") ? noc::Refusal::not_modelled(std::move(why)) : noc::Refusal(std::move(why));
}

void Nius::changed() { devices_.changed(); }

}  // namespace tessera::tile
