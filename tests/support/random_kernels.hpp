// SPDX-License-Identifier: Apache-2.0
// Random kernels, which run twice: with an observer, for whom no core acts ahead of others or apart from them, and without.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "support/kernel_run.hpp"
#include "support/same_state.hpp"
#include "tessera/finding_catalogue.hpp"

namespace tessera::test {

/// The outcome of a run, with findings in their order.
inline auto told(const tessera::Run& run) {
    std::vector<std::tuple<std::string, std::uint64_t, std::string, std::uint64_t>> findings;
    for (const Finding& one : run.findings) findings.emplace_back(one.code, one.where.cycle, one.where.core, one.count);
    return std::tuple(run.cycles, run.instructions, run.fault ? run.fault->describe() : "", findings);
}

class RandomKernels : public KernelRun {
protected:
    using Code = std::vector<std::uint32_t>;

    /// Begins other ones.
    void begin_case(unsigned seed) {
        random_.seed(seed);
        kernels_ = {};
        kernels_.arch = GetParam();
    }
    unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
    /// A register of one of two overlay streams.
    std::uint32_t stream_register() { return 0xFFB4'0000 + 0x1000 * below(2) + (GetParam() == Arch::blackhole ? 32 : 12); }

    /// Pushes instructions to the core's own thread.
    void push(Code& code, const std::string& text) {
        const auto program = assemble(text, GetParam());
        ASSERT_TRUE(program) << text;
        for (const Op& op : program->threads[0]) code.push_back(rv::ttinsn(op.value));
    }
    /// Loads a word until it is not 0 (Op::beq), or until it is (Op::bne): possibly for ever. Uses a0 and a4.
    static void poll(Code& code, std::uint32_t word, rv::Op again) {
        put(code, rv::a0, word);
        code.push_back(rv::i(rv::Op::lw, rv::a4, rv::a0, 0));
        code.push_back(rv::branch(again, rv::a4, rv::zero, -4));
    }
    /// Goes back to that place as often as s0 says.
    static void repeat(Code& code, std::size_t from) {
        code.push_back(rv::i(rv::Op::addi, rv::s0, rv::s0, -1));
        code.push_back(rv::branch(rv::Op::bne, rv::s0, rv::zero, 4 * (static_cast<int>(from) - static_cast<int>(code.size()))));
    }

    /// These options, but half of all findings end the run.
    RunOptions stopping(RunOptions options) {
        const auto findings = describe_findings();
        for (const FindingInfo& one : *findings)
            if (!one.fault && below(2)) options.levels[one.code] = Level::error;
        return options;
    }
    /// Runs the kernels both times: they tell the same, and leave the same, with the lines of L1 that have been written.
    void expect_nobody_sees_it(const RunOptions& options) {
        RunOptions watched = options;
        watched.on_event = [](const Event&) {};
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run seen = run(watched);
        Core other = std::move(core_);
        core_ = Core(GetParam(), Reset::vendor_sim);
        const tessera::Run alone = run(options);
        ASSERT_EQ(told(seen), told(alone));
        ASSERT_TRUE(std::ranges::is_sorted(alone.findings, {}, [](const Finding& one) { return one.where.cycle; }));
        ASSERT_EQ(difference(other, core_), "");
        ASSERT_EQ(other.image(), core_.image());
    }

private:
    std::mt19937 random_;
};

}  // namespace tessera::test
