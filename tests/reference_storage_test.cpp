// SPDX-License-Identifier: Apache-2.0
// The stored order of register files has two statements, formats/layouts.hpp and reference/storage.hpp. They agree on each value, and with
// values that were worked out by hand from docs/internals/layout.md.
#include <gtest/gtest.h>

#include "reference/storage.hpp"
#include "state/inventory.hpp"

namespace tessera {
namespace {

using state::Src;
using state::Storage;

TEST(ReferenceStorage, IsTheInventorysForEachSourceDatum) {
    state::State state(Arch::blackhole);
    for (std::uint32_t stored = 0; stored < 1u << 19; ++stored) {
        const unsigned row = stored % 64, column = stored / 64 % 16;
        const Src which = stored & 1 ? Src::a : Src::b;
        const auto storage = which == Src::a ? Storage::src_a : Storage::src_b;
        reference::write_src(state, which, 1, row, column, stored);
        ASSERT_EQ(state::read(state, storage, (64 + row) * 16 + column), stored);
        state::write(state, storage, row * 16 + column, stored);
        ASSERT_EQ(reference::read_src(state, which, 0, row, column), stored);
        ASSERT_EQ(state.bank(which, 0).datums[row * 16 + column], state.bank(which, 1).datums[row * 16 + column]);
    }
    EXPECT_EQ(state.bank(Src::a, 1).written, state.bank(Src::a, 0).written);
}

TEST(ReferenceStorage, IsTheInventorysForEachDatumOfDst) {
    state::State state(Arch::blackhole);
    for (std::uint32_t stored = 0; stored < 1u << 16; ++stored) {
        const unsigned row = stored % 512, column = stored / 512 % 16;
        reference::write_dst(state.dst, row, column, stored);
        ASSERT_EQ(state::read(state, Storage::dst, row * 16 + column), stored);
        state::write(state, Storage::dst, (512 + row) * 16 + column, stored);
        ASSERT_EQ(reference::read_dst(state.dst, 512 + row, column), stored);
        ASSERT_TRUE(state.dst.written[row]);
    }
}

// 1.5 is sign 0, exponent 127, mantissa 0.5; -3 is sign 1, exponent 128, mantissa 0.5.
TEST(ReferenceStorage, OfNumbersByHand) {
    state::State state(Arch::wormhole);
    reference::write_src(state, Src::a, 0, 3, 5, 0x2007F);
    EXPECT_EQ(state.bank(Src::a, 0).datums[3 * 16 + 5], 0x3FC0'0000u);
    reference::write_src(state, Src::b, 1, 3, 5, 0x60080);
    EXPECT_EQ(state.bank(Src::b, 1).datums[3 * 16 + 5], 0xC040'0000u);
    EXPECT_EQ(state.bank(Src::b, 1).written, 8u);
    reference::write_dst(state.dst, 7, 1, 0x407F);
    EXPECT_EQ(state.dst.datums[7 * 16 + 1], 0x3FC0u);
    reference::write_dst(state.dst, 7, 2, 0xC080);
    EXPECT_EQ(state.dst.datums[7 * 16 + 2], 0xC040u);
}

}  // namespace
}  // namespace tessera
