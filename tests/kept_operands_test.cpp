// SPDX-License-Identifier: Apache-2.0
// The multiplications' cached operands of a bank (state/src_bank.hpp) are never stale, for every writer of the bank.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "state/inventory.hpp"
#include "support/each_target.hpp"
#include "support/random_state.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "tessera/execution.hpp"
#include "units/matrix/fidelity.hpp"
#include "units/matrix/loops/mvmul_loops.hpp"
#include "units/resolve.hpp"

namespace tessera {
namespace {

using state::Src;

// Multiplications with all rows of all banks and either half of their mantissas.
void multiply_all(state::State& state, bool integers) {
    plan::MultiplyWork work;
    work.a_keep = work.b_keep = ~0u;
    work.flush_b = true;
    work.loop = units::matrix::mvmul_loop(integers, true, true);
    work.map.wide = true;
    for (const unsigned phase : {0u, 3u})
        for (unsigned i = 0; i < 2 * 4; ++i) {
            work.phase = units::matrix::slices(phase, true, true);
            work.a_bank = work.b_bank = i / 4;
            work.a_row = work.b_row = i % 4 * 16;
            plan::run(work, state);
        }
}

bool same(const state::KeptOperands& a, const state::KeptOperands& b, bool integers) {
    if (a.has_mantissas != b.has_mantissas || a.has_floats != b.has_floats) return false;
    if (a.has_mantissas && a.mantissas != b.mantissas) return false;
    if (!integers && a.exponents != b.exponents) return false;
    return !a.has_floats || (a.as_floats == b.as_floats && a.least == b.least && a.most == b.most &&
                             (!a.as_floats || a.floats == b.floats));
}

// Whether they multiply what a state would that keeps nothing.
testing::AssertionResult nothing_is_stale(const state::State& state, bool integers) {
    state::State as_kept = state, anew = state;
    for (auto& banks : anew.src)
        for (auto& bank : banks) bank.kept = {};
    for (auto* each : {&as_kept, &anew}) multiply_all(*each, integers);
    for (unsigned bank = 0; bank < 4; ++bank)
        for (unsigned i = 0; i < 8; ++i) {
            const auto& a = as_kept.src[bank / 2][bank % 2].kept[i / 2][i % 2];
            const auto& b = anew.src[bank / 2][bank % 2].kept[i / 2][i % 2];
            if (!same(a, b, integers))
                return testing::AssertionFailure() << "old operands of bank " << bank << ", rows from " << i / 2 * 16;
        }
    return testing::AssertionSuccess();
}

// A state whose banks 0 hold numbers and zeros, none of which is extreme: they are multiplied as floats.
state::State state_with_floats(Arch arch, test::Random& random) {
    state::State state = test::random_state(arch, random);
    std::uint32_t i = 0;
    for (auto& banks : state.src)
        for (auto& datum : banks[0].datums)
            datum = ++i % 7 ? (datum & 0x807FE000) | (120 + i % 15) << 23 : datum & 0x807FE000;
    return state;
}

class KeptOperands : public testing::TestWithParam<Arch> {
protected:
    state::State state_ = [] {
        test::Random random(5);
        return state_with_floats(GetParam(), random);
    }();

    // Of floats and of integers: what is kept before `change` must not be used behind it.
    template <class Change>
    void expect_dropped(const char* how, Change&& change) {
        for (const bool integers : {false, true}) {
            multiply_all(state_, integers);
            change();
            EXPECT_TRUE(nothing_is_stale(state_, integers)) << how;
        }
    }
};

TEST_P(KeptOperands, AreDroppedByEveryInstructionThatWritesABank) {
    test::Random random(20261121);
    std::vector<state::State> states;
    for (int i = 0; i < 12; ++i) states.push_back(state_with_floats(GetParam(), random));
    std::set<std::string_view> writers;
    for (const auto& spec : isa::table) {
        if (!isa::includes(spec.archs, GetParam())) continue;
        for (std::size_t i = 0; i < states.size(); ++i) {
            const bool integers = i % 2;
            const auto word = test::random_word(GetParam(), spec.name, random);
            const auto instruction = isa::decode(word, GetParam());
            if (!units::has_behaviour(instruction.mnemonic)) break;
            plan::Plan plan;
            const auto& costs = units::costs(GetParam(), Timing::documented);
            units::resolve(units::StateView(instruction, 0, states[i], costs, nullptr), plan);
            if (plan.fault) continue;
            state::State state = states[i];
            multiply_all(state, integers);
            const auto before = state.src;
            plan::run_whole(plan, state);
            for (unsigned bank = 0; bank < 4; ++bank)
                if (!(before[bank / 2][bank % 2].datums == state.src[bank / 2][bank % 2].datums))
                    writers.insert(spec.name);
            ASSERT_TRUE(nothing_is_stale(state, integers)) << spec.name << ' ' << word;
        }
    }
    for (const char* name : {"UNPACR", "UNPACR_NOP", "ZEROSRC", "MOVD2A", "MOVD2B", "MOVB2A", "SHIFTXA", "SHIFTXB",
                             "TRNSPSRCB", "STOREIND"})
        EXPECT_TRUE(writers.count(name)) << name << " wrote no bank";
}

TEST_P(KeptOperands, AreFloatsWhereNoneIsExtreme) {
    multiply_all(state_, false);
    for (const auto src : {Src::a, Src::b})
        for (unsigned i = 0; i < 4; ++i) {
            const auto& floats = state_.bank(src, 0).kept[i][0];
            EXPECT_TRUE(floats.has_floats && floats.as_floats && !floats.has_mantissas);
            const auto& halves = state_.bank(src, 1).kept[i][0];
            EXPECT_TRUE(halves.has_floats && !halves.as_floats && halves.has_mantissas);
        }
}

TEST_P(KeptOperands, AreDroppedByWhoeverSetsAnElement) {
    for (const auto storage : {state::Storage::src_a, state::Storage::src_b})
        for (const std::uint32_t element : {0u, 1023u, 1024u, 2047u})
            expect_dropped("write", [&] {
                state::write(state_, storage, element, state::read(state_, storage, element) ^ 0x7FFFF);
            });
}

// Each way to an element of an array that may be changed.
TEST_P(KeptOperands, AreDroppedByEveryAccess) {
    auto& datums = state_.bank(Src::a, 1).datums;
    std::uint32_t datum = 0x40000000;
    const auto next = [&] { return datum += 0x1082000; };
    expect_dropped("[]", [&] { datums[5] = next(); });
    expect_dropped("data", [&] { *datums.data() = next(); });
    expect_dropped("begin", [&] { *datums.begin() = next(); });
    expect_dropped("end", [&] { *(datums.end() - 1) = next(); });
    expect_dropped("fill", [&] { datums.fill(next()); });
    expect_dropped("a bank's copy", [&] {
        state_.bank(Src::a, 0).datums[5] = next();
        state_.bank(Src::a, 1) = state_.bank(Src::a, 0);
    });
}

// Two states whose banks were written equally often.
TEST_P(KeptOperands, AreNotTakenForAnotherStates) {
    for (const bool integers : {false, true}) {
        state::State one = state_, other = state_;
        one.bank(Src::b, 0).datums.fill(0x3F800000);
        other.bank(Src::b, 0).datums.fill(0x40410000);
        for (auto* each : {&one, &other}) multiply_all(*each, integers);
        const auto datums = other.bank(Src::b, 0).datums;
        one.bank(Src::b, 0).datums = datums;
        EXPECT_TRUE(nothing_is_stale(one, integers));
        other.bank(Src::b, 0).datums.fill(0x40C20000);
        one.bank(Src::b, 0).datums.fill(0x3F800000);
        multiply_all(one, integers);
        one = other;
        EXPECT_TRUE(nothing_is_stale(one, integers));
    }
}

// Then the result is the same for either of them.
TEST_P(KeptOperands, AreTheSameForEverySetOfVectors) {
    for (const bool integers : {false, true}) {
        state::State before = state_;
        test::on_each_target([&] {
            EXPECT_TRUE(nothing_is_stale(before, integers));
            before = state_;
            multiply_all(before, integers);
        });
    }
}

TEST_P(KeptOperands, AreDroppedBetweenStepsAndRuns) {
    Core core(GetParam());
    const auto a = core.src_a(), b = core.src_b();
    const auto set = [&](float value) {
        std::ranges::fill(a[0], std::bit_cast<std::uint32_t>(1.0f));
        std::ranges::fill(b[0], std::bit_cast<std::uint32_t>(value));
    };
    const std::string own_formats = ".cfg DISABLE_IMPLIED_SRCA_FMT_Base = 1\n.cfg DISABLE_IMPLIED_SRCB_FMT_Base = 1\n";
    const auto program =
        assemble((GetParam() == Arch::blackhole ? own_formats : "") +
                     ".cfg ALU_FORMAT_SPEC_REG0_SrcA = Float16_b\n.cfg ALU_FORMAT_SPEC_REG1_SrcB = Float16_b\n"
                     "SETDVALID 3\nZEROACC clear_mode=3\nMVMUL\nZEROACC clear_mode=3\nMVMUL\n",
                 GetParam());
    ASSERT_TRUE(program) << program.error().describe();
    const auto result = [&] { return core.dst()[0]; };
    constexpr std::uint16_t sum_of_ones = 0x4180, sum_of_twos = 0x4200, sum_of_fours = 0x4280;  // 16, 32, 64 as BF16
    set(1);
    auto run = Execution::begin(core, *program);
    ASSERT_TRUE(run);
    const auto to_next_product = [&] {
        Breakpoints at;
        at.instructions.emplace_back().name = "ZEROACC";
        return run->run_until(at).why;
    };
    EXPECT_EQ(to_next_product(), Pause::Why::instruction);
    EXPECT_EQ(to_next_product(), Pause::Why::instruction);
    EXPECT_EQ(result(), sum_of_ones);
    set(2);
    run->run_until({});
    EXPECT_EQ(result(), sum_of_twos);
    set(4);
    ASSERT_TRUE(core.run(*program));
    EXPECT_EQ(result(), sum_of_fours);
}

INSTANTIATE_TEST_SUITE_P(Archs, KeptOperands, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
