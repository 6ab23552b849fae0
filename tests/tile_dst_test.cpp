// SPDX-License-Identifier: Apache-2.0
// Dst in the address space of Blackhole's T cores, and rows of Dst by debug registers (Dst, "RISCV access to Dst").
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdlib>

#include "formats/layouts.hpp"
#include "support/tile_bench.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;
using tile::User;

constexpr std::uint32_t window = 0xFFBD'8000;
enum Fmt : unsigned { fp32, int32, fp16, bf16, int16, int8 };

class TileDst : public testing::Test, protected TileBench {
public:
    TileDst() : TileBench(Arch::blackhole) {}

    // RISC_DEST_ACCESS_CTRL_SEC of a thread is in word 3.
    void view(unsigned thread, unsigned fmt, bool no_swizzle = false, bool is_unsigned = false) {
        const auto cell = state::cells::config(port.state().arch(), 0, 3);
        const unsigned shift = 14 + 5 * thread;
        std::uint32_t word = port.state()[cell] & ~(0x1Fu << shift);
        word |= (unsigned{no_swizzle} | unsigned{is_unsigned} << 1 | fmt << 2) << shift;
        port.state().write(cell, word);
    }
    // DstBits of the page.
    std::uint32_t bits(unsigned row, unsigned column) {
        return formats::dst_to_stored(port.state().dst.datums[row * 16 + column]);
    }
    void set_bits(unsigned row, unsigned column, std::uint32_t stored) {
        port.state().dst.datums[row * 16 + column] = static_cast<std::uint16_t>(formats::dst_from_stored(stored));
    }
};

TEST_F(TileDst, Fp32KeepsItsBitsBeyondTheLayout) {
    view(0, fp32);
    for (const float x : {1.0f, -2.5f, 3.1415927f, -0.0f, 1e-38f, 3e38f}) {
        const auto word = std::bit_cast<std::uint32_t>(x);
        done(User::t0, window + (9 * 16 + 3) * 4, word);
        EXPECT_EQ(value(User::t0, window + (9 * 16 + 3) * 4), word);
        // Row 9 of Dst32b: rows 17 and 25 (Adj32). Sign, mantissa's upper 7 bits, exponent.
        EXPECT_EQ(bits(17, 3), (word >> 16 & 0x8000) | (word >> 16 & 0x7F) << 8 | (word >> 23 & 0xFF));
        EXPECT_EQ(bits(25, 3), word & 0xFFFF);
    }
    view(0, fp32, true);
    done(User::t0, window, 0x1234'5678);
    EXPECT_EQ(bits(0, 0), 0x1234u);
    EXPECT_EQ(bits(8, 0), 0x5678u);
}

TEST_F(TileDst, IntegersBecomeSignAndMagnitude) {
    view(1, int32);
    for (const std::int32_t x : {0, 1, -1, 1000, -1000, 2147483647, -2147483647}) {
        const auto word = static_cast<std::uint32_t>(x);
        done(User::t1, window + 4, word);
        EXPECT_EQ(value(User::t1, window + 4), word);
        view(1, fp32);
        EXPECT_EQ(value(User::t1, window + 4), (x < 0 ? 0x8000'0000u : 0u) | static_cast<std::uint32_t>(std::abs(x)));
        view(1, int32);
    }
    done(User::t1, window + 4, 0x8000'0000);
    EXPECT_EQ(value(User::t1, window + 4), 0x8000'0001u);  // clamped
    view(1, int16);
    for (const int x : {0, 1, -1, 32767, -32767}) {
        store(User::t1, window + 2, static_cast<std::uint16_t>(x), 2);
        EXPECT_EQ(value(User::t1, window + 2, 2), static_cast<std::uint16_t>(x));
        EXPECT_EQ(bits(0, 1), (x < 0 ? 0x8000u : 0u) | static_cast<std::uint32_t>(std::abs(x)));
    }
    store(User::t1, window + 2, 0x8000, 2);
    EXPECT_EQ(bits(0, 1), 0xFFFFu);
    view(1, int16, false, true);
    EXPECT_EQ(value(User::t1, window + 2, 2), 0xFFFFu);
}

// The page's Store16: unsigned integers, and all with no_swizzle, are stored as they are.
TEST_F(TileDst, HalvesThatAreUnsignedOrRawStayAsTheyAre) {
    for (const bool raw : {false, true}) {
        view(1, int16, raw, !raw);
        for (const std::uint32_t x : {0xFEDCu, 0x8000u, 0x8123u, 0x7FFFu}) {
            store(User::t1, window + 2, x, 2);
            EXPECT_EQ(bits(0, 1), x) << raw;
            EXPECT_EQ(value(User::t1, window + 2, 2), x) << raw;
        }
    }
}

TEST_F(TileDst, BytesAreMagnitudesOfTen) {
    view(2, int8, false, true);
    store(User::t2, window + 16 + 5, 200, 1);
    EXPECT_EQ(bits(1, 5), 200u << 5 | 16);
    EXPECT_EQ(value(User::t2, window + 16 + 5, 1), 200u);
    view(2, int8);
    store(User::t2, window + 16 + 5, 100, 1);
    EXPECT_EQ(value(User::t2, window + 16 + 5, 1), 100u);
    store(User::t2, window + 16 + 5, 0, 1);
    EXPECT_EQ(bits(1, 5), 0u);
    set_bits(1, 5, 0x8000 | 7 << 5 | 16);
    EXPECT_EQ(value(User::t2, window + 16 + 5, 1), 0xF9u);  // -7
    // The page's Store8: not a conversion from two's complement: 0x180 - 0xF9 = 0x87.
    store(User::t2, window + 16 + 5, 0xF9, 1);
    EXPECT_EQ(bits(1, 5), 0x8000u | 0x87 << 5 | 16);
}

TEST_F(TileDst, BytesInEveryPattern) {
    for (std::uint32_t x = 0; x < 256; ++x) {
        view(2, int8, false, true);
        store(User::t2, window + 5, x, 1);
        ASSERT_EQ(bits(0, 5), x << 5 | (x ? 16 : 0));
        ASSERT_EQ(value(User::t2, window + 5, 1), x);
        view(2, int8);
        const std::uint32_t magnitude = x & 0x7F;
        set_bits(0, 5, (x & 0x80) << 8 | magnitude << 5 | 16);
        ASSERT_EQ(value(User::t2, window + 5, 1), (x < 0x80 ? magnitude : 0u - magnitude) & 0xFF);
        store(User::t2, window + 5, x, 1);
        // The page's Store8, as above. It clamps 0x80 first.
        const std::uint32_t negative = 0x8000 | ((0x180 - (x == 0x80 ? 0x81 : x)) & 0xFF) << 5 | 16;
        ASSERT_EQ(bits(0, 5), x < 0x80 ? x << 5 | (x ? 16 : 0) : negative) << x;
    }
}

TEST_F(TileDst, WordsInEveryBit) {
    for (const auto fmt : {fp32, int32})
        for (unsigned bit = 0; bit < 31; ++bit)
            for (const std::uint32_t word : {1u << bit, 0x7FFF'FFFF ^ 1u << bit, 0x8000'0001 ^ 1u << bit}) {
                view(0, fmt);
                done(User::t0, window, word);
                EXPECT_EQ(value(User::t0, window), word == 0x8000'0000 && fmt == int32 ? 0x8000'0001 : word) << fmt;
                view(0, fp32);
                const std::uint32_t shown = value(User::t0, window);
                EXPECT_EQ(bits(0, 0), (shown >> 16 & 0x8000) | (shown >> 16 & 0x7F) << 8 | (shown >> 23 & 0xFF));
                EXPECT_EQ(bits(8, 0), shown & 0xFFFF);
            }
}

TEST_F(TileDst, ZeroHasTwoSigns) {
    view(1, int16);
    set_bits(0, 1, 0x8000);
    EXPECT_EQ(value(User::t1, window + 2, 2), 0u);
    view(1, int32);
    set_bits(0, 1, 0x8000);
    set_bits(8, 1, 0);
    EXPECT_EQ(value(User::t1, window + 4), 0u);
}

TEST_F(TileDst, HalvesInEveryPattern) {
    for (std::uint32_t x = 0; x < 0x1'0000; ++x) {
        for (const auto fmt : {fp16, bf16}) {
            view(0, fmt);
            store(User::t0, window + 100 * 2, x, 2);
            ASSERT_EQ(value(User::t0, window + 100 * 2, 2), x);
            const std::uint32_t exponent = fmt == fp16 ? x >> 10 & 0x1F : x >> 7 & 0xFF;
            const std::uint32_t mantissa = fmt == fp16 ? x & 0x3FF : x & 0x7F;
            ASSERT_EQ(bits(6, 4), (x & 0x8000) | mantissa << (fmt == fp16 ? 5 : 8) | exponent);
        }
    }
}

TEST_F(TileDst, RowsAreMappedAndInvalidOnesAreZero) {
    view(0, bf16, true);
    set_bits(0x20, 2, 0x5555);
    EXPECT_EQ(value(User::t0, window + (0x20 * 16 + 2) * 2, 2), 0x5555u);
    port.state().dst.valid[0x20] = false;
    EXPECT_EQ(value(User::t0, window + (0x20 * 16 + 2) * 2, 2), 0u);
    view(0, fp32);
    port.state().dst.valid[0] = false;
    set_bits(8, 2, 0x6666);
    EXPECT_EQ(value(User::t0, window + 2 * 4), 0u);
    view(0, bf16, true);
    store(User::t0, window + (0x20 * 16 + 2) * 2, 0x77, 2);
    EXPECT_TRUE(port.state().dst.valid[0x20]);
    // DEST_ACCESS_CFG_remap_addrs: row 8 is row 0x20.
    port.state().write(state::cells::config(port.state().arch(), 0, 220), 2);
    EXPECT_EQ(value(User::t0, window + (8 * 16 + 2) * 2, 2), 0x77u);
    // Not in a core reset as the vendor's simulator (spec-notes B22).
    port.state().maps_dst = false;
    EXPECT_EQ(value(User::t0, window + (0x20 * 16 + 2) * 2, 2), 0x77u);
}

TEST_F(TileDst, OnlyT2ReachesSeveralElements) {
    for (unsigned t = 0; t < 3; ++t) view(t, bf16, true);
    set_bits(0, 0, 0x1111);
    set_bits(0, 1, 0x2222);
    EXPECT_EQ(value(User::t2, window), 0x2222'1111u);
    expect_fault(load(User::t0, window), "tile.dst-access");
    expect_fault(load(User::t2, window, 1), "tile.dst-access");
    for (const unsigned reserved : {6u, 7u}) {
        view(2, reserved);
        for (const unsigned bytes : {1u, 2u, 4u}) {
            expect_fault(load(User::t2, window, bytes), "tile.dst-access");
            expect_fault(store(User::t2, window, 1, bytes), "tile.dst-access");
        }
    }
    expect_fault(load(User::b, window), "tile.no-access");
}

TEST_F(TileDst, AStoreOfT2WritesAllElementsThatItCovers) {
    view(2, bf16, true);
    done(User::t2, window + 4, 0x2222'1111);
    EXPECT_EQ(bits(0, 2), 0x1111u);
    EXPECT_EQ(bits(0, 3), 0x2222u);
    EXPECT_EQ(bits(0, 4), 0u);
    view(2, int8, false, true);
    done(User::t2, window + 16, 0x8765'4321);
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(bits(1, i), (0x8765'4321 >> 8 * i & 0xFF) << 5 | 16);
    EXPECT_EQ(value(User::t2, window + 16), 0x8765'4321u);
    EXPECT_EQ(bits(1, 4), 0u);
    const unsigned before = port.raised;
    store(User::t2, window + 16 + 2, 0xBBAA, 2);
    EXPECT_EQ(value(User::t2, window + 16), 0xBBAA'4321u);
    EXPECT_GT(port.raised, before) << "a core may poll it";
}

TEST(TileArray, ShowsRowsOfDst) {
    for (Arch arch : {Arch::blackhole, Arch::wormhole}) {
        TileBench bench(arch);
        auto& dst = bench.port.state().dst;
        dst.datums[300 * 16 + 6] = static_cast<std::uint16_t>(formats::dst_from_stored(0x1234));
        dst.datums[300 * 16 + 7] = static_cast<std::uint16_t>(formats::dst_from_stored(0x5678));
        expect_fault(bench.load(User::t1, 0xFFB1'206C), "tile.not-modelled");
        bench.done(User::t1, 0xFFB1'2060, 1);
        bench.done(User::t1, 0xFFB1'2064, 300 | 3 << 12 | 2 << 16);
        EXPECT_EQ(bench.value(User::t1, 0xFFB1'206C), 0x5678'1234u);
        dst.valid[300] = false;
        EXPECT_EQ(bench.value(User::t1, 0xFFB1'206C), arch == Arch::wormhole ? 0 : 0x5678'1234u);
        dst.datums[1023 * 16 + 14] = static_cast<std::uint16_t>(formats::dst_from_stored(0xABCD));
        dst.datums[1023 * 16 + 15] = static_cast<std::uint16_t>(formats::dst_from_stored(0xEF01));
        bench.done(User::t1, 0xFFB1'2064, 1023 | 7 << 12 | 2 << 16);
        EXPECT_EQ(bench.value(User::t1, 0xFFB1'206C), 0xEF01'ABCDu);
        // Another array, a row behind the last, a pair behind the last.
        for (const auto& [row, pair, array] : {std::array{300, 3, 1}, {300, 3, 3}, {1024, 3, 2}, {300, 8, 2}}) {
            bench.done(User::t1, 0xFFB1'2064, static_cast<std::uint32_t>(row | pair << 12 | array << 16));
            expect_fault(bench.load(User::t1, 0xFFB1'206C), "tile.not-modelled");
        }
    }
}

}  // namespace
