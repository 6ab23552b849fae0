// SPDX-License-Identifier: Apache-2.0
// Plans that come one behind the other again (units/stretches.hpp), and their pace (units/pace.hpp).
#include <gtest/gtest.h>

#include "support/assembly.hpp"
#include "tessera/core.hpp"
#include "units/costs/costs.hpp"
#include "units/slots.hpp"

namespace tessera::test {
namespace {

using units::PlanRef;

/// A math thread whose instructions execute when they are issued.
class StretchesTest : public testing::Test {
protected:
    const PlanRef& issue(std::string_view line) {
        const auto instruction = isa::decode(word(line), Arch::blackhole);
        const PlanRef& plan = slots.plans.resolve(instruction, 1, state, costs, slots);
        run_whole(plan->plan, state);
        return plan;
    }
    /// The first one, and what has been learned to come behind it.
    const units::Resolved& learn(std::string_view first, std::initializer_list<std::string_view> behind) {
        const units::Resolved* known = nullptr;
        for (bool learns = false; !learns;) {
            const PlanRef& plan = issue(first);
            known = &*plan;
            learns = slots.stretches.begin(plan, state);
            before = state.all_cells();
        }
        for (const std::string_view line : behind)
            if (!slots.stretches.add(issue(line))) break;
        slots.stretches.end(costs);
        return *known;
    }
    void go_back() {
        for (unsigned i = 0; i < before.size(); ++i) state.write(state::Cell(i), before[i]);
    }
    const units::Stretch* behind(const units::Resolved& first, std::string_view next) {
        return slots.stretches.behind(first, word(next), state);
    }

    state::State state{Arch::blackhole};
    units::Slots slots;
    const units::CostTable& costs = units::costs(Arch::blackhole, Timing::documented);
    std::array<std::uint32_t, state::cells::total> before{};
};

TEST_F(StretchesTest, AreKnownWhereAllThatTheyLookAtIsAsItWas) {
    constexpr std::string_view next = "INCRWC rwc_d=8";
    const auto& first = learn("NOP", {next, next, "NOP"});
    EXPECT_EQ(behind(first, next), nullptr) << "the counter has gone on";
    go_back();
    const units::Stretch* known = behind(first, next);
    ASSERT_NE(known, nullptr);
    ASSERT_EQ(known->steps.size(), 3u);
    EXPECT_EQ(known->steps[1].plan->plan.effects.size(), 1u);
    EXPECT_EQ(known->steps[1].plan->plan.effects[0].value, 16u) << "set by the step before";
    EXPECT_EQ(behind(first, "NOP"), nullptr) << "another word";
    state.write(state::cells::rwc(1, state::Rwc::dst), 1);
    EXPECT_EQ(behind(first, next), nullptr);
}

TEST_F(StretchesTest, EndInFrontOfWhatOthersNotice) {
    const auto& first = learn("NOP", {"NOP", "SEMPOST sem_sel=1", "NOP"});
    const units::Stretch* known = behind(first, "NOP");
    ASSERT_NE(known, nullptr);
    EXPECT_EQ(known->steps.size(), 1u);
}

TEST_F(StretchesTest, AreNoLongerKnownOnceCleared) {
    const auto& first = learn("NOP", {"NOP"});
    ASSERT_NE(behind(first, "NOP"), nullptr);
    const PlanRef held = slots.plans.resolve(isa::decode(word("NOP"), Arch::blackhole), 1, state, costs, slots).share();
    slots.stretches.clear();
    EXPECT_EQ(behind(*held, "NOP"), nullptr);
}

// SFPMAD, Instruction scheduling: Blackhole waits a cycle for the result of the instruction before; SFPMAD ends in its second cycle.
TEST_F(StretchesTest, KeepThePaceOfTheVectorUnit) {
    constexpr std::string_view mad = "SFPMAD lreg_src_a=0 lreg_src_b=1 lreg_src_c=2 lreg_dest=3",
                               uses_it = "SFPMAD lreg_src_a=3 lreg_src_b=1 lreg_src_c=2 lreg_dest=4";
    const auto& first = learn("NOP", {mad, uses_it, mad});
    const units::Stretch* known = behind(first, mad);
    ASSERT_NE(known, nullptr);
    EXPECT_EQ(known->pace.issued, (std::vector<std::uint32_t>{0, 2, 3}));
    EXPECT_EQ(known->pace.cycles, 4u);
    EXPECT_EQ(known->pace.end, 5u);
    ASSERT_EQ(known->pace.pipes.size(), 1u);
    EXPECT_EQ(known->pace.pipes[0].pipe, plan::Pipe::vector);
    EXPECT_EQ(known->pace.pipes[0].instructions, 3u);
    ASSERT_EQ(known->pace.waits.size(), 1u);
    EXPECT_EQ(known->pace.waits[0].cycles, 1u);

    const auto& result = learn(mad, {uses_it, "NOP"});
    const units::Stretch* held = behind(result, uses_it);
    ASSERT_NE(held, nullptr);
    EXPECT_EQ(held->pace.issued, (std::vector<std::uint32_t>{1, 2})) << "by the one in front";
}

// A block of Dst cannot be read for four cycles behind the instruction that writes it (spec-notes on interlocks; MatrixUnit).
TEST_F(StretchesTest, KeepThePaceOfDst) {
    for (const state::Src src : {state::Src::a, state::Src::b})
        state.write(state::cells::bank_owner(src, 0), static_cast<std::uint32_t>(state::Owner::matrix));
    const auto& first = learn("NOP", {"MVMUL dst=0", "NOP", "MVMUL dst=0", "MVMUL dst=8"});
    const units::Stretch* known = behind(first, "MVMUL dst=0");
    ASSERT_NE(known, nullptr);
    EXPECT_EQ(known->pace.issued, (std::vector<std::uint32_t>{0, 1, 5, 6}));
    ASSERT_EQ(known->pace.blocks.size(), 2u);
    EXPECT_EQ(known->pace.blocks[1].block, 1u);
    EXPECT_EQ(known->pace.blocks[1].asked, 6u);
    const auto& matrix = known->pace.pipes[0];
    EXPECT_EQ(matrix.pipe, plan::Pipe::matrix);
    EXPECT_EQ(matrix.busy + (matrix.end - matrix.resumed), matrix.end) << "MVMUL takes five cycles: no pause";
}

TEST(Stretches, AreFollowedInLoopsOfAProgram) {
    const auto program = assemble(
        "REPLAY load_mode=1 len=8\n.repeat 8\nINCRWC rwc_d=8\n.end\n.repeat 100\n"
        "SETRWC BitMask=15\nREPLAY len=8\n.end\n",
        Arch::blackhole);
    ASSERT_TRUE(program) << program.error().describe();
    Core core{Arch::blackhole};
    const auto run = core.run(*program);
    ASSERT_TRUE(run && run->good());
    EXPECT_GT(core.plan_counts().followed, 500u);
    EXPECT_EQ(core.plan_counts().found + core.plan_counts().made, 900u);
    Core watched{Arch::blackhole};
    RunOptions options;
    options.on_event = [](const Event&) {};
    EXPECT_EQ(watched.run(*program, options)->cycles, run->cycles);
    EXPECT_EQ(watched.plan_counts().followed, 0u);
}

}  // namespace
}  // namespace tessera::test
