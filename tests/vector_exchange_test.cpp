// SPDX-License-Identifier: Apache-2.0
// SFPLOAD and SFPSTORE as lane configuration changes them (SFPCONFIG page, LaneConfig; their pages, Functional model).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "formats/layouts.hpp"
#include "support/vector_stepper.hpp"

namespace tessera {
namespace {

using test::Lanes;

constexpr unsigned int32 = 4, bf16 = 2, fp16 = 1, uint16 = 6;
enum Bits : std::uint32_t {
    fp16_inf = 1,
    backdoor_shut = 2,
    dest_index = 4,
    default_index = 8,
    block_write = 0x10,
    block_read = 0x20,
    read_odd = 0x40,
    write_odd = 0x80,
};

class VectorExchange : public test::VectorTest {
protected:
    VectorExchange() {
        // BF16 values that encode row and column.
        for (unsigned row = 0; row < 64; ++row)
            for (unsigned c = 0; c < 16; ++c) datum(row, c) = static_cast<std::uint16_t>(0x4000 | row << 4 | c);
    }
    std::uint16_t& datum(unsigned row, unsigned column) { return step.state.dst.datums[row * 16 + column]; }
    void load(unsigned lreg, unsigned mode, unsigned address) {
        step(fmt::format("SFPLOAD lreg_ind={} instr_mod0={} dest_reg_addr={}", lreg, mode, address));
    }
    void store(unsigned lreg, unsigned mode, unsigned address) {
        step(fmt::format("SFPSTORE lreg_ind={} instr_mod0={} dest_reg_addr={}", lreg, mode, address));
    }
    static std::uint32_t expected(unsigned row, unsigned column) { return (0x4000u | row << 4 | column) << 16; }
};

TEST_P(VectorExchange, TheAddressChoosesRowsAndColumns) {
    for (unsigned address = 0; address < 16; ++address) {
        load(1, bf16, address);
        for (unsigned lane = 0; lane < 32; ++lane)
            EXPECT_EQ(get(1)[lane], expected((address & ~3u) + lane / 8, lane % 8 * 2 + (address >> 1 & 1)));
    }
}

TEST_P(VectorExchange, ColumnsAreExchanged) {
    configure_column(3, read_odd);
    configure_column(4, write_odd);
    load(1, bf16, 4);
    for (unsigned lane = 0; lane < 32; ++lane)
        EXPECT_EQ(get(1)[lane], expected(4 + lane / 8, lane % 8 * 2 + (lane % 8 == 3))) << lane;
    set(2, test::distinct(0));
    store(2, uint16, 8);
    for (unsigned lane = 0; lane < 32; ++lane)
        EXPECT_EQ(formats::dst_to_stored(datum(8 + lane / 8, lane % 8 * 2 + (lane % 8 == 4))), lane);
    EXPECT_EQ(datum(8, 8), 0x4000 | 8 << 4 | 8);
    load(1, bf16, 6);  // an odd address is odd already
    EXPECT_EQ(get(1)[3], expected(4, 7));
}

TEST_P(VectorExchange, BlockedLanes) {
    configure_column(0, block_read);
    configure_column(1, block_write);
    set(1, test::all(77));
    load(1, bf16, 0);
    EXPECT_EQ(get(1)[8], 77u);
    EXPECT_EQ(get(1)[9], expected(1, 2));
    set(2, test::all(5));
    store(2, uint16, 0);
    EXPECT_EQ(formats::dst_to_stored(datum(1, 0)), 5u);
    EXPECT_EQ(datum(1, 2), 0x4000 | 1 << 4 | 2);
    // Also where flags do not count.
    load(1, 10, 0);
    EXPECT_EQ(get(1)[8], 77u);
}

TEST_P(VectorExchange, PlacesAreCaptured) {
    configure_column(6, dest_index | default_index);
    configure_column(7, dest_index);
    set_flags(~(1u << 14));
    const Lanes before = get(7);
    load(3, bf16, 22);
    for (unsigned lane = 0; lane < 32; ++lane) {
        const bool captured = lane % 8 == 6 && lane != 14;
        EXPECT_EQ(get(7)[lane], captured ? (20 + lane / 8) << 4 | 13 : before[lane]) << lane;
    }
    const Lanes after = get(7);
    load(4, bf16, 0);  // beyond LReg 3 there is no place for it
    EXPECT_EQ(get(7), after);
}

TEST_P(VectorExchange, LargestFp16IsInfinityWhereConfigured) {
    configure_column(2, fp16_inf);
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned c = 0; c < 16; ++c)
            datum(row, c) = static_cast<std::uint16_t>(formats::dst_from_fp16(row & 1 ? 0xFFFF : 0x7FFE + (row == 0)));
    load(1, fp16, 0);
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned row = lane / 8;
        const std::uint32_t sign = row & 1 ? 0x80000000 : 0;
        const bool largest = row != 2;
        EXPECT_EQ(get(1)[lane],
                  largest && lane % 8 == 2 ? sign | 0x7F800000 : sign | (largest ? 0x47FFE000 : 0x47FFC000))
            << lane;
    }
}

TEST_P(VectorExchange, ConstantsAreStoredOnlyWithoutTheBackdoor) {
    set(13, test::distinct(0x100));
    configure_column(5, backdoor_shut);
    store(13, uint16, 0);
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned row = lane / 8, column = lane % 8 * 2;
        if (lane % 8 == 5)
            EXPECT_EQ(formats::dst_to_stored(datum(row, column)), 0x100 + lane);
        else
            EXPECT_EQ(datum(row, column), 0x4000 | row << 4 | column);
    }
    const std::uint32_t word = 0x72000000 | 13 << 20 | uint16 << 16;
    for (unsigned column = 0; column < 8; ++column)
        EXPECT_EQ(cell(state::cells::macro(column, state::Macro::template_1)), column == 5 ? 0 : word);
    store(11, uint16, 0);
    EXPECT_EQ(formats::dst_to_stored(datum(0, 0)), get(11)[0] & 0xFFFF);
}

// Mode 10 ignores flags and row masks; its address takes only two bits of the counter.
TEST_P(VectorExchange, AllLanes) {
    set_flags(0);
    configure_lanes(0xF000);
    for (unsigned i = 0; i < 32; ++i) step.state.dst.valid[i] = true;
    set(1, test::distinct(0xABC00000));
    store(1, 10, 0);
    set(2, test::all(0));
    load(2, 10, 0);
    EXPECT_EQ(get(2), get(1));
    load(3, int32, 0);
    EXPECT_EQ(get(3), test::distinct(0x300));
}

INSTANTIATE_TEST_SUITE_P(Archs, VectorExchange, testing::ValuesIn(all_archs), test::arch_name);

}  // namespace
}  // namespace tessera
