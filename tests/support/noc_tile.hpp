// SPDX-License-Identifier: Apache-2.0
// Requests over the NoC at one tile, as the hazard checker hears of them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "hazards/memory_order.hpp"
#include "support/checked_accesses.hpp"

namespace tessera::hazards {

using Kind = NocOrder::Kind;
using Sign = NocOrder::Sign;

inline constexpr std::uint32_t data = 0x2000, page = 0x3000, flag = 0x600;

/// A tile whose cores access L1 and start requests.
class NocTile : public testing::Test {
protected:
    NocTile() { renew(); }
    void renew() {
        order = {};
        order.watch_cores();
        order.be_at(here);
        numbers_ = {};
    }
    /// A request of one packet, or as many as are said.
    NocOrder::Asked request(Kind kind, std::uint32_t first, std::uint32_t bytes, unsigned core = b, unsigned noc = 0) {
        NocOrder::Asked made;
        made.by = {{here, static_cast<std::uint8_t>(noc), ++numbers_.at(noc)}, static_cast<std::uint8_t>(core), 0x40};
        made.kind = kind;
        made.packets = 1;
        made.answers = 1;
        made.first = first;
        made.bytes = bytes;
        return made;
    }
    static NocOrder::Arrival arrival(std::uint32_t number, std::uint32_t first, std::uint32_t bytes, bool write,
                                     SharedNocKnowledge known = nullptr, std::uint16_t tile = there) {
        return {{{tile, 1, number}, nc, 0x80}, first, bytes, std::move(known), write};
    }
    static NocUse use(const std::optional<Conflict>& met) { return met ? met->request.use : NocUse::none; }
    static bool unit_meets(Order& of, const Access& access) {
        const Ticket ticket = of.issue(1, bit(Pipe::packer0), 5);
        return !of.check_accesses(ticket, of.known(1), {&access, 1}, true, false).empty();
    }

    Order order;

private:
    std::array<std::uint32_t, 2> numbers_{};
};

}  // namespace tessera::hazards
