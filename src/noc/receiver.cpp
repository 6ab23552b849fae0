// SPDX-License-Identifier: Apache-2.0
#include "noc/receiver.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "noc/atomics.hpp"

namespace tessera::noc {

namespace {

constexpr std::uint32_t line_bytes = 16;

}  // namespace

Refusal Receiver::take(Packet& packet, Cycle now, std::optional<Cycle>& answers_at) {
    if (packet.broadcast && registers_.opts_out(packet.rectangle.exclude)) return {};
    const Access access{packet, false, now};
    if (packet.answers()) return take_answer(packet, access);
    Cycle answers = now;
    Refusal wrong;
    switch (packet.kind) {
        case Packet::Kind::read:
            ++registers_.count(Counter::slv_req_accepted);
            ++registers_.count(Counter::slv_rd_req_received);
            answers += site_.costs.serve_read + site_.behind.delay(packet, now);
            break;
        case Packet::Kind::atomic:
            ++registers_.count(Counter::slv_req_accepted);
            registers_.count_for(packet, Counter::slv_nonposted_atomic_received);
            wrong = take_atomic(packet, access);
            answers += site_.costs.serve_write;
            break;
        default:
            registers_.count_for(packet, Counter::slv_nonposted_wr_req_started);
            registers_.count_for(packet, Counter::slv_nonposted_wr_data_word_received, std::max(1u, packet.data_flits(site_.chip)));
            registers_.count_for(packet, Counter::slv_nonposted_wr_req_received);
            wrong = take_write(packet, access);
            answers += site_.costs.serve_write + site_.behind.delay(packet, now);
    }
    if (wrong.empty() && !packet.posted) answers_at = answers;
    return wrong;
}

Refusal Receiver::store_first_word(const Access& access, std::uint64_t address, const Bytes& data) {
    std::uint32_t value{};
    std::memcpy(&value, data.data(), std::min(sizeof value, data.size()));
    return site_.behind.store_register(access, static_cast<std::uint32_t>(address), value);
}

Refusal Receiver::take_write(const Packet& packet, const Access& access) {
    const auto address = static_cast<std::uint32_t>(packet.address);
    const bool to_register = is_register(site_.chip.kind(site_.place), packet.address);
    if (packet.kind == Packet::Kind::write_word) {
        if (to_register) return site_.behind.store_register(access, address, packet.word);
        const std::uint32_t line = address - address % line_bytes, mask = packet.operands | packet.operands >> 16;
        for (std::uint32_t i = 0; i < line_bytes; ++i) {
            const auto byte = static_cast<std::uint8_t>(packet.word >> i % 4 * 8);
            if (!(mask >> i & 1)) continue;
            if (auto wrong = site_.behind.write(access, line + i, {&byte, 1}); !wrong.empty()) return wrong;
        }
        return {};
    }
    const Bytes& data = *packet.data;
    if (to_register) return store_first_word(access, address, data);
    if (packet.header_address != never && !data.empty())
        if (auto wrong = site_.behind.write(access, packet.header_address, std::span(data).first(std::min<std::size_t>(line_bytes, data.size())));
            !wrong.empty())
            return wrong;
    if (!packet.byte_enables) return site_.behind.write(access, packet.address, data);
    for (std::uint32_t i = 0; i < data.size(); ++i)
        if (packet.byte_enables >> i & 1)
            if (auto wrong = site_.behind.write(access, packet.address + i, std::span(data).subspan(i, 1)); !wrong.empty()) return wrong;
    return {};
}

Refusal Receiver::take_atomic(Packet& packet, const Access& access) {
    std::array<std::uint8_t, line_bytes> line{};
    const std::uint64_t at = packet.address - packet.address % line_bytes;
    if (auto wrong = site_.behind.read(access, at, line); !wrong.empty()) return wrong;
    // The answer tells what was known of the word before, and the operation adds what the asker knows.
    const auto known_before = site_.behind.read_away(packet);
    const auto before = line;
    packet.word = do_atomic(site_.chip.arch, packet.operands, packet.word, static_cast<std::uint32_t>(packet.address), line);
    // Only what the operation changes is written, so that nobody sees a write of its neighbours.
    Refusal wrong;
    if (line != before) {
        const auto first = std::mismatch(line.begin(), line.end(), before.begin()).first - line.begin();
        const auto last = std::mismatch(line.rbegin(), line.rend(), before.rbegin()).first.base() - line.begin();
        const auto begin = static_cast<std::size_t>(first) / 4 * 4, end = static_cast<std::size_t>(last + 3) / 4 * 4;
        wrong = site_.behind.write(access, at + begin, std::span(line).subspan(begin, end - begin));
    }
    packet.hazard_tag = known_before;
    return wrong;
}

Refusal Receiver::take_answer(const Packet& packet, const Access& answered) {
    const Access access{packet, true, answered.at};
    Refusal wrong;
    switch (packet.kind) {
        case Packet::Kind::write_ack: ++registers_.count(Counter::mst_wr_ack_received); break;
        case Packet::Kind::atomic_response: {
            std::array<std::uint8_t, 4> bytes;
            std::memcpy(bytes.data(), &packet.word, bytes.size());
            wrong = site_.behind.write(access, packet.address, bytes);
            ++registers_.count(Counter::mst_atomic_resp_received);
            break;
        }
        default:
            wrong = is_register(site_.chip.kind(site_.place), packet.address)
                        ? store_first_word(access, packet.address, *packet.data)
                        : site_.behind.write(access, packet.address, *packet.data);
            ++registers_.count(Counter::mst_rd_resp_received);
            registers_.count(Counter::mst_rd_data_word_received) += packet.data_flits(site_.chip);
    }
    registers_.change_by_id(Counter::mst_reqs_outstanding_id, packet.transaction, ~0u);
    site_.behind.answered(packet);
    return wrong;
}

Packet Receiver::response(Packet::Kind kind, const Packet& to) const {
    Packet packet;
    packet.kind = kind;
    packet.noc = to.noc;
    packet.transaction = to.transaction;
    packet.source = site_.place;
    packet.to = to.answer_to;
    packet.address = to.answer_address;
    packet.origin = to.origin;
    packet.request = to.request;
    return packet;
}

Refusal Receiver::answer(const Packet& packet, Cycle now, Packet& back) {
    const Access access{packet, false, now};
    switch (packet.kind) {
        case Packet::Kind::read: {
            back = response(Packet::Kind::read_response, packet);
            back.length = packet.length;
            auto data = std::make_shared<Bytes>(packet.length);
            if (is_register(site_.chip.kind(site_.place), packet.address)) {
                std::uint32_t value{};
                if (auto wrong = site_.behind.load_register(access, static_cast<std::uint32_t>(packet.address), value); !wrong.empty()) return wrong;
                std::memcpy(data->data(), &value, std::min(sizeof value, data->size()));
            } else if (auto wrong = site_.behind.read(access, packet.address, *data); !wrong.empty()) {
                return wrong;
            }
            back.data = std::move(data);
            back.hazard_tag = site_.behind.read_away(packet);
            ++registers_.count(Counter::slv_rd_resp_sent);
            registers_.count(Counter::slv_rd_data_word_sent) += back.data_flits(site_.chip);
            break;
        }
        case Packet::Kind::atomic:
            back = response(Packet::Kind::atomic_response, packet);
            back.word = packet.word;
            back.hazard_tag = packet.hazard_tag;
            ++registers_.count(Counter::slv_atomic_resp_sent);
            break;
        default:
            back = response(Packet::Kind::write_ack, packet);
            if (site_.chip.loses_transactions(site_.place)) back.transaction = 0;
            ++registers_.count(Counter::slv_wr_ack_sent);
    }
    return {};
}

}  // namespace tessera::noc
