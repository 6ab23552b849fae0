// SPDX-License-Identifier: Apache-2.0
// Random programs of three threads over all instructions, on random configuration: each ends in a result, a fault or a report of
// who waits for whom, and a second run with the same seed ends in the same state; so does one under observers, and one in steps,
// with the same report.
//
// TESSERA_SEQUENCES is the number of programs for a chip, TESSERA_SEQUENCES_SEED chooses others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "isa/table.hpp"
#include "state/inventory.hpp"
#include "support/random_cases.hpp"
#include "support/random_state.hpp"
#include "support/same_state.hpp"
#include "tessera/core.hpp"
#include "tessera/execution.hpp"
#include "units/resolve.hpp"

namespace tessera::test {
namespace {

constexpr unsigned default_sequences = 400, base_states = 8, most_ops = 8, most_ops_before = 120;
constexpr std::uint64_t most_cycles = 4'000;
/// Programs one after the other on the same core, each on what the one before has left.
constexpr unsigned in_a_row = 8;

Core core_of(const state::State& from, Reset reset) {
    Core core(from.arch().arch, reset);
    std::copy(from.l1.bytes.begin(), from.l1.bytes.end(), core.l1().begin());
    for (const auto& place : state::inventory(from.arch().arch).places())
        for (std::size_t i = 0; i < place.section.size && place.storage != state::Storage::l1; ++i)
            core.write(place.section, i, state::read(from, place.storage, place.element(i)));
    return core;
}

/// Those that nothing executes end a program at once: they are one in a hundred.
std::vector<std::string_view> instructions_of(Arch arch) {
    std::vector<std::string_view> names, refused;
    for (const auto& spec : isa::table)
        if (isa::includes(spec.archs, arch)) {
            const auto instruction = isa::decode(std::uint32_t{spec.opcode} << 24, arch);
            const bool executed = spec.unit == isa::Unit::frontend || units::has_behaviour(instruction.mnemonic);
            (executed ? names : refused).push_back(spec.name);
        }
    if (!refused.empty()) names.push_back(refused[names.size() % refused.size()]);
    return names;
}

class Sequences {
public:
    Sequences(Arch arch, std::uint64_t seed) : arch_(arch), random_(seed), names_(instructions_of(arch)) {
        for (unsigned i = 0; i < base_states; ++i)
            bases_.push_back(core_of(random_state(arch, random_), i % 2 ? Reset::vendor_sim : Reset::silicon));
    }

    const Core& base() { return bases_[random_() % bases_.size()]; }

    Program program() {
        Program made;
        made.arch = arch_;
        for (auto& thread : made.threads)
            for (std::uint64_t n = random_() % most_ops + 1; n > 0; --n) thread.push_back(op());
        return made;
    }

    /// More than FIFOs hold, of instructions that seldom end a program, between ops of the threads' cores.
    Program long_program() {
        constexpr std::string_view harmless[] = {"NOP",    "SETRWC",   "INCRWC",   "SFPNOP",
                                                 "DMANOP", "SETADCXY", "ADDRCRZW", "SETDMAREG"};
        Program made = program();
        for (auto& thread : made.threads) {
            std::vector<Op> before;
            for (std::uint64_t n = random_() % most_ops_before; n > 0; --n) {
                Op next;
                next.value = random_word(arch_, harmless[random_() % std::size(harmless)], random_);
                before.push_back(random_() % 32 ? next : op());
            }
            thread.insert(thread.begin(), before.begin(), before.end());
        }
        return made;
    }

    RunOptions options() {
        RunOptions options;
        options.max_cycles = most_cycles;
        if (random_() % 4 == 0) options.timing = Timing::instant;
        if (random_() % 2) options.seed = random_();
        return options;
    }

private:
    Op op() {
        Op op;
        const std::uint64_t what = random_() % 16;
        if (what == 0) {
            op.kind = Op::Kind::cfg;
            op.index = static_cast<std::uint16_t>(random_() % 400);
            op.value = static_cast<std::uint32_t>(random_() & random_());
        } else if (what == 1) {
            constexpr Op::Kind kinds[] = {Op::Kind::gpr, Op::Kind::mop, Op::Kind::drain, Op::Kind::sem_post,
                                          Op::Kind::sem_get};
            op.kind = kinds[random_() % std::size(kinds)];
            op.index = static_cast<std::uint16_t>(random_() % 8);
            op.value = op.kind == Op::Kind::mop ? word() : static_cast<std::uint32_t>(random_());
        } else {
            op.value = word();
        }
        return op;
    }
    std::uint32_t word() {
        const std::string_view name = names_[random_() % names_.size()];
        if (random_() % 16) return random_word(arch_, name, random_);
        for (const auto& spec : isa::table)
            if (spec.name == name && isa::includes(spec.archs, arch_))
                return std::uint32_t{spec.opcode} << 24 | (random_() & 0xFFFFFF);
        return 0;
    }

    Arch arch_;
    Random random_;
    std::vector<std::string_view> names_;
    std::vector<Core> bases_;
};

/// All that a run reports.
std::string told(const Run& run) {
    std::string text = fmt::format("{} cycles, {} overlapped, issued {} {} {}\n", run.cycles, run.overlapped,
                                   run.instructions[0], run.instructions[1], run.instructions[2]);
    if (run.fault) text += run.fault->describe() + "\n";
    for (const auto& finding : run.findings) text += fmt::format("{} times {}\n", finding.count, finding.describe());
    std::vector<std::string> rest;
    for (const auto& unit : run.units)
        rest.push_back(fmt::format("{} {} instructions, busy {}\n", unit.unit, unit.instructions, unit.busy));
    for (const auto& wait : run.waits)
        rest.push_back(fmt::format("T{} {} {}\n", wait.thread, wait.reason, wait.cycles));
    std::sort(rest.begin(), rest.end());
    for (const auto& line : rest) text += line;
    return text + run.describe_blocked();
}

class RandomSequences : public testing::TestWithParam<Arch> {};

TEST_P(RandomSequences, AreTheSameUnderObserversAndInSteps) {
    const unsigned sequences = asked_cases(default_sequences, "TESSERA_SEQUENCES");
    Sequences make(GetParam(), random_seed(84, GetParam(), "TESSERA_SEQUENCES_SEED"));
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
        EXPECT_EQ(told(*watched.run(program, observed)), told(*run));
        EXPECT_EQ(difference(watched, alone), "");

        auto steps = Execution::begin(stepped, program, options).value();
        for (unsigned step = 0; !steps.ended(); ++step) step % 3 ? steps.step() : steps.step_cycles(2);
        tessera::Run in_steps = steps.run();
        in_steps.explanations.clear();
        EXPECT_EQ(told(in_steps), told(*run));
        EXPECT_EQ(difference(stepped, alone), "");
    }
    EXPECT_GT(results, sequences / 100);
}

TEST_P(RandomSequences, EndInAResultAFaultOrAReport) {
    const unsigned sequences = asked_cases(default_sequences, "TESSERA_SEQUENCES");
    Sequences make(GetParam(), random_seed(83, GetParam(), "TESSERA_SEQUENCES_SEED"));
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

INSTANTIATE_TEST_SUITE_P(Archs, RandomSequences, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
