// SPDX-License-Identifier: Apache-2.0
// UNPACR_NOP and SETDVALID by hand from their pages: waits, streams, registers of the tile, banks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/inventory.hpp"
#include "support/random_state.hpp"
#include "support/stepper.hpp"
#include "units/resolve.hpp"

namespace tessera {
namespace {

using state::Owner;
using state::Src;
using state::Unpacker;
using testing::Contains;
using testing::IsEmpty;

class UnpacrNop : public testing::TestWithParam<Arch> {
protected:
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    state::State& state() { return step_.state; }
    /// NOC_OVERLAY_START_ADDR + 4 * STREAM_MSG_DATA_CLEAR_REG_INDEX, from 0xFFB00000.
    std::uint32_t data_clear() const { return 0x40000 + 4 * (blackhole() ? 266 : 22); }
    std::uint32_t stream(unsigned i) { return state()[state::cells::stream_data_clear(i)]; }
    std::uint32_t src_b(unsigned bank, unsigned row, unsigned column) {
        return static_cast<std::uint32_t>(state::read(state(), state::Storage::src_b, (bank * 64 + row) * 16 + column));
    }
    plan::Plan resolve(std::uint32_t word) {
        plan::Plan plan;
        units::resolve(units::StateView(isa::decode(word, GetParam()), 0, state(),
                                        units::costs(GetParam(), Timing::documented), nullptr),
                       plan);
        return plan;
    }

    test::Stepper step_{GetParam()};
};

TEST_P(UnpacrNop, PopsTheStreamOfThreadConfigurationOrTheOneItNames) {
    test::set_field(state(), "NOC_OVERLAY_MSG_CLEAR_StreamId_0", 9);
    test::set_field(state(), "NOC_OVERLAY_MSG_CLEAR_StreamId_1", 11);
    step_("UNPACR_NOP.pop");
    EXPECT_EQ(stream(9), 1u);
    EXPECT_THAT(step_.findings, Contains("unpack.nop-unsupported"));
    step_("UNPACR_NOP.explicit-pop Stream_Id=40 Msg_Clr_Cnt=3");
    EXPECT_EQ(stream(40), 1u);  // never the count
    EXPECT_EQ(stream(11), 0u);
    // A count of 0 leaves the stream to thread configuration.
    step_.execute(0x43000000 | 1u << 23 | 41u << 16 | 3);
    EXPECT_EQ(stream(41), 0u);
    EXPECT_EQ(stream(11), 1u);
}

TEST_P(UnpacrNop, WritesAndAccumulatesIntoARegister) {
    state().write(state::cells::set_reg_base(1), data_clear());
    const std::string_view select = blackhole() ? " AddrSelLo=1" : " AddrSel=1";
    const auto write = [&](const std::string& operands) {
        step_("UNPACR_NOP.set-register AddrMid=5" + std::string(select) + operands);
        return stream(5);
    };
    const auto sum = [&] { return state()[state::cells::unpacker(0, Unpacker::setreg_acc)]; };
    EXPECT_EQ(write(" Value11=1234"), 1234u);
    EXPECT_EQ(sum(), 0u);
    EXPECT_EQ(write(" Value11=2000 Accumulate=1"), 2000u);
    EXPECT_EQ(write(" Value11=2000 Accumulate=1"), 4000u);
    state().write(state::cells::unpacker(0, Unpacker::setreg_acc), 0x1FFFF);
    EXPECT_EQ(write(" Value11=3 Accumulate=1"), 2u);  // 17 bits
    EXPECT_EQ(write(" Value11=0 Accumulate=1"), 2u);  // begins anew, and writes nothing
    EXPECT_EQ(sum(), 0u);
}

TEST_P(UnpacrNop, AnyOtherAddressIsAFault) {
    const std::uint32_t word = blackhole() ? 0x43000007 | 1u << 4 : 0x43000004 | 1u << 4;
    for (std::uint32_t base : {0u, 0x11010u, 0x11014u, 0x40000u + 4 * 1000, data_clear() + 4, 0x80000u}) {
        state().write(state::cells::set_reg_base(0), base);
        step_.execute(word);
        EXPECT_EQ(step_.fault, "mmio-unmapped") << base;
    }
    state().write(state::cells::set_reg_base(0), data_clear());
    step_.execute(word);
    EXPECT_EQ(step_.fault, "");
    EXPECT_EQ(stream(0), 1u);
}

TEST_P(UnpacrNop, ClearWaitsForOneBankAndClearsAnother) {
    state().write(state::cells::unpacker(1, Unpacker::bank), 1);
    state().write(state::cells::unpacker(1, Unpacker::next_bank), 1);
    state().write(state::cells::matrix_bank(Src::b), 0);
    const std::uint32_t clear = 0x43000001 | 1u << 23, like_unpacr = blackhole() ? 1u << 5 : 1u << 4,
                        both = blackhole() ? 1u << 4 : 1u << 3;
    for (bool like : {false, true}) {
        const auto plan = resolve(clear | (like ? like_unpacr : 0));
        ASSERT_EQ(plan.banks.size(), 1u);
        EXPECT_EQ(plan.banks[0].src, Src::b);
        EXPECT_EQ(plan.banks[0].bank, like ? 1 : 0);
        EXPECT_EQ(plan.banks[0].owner, Owner::unpackers);
    }
    for (unsigned bank = 0; bank < 2; ++bank) state().bank(Src::b, bank).datums.fill(0x12340000);
    step_.execute(clear);
    EXPECT_EQ(src_b(1, 63, 15), 0u);
    EXPECT_NE(src_b(0, 0, 0), 0u);
    EXPECT_THAT(step_.findings, IsEmpty());
    step_.execute(clear | both | like_unpacr);
    EXPECT_EQ(src_b(0, 0, 0), 0u);
    EXPECT_THAT(step_.findings, Contains("unpack.both-banks"));
    step_.execute(clear | 1u << 2);  // negative infinity, which SrcB has on Blackhole only
    EXPECT_EQ(src_b(1, 7, 7), blackhole() ? 0x7FFFFu : 0u);
}

// Wormhole has one bit for the value; every mode of Blackhole's has a meaning.
class BlackholesUnpacrNop : public UnpacrNop {};
class WormholesUnpacrNop : public UnpacrNop {};
INSTANTIATE_TEST_SUITE_P(Archs, BlackholesUnpacrNop, testing::Values(Arch::blackhole));
INSTANTIATE_TEST_SUITE_P(Archs, WormholesUnpacrNop, testing::Values(Arch::wormhole));

TEST_P(BlackholesUnpacrNop, ClearsToOneAndToAnImmediate) {
    // 1.0 in stored order: FP16 has exponent 15, BF16 and TF32 have 127; integer 1 has exponent 16.
    constexpr std::uint32_t ones[] = {0x0000F, 0x0007F, 0x00110};
    for (std::uint32_t format = 0; format < 3; ++format) {
        step_.execute(0x43000001 | 1u << 23 | 2u << 2 | format << 6);
        EXPECT_EQ(src_b(0, 20, 3), ones[format]);
    }
    test::set_field(state(), "UNP1_NOP_REG_CLR_VAL_nop_reg_clr_val", 0xFFFD1234);
    step_.execute(0x43000001 | 1u << 23 | 3u << 2 | 1u << 8);
    EXPECT_EQ(src_b(0, 20, 3), 0x51234u);
    EXPECT_THAT(step_.findings, testing::Each("unpack.clear-value"));
    EXPECT_EQ(state()[state::cells::bank_owner(Src::b, 0)], static_cast<std::uint32_t>(Owner::matrix));
    EXPECT_EQ(state()[state::cells::unpacker(1, Unpacker::next_bank)], 1u);
}

TEST_P(WormholesUnpacrNop, AModeWithoutMeaningDoesNothing) {
    EXPECT_THAT(resolve(0x43000006).effects, testing::SizeIs(0));
    step_.execute(0x43000006);
    EXPECT_THAT(step_.findings, Contains("unpack.nop-mode"));
}

TEST_P(UnpacrNop, SetdvalidHandsOverWhatItNames) {
    test::set_field(state(), "SRCB_SET_Base", 2);
    state().write(state::cells::implied_format(Src::b, 0), 5);
    step_("SETDVALID setvalid=2", 1);
    EXPECT_EQ(state()[state::cells::bank_owner(Src::a, 0)], static_cast<std::uint32_t>(Owner::unpackers));
    EXPECT_EQ(state()[state::cells::bank_owner(Src::b, 0)], static_cast<std::uint32_t>(Owner::matrix));
    EXPECT_EQ(state()[state::cells::unpacker(1, Unpacker::bank)], 1u);
    EXPECT_EQ(state()[state::cells::unpacker(1, Unpacker::src_row_t1)], 32u);
    EXPECT_EQ(state()[state::cells::implied_format(Src::b, 0)], 5u);
    // An UNPACR that has been issued and will hand over its bank when it ends.
    state().write(state::cells::unpacker(0, Unpacker::next_bank), 1);
    step_("SETDVALID setvalid=1");
    EXPECT_THAT(step_.findings, Contains("unpack.setdvalid-queued"));
    EXPECT_EQ(state()[state::cells::bank_owner(Src::a, 1)], static_cast<std::uint32_t>(Owner::matrix));
}

INSTANTIATE_TEST_SUITE_P(Archs, UnpacrNop, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
