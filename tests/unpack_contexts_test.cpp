// SPDX-License-Identifier: Apache-2.0
// UNPACR's contexts and their counter, by hand from UNPACR_Regular.
#include "support/unpacker_test.hpp"

namespace tessera::test {
namespace {

using namespace unpacr;
using testing::Contains;
using testing::ElementsAre;

class Contexts : public UnpackerTest {
protected:
    // Each of the eight contexts has a tile 32 bytes further than the one before.
    Contexts() {
        for (unsigned c = 0; c < 8; ++c) {
            const std::string number = std::to_string(c);
            set("REG2_Disable_zero_compress_cntx" + number, 1);
            if (c) set(fmt::format("REG{}_Base_cntx{}_address", c < 4 ? 3 : 4, c), tile / 16 - 1 + 2 * c);
            if (c < 4) set("REG5_Tile_x_dim_cntx" + number, 256);
            if (c < 4) set("REG5_Dest_cntx" + number + "_address", 64);
        }
        last(15);
    }
    std::uint32_t context_of(std::uint32_t bits) {
        run(multi_context | bits);
        return src(0, 0) / 16;
    }
};

TEST_P(Contexts, EachHasItsTile) {
    for (std::uint32_t c = 0; c < 8; ++c) EXPECT_EQ(context_of(c << 10), c);
}

TEST_P(Contexts, TheCounterGoesThroughThem) {
    set("REG2_Context_count", 2);
    std::vector<std::uint32_t> seen(6);
    for (auto& c : seen) c = context_of(use_counter | 5u << 10);
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 0, 1));
}

// spec-notes A25
TEST_P(Contexts, TheOffsetLeaksIntoTheCounter) {
    set("REG2_Context_count", 3);
    set_field(state(), "UNPACK_MISC_CFG_CfgContextOffset_0", 2);
    EXPECT_EQ(context_of(use_counter), 2u);
    EXPECT_EQ(counter(), 3u);
    EXPECT_EQ(context_of(use_counter), 5u);
    EXPECT_EQ(counter(), 6u);
    EXPECT_EQ(context_of(use_counter), 0u);
    EXPECT_EQ(counter(), 1u);
}

TEST_P(Contexts, AnotherNumberOfThemOnBlackhole) {
    set("REG2_Context_count", 3);
    set("REG2_Context_count_non_log2", 3);
    set("REG2_Context_count_non_log2_en", 1);
    std::vector<std::uint32_t> seen(5);
    for (auto& c : seen) c = context_of(use_counter);
    EXPECT_EQ(seen,
              (blackhole() ? std::vector<std::uint32_t>{0, 1, 2, 0, 1} : std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
    if (blackhole()) {
        EXPECT_THAT(step_.findings, Contains("unpack.context-count-non-log2"));
    }
}

TEST_P(Contexts, TheCountingFormMovesNothing) {
    set("REG2_Context_count", 1);
    set_field(state(), "UNPACK_MISC_CFG_CfgContextOffset_0", 2);
    run(counts);
    EXPECT_EQ(counter(), 1u);
    run(counts);
    EXPECT_EQ(counter(), 0u);
    EXPECT_EQ(src(0, 0), untouched);
    EXPECT_EQ(counter(1), 0u);
}

// spec-notes A27: AddrCntContextId 0 is T0's X and Y, whichever thread issues; Z stays the issuing thread's.
TEST_P(Contexts, CountersAreThoseOfTheThreadNamed) {
    const auto of_t1 = [&](unsigned channel, Adc counter, std::uint32_t value) {
        state().write(state::cells::adc(1, AdcUnit::unpacker0, channel, counter), value);
    };
    set("REG0_TileDescriptor_ZDim", 2);
    of_t1(1, Adc::x, 3);
    of_t1(0, Adc::z, 1);
    step_.execute(regular | multi_context, 1);
    EXPECT_EQ(step_.fault, "");
    EXPECT_EQ(src(0, 0), 256u) << "the tile's second plane";
    EXPECT_EQ(src(0, 15), 256u + 15) << "16 datums, as T0 has it, not four";
}

// spec-notes A26
TEST_P(Contexts, CfgContextCntIncCountsWithoutUse) {
    set("REG2_Context_count", 3);
    set_field(state(), "UNPACK_MISC_CFG_CfgContextCntInc_0", 1);
    EXPECT_EQ(context_of(4u << 10), 4u);
    EXPECT_EQ(counter(), 5u);
    EXPECT_THAT(step_.findings, Contains("unpack.context-count-inc"));
    run();
    EXPECT_EQ(counter(), 5u);
}

TEST_P(Contexts, HaveFormatsOfTheirOwn) {
    set("REG2_Ovrd_data_format", 1);
    set("REG7_Unpack_data_format_cntx3", static_cast<std::uint32_t>(F::UInt16));
    set("REG7_Unpack_out_data_format_cntx3", static_cast<std::uint32_t>(F::UInt16));
    set("REG0_TileDescriptor_InDataFormat", static_cast<std::uint32_t>(F::Lf8));
    EXPECT_EQ(context_of(3u << 10), 3u);
}

TEST_P(Contexts, BlobsOfContexts) {
    set("REG0_TileDescriptor_BlobsPerXYPlane", 3);
    set("REG5_Tile_x_dim_cntx2", 256);
    set("REG2_Disable_zero_compress_cntx2", 1);
    set("REG3_Base_cntx2_address", tile / 16 - 1);
    set("REG5_Dest_cntx2_address", 64);
    set_field(state(), "UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start", 0x42);
    set_field(state(), "UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start", 0x97);
    run(row_search | multi_context | 2u << 10);
    EXPECT_EQ(src(0, 0), 7u * 16);
    EXPECT_EQ(src(2, 0), untouched);
}

INSTANTIATE_TEST_SUITE_P(Archs, Contexts, testing::ValuesIn(all_archs), arch_name);

}  // namespace
}  // namespace tessera::test
