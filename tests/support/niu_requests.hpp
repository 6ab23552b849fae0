// SPDX-License-Identifier: Apache-2.0
// One NIU and its requests.
#pragma once

#include <gtest/gtest.h>

#include "noc/niu_registers.hpp"
#include "support/lone_niu.hpp"

namespace tessera::test {

using noc::Packet;
using noc::Place;

namespace ctrl = noc::ctrl;
namespace offset = noc::offset;

/// Adds requests at its initiators, and packets.
class NiuRequestsTest : public LoneNiuTest {
protected:
    static constexpr std::uint32_t acknowledged = ctrl::write | ctrl::response_marked;

    static std::uint32_t initiator(unsigned i) { return i * (blackhole() ? 0x800 : 0x400); }
    static std::uint32_t cmd_ctrl() { return blackhole() ? 0x40 : 0x28; }

    std::uint32_t load(std::uint32_t at) {
        const auto value = niu.niu.load(at);
        EXPECT_TRUE(value) << std::hex << at;
        return value.value_or(0xBAD);
    }
    std::uint32_t counter(noc::Counter first, unsigned further = 0) {
        return load(offset::counters_begin + 4 * (static_cast<std::uint32_t>(first) + further));
    }
    /// A write or read of 64 bytes to or from another tile waits at an initiator.
    noc::Niu::Stored ask(unsigned i, std::uint32_t control = acknowledged, std::uint32_t length = 64, std::uint32_t tag = 0) {
        const std::uint32_t first = initiator(i);
        const bool reads = (control & ctrl::kind) == ctrl::read;
        niu.end(first + offset::targ_addr_lo, niu.coordinates(reads ? other : own), 0x1'0000 * (i + 1));
        niu.end(first + offset::ret_addr_lo, niu.coordinates(reads ? own : other), 0x1'0000 * (i + 5));
        niu.store(first + offset::packet_tag, tag);
        niu.store(first + offset::ctrl, control);
        niu.store(first + offset::at_len_be, length);
        return niu.niu.store(first + cmd_ctrl(), 1, {}, 0);
    }
    Packet packet(Packet::Kind kind) const {
        Packet one;
        one.kind = kind;
        one.noc = static_cast<std::uint8_t>(noc());
        one.source = other;
        one.to = own;
        return one;
    }
    /// A request of that transaction comes to its end.
    void finish(unsigned transaction) {
        EXPECT_EQ(ask(0, acknowledged, 64, transaction << noc::tag::transaction).wrong.why, "");
        niu.act();
        Packet ack = packet(Packet::Kind::write_ack);
        ack.transaction = static_cast<std::uint8_t>(transaction);
        niu.niu.arrive({1000, ack});
        niu.act();
    }
};

}  // namespace tessera::test
