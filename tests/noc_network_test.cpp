// SPDX-License-Identifier: Apache-2.0
// Packets on links: when they arrive, and that those of one source stay in order, whatever holds them up.
#include "noc/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "tessera/timing.hpp"

namespace {

using namespace tessera;
using noc::Cycle;
using noc::Place;

class NocNetwork : public testing::TestWithParam<Arch> {
protected:
    const noc::Layout& layout = noc::layout(GetParam());
    const noc::Costs& costs = noc::costs(GetParam(), Timing::silicon);
    std::optional<noc::Network> network{std::in_place, layout, costs};

    void send(Place from, Place to, std::uint32_t sequence, std::uint32_t flits, std::uint32_t pauses, Cycle at) {
        noc::Packet packet;
        packet.kind = noc::Packet::Kind::write;
        packet.source = from;
        packet.to = to;
        packet.length = (flits - 1) * layout.flit_bytes;
        packet.pauses = pauses;
        packet.sequence = sequence;
        network->send(std::move(packet), at);
    }
    /// When the last flits of a source's packets arrive, by sequence.
    std::map<std::uint32_t, Cycle> arrivals(Place source) {
        std::map<std::uint32_t, Cycle> all;
        network->pass_to(noc::never, [&](Place, noc::Arrival arrival, Cycle) {
            if (arrival.packet.source == source) all[arrival.packet.sequence] = arrival.at;
            return noc::never;
        });
        return all;
    }
};

TEST_P(NocNetwork, PausesAreFilledWhileAPacketWaits) {
    const Place from{1, 2}, across{2, 2}, to{4, 2};
    send(from, to, 1, 4, 50, 100);
    const Cycle alone = arrivals(from)[1];
    network.emplace(layout, costs);
    // Another flow has the link for 30 cycles longer.
    send(across, to, 1, 100, 0, 100 + costs.hop - 70);
    send(from, to, 1, 4, 50, 100);
    EXPECT_EQ(arrivals(from)[1], alone);
}

// The source sends the next packet when the last flit of the one before has gone.
TEST_P(NocNetwork, PacketsOfASourceArriveInTheirOrder) {
    std::mt19937 random(7);
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    const Place from{1, 2}, to{4, 4};
    for (unsigned round = 0; round < 200; ++round) {
        network.emplace(layout, costs);
        Cycle at = 1000;
        for (std::uint32_t i = 0; i < 12; ++i) {
            const std::uint32_t flits = 1 + below(60), pauses = below(2) ? below(80) : 0;
            send(from, to, i, flits, pauses, at);
            at += flits + pauses;
        }
        for (std::uint32_t i = 0; i < 20; ++i) send({2, 2}, to, i, 1 + below(60), 0, 1000 + below(600));
        Cycle before = 0;
        for (const auto& [sequence, arrived] : arrivals(from)) {
            EXPECT_GT(arrived, before) << "round " << round << ", packet " << sequence;
            before = arrived;
        }
    }
}

class NocJourneys : public NocNetwork {
protected:
    struct Came {
        Place to;
        Cycle at = 0, sent = 0;
        std::uint32_t sequence = 0;
    };
    noc::Packet packet(unsigned noc, Place from, Place to) const {
        noc::Packet one;
        one.kind = noc::Packet::Kind::write;
        one.noc = static_cast<std::uint8_t>(noc);
        one.source = from;
        one.to = to;
        return one;
    }
    /// Deliveries before `until`, in their order.
    std::vector<Came> pass_to(Cycle until) {
        std::vector<Came> all;
        network->pass_to(until, [&](Place to, noc::Arrival arrival, Cycle sent) {
            EXPECT_EQ(arrival.packet.to, to);
            all.push_back({to, arrival.at, sent, arrival.packet.sequence});
            return noc::never;
        });
        return all;
    }
    /// CHIP_FACTS 5.1: NoC 0 leads right and down, NoC 1 left and up; edges are joined.
    unsigned hops(unsigned noc, Place from, Place to) const {
        const unsigned width = layout.width, height = layout.height;
        if (noc == 1) std::swap(from, to);
        return (to.x + width - from.x) % width + (to.y + height - from.y) % height;
    }
    std::vector<Cycle> bounds() const {
        std::vector<Cycle> all(layout.tiles(), noc::never);
        network->bound(all);
        return all;
    }
    Place any_place() { return layout.place(static_cast<unsigned>(random() % layout.tiles())); }

    static constexpr Cycle hop = 9, from_router = 5;
    std::mt19937 random{5};
};

TEST_P(NocJourneys, APacketTakesNineCyclesAHopAndOneAFlit) {
    for (unsigned i = 0; i < 300; ++i)
        for (const unsigned noc : {0u, 1u}) {
            network.emplace(layout, costs);
            const Place from = any_place(), to = i ? any_place() : from;
            noc::Packet one = packet(noc, from, to);
            one.length = 3 * layout.flit_bytes;  // and a header
            one.pauses = i % 3;
            network->send(one, 1000);
            const Cycle first = 1000 + hop * hops(noc, from, to) + from_router;
            EXPECT_EQ(network->next_time(), 1000u);
            auto expected = std::vector<Cycle>(layout.tiles(), noc::never);
            expected[layout.index(to)] = first + 3;
            EXPECT_EQ(bounds(), expected);
            const auto came = pass_to(noc::never);
            ASSERT_EQ(came.size(), 1u);
            EXPECT_EQ(came[0].to, to);
            EXPECT_EQ(came[0].at, first + 3 + i % 3);
            EXPECT_EQ(came[0].sent, 1000u);
            EXPECT_EQ(network->next_time(), noc::never);
        }
}

// NoC/RoutingPaths: each tile is reached in the direction of the NoC's flow, whichever axis is the major one.
TEST_P(NocJourneys, ABroadcastReachesEachTileOfItsRectangleOnce) {
    for (unsigned i = 0; i < 300; ++i)
        for (const unsigned noc : {0u, 1u})
            for (const bool y_major : {false, true}) {
                network.emplace(layout, costs);
                const Place from = any_place(), first = any_place(), last = i % 4 ? any_place() : first;
                noc::Packet one = packet(noc, from, last);
                one.broadcast = true;
                one.rectangle = {first, last, y_major, i % 2 == 0, 0};
                network->send(one, 1000);
                std::map<Place, Cycle> expected;
                auto bounded = std::vector<Cycle>(layout.tiles(), noc::never);
                const Place begin = noc ? last : first, end = noc ? first : last;
                for (unsigned x = 0; x <= (end.x + unsigned{layout.width} - begin.x) % layout.width; ++x)
                    for (unsigned y = 0; y <= (end.y + unsigned{layout.height} - begin.y) % layout.height; ++y) {
                        const Place at{static_cast<std::uint8_t>((begin.x + x) % layout.width),
                                       static_cast<std::uint8_t>((begin.y + y) % layout.height)};
                        const Cycle arrives = 1000 + hop * hops(noc, from, at) + from_router + 1;  // a header and a flit
                        bounded[layout.index(at)] = arrives;
                        if (at != from || i % 2 == 0) expected[at] = arrives;
                    }
                EXPECT_EQ(bounds(), bounded);
                const auto came = pass_to(noc::never);
                ASSERT_EQ(came.size(), expected.size());
                for (const Came& each : came) {
                    EXPECT_EQ(each.at, expected[each.to]);
                    EXPECT_EQ(each.sent, 1000u);
                }
            }
}

// Also of packets between two routers.
TEST_P(NocJourneys, NoPacketArrivesBeforeItsBound) {
    for (unsigned round = 0; round < 100; ++round) {
        network.emplace(layout, costs);
        for (std::uint32_t i = 0; i < 20; ++i) {
            noc::Packet one = packet(i % 2, any_place(), any_place());
            one.sequence = i;
            one.length = static_cast<std::uint32_t>(random() % 20) * layout.flit_bytes;
            if (i % 5 == 0) {
                one.broadcast = true;
                one.rectangle = {any_place(), any_place(), i % 3 == 0, true, 0};
            }
            network->send(one, 1000 + random() % 50);
        }
        pass_to(1000 + random() % 200);
        const auto all = bounds();
        for (const Came& each : pass_to(noc::never)) EXPECT_GE(each.at, all[layout.index(each.to)]);
    }
}

TEST_P(NocJourneys, ABoundThatIsSoonerStays) {
    network->send(packet(0, {1, 2}, {1, 2}), 1000);
    std::vector<Cycle> all(layout.tiles(), 500);
    network->bound(all);
    EXPECT_EQ(all, std::vector<Cycle>(layout.tiles(), 500));
}

TEST_P(NocJourneys, PacketsOfOneCycleMoveByNocSourceAndNumber) {
    std::vector<std::tuple<unsigned, Place, std::uint32_t>> order;
    for (const unsigned noc : {0u, 1u})
        for (const Place from : {Place{1, 9}, Place{2, 3}, Place{2, 4}})
            for (const std::uint32_t sequence : {4u, 5u, 6u}) order.emplace_back(noc, from, sequence);
    const auto wanted = order;
    for (unsigned round = 0; round < 20; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        network.emplace(layout, costs);
        for (const auto& [noc, from, sequence] : order) {
            noc::Packet one = packet(noc, from, from);
            one.sequence = sequence;
            network->send(one, 1000);
        }
        std::vector<std::tuple<unsigned, Place, std::uint32_t>> moved;
        network->pass_to(noc::never, [&](Place to, const noc::Arrival& arrival, Cycle) {
            moved.emplace_back(arrival.packet.noc, to, arrival.packet.sequence);
            return noc::never;
        });
        EXPECT_EQ(moved, wanted);
    }
}

// A packet that has come to its end may cause another one, which goes before those that are later.
TEST_P(NocJourneys, NothingMovesInOrBehindTheCycleToWhichItMayGo) {
    const Place here{1, 2};
    for (const std::uint32_t i : {0u, 1u, 2u}) {
        noc::Packet one = packet(0, here, here);
        one.sequence = i;
        network->send(one, 1000 + 100 * i);
    }
    EXPECT_TRUE(pass_to(1000).empty());
    EXPECT_EQ(network->first_sent(), 1000u);
    EXPECT_EQ(pass_to(1001).size(), 1u);
    EXPECT_EQ(network->first_sent(), 1100u);
    EXPECT_EQ(network->next_time(), 1100u);
    unsigned came = 0;
    network->pass_to(noc::never, [&](Place, const noc::Arrival&, Cycle) { return ++came, 1200; });
    EXPECT_EQ(came, 1u);
    EXPECT_EQ(network->next_time(), 1200u);
    EXPECT_EQ(pass_to(noc::never).size(), 1u);
    EXPECT_EQ(network->first_sent(), noc::never);
}

TEST_P(NocJourneys, TheFirstPacketThatWasSentMayBeTheLastOnItsWay) {
    network->send(packet(0, {1, 2}, {1, 1}), 900);  // the longest way
    network->send(packet(0, {1, 2}, {2, 2}), 950);
    pass_to(960);
    EXPECT_EQ(network->first_sent(), 900u);
}

// Packets of both NoCs, and those to other sides, have links of their own.
TEST_P(NocJourneys, OnlyPacketsThatWantOneLinkFollowEachOther) {
    const Place here{3, 4};
    const auto arrival = [&](unsigned noc, Place to) {
        network.emplace(layout, costs);
        noc::Packet first = packet(0, here, {5, 4});
        first.length = 19 * layout.flit_bytes;
        network->send(first, 1000);
        noc::Packet second = packet(noc, here, to);
        second.sequence = 1;
        network->send(second, 1000);
        for (const Came& each : pass_to(noc::never))
            if (each.sequence == 1) return each.at - hop * hops(noc, here, to);
        return Cycle{0};
    };
    constexpr Cycle alone = 1000 + from_router + 1;
    EXPECT_EQ(arrival(0, {4, 4}), alone + 20);
    EXPECT_EQ(arrival(0, {4, 6}), alone + 20);
    EXPECT_EQ(arrival(0, {3, 6}), alone);
    EXPECT_EQ(arrival(0, here), alone);
    EXPECT_EQ(arrival(1, {4, 4}), alone);
}

TEST_P(NocJourneys, WithoutCyclesPacketsArriveWhenTheyAreSent) {
    network.emplace(layout, noc::costs(GetParam(), Timing::functional));
    for (const std::uint32_t i : {0u, 1u}) {
        noc::Packet one = packet(0, {1, 2}, {4, 7});
        one.sequence = i;
        one.length = 64 * layout.flit_bytes;
        network->send(one, 1000);
    }
    EXPECT_EQ(bounds()[layout.index({4, 7})], 1000u);
    for (const Came& each : pass_to(noc::never)) EXPECT_EQ(each.at, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Chips, NocNetwork, testing::ValuesIn(all_archs), [](const auto& chip) { return std::string(name(chip.param)); });
INSTANTIATE_TEST_SUITE_P(Chips, NocJourneys, testing::ValuesIn(all_archs), [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
