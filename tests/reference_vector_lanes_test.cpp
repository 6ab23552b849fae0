// SPDX-License-Identifier: Apache-2.0
// Lanes in the reference's vector unit: flags and their stack, configuration, recording, shuffles, exchange with Dst.
// Compared with statements of the pages.
#include <algorithm>

#include "support/vector_bench.hpp"

namespace tessera::test {
namespace {

namespace cells = state::cells;

class VectorLanes : public OnVectorBench {
protected:
    static std::uint32_t mov(std::uint32_t from, std::uint32_t to, std::uint32_t mod = 0) {
        return vector_word(opcode::sfpmov, {0, 0, from, to, mod});
    }
    static std::uint32_t flag_word(std::uint32_t opcode, std::uint32_t imm, std::uint32_t mod) {
        return vector_immediate(opcode, imm, {0, 0, 0, 0, mod});
    }
};

// --- predication (Vector Unit, Lane Predication Masks)

TEST_P(VectorLanes, DisabledLanesKeepWhatTheyHave) {
    bench.number_lanes();
    bench.set_flags(0x00FF00F0);
    bench.set_lane_config(1u << 14);  // ROW_MASK: the third row
    bench.run(mov(1, 2));
    for (std::uint32_t n = 0; n < 32; ++n) EXPECT_EQ(bench.lane(2, n), n >= 4 && n < 8 ? 0x100 + n : 0x200 + n) << n;
    bench.run(mov(1, 3, 2));  // ALL_LANES_ENABLED
    EXPECT_EQ(bench.lanes(3), bench.lanes(1));
    bench.set_flags(0, false);
    bench.run(mov(1, 4));
    for (std::uint32_t n = 0; n < 32; ++n) EXPECT_EQ(bench.lane(4, n) == 0x100 + n, n / 8 != 2) << n;
}

TEST_P(VectorLanes, ConditionalCodeOfAnIfAndItsElse) {
    for (std::uint32_t n = 0; n < 32; ++n) bench.set(0, n, n - 16);
    bench.run(flag_word(opcode::sfpencc, 3, 10));  // on, all lanes
    bench.run(flag_word(opcode::sfppushc, 0, 0));
    bench.run(vector_word(opcode::sfpsetcc, {0, 0, 0, 0, 0}));  // if (LReg0 < 0)
    EXPECT_EQ(bench.flags(), 0x0000FFFFu);
    bench.run(flag_word(opcode::sfpcompc, 0, 0));  // else
    EXPECT_EQ(bench.flags(), 0xFFFF0000u);
    bench.run(flag_word(opcode::sfppushc, 0, 0));
    bench.run(vector_word(opcode::sfpsetcc, {0, 0, 0, 0, 6}));  // if (LReg0 == 0)
    EXPECT_EQ(bench.flags(), 0x00010000u);
    bench.run(flag_word(opcode::sfpcompc, 0, 0));  // else, within the outer else
    EXPECT_EQ(bench.flags(), 0xFFFE0000u);
    bench.run(flag_word(opcode::sfppopc, 0, 0));
    EXPECT_EQ(bench.flags(), 0xFFFF0000u);
    bench.run(flag_word(opcode::sfppopc, 0, 0));
    EXPECT_EQ(bench.flags(), 0xFFFFFFFFu);
    bench.run(flag_word(opcode::sfppopc, 0, 0));  // of nothing (spec-notes V61)
    EXPECT_EQ(bench.flags(), 0u);
    EXPECT_FALSE(bench.flags_used());
}

TEST_P(VectorLanes, ComparisonsWithZero) {
    constexpr std::uint32_t values[] = {0x80000000, 0xFFFFFFFF, 0, 1};
    for (std::uint32_t n = 0; n < 32; ++n) bench.set(0, n, values[n % 4]);
    constexpr std::uint32_t expected[][2] = {{0, 0x3}, {2, 0xB}, {4, 0xC}, {6, 0x4}, {8, 0}, {12, 0}};
    for (const auto& [mod, of_four] : expected) {
        bench.set_flags(~0u);
        bench.run(vector_word(opcode::sfpsetcc, {0, 0, 0, 0, mod}));
        EXPECT_EQ(bench.flags(), of_four * 0x11111111) << mod;
    }
    for (std::uint32_t imm : {0u, 1u}) {
        bench.set_flags(~0u);
        bench.run(vector_immediate(opcode::sfpsetcc, imm, {0, 0, 0, 0, 1}));
        EXPECT_EQ(bench.flags(), imm ? ~0u : 0);
    }
    bench.set_flags(~0u, false);
    bench.run(vector_word(opcode::sfpsetcc, {0, 0, 0, 0, 2}));
    EXPECT_EQ(bench.flags(), 0u);
}

// SFPENCC takes its bits from the immediate (spec-notes V39).
TEST_P(VectorLanes, EnablingFlags) {
    struct Line {
        std::uint32_t imm2, mod;
        bool before, used;
        std::uint32_t flags;
    };
    constexpr Line lines[] = {{0, 0, true, true, ~0u},  {0, 1, true, false, ~0u},  {0, 1, false, true, ~0u},
                              {1, 2, false, true, ~0u}, {2, 2, true, false, ~0u},  {2, 8, true, true, ~0u},
                              {1, 8, true, true, 0},    {3, 10, false, true, ~0u}, {1, 10, false, true, 0},
                              {0, 3, true, false, ~0u}};
    for (const Line& l : lines) {
        bench.set_flags(0x12345678, l.before);
        bench.run(flag_word(opcode::sfpencc, l.imm2, l.mod));
        EXPECT_EQ(bench.flags_used(), l.used) << l.imm2 << " " << l.mod;
        EXPECT_EQ(bench.flags(), l.flags) << l.imm2 << " " << l.mod;
    }
}

// BooleanOp of SFPPOPC, and on Blackhole of SFPPUSHC: A and B in all four combinations.
TEST_P(VectorLanes, BooleanOperationsOnTheStack) {
    constexpr std::uint32_t a = 0b1100, b = 0b1010;
    constexpr std::uint32_t results[] = {b,      ~b,     a & b,   a | b,   a & ~b, a | ~b,
                                         ~a & b, ~a | b, ~a & ~b, ~a | ~b, a ^ b,  ~(a ^ b)};
    for (std::uint32_t mod = 1; mod <= 12; ++mod) {
        bench.state().write(cells::cc_stack_size_block[0], 0);
        bench.set_flags(b);
        bench.run(flag_word(opcode::sfppushc, 0, 0));
        bench.set_flags(a);
        bench.run(flag_word(opcode::sfppopc, 0, mod));
        EXPECT_EQ(bench.flags() & 15, results[mod - 1] & 15) << mod;
        EXPECT_EQ(bench.state()[cells::cc_stack_size_block[0]], 1u);

        // The top is A, the flags are B. Wormhole pushes for every modifier.
        bench.state().write(cells::cc_stack_block[0], a);
        bench.set_flags(b);
        bench.run(flag_word(opcode::sfppushc, 0, mod));
        const std::uint32_t top = bench.state()[cells::cc_stack_size_block[0]] - 1;
        EXPECT_EQ(top, bench.blackhole() ? 0u : 1u);
        EXPECT_EQ(bench.state()[cells::cc_stack_block[2 * top]] & 15, (bench.blackhole() ? results[mod - 1] : b) & 15)
            << mod;
    }
    bench.run(flag_word(opcode::sfppopc, 0, 15));
    EXPECT_EQ(bench.flags(), 0u);
    bench.run(flag_word(opcode::sfppopc, 0, 13));
    EXPECT_EQ(bench.flags(), ~0u);
}

// On Wormhole a peek into a full stack overwrites its bottom with its top.
TEST_P(VectorLanes, AFullStack) {
    for (std::uint32_t n = 0; n < 8; ++n) {
        bench.set_flags(0x1000 + n);
        bench.run(flag_word(opcode::sfppushc, 0, 0));
    }
    bench.run(flag_word(opcode::sfppushc, 0, 0));  // nothing (spec-notes V61)
    bench.run(flag_word(opcode::sfppopc, 0, 1));
    EXPECT_EQ(bench.flags(), 0x1007u);
    EXPECT_EQ(bench.state()[cells::cc_stack_block[0]], bench.blackhole() ? 0x1000u : 0x1007u);
    EXPECT_EQ(bench.state()[cells::cc_stack_block[2]], 0x1001u);
}

TEST_P(VectorLanes, SumsSetFlagsBySign) {
    for (std::uint32_t n = 0; n < 32; ++n) bench.set(1, n, n);
    struct Line {
        std::uint32_t mod, flags, lane20;
    };
    // LReg1 - 16 by immediate; CC_LT0, CC_NONE, CC_GTE0 and the flags inverted
    constexpr Line lines[] = {{1, 0x0000FFFF, 4}, {5, 0xAAAAAAAA, 4}, {9, 0xFFFF0000, 4}, {13, 0x55555555, 4}};
    for (const Line& l : lines) {
        bench.set_flags(0xAAAAAAAA, false);
        bench.run(vector_immediate(opcode::sfpiadd, 0xFF0, {0, 0, 1, 2, l.mod}));
        EXPECT_EQ(bench.flags(), l.flags) << l.mod;
        EXPECT_EQ(bench.lane(2, 20), l.lane20);
    }
    bench.fill(2, 30);
    bench.run(vector_word(opcode::sfpiadd, {0, 0, 1, 2, 6}));  // VC - VD
    EXPECT_EQ(bench.lane(2, 20), 0xFFFFFFF6u);
}

// --- SFPCONFIG

TEST_P(VectorLanes, ConstantsAreBroadcastFromEightLanes) {
    bench.number_lanes();
    bench.run(vector_immediate16(opcode::sfpconfig, 0, 13, 0));
    for (std::uint32_t n = 0; n < 32; ++n) EXPECT_EQ(bench.lane(13, n), n % 8);
    constexpr std::uint32_t defaults[] = {0xBF800000, 0x3B000000, 0xBF2CC4C7, 0xBEB08FF9};  // V30: 1/512
    for (std::uint32_t i = 0; i < 4; ++i) {
        bench.run(vector_immediate16(opcode::sfpconfig, 0, 11 + i, 1));
        EXPECT_EQ(bench.lane(11 + i, 21), defaults[i]);
    }
    // By lane mask: bit 2 * column; what is in LReg0 otherwise.
    bench.run(vector_immediate16(opcode::sfpconfig, 0x4004, 14, 8));
    for (std::uint32_t n = 0; n < 32; ++n) EXPECT_EQ(bench.lane(14, n), n % 8 == 1 || n % 8 == 7 ? n % 8 : defaults[3]);
    // Flags of the first eight lanes decide for all.
    bench.set_flags(0xFFFFFF01);
    bench.run(vector_immediate16(opcode::sfpconfig, 0, 11, 0));
    for (std::uint32_t n = 0; n < 32; ++n) EXPECT_EQ(bench.lane(11, n), n % 8 == 0 ? 0 : defaults[0]);
}

TEST_P(VectorLanes, LaneConfigurationIsManipulatedAndReadBack) {
    bench.fill(0, 0xFFFFFFFF);
    const auto config = [&] { return bench.state()[cells::lane_config_block[5]]; };
    bench.run(vector_immediate16(opcode::sfpconfig, 0, 15, 0));
    EXPECT_EQ(config(), 0x3FFFFu);
    bench.set_lane_config(0x20000);
    bench.run(vector_immediate16(opcode::sfpconfig, 0x0106, 15, 1));
    EXPECT_EQ(config(), 0x20106u);  // the high bits stay with an immediate
    bench.run(vector_immediate16(opcode::sfpconfig, 0x0011, 15, 3));
    EXPECT_EQ(config(), 0x20117u);
    bench.run(vector_immediate16(opcode::sfpconfig, 0x0014, 15, 5));
    EXPECT_EQ(config(), 0x20014u);
    bench.run(vector_immediate16(opcode::sfpconfig, 0x0024, 15, 7));
    EXPECT_EQ(config(), 0x20030u);
    bench.run(mov(15, 3, 8));
    EXPECT_EQ(bench.lane(3, 29), 0x20030u);
    for (std::uint32_t nothing : {9u, 10u}) bench.run(vector_immediate16(opcode::sfpconfig, 0xFFFF, nothing, 1));
    EXPECT_EQ(config(), 0x20030u);
}

TEST_P(VectorLanes, MacroConfigurationIsWrittenAndReadBack) {
    bench.number_lanes();
    for (std::uint32_t i = 0; i < 9; ++i) {
        for (std::uint32_t n = 0; n < 32; ++n) bench.set(0, n, 0xABCD0000 | i << 8 | n);
        bench.run(vector_immediate16(opcode::sfpconfig, 0, i, 0));
        bench.run(mov(i, 3, 8));
        for (std::uint32_t n = 0; n < 32; ++n)
            EXPECT_EQ(bench.lane(3, n), i == 8 ? 0x800 | n % 8 : 0xABCD0000 | i << 8 | n % 8) << i;
    }
    bench.run(vector_immediate16(opcode::sfpconfig, 0x1234, 4, 1));
    bench.run(vector_immediate16(opcode::sfpconfig, 0x0F0F, 8, 7));  // Misc ^= 0xF0F
    bench.run(mov(4, 3, 8));
    bench.run(mov(8, 5, 8));
    EXPECT_EQ(bench.lane(3, 9), 0x1234u);
    EXPECT_EQ(bench.lane(5, 9), 0x801u ^ 0xF0Fu);
}

// VD >= 12 records the instruction, in the columns that do not execute it (spec-notes V64).
TEST_P(VectorLanes, BackdoorRecording) {
    bench.number_lanes();
    bench.set_flags(0);
    bench.state().write(cells::lane_config_block[3], 2);  // DISABLE_BACKDOOR_LOAD
    const std::uint32_t words[] = {
        vector_word(opcode::sfpmad, {1, 2, 3, 12, 0}), vector_word(opcode::sfpswap, {0, 0, 1, 13, 1}),
        vector_word(opcode::sfpshft2, {0, 0, 1, 14, 2}), exchange_word(opcode::sfpstore, 15, 4, 0)};
    for (std::uint32_t i = 0; i < 4; ++i) {
        bench.run(words[i]);
        for (unsigned column = 0; column < 8; ++column)
            EXPECT_EQ(bench.state()[cells::macro(column, state::Macro::template_0, i)], column == 3 ? 0 : words[i]);
    }
    // LReg12 is a configuration here, no result: nothing is recorded.
    bench.set_flags(~0u);
    bench.run(vector_immediate16(opcode::sfpconfig, 0, 12, 1));
    EXPECT_EQ(bench.state()[cells::macro(0, state::Macro::template_0)], words[0]);
}

// --- shuffles

// -NaN < -Inf < ... < -0 < +0 < ... < +Inf < +NaN
TEST_P(VectorLanes, TotalOrder) {
    constexpr std::uint32_t ordered[] = {0xFFFFFFFF, 0xFF800001, 0xFF800000, 0xBF800000, 0x80000001, 0x80000000,
                                         0,          1,          0x3F800000, 0x7F800000, 0x7F800001, 0x7FFFFFFF};
    for (std::size_t i = 0; i < std::size(ordered); ++i)
        for (std::size_t j = 0; j < std::size(ordered); ++j) {
            bench.set_flags(~0u);
            bench.fill(1, ordered[i]);
            bench.fill(2, ordered[j]);
            bench.run(vector_word(opcode::sfpswap, {0, 0, 1, 2, 1}));
            EXPECT_EQ(bench.lane(2, 6), ordered[std::min(i, j)]);
            EXPECT_EQ(bench.lane(1, 6), ordered[std::max(i, j)]);
            if (!bench.blackhole()) continue;
            bench.fill(1, ordered[i]);
            for (const auto& [opcode, holds] : {std::pair{opcode::sfpgt, j > i}, std::pair{opcode::sfple, j <= i}}) {
                bench.fill(2, ordered[j]);
                bench.set_flags(~0u);
                bench.run(vector_word(opcode, {0, 0, 1, 2, 9}));
                EXPECT_EQ(bench.lane(2, 6), holds ? ~0u : 0);
                EXPECT_EQ(bench.flags(), holds ? ~0u : 0);
            }
        }
}

// The rows of eight lanes in which each mode of SFPSWAP puts the minimum in VD, by the modes' names.
TEST_P(VectorLanes, RowsOfSfpswap) {
    constexpr std::uint32_t minimum_rows[] = {0, 0b1111, 0b0011, 0b0101, 0b1001, 0b0001, 0b0010, 0b0100, 0b1000, 0, 0};
    for (std::uint32_t mod = 1; mod <= 10; ++mod)
        for (bool exchanged : {false, true}) {
            bench.fill(1, 5);
            bench.fill(2, 0x80000007);
            bench.set_lane_config(exchanged ? 0x100 : 0);
            bench.run(vector_word(opcode::sfpswap, {0, 0, 1, 2, mod}));
            for (std::uint32_t n = 0; n < 32; ++n)
                EXPECT_EQ(bench.lane(2, n) == 0x80000007, (minimum_rows[mod] >> n / 8 & 1) != exchanged)
                    << mod << " " << n;
        }
}

TEST_P(VectorLanes, IndicesFollowTheirValues) {
    bench.number_lanes();
    bench.fill(1, 3);
    bench.fill(2, 9);
    bench.set_lane_config(4);  // ENABLE_DEST_INDEX
    bench.run(vector_word(opcode::sfpswap, {0, 0, 1, 2, 1}));
    EXPECT_EQ(bench.lane(2, 11), 3u);
    EXPECT_EQ(bench.lane(1, 11), 9u);
    EXPECT_EQ(bench.lane(5, 11), 0x60Bu);
    EXPECT_EQ(bench.lane(6, 11), 0x50Bu);
    bench.fill(4, 2);  // of registers from 4 on there are no results but the indices
    bench.fill(7, 1);
    bench.run(vector_word(opcode::sfpswap, {0, 0, 7, 4, 1}));
    EXPECT_EQ(bench.lane(4, 11), 1u);
    EXPECT_EQ(bench.lane(7, 11), 2u);
}

TEST_P(VectorLanes, RotationsAndShiftsOfLanes) {
    bench.number_lanes();
    bench.run(vector_word(opcode::sfpshft2, {0, 0, 4, 5, 3}));
    for (std::uint32_t n = 0; n < 32; ++n) EXPECT_EQ(bench.lane(5, n), 0x400 + (n & ~7u) + (n + 7) % 8);
    bench.run(vector_word(opcode::sfpshft2, {0, 0, 6, 7, 4}));
    for (std::uint32_t n = 0; n < 32; ++n) {
        // Wormhole takes what the rotation before saw in the last lane of the row.
        const std::uint32_t first = bench.blackhole() ? 0 : 0x400 + n + 7;
        EXPECT_EQ(bench.lane(7, n), n % 8 ? 0x600 + n - 1 : first) << n;
    }
    bench.run(vector_word(opcode::sfpshft2, {0, 0, 9, 9, 3}));  // makes that zero
    bench.run(vector_word(opcode::sfpshft2, {0, 0, 6, 7, 4}));
    EXPECT_EQ(bench.lane(7, 8), 0u);

    bench.number_lanes();
    bench.run(vector_word(opcode::sfpshft2, {0, 0, 4, 0, 2}));
    EXPECT_EQ(bench.lane(0, 8), 0x108u);
    EXPECT_EQ(bench.lane(2, 8), 0x308u);
    EXPECT_EQ(bench.lane(3, 8), 0x40Fu);
    bench.number_lanes();
    bench.run(vector_word(opcode::sfpshft2, {0, 0, 0, 0, 1}));
    EXPECT_EQ(bench.lane(3, 23), 31u);
    EXPECT_EQ(bench.lane(3, 24), 0u);
    bench.run(vector_word(opcode::sfpshft2, {0, 0, 0, 0, 0}));
    EXPECT_EQ(bench.lane(2, 23), 31u);
    EXPECT_EQ(bench.lane(3, 23), 0u);
}

TEST_P(VectorLanes, ShiftsOfBits) {
    bench.fill(4, 0x80000010);
    for (const auto& [by, left_or_right] :
         {std::pair{3u, 0x80u}, std::pair{0xFFFFFFFDu, 0x10000002u}, std::pair{35u, 0x80u}}) {
        bench.fill(5, by);
        bench.run(vector_word(opcode::sfpshft2, {0, 4, 5, 6, 5}));
        EXPECT_EQ(bench.lane(6, 1), left_or_right);
        bench.fill(6, 0x80000010);
        bench.run(vector_word(opcode::sfpshft, {0, 0, 5, 6, 0}));
        EXPECT_EQ(bench.lane(6, 1), left_or_right);
    }
    bench.run(vector_immediate(opcode::sfpshft2, 0xFF4, {0, 0, 0, 6, 6}));  // LReg4 right by 12
    EXPECT_EQ(bench.lane(6, 1), 0x00080000u);
    bench.fill(6, 0x40);
    bench.run(vector_immediate(opcode::sfpshft, 0xFFC, {0, 0, 4, 6, 7}));  // on Blackhole LReg4, arithmetically
    EXPECT_EQ(bench.lane(6, 1), bench.blackhole() ? 0xF8000001u : 4u);
}

// Within each column the sixteen values of four registers are a 4x4 matrix.
TEST_P(VectorLanes, Transposition) {
    bench.number_lanes();
    bench.run(vector_word(opcode::sfptransp, {}));
    for (std::uint32_t r = 0; r < 8; ++r)
        for (std::uint32_t n = 0; n < 32; ++n)
            EXPECT_EQ(bench.lane(r, n), 0x100 * ((r & 4) + n / 8) + r % 4 * 8 + n % 8);
}

// --- Dst

TEST_P(VectorLanes, LaneConfigurationOfTheExchange) {
    for (std::uint32_t row = 0; row < 4; ++row)
        for (std::uint32_t column = 0; column < 16; ++column)
            state::write(bench.state(), state::Storage::dst, row * 16 + column, 0x7C00 | row << 4 | column);
    const auto load = [&](std::uint32_t config, std::uint32_t mod0, std::uint32_t address) {
        bench.number_lanes();
        bench.set_lane_config(config);
        bench.run(exchange_word(opcode::sfpload, 1, mod0, address));
        return bench.lane(1, 10);
    };
    enum { fp16 = 1, uint16 = 6 };
    EXPECT_EQ(load(0, uint16, 0), 0x7C14u);  // row 1, column 4
    EXPECT_EQ(load(0, uint16, 1), 0x7C14u);  // the low bit means nothing
    EXPECT_EQ(load(0, uint16, 2), 0x7C15u);  // odd columns
    EXPECT_EQ(load(0x40, uint16, 0), 0x7C15u);
    EXPECT_EQ(load(0x20, uint16, 0), 0x10Au);  // blocked
    EXPECT_EQ(load(0xC, uint16, 0), 0x7C14u);
    EXPECT_EQ(bench.lane(5, 10), 0x14u);  // row and column

    bench.fill(2, 0x1234);
    bench.set_lane_config(0x10);
    bench.run(exchange_word(opcode::sfpstore, 2, uint16, 0));
    EXPECT_EQ(state::read(bench.state(), state::Storage::dst, 20), 0x7C14u);
    bench.set_lane_config(0x80);
    bench.run(exchange_word(opcode::sfpstore, 2, uint16, 0));
    EXPECT_EQ(state::read(bench.state(), state::Storage::dst, 20), 0x7C14u);
    EXPECT_EQ(state::read(bench.state(), state::Storage::dst, 21), 0x1234u);

    state::write(bench.state(), state::Storage::dst, 20, 0xFFFF);
    EXPECT_EQ(load(0, fp16, 0), 0xC7FFE000u);
    EXPECT_EQ(load(1, fp16, 0), 0xFF800000u);  // ENABLE_FP16A_INF
}

// LaneConfig[Column / 2].BLOCK_DEST_MOV.Bit[Column & 1] keeps a column out of MOVA2D.
TEST_P(VectorLanes, ColumnsAreKeptOutOfMoves) {
    for (std::uint32_t column = 0; column < 16; ++column)
        state::write(bench.state(), state::Storage::src_a, column, 0x3FF7F);
    bench.state().write(cells::lane_config_block[2], 1u << 10);
    bench.run(0x12000000);
    for (std::uint32_t column = 0; column < 16; ++column)
        EXPECT_EQ(state::read(bench.state(), state::Storage::dst, column) == 0, column == 5) << column;
}

INSTANTIATE_TEST_SUITE_P(Archs, VectorLanes, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
