// SPDX-License-Identifier: Apache-2.0
// Cores are independent: in parallel they give the same results as in sequence. A copy is a snapshot.
#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "support/add_example.hpp"

namespace tessera {
namespace {

using test::AddExample;
using test::ExampleOutcome;
using test::run_job;

/// Everything of a run that can be read, as text.
std::string describe(const Run& run) {
    std::string text = std::to_string(run.cycles) + " cycles, overlapped " + std::to_string(run.overlapped) + "\n";
    for (const auto count : run.instructions) text += std::to_string(count) + " instructions\n";
    for (const auto& finding : run.findings)
        text +=
            std::string(name(finding.level)) + " " + std::to_string(finding.count) + " " + finding.describe() + "\n";
    if (run.fault) text += run.fault->describe() + "\n" + run.describe_blocked();
    for (const auto& unit : run.units)
        text += unit.unit + " " + std::to_string(unit.instructions) + " " + std::to_string(unit.busy) + "\n";
    for (const auto& wait : run.waits)
        text += std::to_string(wait.thread) + " " + wait.reason + " " + std::to_string(wait.cycles) + "\n";
    return text;
}

Job load(const AddExample& example, std::optional<std::uint64_t> seed) {
    auto job = load_job(example.job());
    if (!job) throw std::runtime_error(job.error().describe());
    job->options.seed = seed;
    return std::move(*job);
}

TEST(Cores, SideBySideAsOneAfterTheOther) {
    const AddExample example, racing;
    // Without one of its waits the other example has findings to compare.
    std::string text = racing.text("math.tts");
    const std::size_t at = text.find("    SEMWAIT");
    ASSERT_NE(at, text.npos);
    racing.write("math.tts", text.erase(at, text.find('\n', at) - at));

    std::vector<Job> jobs;
    for (const std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>{}, {1}, {2}})
        for (const AddExample* one : {&example, &racing}) jobs.push_back(load(*one, seed));
    std::vector<ExampleOutcome> alone, together(jobs.size());
    for (const Job& job : jobs) alone.push_back(run_job(job));

    for (std::size_t i = 0; i < jobs.size(); i += 2) {
        std::latch both(2);
        auto run = [&](std::size_t which) {
            both.arrive_and_wait();
            together[which] = run_job(jobs[which]);
        };
        std::thread first(run, i), second(run, i + 1);
        first.join();
        second.join();
    }
    EXPECT_EQ(alone[0].reported(), "");
    EXPECT_NE(alone[1].reported(), "");
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        EXPECT_EQ(describe(alone[i].run), describe(together[i].run)) << i;
        EXPECT_TRUE(alone[i].output == together[i].output) << i;
    }
}

std::vector<std::uint64_t> everything(const Core& core) {
    std::vector<std::uint64_t> values;
    for (const auto& section : core.sections())
        for (std::size_t i = 0; i < section.size; ++i) values.push_back(core.read(section, i));
    return values;
}

TEST(Cores, ACopyIsASnapshot) {
    const AddExample example;
    const Job job = load(example, {});
    auto core = prepare(job);
    ASSERT_TRUE(core);
    const auto before = everything(*core);

    Core copy = *core;
    EXPECT_TRUE(everything(copy) == before);
    const auto first = copy.run(job.program, job.options);
    ASSERT_TRUE(first);
    const auto after = everything(copy);
    EXPECT_FALSE(after == before);
    EXPECT_TRUE(everything(*core) == before);

    // The copy's run does not affect the original.
    const auto second = core->run(job.program, job.options);
    ASSERT_TRUE(second);
    EXPECT_EQ(describe(*first), describe(*second));
    EXPECT_TRUE(everything(*core) == after);

    copy = prepare(job).value();
    EXPECT_TRUE(everything(copy) == before);
}

}  // namespace
}  // namespace tessera
