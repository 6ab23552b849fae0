// SPDX-License-Identifier: Apache-2.0
// examples/exp: plain instructions and macros give the same bits, those of the arithmetic, on both chips. Macros take
// fewer cycles. A macro without one of its delays or registers gives a finding.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include "support/example.hpp"

namespace tessera::test {
namespace {

constexpr std::size_t size = 32, vectors = size * size / 32;

std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// From -10 to 10 without order, with both ends, zeros, and the smallest float.
Matrix arguments() {
    std::mt19937 random(1);
    Matrix x{size, size, {-10.0f, 10.0f, 0.0f, -0.0f, 0x1p-126f}};
    while (x.values.size() < size * size) x.values.push_back(static_cast<float>(random()) / 0x1p32f * 20.0f - 10.0f);
    return x;
}

/// One of the example's four jobs in a directory of its own; a piece of text of its math thread may be another.
class ExpJob {
public:
    explicit ExpJob(const std::string& name, const std::string& what = "", const std::string& with = "") {
        const std::string folder = TESSERA_SOURCE_DIR "/examples/exp/";
        for (const std::string file : {"unpack.tts", "plain.tts", "macro.tts", "pack.tts"}) {
            std::string text = read(folder + file);
            if (const auto at = text.find(what); !what.empty() && name.starts_with(file.substr(0, 5))) {
                if (at == std::string::npos) throw std::runtime_error("nowhere: " + what);
                text.replace(at, what.size(), with);
            }
            directory_.write(file, text);
        }
        std::filesystem::create_directory(directory_ / "out");
        if (!write_npy(directory_ / "out/x.npy", arguments())) throw std::runtime_error("cannot write x.npy");
        job_ = load_job(directory_.write(name + ".toml", read(folder + name + ".toml"))).value();
        job_.options.max_cycles = 20'000;
        job_.options.window = name.starts_with("macro") ? "SFPLOADMACRO" : "SFPLOAD";
    }
    Job& job() { return job_; }
    ExampleOutcome run() const { return run_job(job_); }

private:
    TemporaryDirectory directory_;
    Job job_;
};

std::vector<std::uint32_t> bits(const ExampleOutcome& outcome) {
    const auto values = from_bytes(outcome.output, size, size, DataFormat::Float32, Layout::tiles).value().values;
    std::vector<std::uint32_t> words(values.size());
    std::memcpy(words.data(), values.data(), values.size() * sizeof(float));
    return words;
}

class ExampleExp : public testing::TestWithParam<std::string> {
protected:
    const std::string plain = "plain" + GetParam(), macro = "macro" + GetParam();
};
INSTANTIATE_TEST_SUITE_P(Chips, ExampleExp, testing::Values("", "-wormhole"),
                         [](const auto& chip) { return std::string(chip.param.empty() ? "Blackhole" : "Wormhole"); });

TEST_P(ExampleExp, MacrosGiveTheBitsOfPlainInstructions) {
    const auto slow = ExpJob(plain).run(), fast = ExpJob(macro).run();
    EXPECT_EQ(slow.reported(), "");
    EXPECT_EQ(fast.reported(), "");
    EXPECT_TRUE(slow.output == fast.output);
    EXPECT_TRUE(slow.output == ExpJob("plain").run().output);  // both chips' are the same
}

TEST_P(ExampleExp, EachResultIsTheArithmetics) {
    const auto got = bits(ExpJob(macro).run());
    const Matrix x = arguments();
    const double scale = static_cast<double>(static_cast<float>(128 / std::log(2.0)));
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double value = static_cast<double>(x.values[i]);
        // 128ths of octaves above 2^-127: exponent and mantissa of the result.
        const float sum = static_cast<float>(value * scale + (127 * 128 - 5.625));
        const auto steps = static_cast<std::uint32_t>(std::floor(static_cast<double>(sum) + 0.5));
        // SFPMAD may drop what is far below the last bit that counts.
        EXPECT_LE(std::max(got[i] >> 16, steps) - std::min(got[i] >> 16, steps), 1u) << value;
        EXPECT_EQ(got[i] & 0xFFFF, 0u) << value;
        float result;
        std::memcpy(&result, &got[i], sizeof result);
        // A chord is up to 6.15 % above the curve, of which the bias takes one half; a half of 1/128 is rounded away.
        EXPECT_NEAR(static_cast<double>(result) / std::exp(value), 1.0, 0.0343) << value;
    }
}

// 32 datums per cycle, where plain instructions take six cycles, an SFPNOP included.
TEST_P(ExampleExp, AMacroPerCycle) {
    const auto slow = ExpJob(plain).run().run, fast = ExpJob(macro).run().run;
    ASSERT_TRUE(slow.window && fast.window);
    EXPECT_EQ(slow.window->count, vectors);
    EXPECT_EQ(fast.window->count, vectors);
    EXPECT_EQ(slow.window->cycles, (vectors - 1) * 6 + 1);
    EXPECT_EQ(fast.window->cycles, vectors);
    // Behind the last load come five more instructions, or five cycles of what it has scheduled; the rest is the same.
    EXPECT_EQ(slow.cycles - fast.cycles, slow.window->cycles - fast.window->cycles);
}

// In the middle of the tile all five sub-units work in each cycle, on five different groups of 32 datums.
TEST_P(ExampleExp, FiveSubUnitsWorkAtATime) {
    ExpJob job(macro);
    std::map<std::uint64_t, std::set<std::string>> at;
    std::map<std::uint64_t, std::set<std::size_t>> of;
    job.job().options.on_event = [&](const Event& event) {
        const std::string what = event.instruction.substr(0, event.instruction.find('\t'));
        if (event.thread != 1 || !what.starts_with("ttsfp") || what == "ttsfpnop") return;
        at[event.start].insert(what);
        of[event.start].insert(event.index);
    };
    const auto window = job.run().run.window;
    for (std::uint64_t cycle = window->first + 5; cycle < window->first + window->cycles; ++cycle) {
        EXPECT_EQ(at[cycle],
                  (std::set<std::string>{"ttsfploadmacro", "ttsfpmad", "ttsfp_stoch_rnd", "ttsfpshft", "ttsfpstore"}));
        EXPECT_EQ(of[cycle].size(), 5u);
    }
}

TEST_P(ExampleExp, NoDelayChangesABit) {
    for (const std::string& name : {plain, macro}) {
        ExpJob job(name);
        const auto calm = job.run();
        std::set<std::uint64_t> cycles;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            job.job().options.seed = seed;
            const auto outcome = job.run();
            ASSERT_EQ(outcome.reported(), "") << "seed " << seed;
            ASSERT_TRUE(outcome.output == calm.output) << "seed " << seed;
            cycles.insert(outcome.run.cycles);
        }
        EXPECT_GT(cycles.size(), 10u);  // else the seeds delay nothing
    }
}

TEST_P(ExampleExp, TheSecondImplementationGivesTheSame) {
    for (const std::string& name : {plain, macro}) {
        ExpJob job(name);
        const auto calm = job.run();
        job.job().options.reference = true;
        const auto outcome = job.run();
        EXPECT_TRUE(outcome.output == calm.output) << name;
        EXPECT_GT(outcome.run.by_reference, 0u);
    }
}

// Statements of the example's README about changes.
TEST_P(ExampleExp, WhatIsLeftOutIsTold) {
    const bool blackhole = GetParam().empty();
    const auto reported = [](const std::string& name, const std::string& what, const std::string& with) {
        return ExpJob(name, what, with).run().reported();
    };
    // Blackhole waits for a result by itself, but not for what is scheduled.
    EXPECT_EQ(reported(plain, "    SFPNOP", "    #"), blackhole ? "" : "hazard.vector-result");
    EXPECT_EQ(reported(macro, "ROUND, 2 * DELAY", "ROUND, 1 * DELAY"), "hazard.vector-schedule");
    EXPECT_EQ(reported(macro, "SIMPLE, MACRO_IS_VB | TO_HIDDEN", "SIMPLE, MACRO_IS_VB"), "vector.macro-two-results");
}

}  // namespace
}  // namespace tessera::test
