// SPDX-License-Identifier: Apache-2.0
// Plans of UNPACR by its formats: bytes of L1, rates, findings, and the words that resolve reads.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plan/plan.hpp"
#include "support/random_state.hpp"
#include "units/resolve.hpp"

namespace tessera {
namespace {

using F = DataFormat;
using state::Adc;
using state::AdcUnit;
using testing::ElementsAre;

class UnpackInput : public testing::TestWithParam<Arch> {
protected:
    UnpackInput() {
        set("REG0_TileDescriptor_IsUncompressed", 1);
        set("REG0_TileDescriptor_XDim", 256);
        set("REG0_TileDescriptor_YDim", 1);
        set("REG0_TileDescriptor_ZDim", 4);
        set("REG3_Base_address", 0xFF);  // the tile begins at 0x1000
        test::set_field(state_, "SRCA_SET_SetOvrdWithAddr", 1);
        test::set_field(state_, "UNP0_ADDR_BASE_REG_1_Base", 64);
        state_.write(state::cells::adc(0, AdcUnit::unpacker0, 1, Adc::x), 255);
    }

    void set(std::string_view name, std::uint32_t value) {
        test::set_field(state_, fmt::format("THCON_SEC0_{}", name), value);
    }
    void formats(F in, F out) {
        set("REG0_TileDescriptor_InDataFormat", static_cast<std::uint32_t>(in));
        set("REG2_Out_data_format", static_cast<std::uint32_t>(out));
        const bool wide = out == F::Float32 || out == F::Tf32 || out == F::Int32;
        const bool half = out == F::Float16 || out == F::Float16_b || out == F::UInt16;
        test::set_field(state_, "UNP0_ADDR_BASE_REG_1_Base", 64 * (wide ? 4 : half ? 2 : 1));
    }
    void datums(std::uint32_t first, std::uint32_t last) {
        state_.write(state::cells::adc(0, AdcUnit::unpacker0, 0, Adc::x), first);
        state_.write(state::cells::adc(0, AdcUnit::unpacker0, 1, Adc::x), last);
    }
    void z(std::uint32_t value) { state_.write(state::cells::adc(0, AdcUnit::unpacker0, 0, Adc::z), value); }

    plan::Plan resolve(units::Recorder* recorder = nullptr) const {
        plan::Plan plan;
        const auto instruction = isa::decode(0x42000000, GetParam());
        const auto& costs = units::costs(GetParam(), Timing::documented);
        units::resolve(units::StateView(instruction, 0, state_, costs, nullptr, recorder), plan);
        return plan;
    }

    /// Ranges of L1 that the transfer reads: first byte, count.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> reads() const {
        const auto plan = resolve();
        EXPECT_FALSE(plan.fault);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
        for (const auto& access : plan::footprint(plan).accesses)
            if (access.storage == state::Storage::l1) found.emplace_back(access.first, access.count);
        return found;
    }

    std::vector<std::string> findings() const {
        std::vector<std::string> codes;
        for (const auto& note : resolve().findings) codes.emplace_back(findings::catalogue[note.id.index].code);
        return codes;
    }

    state::State state_{GetParam()};
};

using Bytes = std::pair<std::uint32_t, std::uint32_t>;

TEST_P(UnpackInput, ExponentsStandBeforeDatums) {
    z(2);
    formats(F::Bfp8_b, F::Bfp8_b);
    EXPECT_THAT(reads(), ElementsAre(Bytes(0x1000 + 64 + 512, 256), Bytes(0x1000 + 32, 16)));
    formats(F::Bfp4, F::Bfp4);
    EXPECT_THAT(reads(), ElementsAre(Bytes(0x1000 + 64 + 256, 128), Bytes(0x1000 + 32, 16)));
    formats(F::Bfp2_b, F::Bfp2_b);
    EXPECT_THAT(reads(), ElementsAre(Bytes(0x1000 + 64 + 128, 64), Bytes(0x1000 + 32, 16)));
    set("REG0_TileDescriptor_WDim", 2);
    EXPECT_THAT(reads(), ElementsAre(Bytes(0x1000 + 128 + 128, 64), Bytes(0x1000 + 32, 16)));
    set("REG0_TileDescriptor_WDim", 1);
    set("REG0_TileDescriptor_XDim", 250);  // 1000 datums: 63 exponents, in 64 bytes
    EXPECT_THAT(reads(), ElementsAre(Bytes(0x1000 + 64 + 125, 64), Bytes(0x1000 + 31, 17)));
}

TEST_P(UnpackInput, BlocksBeginWithinBytes) {
    formats(F::Bfp4_b, F::Bfp4_b);
    datums(19, 33);
    EXPECT_THAT(reads(), ElementsAre(Bytes(0x1040 + 9, 8), Bytes(0x1001, 2)));
    formats(F::Bfp2, F::Bfp2);
    datums(18, 18);
    EXPECT_THAT(reads(), ElementsAre(Bytes(0x1040 + 4, 1), Bytes(0x1001, 1)));
}

TEST_P(UnpackInput, WithoutASectionExponentsAreReadWhereDatumsAre) {
    set("REG0_TileDescriptor_NoBFPExpSection", 1);
    formats(F::Bfp4_b, F::Bfp4_b);
    EXPECT_THAT(reads(), ElementsAre(Bytes(0x1000, 128), Bytes(0x1000, 16)));
    formats(F::Bfp8_b, F::Bfp8_b);  // always has one
    EXPECT_THAT(reads(), ElementsAre(Bytes(0x1040, 256), Bytes(0x1000, 16)));
}

TEST_P(UnpackInput, AForcedExponentNeedsNoSection) {
    set("REG2_Force_shared_exp", 1);
    test::set_field(state_, "UNP0_FORCED_SHARED_EXP_shared_exp", 127);
    formats(F::Bfp8_b, F::Bfp8_b);
    EXPECT_THAT(reads(), ElementsAre(Bytes(0x1000, 256)));
    state_.l1.open()[0x1000] = 0xC0;
    plan::run_whole(resolve(), state_);
    EXPECT_EQ(state_.bank(state::Src::a, 0).datums[0], 0xBF800000u);  // -1.0
}

TEST_P(UnpackInput, L1EndsWhereItsLastDatumEnds) {
    formats(F::Bfp4_b, F::Bfp4_b);
    set("REG2_Force_shared_exp", 1);
    const std::uint32_t end = state_.arch().l1_bytes;
    set("REG3_Base_address", end / 16 - 2);
    datums(0, 31);
    EXPECT_FALSE(resolve().fault);
    datums(31, 31);
    EXPECT_FALSE(resolve().fault);
    datums(31, 32);
    ASSERT_TRUE(resolve().fault);
    EXPECT_EQ(findings::catalogue[resolve().fault->id.index].code, "unpack.l1-address");
}

TEST_P(UnpackInput, AnExponentSectionBeyondL1IsAFault) {
    formats(F::Bfp8, F::Bfp8);
    set("REG0_TileDescriptor_XDim", 0x4000);
    for (const char* dimension : {"YDim", "ZDim"}) set(fmt::format("REG0_TileDescriptor_{}", dimension), 0x80);
    set("REG0_TileDescriptor_WDim", 16);  // 2^32 datums, which are not 0
    ASSERT_TRUE(resolve().fault);
    EXPECT_EQ(findings::catalogue[resolve().fault->id.index].code, "unpack.l1-address");
}

TEST_P(UnpackInput, WhereTheTileBeginsHas32Bits) {
    formats(F::Float16_b, F::Float16_b);
    const auto plain = resolve();
    ASSERT_FALSE(plain.fault);
    set("REG3_Base_address", state_.config(0, registers::field("THCON_SEC0_REG3_Base_address")) | 0x80000000);
    const auto wrapped = resolve();
    ASSERT_FALSE(wrapped.fault);
    EXPECT_TRUE(wrapped.work == plain.work);
    ASSERT_EQ(wrapped.findings.size(), plain.findings.size() + 1);
    EXPECT_EQ(findings::catalogue[wrapped.findings[0].id.index].code, "unpack.base-wraps");
}

// UNPACR_Regular, Performance: x1, x2, x4 are 16, 32, 64 bytes; 2-bit formats are always x1.
TEST_P(UnpackInput, UnpackRates) {
    test::set_field(state_, "THCON_SEC0_REG1_ovrd_default_throttle_mode", 1);
    for (std::uint32_t throttle = 0; throttle < 3; ++throttle) {
        set("REG2_Throttle_mode", throttle);
        const std::uint32_t rate = 16u << throttle;
        for (F format : {F::Bfp8, F::Bfp8_b, F::Lf8, F::Int8}) {
            formats(format, format);
            EXPECT_EQ(resolve().cost.occupancy, 256 / rate);
        }
        for (F format : {F::Bfp4, F::Bfp4_b}) {
            formats(format, format);
            EXPECT_EQ(resolve().cost.occupancy, 128 / rate);
        }
        for (F format : {F::Bfp2, F::Bfp2_b}) {
            formats(format, format);
            EXPECT_EQ(resolve().cost.occupancy, 64 / 16);
        }
    }
}

// The same: on the way to Dst 4-bit formats are x1 or x2.
TEST_P(UnpackInput, UnpackRatesToDst) {
    test::set_field(state_, "THCON_SEC0_REG1_ovrd_default_throttle_mode", 1);
    set("REG2_Unpack_If_Sel", 1);
    for (std::uint32_t throttle = 0; throttle < 3; ++throttle) {
        set("REG2_Throttle_mode", throttle);
        formats(F::Bfp8, F::Bfp8);
        EXPECT_EQ(resolve().cost.occupancy, 256u / (16u << throttle));
        for (F format : {F::Bfp4, F::Bfp4_b}) {
            formats(format, format);
            EXPECT_EQ(resolve().cost.occupancy, 128u / (throttle ? 32 : 16));
        }
        formats(F::Bfp2, F::Bfp2);
        EXPECT_EQ(resolve().cost.occupancy, 64u / 16);
    }
}

TEST_P(UnpackInput, UndefinedPairsAreTold) {
    formats(F::Tf32, F::Tf32);
    EXPECT_THAT(findings(), ElementsAre("unpack.tf32-to-src"));
    formats(F::Int32, F::Int32);
    EXPECT_THAT(findings(), ElementsAre("unpack.int32-to-src"));
    formats(F::Bfp8, F::Bfp8_b);
    EXPECT_THAT(findings(), ElementsAre("unpack.format-mismatch"));
    formats(F::Float32, F::Int8);
    ASSERT_TRUE(resolve().fault);
    EXPECT_EQ(findings::catalogue[resolve().fault->id.index].code, "unpack.fp32-to-other");
    for (F format : {F::Bfp8, F::Bfp4, F::Bfp2, F::Bfp8_b, F::Bfp4_b, F::Bfp2_b, F::Lf8, F::Int8, F::UInt16}) {
        formats(format, format);
        EXPECT_THAT(findings(), ElementsAre()) << name(format);
    }
}

// The words belong to other threads as well: what is looked at without need would be a hazard.
TEST_P(UnpackInput, LooksOnlyAtWhatItsFormatNeeds) {
    const auto looks_at = [&](F format, const registers::Field& field) {
        formats(format, format);
        units::Recorder recorder;
        resolve(&recorder);
        const auto cell = state::cells::config(state_.arch(), 0, field[GetParam()].addr32);
        return std::count(recorder.cells().begin(), recorder.cells().end(), cell) > 0;
    };
    constexpr auto is_unsigned = registers::field("ALU_FORMAT_SPEC_REG0_SrcAUnsigned");
    constexpr auto e4m3 = registers::field("THCON_SEC0_REG1_Unp_LF8_4b_exp");
    EXPECT_TRUE(looks_at(F::Int8, is_unsigned));
    EXPECT_FALSE(looks_at(F::Bfp8, is_unsigned));
    EXPECT_FALSE(looks_at(F::Float16_b, is_unsigned));
    if (GetParam() == Arch::blackhole) {
        EXPECT_TRUE(looks_at(F::Lf8, e4m3));
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, UnpackInput, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
