// SPDX-License-Identifier: Apache-2.0
// UNPACR on arbitrary states: units and reference agree on whether there is a result, and on the result. Every fault is
// compared.
#include <array>
#include <string>

#include "reference/unpack.hpp"
#include "support/reference_pair.hpp"

namespace tessera::test {
namespace {

using registers::field;
using registers::fields;
using state::Adc;
using state::AdcUnit;
using state::Unpacker;

constexpr unsigned cases = 10000;

/// A field, and what it stays below in most cases. Each is left as it came in some of them.
struct Bound {
    std::array<registers::Field, 2> of;
    std::uint32_t below;
};

constexpr Bound bounds[] = {
    {fields<2>("THCON_SEC#_REG3_Base_address"), 0x10000},
    {fields<2>("THCON_SEC#_REG7_Offset_address"), 0x1000},
    {fields<2>("THCON_SEC#_REG0_TileDescriptor_XDim"), 64},
    {fields<2>("THCON_SEC#_REG0_TileDescriptor_YDim"), 4},
    {fields<2>("THCON_SEC#_REG0_TileDescriptor_ZDim"), 3},
    {fields<2>("THCON_SEC#_REG0_TileDescriptor_WDim"), 3},
    {fields<2>("THCON_SEC#_REG0_TileDescriptor_DigestSize"), 2},
    {fields<2>("THCON_SEC#_REG2_Upsample_rate"), 2},
    {fields<2>("THCON_SEC#_REG2_Tileize_mode"), 1},
    {fields<2>("THCON_SEC#_REG2_Haloize_mode"), 1},
    {fields<2>("THCON_SEC#_REG2_Unpack_fifo_size"), 0x400},
};

class Wild {
public:
    explicit Wild(Arch arch) : pair(arch, 0x57494C44 + static_cast<unsigned>(arch)), choose(pair.choice) {
        pair.writes_l1 = false;
        for (std::uint32_t at = 0; at < pair.arch().l1_bytes; at += 4) {
            const std::uint32_t word = choose.one_in(4) ? choose.word() : choose.word() & 0x001F003F;
            pair.write_l1(at, &word, 4);
        }
    }

    void run_one() {
        pair.randomise_configuration();
        const unsigned thread = choose.below(3), u = choose.below(2);
        for (const Bound& bound : bounds)
            if (!choose.one_in(8)) pair.write(thread, bound.of[u], choose.below(bound.below));
        const std::uint32_t format = choose.below(16);
        pair.write(thread, in_format[u], format);
        if (!choose.one_in(8)) pair.write(thread, out_format[u], format);
        for (unsigned t = 0; t < state::threads; ++t)
            for (unsigned channel = 0; channel < 2; ++channel) set_counters(t, u, channel);
        const auto cell = [&](Unpacker item, unsigned t = 0) { return state::cells::unpacker(u, item, t); };
        const std::uint32_t bank = choose.below(2);
        pair.write(cell(Unpacker::bank), bank);
        pair.write(cell(Unpacker::next_bank), bank);
        pair.write(cell(Unpacker::src_row_t0, thread), choose.below(64));
        pair.write(cell(Unpacker::context_counter_t0, thread), choose.below(8));
        pair.write(state::cells::bank_owner(state::Src(u), bank), 0);
        std::uint32_t word = 0x42000000 | u << 23 | (choose.word() & 0x7FFFFF);
        if (!choose.one_in(16)) word &= ~0x2002u;
        if (choose.one_in(2)) word &= ~0x80u;
        pair.run(thread, word, reference::unpacr, pair.cases % 256 == 255, 1);
    }

    ReferencePair pair;

private:
    void set_counters(unsigned thread, unsigned u, unsigned channel) {
        const auto adc = [&](Adc c, std::uint32_t below, std::uint32_t bits) {
            pair.write(state::cells::adc(thread, AdcUnit(u), channel, c),
                       choose.below(choose.one_in(16) ? 1u << bits : below));
        };
        adc(Adc::x, channel ? 200 : 40, choose.one_in(8) ? 18 : 12);
        adc(Adc::y, 4, 13);
        adc(Adc::z, 3, pair.arch().adc_zw_bits);
        adc(Adc::w, 2, pair.arch().adc_zw_bits);
    }

    static constexpr auto in_format = fields<2>("THCON_SEC#_REG0_TileDescriptor_InDataFormat");
    static constexpr auto out_format = fields<2>("THCON_SEC#_REG2_Out_data_format");

    Choice& choose;
};

class WildUnpack : public testing::TestWithParam<Arch> {};

TEST_P(WildUnpack, UnitsAndReferenceAgree) {
    Wild wild(GetParam());
    for (unsigned i = 0; i < cases && !wild.pair.hopeless(); ++i) wild.run_one();
    EXPECT_EQ(wild.pair.differences, 0u);
    EXPECT_GE(wild.pair.executed, cases / 10);
    EXPECT_GE(wild.pair.faults, cases / 10);
    std::printf("[          ] %u executed, %u faults\n", wild.pair.executed, wild.pair.faults);
}

INSTANTIATE_TEST_SUITE_P(Archs, WildUnpack, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
