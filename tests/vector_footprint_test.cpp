// SPDX-License-Identifier: Apache-2.0
// Footprints of vector instructions. Nothing else in the vector unit decides the results. Registers are those that the
// pages name, and rows of Dst are those of the datums.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "state/inventory.hpp"
#include "support/assembly.hpp"
#include "support/random_state.hpp"
#include "support/vector_machine.hpp"
#include "units/resolve.hpp"

namespace tessera {
namespace {

using plan::Storage;
using Element = std::pair<Storage, std::uint32_t>;

std::set<Element> elements(const plan::Footprint& footprint, bool write) {
    constexpr std::uint32_t most = state::Dst::rows * state::columns;
    std::set<Element> all;
    for (const auto& access : footprint.accesses) {
        EXPECT_LE(access.count, most);
        for (std::uint32_t i = 0; access.write == write && i < std::min(access.count, most); ++i)
            all.insert({access.storage, access.first + i});
    }
    return all;
}

class VectorFootprint : public testing::TestWithParam<Arch> {
protected:
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }

    /// Every register and every cell of the vector unit.
    static std::vector<Element> of_the_unit() {
        namespace cells = state::cells;
        std::vector<Element> all;
        for (std::uint32_t i = 0; i < state::LRegs::registers * state::LRegs::lanes; ++i) all.emplace_back(Storage::lreg, i);
        for (const auto& block : {cells::cc_block, cells::cc_enable_block, cells::cc_stack_block, cells::cc_stack_size_block,
                                  cells::lane_config_block, cells::prng_block, cells::macro_block, cells::rotated_block})
            for (unsigned i = 0; i < block.count; ++i) all.emplace_back(Storage::cell, state::index(block[i]));
        return all;
    }
    /// Random contents of the unit; half of the time without masks of lanes.
    void refill(state::State& state) {
        namespace cells = state::cells;
        for (const Element& e : of_the_unit()) state::write(state, e.first, e.second, word());
        state.write(cells::cc_stack_size_block[0], word() % 9);
        state.write(cells::cc_enable_block[0], word() & 1);
        const bool configured = word() & 1;
        for (unsigned column = 0; column < cells::lane_config_words; ++column)
            if (!configured) state.write(cells::lane_config_block[column], word() & 0x000C);
        for (unsigned lane = 0; lane < state::LRegs::lanes; ++lane)
            state.lregs.lane[7 * state::LRegs::lanes + lane] = word() % 16;
    }
    template <class F>
    void for_each_instruction(F&& f) {
        std::set<std::string_view> seen;
        for (const auto& spec : isa::table)
            if (spec.unit == isa::Unit::vector && isa::includes(spec.archs, GetParam()) && seen.insert(spec.name).second)
                for (unsigned n = 0; n < 60 && !HasFatalFailure(); ++n) f(test::random_word(GetParam(), spec.name, random_));
    }
    static plan::Plan resolve(std::uint32_t instruction, const state::State& state) {
        plan::Plan plan;
        const auto arch = state.arch().arch;
        units::resolve(
            units::StateView(isa::decode(instruction, arch), 1, state, units::costs(arch, Timing::documented), nullptr), plan);
        return plan;
    }

    test::Random random_{20261126};
};

TEST_P(VectorFootprint, NothingElseOfTheUnitDecidesWhatIsWritten) {
    const auto everything = of_the_unit();
    state::State now(GetParam()), other(GetParam());
    unsigned executed = 0;
    for_each_instruction([&](std::uint32_t instruction) {
        refill(now);
        for (auto& datum : now.dst.datums) datum = static_cast<std::uint16_t>(word());
        now.dst.valid.set();
        other.dst = now.dst;
        for (const Element& e : everything) state::write(other, e.first, e.second, state::read(now, e.first, e.second));
        const plan::Plan plan = resolve(instruction, now);
        if (plan.fault) return;
        ++executed;
        const auto footprint = plan::footprint(plan);
        const auto reads = elements(footprint, false), writes = elements(footprint, true);
        for (const Element& e : everything)
            if (!reads.count(e)) state::write(other, e.first, e.second, word());
        plan::run_whole(plan, now);
        plan::run_whole(plan, other);
        for (const Element& e : writes)
            ASSERT_EQ(state::read(now, e.first, e.second), state::read(other, e.first, e.second))
                << plan.instruction.spec->name << fmt::format(" 0x{:08X}, element {}", instruction, e.second);
    });
    EXPECT_GT(executed, 1500u);
}

TEST_P(VectorFootprint, RowsOfDstAreThoseOfItsDatums) {
    state::State state(GetParam());
    const auto rows_of = [](const std::set<Element>& all) {
        std::set<std::uint32_t> rows;
        for (const auto& [storage, i] : all)
            if (storage == Storage::dst) rows.insert(i / state::columns);
        return rows;
    };
    unsigned checked = 0;
    for (unsigned n = 0; n < 600; ++n)
        for (const char* name : {"SFPLOAD", "SFPSTORE"}) {
            refill(state);
            const plan::Plan plan = resolve(test::random_word(GetParam(), name, random_), state);
            if (plan.fault) continue;
            plan::Footprint datums, rows;
            rows.rows_suffice = true;
            plan::footprint_of_work(plan, datums);
            plan::footprint_of_work(plan, rows);
            for (const bool write : {false, true}) {
                const auto exact = elements(datums, write), bound = elements(rows, write);
                EXPECT_EQ(rows_of(exact), rows_of(bound));
                EXPECT_TRUE(std::includes(bound.begin(), bound.end(), exact.begin(), exact.end())) << name;
                checked += !rows_of(exact).empty();
            }
        }
    EXPECT_GT(checked, 300u);
}

/// LRegs as a list of their numbers.
std::vector<unsigned> lregs_of(const plan::Footprint& footprint, bool write) {
    std::set<unsigned> all;
    for (const auto& [storage, i] : elements(footprint, write))
        if (storage == Storage::lreg) all.insert(i / state::LRegs::lanes);
    return {all.begin(), all.end()};
}

struct Registers {
    const char* line;
    std::vector<unsigned> reads, writes;
};

TEST_P(VectorFootprint, RegistersAreThoseOfThePages) {
    const std::vector<unsigned> first_8 = {0, 1, 2, 3, 4, 5, 6, 7}, first_4 = {0, 1, 2, 3};
    const std::vector<unsigned> first_16 = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const std::vector<unsigned> of_table = {0, 1, 2, 3, 4, 5, 6};
    const Registers all[] = {
        {"SFPAND lreg_c=1 lreg_dest=2", {1, 2}, {2}},
        {"SFPOR lreg_c=1 lreg_dest=2", {1, 2}, {2}},
        {"SFPXOR lreg_c=1 lreg_dest=2", {1, 2}, {2}},
        {"SFPNOT lreg_c=1 lreg_dest=2", {1}, {2}},
        {"SFPSHFT lreg_c=1 lreg_dest=2", {1, 2}, {2}},
        {"SFPSHFT lreg_c=1 lreg_dest=2 instr_mod1=1", {2}, {2}},
        {"SFPSETSGN lreg_c=1 lreg_dest=2", {1, 2}, {2}},
        {"SFPSETSGN lreg_c=1 lreg_dest=2 instr_mod1=1", {1}, {2}},
        {"SFPSETEXP lreg_c=1 lreg_dest=2", {1, 2}, {2}},
        {"SFPSETEXP lreg_c=1 lreg_dest=2 instr_mod1=2", {1, 2}, {2}},
        {"SFPSETEXP lreg_c=1 lreg_dest=2 instr_mod1=1", {1}, {2}},
        {"SFPSETMAN lreg_c=1 lreg_dest=2", {1, 2}, {2}},
        {"SFPDIVP2 lreg_c=1 lreg_dest=2 instr_mod1=1", {1}, {2}},
        {"SFPEXMAN lreg_c=1 lreg_dest=2", {1}, {2}},
        {"SFPEXEXP lreg_c=1 lreg_dest=2", {1}, {2}},
        {"SFPLZ lreg_c=1 lreg_dest=2", {1}, {2}},
        {"SFPABS lreg_c=1 lreg_dest=2", {1}, {2}},
        {"SFPIADD lreg_c=1 lreg_dest=2", {1, 2}, {2}},
        {"SFPIADD lreg_c=1 lreg_dest=2 instr_mod1=1", {1}, {2}},
        {"SFPCAST lreg_src_c=1 lreg_dest=2", {1}, {2}},
        {"SFPCAST lreg_src_c=1 lreg_dest=2 instr_mod1=1", {1}, {2}},
        {"SFP_STOCH_RND lreg_src_b=3 lreg_src_c=1 lreg_dest=2", {1}, {2}},
        {"SFP_STOCH_RND lreg_src_b=3 lreg_src_c=1 lreg_dest=2 instr_mod1=4", {1, 3}, {2}},
        {"SFP_STOCH_RND lreg_src_b=3 lreg_src_c=1 lreg_dest=2 instr_mod1=12", {1}, {2}},
        {"SFPMOV lreg_c=1 lreg_dest=2", {1}, {2}},
        {"SFPMOV lreg_c=9 lreg_dest=2 instr_mod1=8", {}, {2}},
        {"SFPMOV lreg_c=15 lreg_dest=2 instr_mod1=8", {}, {2}},
        {"SFPSETCC lreg_c=1 lreg_dest=2", {1}, {}},
        {"SFPSETCC lreg_c=1 lreg_dest=2 instr_mod1=1", {}, {}},
        {"SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3 lreg_dest=4", {1, 2, 3}, {4}},
        {"SFPMAD lreg_src_a=1 lreg_src_b=8 lreg_src_c=9 lreg_dest=4 instr_mod1=4", first_16, {4}},
        {"SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=9 lreg_dest=4 instr_mod1=8", {0, 1, 2, 3, 4, 5, 6, 7, 9}, first_8},
        {"SFPADDI imm16_math=16256 lreg_dest=4", {4}, {4}},
        {"SFPMULI imm16_math=16256 lreg_dest=4", {4}, {4}},
        {"SFPLUT lreg_ind=5", first_4, {5}},
        {"SFPLUT lreg_ind=5 instr_mod0=8", first_8, first_8},
        {"SFPLUTFP32 lreg_dest=7", of_table, {7}},
        {"SFPLUTFP32 lreg_dest=7 instr_mod1=2", of_table, {7}},
        {"SFPLUTFP32 lreg_dest=7 instr_mod1=3", of_table, {7}},
        {"SFPLUTFP32 lreg_dest=7 instr_mod1=10", first_8, first_8},
        {"SFPSHFT2 imm12_math=4 lreg_src_c=5 lreg_dest=6 instr_mod1=0", {1, 2, 3}, first_4},
        {"SFPSHFT2 imm12_math=4 lreg_src_c=5 lreg_dest=6 instr_mod1=1", first_4, first_4},
        {"SFPSHFT2 imm12_math=4 lreg_src_c=5 lreg_dest=6 instr_mod1=2", {1, 2, 3, 5}, first_4},
        {"SFPSHFT2 imm12_math=4 lreg_src_c=5 lreg_dest=6 instr_mod1=3", {5}, {6}},
        {"SFPSHFT2 imm12_math=4 lreg_src_c=5 lreg_dest=6 instr_mod1=4", {5}, {6}},
        {"SFPSHFT2 imm12_math=4 lreg_src_c=5 lreg_dest=6 instr_mod1=5", {4, 5}, {6}},
        {"SFPSHFT2 imm12_math=4 lreg_src_c=5 lreg_dest=6 instr_mod1=6", {4}, {6}},
        {"SFPTRANSP", first_8, first_8},
        {"SFPSWAP lreg_src_c=1 lreg_dest=2", {1, 2}, {1, 2}},
        {"SFPSWAP lreg_src_c=9 lreg_dest=2 instr_mod1=1", {2, 9}, {2}},
        {"SFPCONFIG config_dest=12", {0}, {12}},
        {"SFPCONFIG config_dest=12 instr_mod1=1", {}, {12}},
        {"SFPCONFIG config_dest=4", {0}, {}},
        {"SFPCONFIG config_dest=8 instr_mod1=1", {}, {}},
        {"SFPLOADI lreg_ind=3 instr_mod0=2", {}, {3}},
        {"SFPLOADI lreg_ind=3 instr_mod0=8", {3}, {3}},
        {"SFPLOADI lreg_ind=3 instr_mod0=10", {3}, {3}},
        {"SFPSTORE lreg_ind=9 instr_mod0=4", {9}, {}},
        {"SFPNOP", {}, {}},
    };
    const Registers of_blackhole[] = {
        {"SFPAND imm12_math=3 lreg_c=1 lreg_dest=2 instr_mod1=1", {1, 3}, {2}},
        {"SFPOR imm12_math=3 lreg_c=1 lreg_dest=2 instr_mod1=1", {1, 3}, {2}},
        {"SFPSHFT lreg_c=1 lreg_dest=2 instr_mod1=5", {1}, {2}},
        {"SFPGT lreg_c=1 lreg_dest=2 instr_mod1=1", {1, 2}, {}},
        {"SFPLE lreg_c=1 lreg_dest=2 instr_mod1=8", {1, 2}, {2}},
        {"SFPMUL24 lreg_src_a=1 lreg_src_b=2 lreg_src_c=9 lreg_dest=4", {1, 2, 9}, {4}},
        {"SFPARECIP imm12_math=3 lreg_c=1 lreg_dest=2", {1}, {2}},
        {"SFPARECIP imm12_math=3 lreg_c=1 lreg_dest=2 instr_mod1=1", {1, 3}, {2}},
        {"SFPARECIP imm12_math=3 lreg_c=1 lreg_dest=2 instr_mod1=2", {1}, {2}},
    };
    test::VectorMachine machine(GetParam());
    machine.use_flags(~0u);
    const auto expect = [&](const Registers& expected) {
        plan::Footprint footprint;
        plan::footprint_of_work(machine.resolve(test::word(expected.line, GetParam())), footprint);
        EXPECT_EQ(lregs_of(footprint, false), expected.reads) << expected.line;
        EXPECT_EQ(lregs_of(footprint, true), expected.writes) << expected.line;
    };
    for (const Registers& expected : all) expect(expected);
    if (blackhole())
        for (const Registers& expected : of_blackhole) expect(expected);
    // With ENABLE_DEST_INDEX in a lane column SFPSWAP exchanges places too, and with the next bit SFPLOAD keeps them.
    machine.state.write(state::cells::lane_config_block[6], 4 | 8);
    expect({"SFPSWAP lreg_src_c=1 lreg_dest=2", {1, 2, 5, 6}, {1, 2, 5, 6}});
    expect({"SFPSWAP lreg_src_c=0 lreg_dest=7", {0, 4, 7}, {0, 4, 7}});
    expect({"SFPLOAD lreg_ind=3 instr_mod0=14", {3}, {3, 7}});
    expect({"SFPLOAD lreg_ind=5 instr_mod0=14", {5}, {5}});
}

INSTANTIATE_TEST_SUITE_P(Archs, VectorFootprint, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
