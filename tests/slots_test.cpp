// SPDX-License-Identifier: Apache-2.0
// Plan cache: a plan is made again exactly when a word that it depends on is written, and can be moved.
#include "units/slots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "registers/field.hpp"
#include "state/riscv_words.hpp"
#include "state/state.hpp"
#include "support/assembly.hpp"
#include "support/random_state.hpp"
#include "units/resolve.hpp"

namespace tessera {
namespace {

class Kept {
public:
    bool made_again() {
        bool made = false;
        const auto instruction = isa::decode(0x02000000, Arch::blackhole);
        const units::StateView view(instruction, 0, state, units::costs(Arch::blackhole, Timing::documented), nullptr);
        table_.get(1, units::stamp(state.generations, 0, 0, state::Group::alu, state::Group::packer), view,
                   [&](const units::StateView&) {
                       made = true;
                       return 0;
                   });
        return made;
    }
    /// Of a configuration bank, or of a thread.
    void write(std::string_view field_name, unsigned bank) {
        const auto field = registers::find_field(field_name, Arch::blackhole).value();
        const auto addr32 = field.spec->at(Arch::blackhole).addr32;
        const auto cell = field.space == registers::Space::thread ? state::cells::thread_config(bank, addr32)
                                                                  : state::cells::config(state.arch(), bank, addr32);
        state.write(cell, state[cell] ^ 1);
    }

    state::State state{Arch::blackhole};

private:
    units::SlotTable<int, 4, units::SlotPlace::matrix> table_;
};

TEST(Slots, MadeAgainForTheirOwnGroupsOnly) {
    Kept kept;
    EXPECT_TRUE(kept.made_again());
    EXPECT_FALSE(kept.made_again());
    kept.state.write(state::cells::rwc(0, state::Rwc::dst), 8);
    kept.state.write(state::cells::gpr(0, 3), 8);
    kept.write("THCON_SEC0_REG2_Out_data_format", 0);
    kept.write("ALU_FORMAT_SPEC_REG0_SrcA", 1);
    kept.state.write(state::cells::thread_config(1, 12), 8);
    EXPECT_FALSE(kept.made_again());
    kept.write("ALU_FORMAT_SPEC_REG0_SrcA", 0);
    EXPECT_TRUE(kept.made_again());
    kept.write("THCON_SEC0_REG1_In_data_format", 0);
    EXPECT_TRUE(kept.made_again());
    kept.state.write(state::cells::thread_config(0, 12), 8);
    EXPECT_TRUE(kept.made_again());
    EXPECT_FALSE(kept.made_again());
}

TEST(Slots, NotMadeAgainForWhereTilesAre) {
    for (const std::string_view name :
         {"THCON_SEC0_REG3_Base_address", "THCON_SEC1_REG3_Base_cntx1_address", "THCON_SEC0_REG1_L1_Dest_addr",
          "DEST_TARGET_REG_CFG_MATH_Offset", "UNPACK_MISC_CFG_CfgContextOffset_0"}) {
        Kept kept;
        EXPECT_TRUE(kept.made_again());
        kept.write(name, 0);
        EXPECT_FALSE(kept.made_again()) << name;
    }
}

// An input that no value's stamp covers must not be used by a value.
TEST(Slots, NothingIsMadeFromWhereTilesAre) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        test::Random random(11);
        const auto& groups = state::cell_groups(arch);
        const auto is_place = [&](unsigned cell) {
            for (unsigned which = 0; which < state::threads; ++which)
                if (groups.of[cell] == state::group_counter(state::Group::place, which)) return true;
            return false;
        };
        unsigned values = 0;
        for (unsigned i = 0; i < 8; ++i) {
            const state::State state = test::random_state(arch, random);
            for (const auto& spec : isa::table) {
                if (!isa::includes(spec.archs, arch)) continue;
                const auto instruction = isa::decode(test::random_word(arch, spec.name, random), arch);
                if (!units::has_behaviour(instruction.mnemonic)) continue;
                const auto slots = std::make_unique<units::Slots>();
                units::Reads reads;
                plan::Plan plan;
                const units::StateView view(instruction, i % state::threads, state,
                                            units::costs(arch, Timing::documented), slots.get());
                units::resolve(units::StateView(view, reads), plan);
                for (const auto& value : reads.values) {
                    ++values;
                    value.reads->for_each([&](const units::Reads::Bits& one) {
                        EXPECT_FALSE(is_place(one.cell)) << spec.name << " " << one.cell;
                    });
                }
            }
        }
        EXPECT_GT(values, 100u);
    }
}

// With memoised parts of plans, and blocks of cells that are noted as one read. Memoised formats are looked up by the implied ones,
// whether these decide or not.
TEST(PlanCache, CapturesAreTheCellsThatAResolveReads) {
    test::Random random(7);
    for (const Arch arch : all_archs) {
        const auto& costs = units::costs(arch, Timing::documented);
        for (unsigned i = 0; i < 8; ++i) {
            const state::State state = test::random_state(arch, random);
            const auto slots = std::make_unique<units::Slots>();
            for (const auto& spec : isa::table) {
                if (!isa::includes(spec.archs, arch)) continue;
                const auto instruction = isa::decode(test::random_word(arch, spec.name, random), arch);
                if (!units::has_behaviour(instruction.mnemonic)) continue;
                units::Recorder recorder;
                plan::Plan plan;
                units::resolve(units::StateView(instruction, i % state::threads, state, costs, nullptr, &recorder), plan);
                const std::set<state::Cell> read(recorder.cells().begin(), recorder.cells().end());
                const units::PlanRef& kept = slots->plans.resolve(instruction, i % state::threads, state, costs, *slots);
                std::set<state::Cell> captured, others;
                for (const plan::CellBits& bits : kept->captures->bits) captured.insert(state::Cell(bits.cell));
                EXPECT_EQ(kept->captures->bits.size(), captured.size()) << spec.name;
                EXPECT_TRUE(std::includes(captured.begin(), captured.end(), read.begin(), read.end())) << spec.name;
                std::set_difference(captured.begin(), captured.end(), read.begin(), read.end(), std::inserter(others, others.end()));
                for (const state::Cell cell : others)
                    EXPECT_TRUE(state::cells::implied_format_block.contains(cell)) << spec.name << " " << state::index(cell);
            }
        }
    }
}

// A word keeps the plans of 64 configurations.
TEST(PlanCache, EachOfManyConfigurationsHasItsPlan) {
    state::State state{Arch::blackhole};
    const auto slots = std::make_unique<units::Slots>();
    const auto& costs = units::costs(Arch::blackhole, Timing::documented);
    const auto instruction = isa::decode(test::word("MOVD2A"), Arch::blackhole);
    const auto offset = state::cells::thread_config(1, registers::field("DEST_TARGET_REG_CFG_MATH_Offset")[Arch::blackhole].addr32);
    for (const unsigned row : {0u, 512u})
        for (unsigned i = 0; i < 200; ++i) {
            state.write(offset, row + i);
            const units::PlanRef& plan = slots->plans.resolve(instruction, 1, state, costs, *slots);
            ASSERT_TRUE(std::holds_alternative<plan::MoveBackWork>(plan->plan.work));
            EXPECT_EQ(std::get<plan::MoveBackWork>(plan->plan.work).dst_row, row + i);
        }
}

class MovedL1 : public testing::Test {
protected:
    /// Of L1 or of the cores' own memory: whether it is a write, and where.
    using Places = std::vector<std::pair<bool, std::uint32_t>>;
    static units::PlanRef copies(const plan::MoverWork& work) {
        plan::Plan plan;
        plan.pipes = bit(plan::Pipe::mover);
        plan.work = work;
        return units::PlanRef::of(plan);
    }
    static Places places(const units::Resolved& resolved) {
        Places all;
        for (const plan::Access& access : resolved.work().accesses) all.emplace_back(access.write, access.first);
        return all;
    }
};

TEST_F(MovedL1, OnlyTheseBytesMove) {
    units::PlanRef plan = copies({.arch = Arch::wormhole, .from = 0x1000, .to = 0x2000, .bytes = 32});
    units::Resolved& moved = plan.alone();
    ASSERT_EQ(places(moved), (Places{{false, 0x1000}, {true, 0x2000}}));
    EXPECT_FALSE(moved.move_l1(0x2010, 32, 0x3000));
    EXPECT_FALSE(moved.move_l1(0x2000, 16, 0x3000));
    EXPECT_EQ(places(moved), (Places{{false, 0x1000}, {true, 0x2000}}));
    EXPECT_TRUE(moved.move_l1(0x2000, 32, 0x3000));
    EXPECT_EQ(places(moved), (Places{{false, 0x1000}, {true, 0x3000}}));
    EXPECT_TRUE(moved.move_l1(0x5000, 0, 0x6000)) << "no bytes";
    EXPECT_EQ(places(moved), (Places{{false, 0x1000}, {true, 0x3000}}));
}

TEST_F(MovedL1, WhetherDataAreWrittenIsAskedAgainOnlyWhereTheyAreRead) {
    units::PlanRef plan = copies({.arch = Arch::wormhole, .from = 0x1000, .to = 0x2000, .bytes = 32});
    units::Resolved& moved = plan.alone();
    moved.work();
    moved.reads_written_in = 7;
    EXPECT_TRUE(moved.move_l1(0x2000, 32, 0x3000));
    EXPECT_EQ(moved.reads_written_in, 7u);
    EXPECT_TRUE(moved.move_l1(0x1000, 32, 0x4000));
    EXPECT_EQ(moved.reads_written_in, 0u);
    EXPECT_EQ(places(moved), (Places{{false, 0x4000}, {true, 0x3000}}));
}

TEST_F(MovedL1, TheSameAddressInAnotherMemoryStays) {
    constexpr std::uint32_t iram = state::riscv_words::iram;
    units::PlanRef plan = copies({.arch = Arch::wormhole, .to_iram = true, .from = iram, .to = 0, .bytes = 32});
    units::Resolved& moved = plan.alone();
    ASSERT_EQ(places(moved), (Places{{false, iram}, {true, iram}}));
    EXPECT_TRUE(moved.move_l1(iram, 32, 0x3000));
    EXPECT_EQ(places(moved), (Places{{false, 0x3000}, {true, iram}}));
}

}  // namespace
}  // namespace tessera
