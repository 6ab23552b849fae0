// SPDX-License-Identifier: Apache-2.0
// The speed requested by an UNPACR: throttle modes, and every constraint of UNPACR_Regular, Performance (spec-notes
// F1).
#include "support/unpacker_test.hpp"
#include "units/costs/unpack_cost.hpp"

namespace tessera::test {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

class UnpackSpeed : public UnpackerTest {
protected:
    void format(F in, unsigned u = 0) {
        set("REG0_TileDescriptor_InDataFormat", static_cast<std::uint32_t>(in), u);
        set("REG2_Out_data_format", static_cast<std::uint32_t>(in), u);
        // Output addresses count four bytes per datum where a datum has four.
        set_field(state(), fmt::format("UNP{}_ADDR_BASE_REG_1_Base", u), 64 * 4);
    }
    void throttle(std::uint32_t mode, unsigned u = 0) {
        set("REG1_ovrd_default_throttle_mode", 1, u);
        set("REG2_Throttle_mode", mode, u);
    }
    unsigned rate(std::uint32_t bits = 0) {
        const auto plan = resolve(bits);
        EXPECT_FALSE(plan.fault);
        return plan.cost.transfer.alone;
    }
    units::Speed wanted(std::uint32_t bits = 0) { return units::Speed(resolve(bits).cost.transfer.speed); }
    unsigned modes() const { return blackhole() ? 4 : 3; }
    /// Bytes per cycle of a throttle mode; Blackhole's x4 has twice as many for datums of more than a byte.
    unsigned bytes(unsigned mode, unsigned datum_bits) const {
        const unsigned bytes[] = {16, 32, datum_bits > 8 && blackhole() ? 128u : 64u, 128};
        return bytes[mode];
    }
};

using units::Speed;

constexpr struct {
    F format;
    unsigned bits;
} formats[] = {{F::Bfp2_b, 2}, {F::Bfp2, 2},       {F::Bfp4_b, 4},   {F::Bfp4, 4},    {F::Bfp8_b, 8},   {F::Lf8, 8},
               {F::Int8, 8},   {F::Float16_b, 16}, {F::Float16, 16}, {F::UInt16, 16}, {F::Float32, 32}, {F::Int32, 32}};

TEST_P(UnpackSpeed, ThrottleModesOfEachFormat) {
    for (const auto& [in, bits] : formats)
        for (unsigned u = 0; u < 2; ++u)
            for (unsigned mode = 0; mode < modes(); ++mode) {
                format(in, u);
                throttle(mode, u);
                const unsigned expected = bits == 2 ? 16 : bytes(mode, bits);
                EXPECT_EQ(rate(u ? unpacr::to_src_b : 0), expected) << name(in) << ", mode " << mode;
            }
}

TEST_P(UnpackSpeed, BlackholeIgnoresTheModeUnlessToldOtherwise) {
    for (const auto& [in, bits] : formats)
        for (unsigned u = 0; u < 2; ++u)
            for (unsigned mode = 0; mode < 3; ++mode) {
                format(in, u);
                throttle(mode, u);
                set("REG1_ovrd_default_throttle_mode", 0, u);
                // 8 bits: x8; others: x4.
                const unsigned by_default = bits == 4 ? 64 : 128;
                const unsigned expected = bits == 2 ? 16 : blackhole() ? by_default : bytes(mode, bits);
                EXPECT_EQ(rate(u ? unpacr::to_src_b : 0), expected) << name(in) << ", mode " << mode;
                if (blackhole() && bits != 2) {
                    EXPECT_EQ(wanted(u ? unpacr::to_src_b : 0), bits == 8 ? Speed::x8 : Speed::x4);
                }
            }
}

TEST_P(UnpackSpeed, ModeThreeNamesNoSpeedOnWormhole) {
    throttle(3);
    run();
    if (blackhole()) {
        EXPECT_THAT(step_.findings, IsEmpty());
        EXPECT_EQ(wanted(), Speed::x8);
        return;
    }
    EXPECT_THAT(step_.findings, Contains("unpack.throttle-mode"));
    EXPECT_EQ(rate(), 64u);
    step_.findings.clear();
    set("REG2_Upsample_rate", 2);  // always x1: the mode does not count
    run();
    EXPECT_THAT(step_.findings, Not(Contains("unpack.throttle-mode")));
}

TEST_P(UnpackSpeed, TilizeIsAlwaysX4) {
    set("REG2_Tileize_mode", 1);
    set("REG2_Shift_amount_cntx0", 4);
    for (const auto& [in, bits] : formats)
        for (unsigned mode = 0; mode < modes(); ++mode) {
            format(in);
            throttle(mode);
            EXPECT_EQ(rate(), bits == 2 ? 16 : bytes(2, bits)) << name(in) << ", mode " << mode;
        }
}

TEST_P(UnpackSpeed, UpsamplingByOneIsX1OrX2AndByMoreX1) {
    for (unsigned upsample = 1; upsample < 4; ++upsample)
        for (const auto& [in, bits] : formats)
            for (unsigned mode = 0; mode < modes(); ++mode) {
                set("REG2_Upsample_rate", upsample);
                format(in);
                throttle(mode);
                EXPECT_EQ(rate(), upsample > 1 || mode == 0 || bits == 2 ? 16u : 32u) << name(in) << ", mode " << mode;
            }
}

TEST_P(UnpackSpeed, ACompressedTileIsAlwaysX1) {
    set("REG0_TileDescriptor_IsUncompressed", 0);
    for (unsigned i = 0; i < 16; ++i) word(i, 16 * i);
    for (unsigned mode = 0; mode < modes(); ++mode) {
        throttle(mode);
        EXPECT_EQ(rate(), 16u);
        set("REG1_ovrd_default_throttle_mode", 0);
        EXPECT_EQ(rate(), 16u);
    }
}

TEST_P(UnpackSpeed, FourBitsToDstAreX1OrX2) {
    set("REG2_Unpack_If_Sel", 1);
    for (const auto& [in, bits] : formats)
        for (unsigned mode = 0; mode < modes(); ++mode) {
            format(in);
            throttle(mode);
            EXPECT_EQ(rate(), bits == 2   ? 16
                              : bits == 4 ? bytes(std::min(mode, 1u), bits)
                                          : bytes(mode, bits))
                << name(in) << ", mode " << mode;
        }
    format(F::Bfp4_b);
    throttle(2);
    set("REG2_Tileize_mode", 1);
    set("REG2_Shift_amount_cntx0", 4);
    EXPECT_EQ(rate(), 32u);
}

// 1 MiB at 16 bytes per cycle is more cycles than 16 bits hold.
TEST_P(UnpackSpeed, ALongTransferTakesAllItsCycles) {
    format(F::Float32);
    set("REG2_Out_data_format", static_cast<std::uint32_t>(F::Tf32));
    throttle(0);
    set("REG3_Base_address", 0);
    last(0x3FFFF);
    const std::uint64_t bytes = std::uint64_t{0x40000} * 4;
    EXPECT_EQ(resolve().cost.occupancy, bytes / 16);
    EXPECT_GT(resolve().cost.occupancy, 0xFFFFu);
}

INSTANTIATE_TEST_SUITE_P(Archs, UnpackSpeed, testing::ValuesIn(all_archs), arch_name);

}  // namespace
}  // namespace tessera::test
