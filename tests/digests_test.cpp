// SPDX-License-Identifier: Apache-2.0
// The recorded digests of examples' ends, on each set of vector instructions; and those of a grid on any number of threads.
#include <gtest/gtest.h>

#include <fstream>
#include <iomanip>
#include <sstream>

#include "support/each_target.hpp"
#include "support/grid_job.hpp"
#include "tessera/chip_job.hpp"
#include "tessera/job.hpp"
#include "tessera/state_digest.hpp"

namespace tessera {
namespace {

struct Recorded {
    std::string path, timed, functional;
};

/// Those whose inputs are in the repository: others are made by examples/prepare.
std::vector<Recorded> recorded() {
    std::ifstream file(TESSERA_SOURCE_DIR "/tests/digests/examples.txt");
    std::vector<Recorded> all;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        Recorded one;
        if (line.starts_with("#") || !(words >> one.path >> one.timed)) continue;
        if (!(words >> one.functional)) one.functional = one.timed;
        for (const char* const folder : {"seeds", "mistakes", "deadlock", "wrong_value"})
            if (one.path.starts_with(std::string("examples/") + folder)) all.push_back(one);
    }
    return all;
}

std::string digest(const Job& job, Timing timing) {
    Core core = prepare(job).value();
    RunOptions how = job.options;
    how.timing = timing;
    if (!run_job(job, core, how)) return "-";
    std::ostringstream text;
    text << std::hex << std::setw(16) << std::setfill('0') << state_digest(core);
    return text.str();
}

TEST(Digests, OfExamplesAreThoseRecordedOnEachSetOfVectorInstructions) {
    const auto all = recorded();
    EXPECT_GT(all.size(), 50u);
    EXPECT_GT(test::target_count(), 1u);
    std::vector<Job> jobs;
    for (const Recorded& one : all) jobs.push_back(load_job(TESSERA_SOURCE_DIR "/" + one.path).value());
    test::on_each_target([&] {
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_EQ(digest(jobs[i], jobs[i].options.timing), all[i].timed) << all[i].path;
            EXPECT_EQ(digest(jobs[i], Timing::functional), all[i].functional) << all[i].path;
        }
    });
}

TEST(Digests, OfAGridAreTheSameOnAnyNumberOfThreads) {
    for (const Arch arch : all_archs) {
        const test::GridJob grid(arch, arch == Arch::blackhole ? 14 : 8);
        const ChipJob job = grid.load();
        std::uint64_t first = 0;
        for (const unsigned threads : {1u, 2u, 3u, 7u, 16u}) {
            Chip chip = prepare(job).value();
            const std::uint64_t before = state_digest(chip);
            const ChipRun run = chip.run({.tile = job.options, .threads = threads}).value();
            EXPECT_FALSE(run.fault) << run.fault->describe();
            if (threads == 1) first = state_digest(chip);
            EXPECT_NE(state_digest(chip), before);
            EXPECT_EQ(state_digest(chip), first) << threads;
        }
    }
}

}  // namespace
}  // namespace tessera
