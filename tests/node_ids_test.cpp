// SPDX-License-Identifier: Apache-2.0
// NOC_NODE_ID of tiles that are no Tensix tiles. Values are those of the vendor's simulator at the addresses of tt-umd.
#include "host/node_ids.hpp"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

using host::node_id_at;

TEST(NodeIds, AreThoseThatHostsRead) {
    const noc::Layout &blackhole = noc::layout(Arch::blackhole), &wormhole = noc::layout(Arch::wormhole);
    EXPECT_EQ(node_id_at(blackhole, {1, 1}, 0xFFB2'0044), 0x1061'1041u);
    EXPECT_EQ(node_id_at(blackhole, {2, 0}, 0xFFFF'FFFF'FF00'0044), 0x1061'1002u);
    EXPECT_EQ(node_id_at(blackhole, {0, 3}, 0x100'FFB2'0044), 0x1061'10C0u);
    EXPECT_EQ(node_id_at(wormhole, {1, 0}, 0xFFB2'002C), 0x1060'A001u);
    EXPECT_EQ(node_id_at(wormhole, {0, 0}, 0x1'0008'002C), 0x1060'A000u);
    EXPECT_EQ(node_id_at(wormhole, {5, 5}, 0x1'0009'002C), 0x1060'A145u);
    EXPECT_EQ(node_id_at(wormhole, {0, 10}, 0xF'FFB2'002C), 0x1060'A280u);
}

TEST(NodeIds, AreNowhereElse) {
    const noc::Layout &blackhole = noc::layout(Arch::blackhole), &wormhole = noc::layout(Arch::wormhole);
    EXPECT_FALSE(node_id_at(blackhole, {1, 2}, 0xFFB2'0044)) << "a Tensix tile has all registers of its own";
    EXPECT_FALSE(node_id_at(blackhole, {1, 1}, 0xFFB2'002C));
    EXPECT_FALSE(node_id_at(blackhole, {1, 1}, 0xFFB2'0048));
    EXPECT_FALSE(node_id_at(wormhole, {0, 0}, 0x1'000B'002C));
    EXPECT_FALSE(node_id_at(wormhole, {1, 0}, 0x1'0009'002C));
    EXPECT_EQ(node_id_at(wormhole, {1, 0}, 0xFFB3'002C), wormhole.node_id({1, 0}, 1));
}

}  // namespace
}  // namespace tessera::test
