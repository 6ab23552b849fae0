// SPDX-License-Identifier: Apache-2.0
// Packets on links: those of one source stay in order, whatever holds them up.
#include "noc/network.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>

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

INSTANTIATE_TEST_SUITE_P(Chips, NocNetwork, testing::ValuesIn(all_archs), [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
