// SPDX-License-Identifier: Apache-2.0
// UNPACR of compressed tiles, by hand from UNPACR_Regular and the page on compression.
#include "support/unpacker_test.hpp"

namespace tessera::test {
namespace {

using namespace unpacr;
using testing::ElementsAre;

// Compression, In-memory format: row starts in 16 bytes, 32 datums, their run lengths.
class CompressedTiles : public UnpackerTest {
protected:
    CompressedTiles() {
        set("REG0_TileDescriptor_IsUncompressed", 0);
        set("REG0_TileDescriptor_XDim", 16);
        set("REG0_TileDescriptor_YDim", 3);
        unsigned at = 0;
        for (std::uint32_t start : {0u, 3u, 5u, 40u}) word(at++, start);
        for (unsigned group = 0; group < 2; ++group) {
            for (unsigned i = 0; i < 32; ++i) word(8 + group * 40 + i, 100 + group * 32 + i);
            for (unsigned i = 0; i < 8; ++i) word(8 + group * 40 + 32 + i, i ? 0x1111u : 0x1102u);
        }
        last(15);
    }
};

TEST_P(CompressedTiles, ARowIsFoundByItsStartAndHasItsZeros) {
    run();
    EXPECT_THAT(row(0, 8), ElementsAre(100, 0, 0, 101, 102, 0, untouched, untouched));
    adc(0, Adc::y, 1);
    run();
    EXPECT_THAT(row(0, 4), ElementsAre(103, 0, 104, 0));
}

TEST_P(CompressedTiles, RowsGoOnBehindTheRunLengthsOfAGroup) {
    adc(0, Adc::y, 2);
    run();
    // Datums 105 to 131 with a zero each; then 132, with two, stands behind the run lengths.
    EXPECT_EQ(src(52 / 16, 52 % 16), 131u);
    EXPECT_EQ(src(54 / 16, 54 % 16), 132u);
    EXPECT_EQ(src(57 / 16, 57 % 16), 133u);
    EXPECT_EQ(src(58 / 16, 58 % 16), 134u);
}

TEST_P(CompressedTiles, PartOfARowIsCutOutOfItsZeros) {
    adc(0, Adc::x, 2);
    last(4);
    run();
    EXPECT_THAT(row(0, 4), ElementsAre(0, 101, 102, untouched));
}

TEST_P(CompressedTiles, RowSearchTakesTheEndFromX) {
    adc(0, Adc::x, 1);
    run(row_search);  // rows 0 and 1
    EXPECT_THAT(row(0, 11), ElementsAre(100, 0, 0, 101, 102, 0, 103, 0, 104, 0, untouched));
}

TEST_P(CompressedTiles, ZerosCountOncePerDatum) {
    run(zeros);
    EXPECT_THAT(row(0, 4), ElementsAre(0, 0, 0, untouched));
}

// spec-notes A70
TEST_P(CompressedTiles, RowStartsAreReadEachTime) {
    run();
    word(1, 1);
    for (unsigned i = 0; i < 16; ++i) state::write(state(), state::Storage::src_a, i, untouched);
    run(flush);
    EXPECT_EQ(src(0, 0), untouched);
    run();
    EXPECT_THAT(row(0, 4), ElementsAre(100, 0, 0, untouched));
}

TEST_P(CompressedTiles, WhatCannotBeReadIsAFault) {
    word(1, 0);
    word(0, 3);
    EXPECT_EQ(fault_of(), "unpack.count-negative");
    adc(0, Adc::x, 5);
    last(3);
    EXPECT_EQ(fault_of(), "unpack.count-negative");
    set("REG3_Base_address", state().arch().l1_bytes / 16 - 1);
    EXPECT_EQ(fault_of(), "unpack.l1-address");
}

INSTANTIATE_TEST_SUITE_P(Archs, CompressedTiles, testing::ValuesIn(all_archs), arch_name);

}  // namespace
}  // namespace tessera::test
