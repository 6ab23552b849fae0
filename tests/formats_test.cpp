// SPDX-License-Identifier: Apache-2.0
// Conversions of the unpackers: every 16-bit pattern, special and random 32-bit ones, against the reference; the table
// GOLDEN_FACTS. The packers' are in pack_formats_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/layouts.hpp"
#include "plan/dst_rows.hpp"
#include "reference/dst.hpp"
#include "reference/numerics.hpp"
#include "state/state.hpp"
#include "support/unpack_patterns.hpp"

namespace tessera {
namespace {

using F = DataFormat;
using test::patterns16;
using test::patterns32;
using test::unpack_to_src;

// --- plain and stored order

TEST(Layouts, StoredOrderAsReference) {
    for (std::uint32_t x = 0; x < 1u << 19; ++x) {
        ASSERT_EQ(formats::src_to_stored(formats::src_from_tf32(x)), reference::WriteSrcTF32(x));
        ASSERT_EQ(formats::src_from_stored(reference::WriteSrcTF32(x)), x << 13);
        ASSERT_EQ(formats::tf32_from_src(formats::src_from_tf32(x)), x);
    }
    for (std::uint32_t x : patterns16()) {
        ASSERT_EQ(formats::dst_to_stored(x), reference::WriteDstBF16(x));
        ASSERT_EQ(formats::dst_from_stored(reference::WriteDstBF16(x)), x);
        ASSERT_EQ(formats::dst_to_stored(formats::dst_from_fp16(x)), reference::WriteDstFP16(x));
        ASSERT_EQ(formats::fp16_from_dst(formats::dst_from_fp16(x)), x);
        ASSERT_EQ(formats::src_to_stored(formats::src_from_bf16(x)), reference::WriteSrcBF16(x));
        ASSERT_EQ(formats::src_to_stored(formats::src_from_fp16(x)), reference::WriteSrcFP16(x));
    }
}

// --- Dst

std::uint32_t dst_from_stored(std::uint32_t x, bool wide) {
    return wide ? formats::dst_join(formats::dst_from_stored(x >> 16), formats::dst_low(x))
                : formats::dst_from_stored(x);
}
std::uint32_t dst32_to_stored(std::uint32_t x) { return formats::dst_to_stored(x >> 16) << 16 | (x & 0xFFFF); }

// --- GOLDEN_FACTS, "Conversions L1 -> registers"

TEST(GoldenFacts, Float32ToRegisters) {
    struct Line {
        std::uint32_t in, tf32, bf16, fp16, dst32;
    };
    constexpr Line lines[] = {
        {0x3F800000, 0x0007F, 0x0007F, 0x0000F, 0x007F0000}, {0xBF800000, 0x4007F, 0x4007F, 0x4000F, 0x807F0000},
        {0x40490FDB, 0x24880, 0x24880, 0x24810, 0x49800FDB}, {0x00400000, 0x20000, 0x00000, 0x00000, 0x40000000},
        {0x7F800000, 0x000FF, 0x000FF, 0x3FF1F, 0x00FF0000}, {0x7FC00000, 0x200FF, 0x200FF, 0x3FF1F, 0x40FF0000},
    };
    for (const Line& line : lines) {
        SCOPED_TRACE(fmt::format("{:08x}", line.in));
        EXPECT_EQ(unpack_to_src(F::Float32, F::Tf32, {line.in})[0], line.tf32);
        EXPECT_EQ(unpack_to_src(F::Float32, F::Float16_b, {line.in})[0], line.bf16);
        EXPECT_EQ(unpack_to_src(F::Float32, F::Float16, {line.in})[0], line.fp16);
        EXPECT_EQ(dst32_to_stored(line.in), line.dst32);
        EXPECT_EQ(dst_from_stored(line.dst32, true), line.in);
        EXPECT_EQ(reference::FormatConversion(reference::FP32, reference::TF32, line.in, 0, {}), line.tf32);
        EXPECT_EQ(reference::FormatConversion(reference::FP32, reference::BF16, line.in, 0, {}), line.bf16);
        EXPECT_EQ(reference::FormatConversion(reference::FP32, reference::FP16, line.in, 0, {}), line.fp16);
        EXPECT_EQ(reference::WriteDstFP32(line.in), line.dst32);
    }
}

TEST(GoldenFacts, HalvesToRegisters) {
    struct Line {
        F format;
        std::uint32_t in, src, dst16;
    };
    constexpr Line lines[] = {
        {F::Float16_b, 0x3F80, 0x0007F, 0x007F}, {F::Float16_b, 0xC049, 0x64880, 0xC980},
        {F::Float16_b, 0x0001, 0x00800, 0x0100}, {F::Float16, 0x3C00, 0x0000F, 0x000F},
        {F::Float16, 0x7BFF, 0x3FF1E, 0x7FFE},   {F::Float16, 0x7FFF, 0x3FF1F, 0x7FFF},
        {F::Float16, 0x8001, 0x40100, 0x8020},
    };
    for (const Line& line : lines) {
        SCOPED_TRACE(fmt::format("{} {:04x}", name(line.format), line.in));
        const bool fp16 = line.format == F::Float16;
        EXPECT_EQ(unpack_to_src(line.format, line.format, {line.in})[0], line.src);
        const std::uint32_t dst = formats::dst_from_stored(line.dst16);
        EXPECT_EQ(fp16 ? formats::dst_from_fp16(line.in) : line.in, dst);
        EXPECT_EQ(fp16 ? formats::fp16_from_dst(dst) : dst, line.in);
        EXPECT_EQ(fp16 ? reference::WriteSrcFP16(line.in) : reference::WriteSrcBF16(line.in), line.src);
        EXPECT_EQ(fp16 ? reference::WriteDstFP16(line.in) : reference::WriteDstBF16(line.in), line.dst16);
    }
}

TEST(GoldenFacts, Float32ToFloat16) {
    constexpr std::uint32_t lines[][2] = {{0x38800000, 0x0400}, {0x38000000, 0x0000}, {0x37800000, 0x0000},
                                          {0x477FE000, 0x7BFF}, {0x47800000, 0x7C00}, {0x48000000, 0x7FFF},
                                          {0xFF800000, 0xFFFF}, {0x387FFFFF, 0x03FF}};
    for (const auto& [in, out] : lines) {
        SCOPED_TRACE(fmt::format("{:08x}", in));
        EXPECT_EQ(formats::fp16_from_fp32(in), out);
        EXPECT_EQ(reference::FP32ToFP16(in), out);
        EXPECT_EQ(unpack_to_src(F::Float32, F::Float16, {in})[0], reference::WriteSrcFP16(out));
    }
}

// --- GOLDEN_FACTS, "Row mapping"

struct RowLine {
    unsigned row, physical;
};
constexpr RowLine plain_rows[] = {{0, 0},     {1, 1},      {7, 7},     {8, 16},      {9, 17},
                                  {15, 23},   {16, 32},    {64, 128},  {100, 196},   {255, 503},
                                  {256, 512}, {511, 1015}, {512, 512}, {1023, 1015}, {768, 512}};
constexpr RowLine swizzled_rows[] = {{0, 0},     {1, 1},     {7, 19},    {8, 64},    {9, 65},
                                     {15, 83},   {16, 4},    {64, 128},  {100, 160}, {255, 487},
                                     {256, 512}, {511, 999}, {512, 512}, {1023, 999}};
constexpr RowLine remapped_rows[] = {{0, 0},   {1, 1},    {7, 7},     {8, 32},    {9, 33},    {15, 39},   {16, 8},
                                     {64, 64}, {100, 84}, {255, 255}, {256, 256}, {511, 511}, {512, 512}, {1023, 1023}};

TEST(GoldenFacts, RowMapping) {
    for (const auto& [row, physical] : plain_rows) EXPECT_EQ((plan::DstMap{true, false, false}.row(row)), physical);
    for (const auto& [row, physical] : swizzled_rows) EXPECT_EQ((plan::DstMap{true, true, true}.row(row)), physical);
    for (const auto& [row, physical] : remapped_rows) EXPECT_EQ((plan::DstMap{false, true, false}.row(row)), physical);
    for (unsigned row = 0; row < 1024; ++row) EXPECT_EQ((plan::DstMap{false, false, true}.row(row)), row);
}

TEST(RowMapping, AsReferenceInEveryMode) {
    constexpr auto remap = registers::field("DEST_ACCESS_CFG_remap_addrs");
    constexpr auto swizzle = registers::field("DEST_ACCESS_CFG_swizzle_32b");
    state::State state(Arch::blackhole);
    for (unsigned mode = 0; mode < 4; ++mode) {
        const auto& at = remap[Arch::blackhole];
        const auto cell = state::cells::config(state.arch(), 0, at.addr32);
        state.write(cell, swizzle[Arch::blackhole].insert(at.insert(0, mode & 1), mode >> 1));
        const reference::Machine machine(state, 0, 0);
        const reference::DstView view(machine);
        for (unsigned row = 0; row < 1024; ++row) {
            const bool r = mode & 1, s = mode & 2;
            ASSERT_EQ((plan::DstMap{false, r, s}.row(row)), view.Adj16(row));
            ASSERT_EQ((plan::DstMap{true, r, s}.row(row)), view.Adj32(row));
            ASSERT_EQ((plan::DstMap{false, r, s, true}.row(row)), view.Adj32(row));
            ASSERT_EQ((plan::DstMap{true, r, s, true}.row(row)), view.Adj32(row));
            ASSERT_EQ(plan::DstMap::low_half(view.Adj32(row)), view.Adj32(row) + 8);
        }
    }
}

}  // namespace
}  // namespace tessera
