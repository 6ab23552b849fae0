// SPDX-License-Identifier: Apache-2.0
// Random programs of three threads over all instructions, on random configuration. Each ends in a result, a fault or a
// report of blocked actors. A second run with the same seed ends in the same state; so do a run with observers and one
// in steps, with the same report.
//
// TESSERA_SEQUENCES is the number of programs for a chip, TESSERA_SEQUENCES_SEED chooses others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "support/random_cases.hpp"
#include "support/random_programs.hpp"
#include "support/same_state.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {
namespace {

constexpr unsigned default_sequences = 400;
/// Programs one after the other on the same core, each on what the one before has left.
constexpr unsigned in_a_row = 8;

class RandomSequences : public testing::TestWithParam<Arch> {};

TEST_P(RandomSequences, AreTheSameUnderObserversAndInSteps) {
    const unsigned sequences = asked_cases(default_sequences, "TESSERA_SEQUENCES");
    RandomPrograms make(GetParam(), random_seed(84, GetParam(), "TESSERA_SEQUENCES_SEED"));
    unsigned results = 0;
    for (unsigned i = 0; i < sequences && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const Core& base = make.base();
        const Program program = i % 2 ? make.long_program() : make.program();
        RunOptions options = make.options();
        if (i % 4) options.seed.reset();
        Core alone = base, watched = base, stepped = base;
        const auto run = alone.run(program, options);
        if (!run) continue;
        results += !run->fault;

        unsigned events = 0;
        RunOptions observed = options;
        observed.on_event = [&](const Event&) { ++events; };
        observed.on_wait = [&](const Wait&) { ++events; };
        observed.on_write = [&](const Write&) { ++events; };
        EXPECT_EQ(reported(*watched.run(program, observed)), reported(*run));
        EXPECT_EQ(difference(watched, alone), "");

        auto steps = Execution::begin(stepped, program, options).value();
        for (unsigned step = 0; !steps.ended(); ++step) step % 3 ? steps.step() : steps.step_cycles(2);
        tessera::Run in_steps = steps.run();
        in_steps.explanations.clear();
        EXPECT_EQ(reported(in_steps), reported(*run));
        EXPECT_EQ(difference(stepped, alone), "");
    }
    EXPECT_GT(results, sequences / 100);
}

// Recurring sequences of plans are executed as traces (units/trace_cache.hpp).
TEST_P(RandomSequences, LoopsAreTheSameUnderObservers) {
    const unsigned sequences = asked_cases(default_sequences, "TESSERA_SEQUENCES");
    RandomPrograms make(GetParam(), random_seed(86, GetParam(), "TESSERA_SEQUENCES_SEED"));
    Core used{GetParam()};
    unsigned results = 0;
    for (unsigned i = 0; i < sequences && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const Core& base = make.base();
        RunOptions options = make.options();
        options.seed.reset();
        options.recorded = i % 3 == 0;
        const Program program = make.loops();
        used = base;
        Core watched = base;
        const auto run = used.run(program, options);
        if (!run) continue;
        results += !run->fault;

        RunOptions observed = options;
        observed.on_event = [](const Event&) {};
        EXPECT_EQ(reported(*watched.run(program, observed)), reported(*run));
        EXPECT_EQ(difference(watched, used), "");
        used = base;
        EXPECT_EQ(reported(*used.run(program, options)), reported(*run));
        EXPECT_EQ(difference(watched, used), "");
    }
    EXPECT_GT(results, sequences / 10);
    EXPECT_GT(used.plan_counts().followed, sequences * 10);
}

TEST_P(RandomSequences, EndInAResultAFaultOrAReport) {
    const unsigned sequences = asked_cases(default_sequences, "TESSERA_SEQUENCES");
    RandomPrograms make(GetParam(), random_seed(83, GetParam(), "TESSERA_SEQUENCES_SEED"));
    std::map<std::string, unsigned> ends;
    Core one = make.base(), other = one;
    for (unsigned i = 0; i < sequences && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        if (i % in_a_row == 0 && i > 0) {
            EXPECT_EQ(difference(one, other), "");
            other = one = make.base();
        }
        const Program program = make.program();
        const RunOptions options = make.options();
        const auto first = one.run(program, options), second = other.run(program, options);
        ASSERT_EQ(first.has_value(), second.has_value());
        if (!first) {
            ++ends["refused: " + first.error().code];
            EXPECT_FALSE(first.error().message.empty());
            continue;
        }
        if (!first->fault) {
            ++ends["result"];
            EXPECT_TRUE(first->blocked.empty());
        } else {
            ++ends["fault: " + first->fault->code];
            EXPECT_FALSE(first->fault->message.empty());
            if (first->fault->code == "deadlock" || first->fault->code == "no-progress") {
                EXPECT_FALSE(first->describe_blocked().empty());
            }
        }
        EXPECT_EQ(first->cycles, second->cycles);
    }
    EXPECT_EQ(difference(one, other), "");
    std::string table;
    for (const auto& [end, count] : ends) table += fmt::format("{:50} {:>8}\n", end, count);
    std::cout << table;
    EXPECT_GT(ends["result"], sequences / 100) << table;
}

TEST_P(RandomSequences, AreTheSameOnACoreThatHasHadOthers) {
    const unsigned sequences = asked_cases(default_sequences, "TESSERA_SEQUENCES");
    RandomPrograms make(GetParam(), random_seed(85, GetParam(), "TESSERA_SEQUENCES_SEED"));
    Core new_one{GetParam()};
    Core used{GetParam()};
    for (unsigned i = 0; i < sequences && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const Core& base = make.base();
        const Program program = make.program();
        RunOptions options = make.options();
        options.recorded = i % 2;
        if (i % 8 == 0) {
            used.reset();
            EXPECT_EQ(difference(used, new_one), "");
        }
        Core fresh = i % 8 ? base : new_one;
        if (i % 8) used = base;
        EXPECT_EQ(difference(used, fresh), "");
        const auto run = fresh.run(program, options), again = used.run(program, options);
        ASSERT_EQ(run.has_value(), again.has_value());
        if (!run) continue;
        EXPECT_EQ(reported(*again), reported(*run));
        EXPECT_EQ(difference(used, fresh), "");
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, RandomSequences, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
