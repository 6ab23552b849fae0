// SPDX-License-Identifier: Apache-2.0
// A core with unpackers configured for INT16, for tests of UNPACR's modes by hand. L1 holds 16-bit words that count up
// from the tile's begin.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/inventory.hpp"
#include "support/random_state.hpp"
#include "support/stepper.hpp"
#include "tessera/data_format.hpp"
#include "units/resolve.hpp"

namespace tessera::test {

using F = DataFormat;
using state::Adc;
using state::AdcUnit;
using state::Unpacker;

namespace unpacr {
inline constexpr std::uint32_t regular = 0x42000000, to_src_b = 1u << 23, counts = 1u << 13, multi_context = 1u << 7,
                               broadcast = 1u << 5, zeros = 1u << 4, use_counter = 1u << 3, row_search = 1u << 2,
                               flush = 1u << 1;
}  // namespace unpacr

inline constexpr std::uint32_t tile = 0x1000;
inline constexpr std::uint32_t untouched = 0xEE;

/// Sets, runs and looks.
class UnpackerBench {
public:
    explicit UnpackerBench(Arch arch) : step_(arch) {
        for (unsigned u = 0; u < 2; ++u) {
            set("REG0_TileDescriptor_IsUncompressed", 1, u);
            set("REG0_TileDescriptor_XDim", 256, u);
            set("REG0_TileDescriptor_YDim", 1, u);
            set("REG3_Base_address", tile / 16 - 1, u);
            set("REG0_TileDescriptor_InDataFormat", static_cast<std::uint32_t>(F::UInt16), u);
            set("REG2_Out_data_format", static_cast<std::uint32_t>(F::UInt16), u);
            for (unsigned i = 0; i < 1024; ++i) state::write(state(), storage(u), i, untouched);
        }
        set_field(state(), "SRCA_SET_SetOvrdWithAddr", 1);
        set_field(state(), "UNP0_ADDR_BASE_REG_1_Base", 64 * 2);
        for (std::uint32_t i = 0; i < 0x2000; ++i) word(i, i);
        last(255);
    }

    static state::Storage storage(unsigned u) { return u ? state::Storage::src_b : state::Storage::src_a; }
    state::State& state() { return step_.state; }
    Arch arch() const { return step_.state.arch().arch; }
    bool blackhole() const { return arch() == Arch::blackhole; }
    void set(std::string_view name, std::uint32_t value, unsigned u = 0) {
        set_field(state(), fmt::format("THCON_SEC{}_{}", u, name), value);
    }
    void adc(unsigned channel, Adc counter, std::uint32_t value) {
        for (AdcUnit unit : {AdcUnit::unpacker0, AdcUnit::unpacker1})
            state().write(state::cells::adc(0, unit, channel, counter), value);
    }
    void last(std::uint32_t x) { adc(1, Adc::x, x); }
    /// Word `i` behind the tile's beginning.
    void word(std::uint32_t i, std::uint32_t value) {
        const auto l1 = state().l1.open();
        l1[tile + 2 * i] = static_cast<std::uint8_t>(value);
        l1[tile + 2 * i + 1] = static_cast<std::uint8_t>(value >> 8);
    }
    void run(std::uint32_t bits = 0) {
        step_.execute(unpacr::regular | bits);
        EXPECT_EQ(step_.fault, "");
    }
    std::string fault_of(std::uint32_t bits = 0) {
        step_.execute(unpacr::regular | bits);
        return step_.fault;
    }
    /// The INT16 in L1 that became a source register's datum.
    std::uint32_t src(unsigned row, unsigned column, unsigned u = 0) {
        const auto stored = static_cast<std::uint32_t>(state::read(state(), storage(u), row * 16 + column));
        return (stored >> 3 & 0xFF00) | (stored & 0xFF);
    }
    std::vector<std::uint32_t> row(unsigned r, unsigned n, unsigned u = 0) {
        std::vector<std::uint32_t> datums(n);
        for (unsigned i = 0; i < n; ++i) datums[i] = src(r, i, u);
        return datums;
    }
    std::uint32_t counter(unsigned u = 0) {
        return state()[state::cells::unpacker(u, Unpacker::context_counter_t0, 0)];
    }
    plan::Plan resolve(std::uint32_t bits = 0) {
        plan::Plan plan;
        const auto& costs = units::costs(arch(), Timing::documented);
        units::resolve(units::StateView(isa::decode(unpacr::regular | bits, arch()), 0, state(), costs, nullptr), plan);
        return plan;
    }

    Stepper step_;
};

class UnpackerTest : public testing::TestWithParam<Arch>, protected UnpackerBench {
protected:
    UnpackerTest() : UnpackerBench(GetParam()) {}
};

inline std::string arch_name(const testing::TestParamInfo<Arch>& arch) { return std::string(name(arch.param)); }

}  // namespace tessera::test
