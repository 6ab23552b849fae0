// SPDX-License-Identifier: Apache-2.0
// UNPACR to Dst: the rows of its datums, by hand from UNPACR_Regular and Dst, and its findings.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/inventory.hpp"
#include "support/random_state.hpp"
#include "support/stepper.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "tessera/data_format.hpp"
#include "units/resolve.hpp"

namespace tessera {
namespace {

using F = DataFormat;
using state::Adc;
using state::AdcUnit;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

class UnpackToDst : public testing::TestWithParam<Arch> {
protected:
    UnpackToDst() {
        set("REG0_TileDescriptor_IsUncompressed", 1);
        set("REG0_TileDescriptor_XDim", 1024);
        set("REG0_TileDescriptor_YDim", 1);
        set("REG2_Unpack_If_Sel", 1);
        set("REG3_Base_address", 0xFF);  // the tile begins at 0x1000
        format(F::UInt16);
        for (std::uint32_t i = 0; i < 0x10000; ++i)
            state().l1.open()[0x1000 + i] = static_cast<std::uint8_t>(i % 2 ? i / 512 : i / 2);
    }

    state::State& state() { return step_.state; }
    void set(std::string_view name, std::uint32_t value) {
        test::set_field(state(), fmt::format("THCON_SEC0_{}", name), value);
    }
    void format(F f) {
        set("REG0_TileDescriptor_InDataFormat", static_cast<std::uint32_t>(f));
        set("REG2_Out_data_format", static_cast<std::uint32_t>(f));
    }
    /// Unpacks `count` datums to output row `row` (rows of Dst begin at 4), from `column` on.
    void unpack(std::uint32_t count, unsigned row, unsigned column = 0, unsigned datum_bytes = 2) {
        state().write(state::cells::adc(0, AdcUnit::unpacker0, 1, Adc::x), count - 1);
        test::set_field(state(), "UNP0_ADDR_BASE_REG_1_Base", (row * 16 + column) * datum_bytes);
        step_.execute(0x42000000);
        EXPECT_EQ(step_.fault, "");
    }
    /// The datum of a physical row, in stored order.
    std::uint32_t dst(unsigned row, unsigned column = 0) {
        return static_cast<std::uint32_t>(state::read(state(), state::Storage::dst, row * 16 + column));
    }

    test::Stepper step_{GetParam()};
};

TEST_P(UnpackToDst, RowsOfTheSixteenBitView) {
    unpack(40, 4 + 100, 8);
    EXPECT_EQ(dst(100, 7), 0u);
    EXPECT_EQ(dst(100, 8), 0u);
    EXPECT_EQ(dst(100, 9), 1u);
    EXPECT_EQ(dst(101, 0), 8u);
    EXPECT_EQ(dst(102, 15), 39u);
    EXPECT_EQ(dst(103, 0), 0u);
    EXPECT_THAT(step_.findings, ElementsAre("unpack.dst-clobbers-src-a"));
}

TEST_P(UnpackToDst, RowsBeforeTheFirstAreTheLast) {
    unpack(16 * 5, 0);
    EXPECT_EQ(dst(1020, 1), 1u);
    EXPECT_EQ(dst(1023, 0), 48u);
    EXPECT_EQ(dst(0, 0), 64u);
}

TEST_P(UnpackToDst, MoreThanThereIsWraps) {
    unpack(16 * 1025, 4);
    EXPECT_EQ(dst(0, 3), 16u * 1024 + 3);
    EXPECT_EQ(dst(1, 3), 16u + 3);
}

// Dst: high half in row ((r & 0x1F8) << 1) | (r & 0x207), low half 8 rows further.
TEST_P(UnpackToDst, RowsOfThe32BitView) {
    format(F::Int32);
    unpack(16 * 9, 4 + 8, 0, 4);
    EXPECT_EQ(dst(16 + 8, 1), 2u);  // the words 0x00030002, 0x00110010, 0x01010100
    EXPECT_EQ(dst(16, 1), 3u << 8);
    EXPECT_EQ(dst(16 + 8, 8), 16u);
    EXPECT_EQ(dst(16 + 15, 0), 224u);
    EXPECT_EQ(dst(32 + 8, 0), 256u);
    EXPECT_EQ(dst(32 + 9, 0), 0u);
    unpack(16, 4 + 256, 0, 4);  // the same as row 512
    EXPECT_EQ(dst(512 + 8, 1), 2u);
}

// Dst, Adj16 and Adj32, on the architecture that has them.
TEST_P(UnpackToDst, RemappedAndSwizzledRows) {
    const bool blackhole = GetParam() == Arch::blackhole;
    test::set_field(state(), "DEST_ACCESS_CFG_remap_addrs", 1);
    test::set_field(state(), "DEST_ACCESS_CFG_swizzle_32b", 1);
    unpack(16, 4 + 8);
    EXPECT_EQ(dst(blackhole ? 32 : 8, 5), 5u);
    unpack(16, 4 + 7);
    EXPECT_EQ(dst(7, 5), 5u);  // the 16-bit view is not swizzled
    format(F::Int32);
    unpack(16, 4 + 100, 0, 4);
    EXPECT_EQ(dst((blackhole ? 160 : 196) + 8, 1), 2u);
}

// A core that is reset as the vendor's simulator takes rows as they are numbered, others as the page has them: row 8 of
// the 16-bit view is physical row 32.
TEST(UnpackToDstOfACore, MapsRowsUnlessResetAsTheVendorsSimulator) {
    const auto program = assemble(R"(
.cfg DEST_ACCESS_CFG_remap_addrs = 1
.cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = UInt16
.cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1
.cfg THCON_SEC0_REG0_TileDescriptor_XDim = 16
.cfg THCON_SEC0_REG0_TileDescriptor_YDim = 1
.cfg THCON_SEC0_REG2_Out_data_format = UInt16
.cfg THCON_SEC0_REG2_Unpack_If_Sel = 1
.cfg THCON_SEC0_REG3_Base_address = 0xFF
.cfg UNP0_ADDR_BASE_REG_1_Base = 16 * 2 * (4 + 8)
SETADCXX unpackers=A x1=15 x0=0
UNPACR
)",
                                  Arch::blackhole, "test.tts")
                             .value();
    for (const Reset reset : {Reset::silicon, Reset::vendor_sim}) {
        Core core(Arch::blackhole, reset);
        ASSERT_TRUE(core.write_l1(0x1000, std::vector<std::byte>(32, std::byte{7})));
        ASSERT_TRUE(core.run(program, {.timing = Timing::instant}).value().good());
        const unsigned row = reset == Reset::silicon ? 32 : 8, other = 40 - row;
        const Section& dst = *core.find_section("dst").value();
        EXPECT_NE(core.read(dst, row * 16), 0u);
        EXPECT_EQ(core.read(dst, other * 16), 0u);
    }
}

// spec-notes A16
TEST_P(UnpackToDst, SetOvrdWithAddrDropsBitsOfTheRow) {
    test::set_field(state(), "SRCA_SET_SetOvrdWithAddr", 1);
    unpack(16, 4 + 0x17F);
    EXPECT_EQ(dst(0x14F, 5), 5u);
    EXPECT_THAT(step_.findings, Contains("unpack.dst-set-ovrd"));
}

// spec-notes B23
TEST_P(UnpackToDst, AnyWriteMakesItsRowValid) {
    for (unsigned row : {100u, 101u, 200u, 208u}) state().dst.valid[row] = false;
    unpack(1, 4 + 100, 3);
    EXPECT_TRUE(state().dst.valid[100]);
    EXPECT_FALSE(state().dst.valid[101]);
    format(F::Int32);
    unpack(1, 4 + 96, 3, 4);  // physical rows 192 and 200
    EXPECT_FALSE(state().dst.valid[200]) << "the low half's row tells nothing";
    unpack(1, 4 + 104, 3, 4);
    EXPECT_TRUE(state().dst.valid[208]);
}

// spec-notes A17
TEST_P(UnpackToDst, SrcAStays) {
    auto& bank = state().bank(state::Src::a, 0);
    bank.datums.fill(0x12340000);
    const auto before = bank.datums;
    unpack(256, 4);
    EXPECT_EQ(bank.datums, before);
    step_.findings.clear();
    set("REG2_Unpack_If_Sel", 0);
    unpack(256, 4);
    EXPECT_NE(bank.datums, before);
    EXPECT_THAT(step_.findings, Not(Contains("unpack.dst-clobbers-src-a")));
}

TEST_P(UnpackToDst, UndefinedModesAreFaults) {
    set("REG2_Haloize_mode", 1);
    step_.execute(0x42000000);
    EXPECT_EQ(step_.fault, "unpack.dst-transposed");
    set("REG2_Haloize_mode", 0);
    set("REG2_Shift_amount_cntx0", 1);
    step_.execute(0x42000000);
    EXPECT_EQ(step_.fault, "unpack.dst-transposed");
}

// FP32 and INT32 are what Dst is for.
TEST_P(UnpackToDst, FormatsOf32BitsAreNotTold) {
    for (F f : {F::Float32, F::Tf32, F::Int32}) {
        format(f);
        unpack(16, 4, 0, 4);
    }
    EXPECT_THAT(step_.findings, testing::Each("unpack.dst-clobbers-src-a"));
}

TEST_P(UnpackToDst, IsExplained) {
    format(F::Float32);
    set("REG2_Throttle_mode", 2);
    test::set_field(state(), "UNP0_ADDR_BASE_REG_1_Base", (4 + 1020) * 64 + 32);
    state().write(state::cells::adc(0, AdcUnit::unpacker0, 1, Adc::x), 99);
    plan::Plan plan;
    const auto& costs = units::costs(GetParam(), Timing::documented);
    units::resolve(units::StateView(isa::decode(0x42000000, GetParam()), 0, state(), costs, nullptr), plan);
    plan::Lines lines;
    explain(std::get<plan::UnpackToDstWork>(plan.work), lines);
    EXPECT_THAT(lines, ElementsAre(testing::Pair("from", "L1 0x1000, 100 datums of 4 bytes"),
                                   testing::Pair("to", "Dst rows 1020 to 2, from column 8 (32-bit view)")));
}

INSTANTIATE_TEST_SUITE_P(Archs, UnpackToDst, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
