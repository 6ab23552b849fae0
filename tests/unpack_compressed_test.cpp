// SPDX-License-Identifier: Apache-2.0
// UNPACR of compressed tiles, by hand from UNPACR_Regular and the page on compression.
#include "support/unpacker_test.hpp"

namespace tessera::test {
namespace {

using namespace unpacr;
using testing::Contains;
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
class RowStarts : public CompressedTiles {
protected:
    std::uint32_t datums_of_row_0(std::uint32_t bits = 0) {
        step_.findings.clear();
        for (unsigned i = 0; i < 64; ++i) state::write(state(), state::Storage::src_a, i, untouched);
        run(bits);
        unsigned n = 0;
        while (n < 64 && src(n / 16, n % 16) != untouched) ++n;
        return n;
    }
    std::uint32_t cached_line(unsigned entry, unsigned u = 0) {
        return state()[state::cells::row_cache(u, entry, state::RowCache::line)];
    }
};

TEST_P(RowStarts, StayAsTheyWereReadUntilTheyAreFlushed) {
    EXPECT_EQ(datums_of_row_0(), 6u);
    EXPECT_THAT(step_.findings, testing::IsEmpty());
    word(1, 1);  // the second row begins with the second datum now
    EXPECT_EQ(datums_of_row_0(), 6u);
    EXPECT_THAT(step_.findings, ElementsAre("unpack.stale-row-starts"));
    EXPECT_EQ(datums_of_row_0(flush | to_src_b), 0u);  // forgets, and moves nothing
    EXPECT_EQ(datums_of_row_0(), 6u);
    run(flush);
    EXPECT_EQ(datums_of_row_0(), 3u);
    EXPECT_THAT(step_.findings, testing::IsEmpty());
}

TEST_P(RowStarts, ComeALineAtATime) {
    EXPECT_EQ(datums_of_row_0(), 6u);
    word(1, 1);
    adc(0, Adc::y, 7);  // row starts 7 and 8, the second of the next line
    word(7, 3);
    word(8, 9);
    run();
    EXPECT_THAT(step_.findings, ElementsAre("unpack.stale-row-starts"));  // number 7 was 7
    EXPECT_EQ(cached_line(0), tile / 16 + 2);
    adc(0, Adc::y, 0);
    EXPECT_EQ(datums_of_row_0(), 3u);
    EXPECT_THAT(step_.findings, testing::IsEmpty());
    EXPECT_EQ(cached_line(0), tile / 16 + 1);
}

TEST_P(RowStarts, OfOneThreadAreNotAnothers) {
    run();
    for (unsigned entry = 1; entry < 4; ++entry) EXPECT_EQ(cached_line(entry), 0u);
    state().write(state::cells::adc(2, AdcUnit::unpacker0, 1, Adc::x), 15);
    step_.execute(regular, 2);
    EXPECT_EQ(cached_line(2), tile / 16 + 1);
    EXPECT_EQ(cached_line(3), 0u);
    EXPECT_EQ(cached_line(0, 1), 0u);
    word(1, 1);
    run(flush);
    EXPECT_EQ(cached_line(0), 0u);
    EXPECT_EQ(cached_line(2), tile / 16 + 1);
    EXPECT_EQ(datums_of_row_0(), 3u);
    step_.execute(regular, 2);
    EXPECT_THAT(step_.findings, Contains("unpack.stale-row-starts"));
}

TEST_P(RowStarts, OfContextsShareFourCaches) {
    for (unsigned context : {1, 3, 5, 6}) {
        const std::string number = std::to_string(context);
        set("REG2_Disable_zero_compress_cntx" + number, 0);
        set(fmt::format("REG{}_Base_cntx{}_address", context < 4 ? 3 : 4, context), tile / 16 - 1 + 0x10 * context);
        run(multi_context | context << 10);
        EXPECT_EQ(cached_line(context % 4), tile / 16 + 1 + 0x10 * context) << context;
    }
    EXPECT_EQ(cached_line(0), 0u);
    run(flush);
    EXPECT_EQ(cached_line(1), tile / 16 + 1 + 0x50);
    run(flush | multi_context);
    for (unsigned entry = 0; entry < 4; ++entry) EXPECT_EQ(cached_line(entry), 0u);
}

TEST_P(RowStarts, AreReadFromL1OnlyWhenTheyAreNotKept) {
    const auto reads_row_starts = [&] {
        for (const auto& access : plan::footprint(resolve()).accesses)
            if (access.storage == state::Storage::l1 && !access.write && access.first == tile) return true;
        return false;
    };
    EXPECT_TRUE(reads_row_starts());
    run();
    EXPECT_FALSE(reads_row_starts());
}

INSTANTIATE_TEST_SUITE_P(Archs, RowStarts, testing::ValuesIn(all_archs), arch_name);

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
