// SPDX-License-Identifier: Apache-2.0
// UNPACR's modes, by hand from UNPACR_Regular: the destination of each datum of L1.
#include <cstring>

#include "support/explained.hpp"
#include "support/unpacker_test.hpp"

namespace tessera::test {
namespace {

using namespace unpacr;
using testing::Contains;
using testing::ElementsAre;

class UnpackModes : public UnpackerTest {};

TEST_P(UnpackModes, TranspositionSwapsRowsAndColumnsOfABlock) {
    set("REG2_Haloize_mode", 1);
    last(511);
    run();
    EXPECT_EQ(src(0, 5), 5u * 16);
    EXPECT_EQ(src(7, 0), 7u);
    EXPECT_EQ(src(15, 15), 255u);
    EXPECT_EQ(src(16 + 2, 3), 256u + 3 * 16 + 2);
}

TEST_P(UnpackModes, ColumnShiftDropsWhatFallsOff) {
    set("REG2_Shift_amount_cntx0", 3);
    last(31);
    run();
    EXPECT_EQ(src(0, 0), 3u);
    EXPECT_EQ(src(0, 12), 15u);
    EXPECT_EQ(src(0, 13), untouched);
    EXPECT_EQ(src(1, 0), 19u);
}

// spec-notes A1: 1, 3 and 7 positions.
TEST_P(UnpackModes, UpsamplingLeavesGaps) {
    last(7);
    for (unsigned rate = 1; rate <= 3; ++rate)
        for (unsigned interleave = 0; interleave < 2; ++interleave) {
            for (unsigned i = 0; i < 1024; ++i) state::write(state(), state::Storage::src_a, i, untouched);
            set("REG2_Upsample_rate", rate);
            set("REG2_Upsample_and_interleave", interleave);
            run();
            const unsigned pace = 1u << rate;
            for (unsigned i = 0; i < 8 * pace; ++i) {
                const std::uint32_t gap = interleave ? untouched : 0;
                EXPECT_EQ(src(i / 16, i % 16), i % pace ? gap : i / pace) << rate << " " << i;
            }
            EXPECT_EQ(src(8 * pace / 16, 8 * pace % 16), untouched);
        }
}

// spec-notes A7: rows of 32 datums of 16 bits on Blackhole.
TEST_P(UnpackModes, TilizeReadsRowsThatAreApart) {
    set("REG2_Tileize_mode", 1);
    set("REG2_Shift_amount_cntx0", 8);  // 0x1480 bytes: four bits each
    set("REG2_Shift_amount_cntx1", 4);
    set("REG2_Shift_amount_cntx2", 1);
    last(63);
    run();
    const unsigned width = blackhole() ? 32 : 16;
    for (unsigned i : {0u, 15u, 16u, 31u, 32u, 63u})
        EXPECT_EQ(src(i / 16, i % 16), i / width * (0x1480 / 2) + i % width) << i;
}

TEST_P(UnpackModes, TilizeWorksForSrcBWithItsOwnStride) {
    set("REG2_Tileize_mode", 1, 1);
    set("REG2_Shift_amount_cntx0", 2, 0);
    set("REG2_Shift_amount_cntx0", 6, 1);
    last(33);
    run(to_src_b);
    EXPECT_EQ(src(2, 1, 1), blackhole() ? 0x60u / 2 + 1 : 2 * 0x60u / 2 + 1);
}

constexpr std::uint32_t ch0_z = 1u << 15, ch0_y = 1u << 17, ch1_y = 1u << 21;

// Seed unpack-data-path, 5.3: rows of 16 out of rows of 64, one at a time; here of the second face.
TEST_P(UnpackModes, TilizeRowByRow) {
    set("REG0_TileDescriptor_XDim", 64);
    set("REG0_TileDescriptor_YDim", 16);
    set_field(state(), "UNP0_ADDR_CTRL_XY_REG_1_Ystride", 32);
    adc(0, Adc::x, 16);
    last(31);
    for (unsigned i = 0; i < 16; ++i) run(ch0_y | ch1_y);
    for (unsigned r : {0u, 1u, 15u}) EXPECT_EQ(src(r, 3), r * 64 + 16 + 3);
    EXPECT_EQ(src(16, 0), untouched);
}

// Seed unpack-data-path, 6: the same row of two faces becomes two rows that follow each other.
TEST_P(UnpackModes, Untilize) {
    set("REG0_TileDescriptor_XDim", 16);
    set("REG0_TileDescriptor_YDim", 16);
    set("REG0_TileDescriptor_ZDim", 4);
    set_field(state(), "UNP0_ADDR_CTRL_XY_REG_1_Ystride", 32);
    last(15);
    for (unsigned r = 0; r < 2; ++r) {
        adc(0, Adc::y, r);
        adc(0, Adc::z, 0);
        for (unsigned face = 0; face < 2; ++face) run(ch0_z | ch1_y);
    }
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(src(i, 5), i % 2 * 256 + i / 2 * 16 + 5) << i;
}

// The address is compared at the end of each row, and must be beyond the limit.
TEST_P(UnpackModes, CircularBuffersWrapAtTheEndOfARow) {
    set("REG2_Unpack_limit_address", tile / 16 + 1);
    set("REG2_Unpack_fifo_size", 2);
    last(63);
    run();
    if (blackhole()) {
        EXPECT_EQ(src(1, 15), 31u);
        EXPECT_EQ(src(2, 0), 16u);
    } else {
        EXPECT_EQ(src(0, 15), 15u);
        EXPECT_EQ(src(1, 0), 0u);
        EXPECT_EQ(src(3, 15), 15u);
    }
    set("REG2_Unpack_limit_address", tile / 16 + 4);  // the end of a row
    run();
    EXPECT_EQ(src(2, 0), 32u);
}

// Four planes of a row: the last one begins beyond the limit and so is that of 64 bytes before it, the second one.
TEST_P(UnpackModes, CircularBuffersWrapInALoop) {
    const std::string text = std::string(face_to_src_a) + R"(
.cfg THCON_SEC0_REG0_TileDescriptor_XDim = 16
.cfg THCON_SEC0_REG0_TileDescriptor_ZDim = 4
.cfg THCON_SEC0_REG2_Unpack_limit_address = 0x10060 / 16
.cfg THCON_SEC0_REG2_Unpack_fifo_size = 4
SETADCXX unpackers=A x1=15 x0=0
.repeat 20
NOP
.end
.repeat 4
UNPACR
INCADCZW unpackers=A Ch0_X=1
.end
)";
    Core core(GetParam());
    for (unsigned plane = 0; plane < 4; ++plane)
        for (unsigned i = 0; i < 16; ++i) {
            const std::uint16_t bf16 = static_cast<std::uint16_t>(0x3F80 + plane);
            std::memcpy(&core.l1()[0x10010 + 32 * plane + 2 * i], &bf16, sizeof bf16);
        }
    const auto run = core.run(assemble(text, GetParam()).value());
    EXPECT_FALSE(run->fault);
    EXPECT_EQ(core.src_a()[0][0], 0x3F810000u);
}

TEST_P(UnpackModes, ZerosNeedNothingOfL1) {
    last(31);
    run(zeros);
    EXPECT_THAT(row(1, 16), testing::Each(0u));
    EXPECT_EQ(src(2, 0), untouched);
    for (const auto& access : plan::footprint(resolve(zeros)).accesses) EXPECT_NE(access.storage, state::Storage::l1);
}

TEST_P(UnpackModes, RowSearchReadsFromTheBeginningOfARow) {
    adc(0, Adc::x, 9);
    set("REG0_TileDescriptor_YDim", 4);
    adc(0, Adc::y, 2);
    last(4);
    run(row_search);  // four datums: X is the end, not the last
    EXPECT_THAT(row(0, 5), ElementsAre(512, 513, 514, 515, untouched));
}

TEST_P(UnpackModes, RowSearchAmongBlobs) {
    set("REG0_TileDescriptor_BlobsPerXYPlane", 3);
    set("REG0_TileDescriptor_BlobsYStart_lo", 0xF631);
    adc(0, Adc::y, 1);  // begins with row 3
    adc(0, Adc::x, 1);  // ends where blob 2 begins, row 6
    run(row_search);
    EXPECT_EQ(src(0, 0), 48u);
    EXPECT_EQ(src(2, 15), 95u);
    EXPECT_EQ(src(3, 0), untouched);
    adc(0, Adc::x, 2);  // the last blob ends with the plane
    run(row_search);
    EXPECT_EQ(src(12, 15), 255u);
    EXPECT_EQ(src(13, 0), untouched);
    adc(0, Adc::x, 7);
    EXPECT_EQ(fault_of(row_search), "unpack.blob-index");
    adc(0, Adc::x, 0);
    adc(0, Adc::y, 3);  // begins behind its end
    EXPECT_EQ(fault_of(row_search), "unpack.count-negative");
}

// spec-notes A57
TEST_P(UnpackModes, Bit5CopiesRowsOfSrcBOnBlackhole) {
    last(15);
    run(to_src_b | broadcast);
    for (unsigned r = 0; r < 8; ++r) EXPECT_EQ(src(r, 5, 1), blackhole() || r == 0 ? 5u : untouched);
    EXPECT_EQ(src(8, 5, 1), untouched);
    EXPECT_THAT(step_.findings, ElementsAre(blackhole() ? "unpack.srcb-broadcast" : "unpack.bit5-ignored"));
    run(broadcast);
    EXPECT_EQ(src(0, 5), 5u);
    EXPECT_EQ(src(1, 5), untouched);
    EXPECT_THAT(step_.findings, Contains("unpack.bit5-ignored"));
}

// Without SetOvrdWithAddr addresses reach 16 rows. Gaps that are filled count.
TEST_P(UnpackModes, RowsBehindTheSixteenthAreTold) {
    const auto told = [&](std::uint32_t datums) {
        last(datums - 1);
        step_.findings.clear();
        run();
        return testing::Value(step_.findings, Contains("unpack.srca-row-16"));
    };
    set_field(state(), "SRCA_SET_SetOvrdWithAddr", 0);
    set("REG2_Upsample_rate", 1);
    EXPECT_FALSE(told(128));
    EXPECT_TRUE(told(129));
    set("REG2_Upsample_rate", 2);
    EXPECT_FALSE(told(64));
    EXPECT_TRUE(told(65));
    set("REG2_Upsample_rate", 0);
    set("REG2_Haloize_mode", 1);
    EXPECT_FALSE(told(256));
    EXPECT_TRUE(told(257));
}

TEST_P(UnpackModes, WhatHasNoResultIsAFault) {
    set("REG2_Tileize_mode", 1);
    set("REG2_Upsample_rate", 1);
    EXPECT_EQ(fault_of(), "unpack.tilize-conflict");
    set("REG2_Upsample_rate", 0);
    set("REG0_TileDescriptor_IsUncompressed", 0);
    EXPECT_EQ(fault_of(), "unpack.tilize-conflict");
    set("REG0_TileDescriptor_IsUncompressed", 1);
    adc(0, Adc::x, 4);
    EXPECT_EQ(fault_of(), "unpack.in-address-misaligned");
    adc(0, Adc::x, 8);
    run();
    adc(0, Adc::x, 4);
    set("REG2_Tileize_mode", 0);
    set("REG2_Haloize_mode", 1);
    EXPECT_EQ(fault_of(), "unpack.in-address-misaligned");
    set("REG2_Haloize_mode", 1, 1);
    run(to_src_b);  // has no transposition
    set("REG2_Haloize_mode", 0);
    set("REG2_Unpack_limit_address", 1);
    set("REG2_Unpack_fifo_size", tile / 16 + 1);
    EXPECT_EQ(fault_of(), "unpack.l1-address");
}

// spec-notes A8
TEST_P(UnpackModes, TilizeOfHalfBytesIsTold) {
    set("REG2_Tileize_mode", 1);
    set("REG2_Shift_amount_cntx0", 4);
    set("REG2_Force_shared_exp", 1);
    for (const char* name : {"REG0_TileDescriptor_InDataFormat", "REG2_Out_data_format"})
        set(name, static_cast<std::uint32_t>(F::Bfp4_b));
    set_field(state(), "UNP0_ADDR_BASE_REG_1_Base", 64);
    run();
    EXPECT_THAT(step_.findings, Contains("unpack.tilize-sub-byte"));
}

// UNPACR_Regular, Performance: bytes per cycle that modes allow, for any throttle mode.
TEST_P(UnpackModes, ModesFixTheRate) {
    set("REG1_ovrd_default_throttle_mode", 1);
    const auto cycles = [&](std::uint32_t throttle) {
        set("REG2_Throttle_mode", throttle);
        return resolve().cost.occupancy;
    };
    set("REG2_Upsample_rate", 1);
    EXPECT_EQ(cycles(2), 512 / 32);
    EXPECT_EQ(cycles(0), 512 / 16);
    set("REG2_Upsample_rate", 2);
    EXPECT_EQ(cycles(2), 512 / 16);
    set("REG2_Upsample_rate", 0);
    set("REG2_Tileize_mode", 1);
    EXPECT_EQ(cycles(0), blackhole() ? 512 / 128 : 512 / 64);
    set("REG2_Tileize_mode", 0);
    set("REG0_TileDescriptor_IsUncompressed", 0);
    for (unsigned i = 0; i < 16; ++i) word(i, 16 * i);
    EXPECT_EQ(cycles(2), (16 * 2 + 8 + 15) / 16);
    EXPECT_GT(resolve().cost.address, 2);
}

TEST_P(UnpackModes, AreExplained) {
    set("REG2_Upsample_rate", 1);
    set("REG2_Shift_amount_cntx0", 3);
    set("REG2_Unpack_fifo_size", 64);
    set("REG2_Unpack_limit_address", 0x200);
    plan::Lines lines;
    explain(std::get<plan::UnpackStreamWork>(resolve().work), lines);
    EXPECT_THAT(lines, ElementsAre(testing::Pair("from", "L1 0x1000, 256 datums of 2 bytes"),
                                   testing::Pair("wraps", "beyond L1 0x2000, back by 0x400 bytes"),
                                   testing::Pair("to", "SrcA bank 0, 256 datums from row 0 column 0"),
                                   testing::Pair("upsampling", "1 zeros after each datum"),
                                   testing::Pair("columns", "moved by 3 to the left, the first 3 dropped")));
}

INSTANTIATE_TEST_SUITE_P(Archs, UnpackModes, testing::ValuesIn(all_archs), arch_name);

}  // namespace
}  // namespace tessera::test
