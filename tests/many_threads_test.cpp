// SPDX-License-Identifier: Apache-2.0
// Sixteen cores, and a chip of four by four tiles, on threads: the same as on one. Meant for the thread sanitizer, too (preset threads).
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/grid_kernels.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/job.hpp"
#include "tessera/state_digest.hpp"

namespace tessera {
namespace {

using test::GridKernel;

TEST(ManyThreads, SixteenCoresThatShareRecordings) {
    std::vector<Job> jobs;
    for (const auto& entry : std::filesystem::directory_iterator(TESSERA_SOURCE_DIR "/examples/seeds"))
        if (entry.path().extension() == ".toml") jobs.push_back(load_job(entry.path().string()).value());
    ASSERT_GE(jobs.size(), 16u);
    std::vector<std::uint64_t> alone;
    const auto end_of = [](const Job& job) {
        Core core = prepare(job).value();
        EXPECT_TRUE(run_job(job, core, job.options));
        return state_digest(core);
    };
    for (const Job& job : jobs) alone.push_back(end_of(job));
    std::vector<std::vector<std::uint64_t>> together(16);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < together.size(); ++i)
        threads.emplace_back([&, i] {
            // Each begins with another job, so that each job runs on several threads at once.
            together[i].resize(jobs.size());
            for (std::size_t n = 0; n < jobs.size(); ++n) {
                const std::size_t which = (n + i) % jobs.size();
                together[i][which] = end_of(jobs[which]);
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const auto& one : together) EXPECT_EQ(one, alone);
}

/// Tiles of even columns send 16 bytes to their right neighbours and to DRAM.
Chip sending(Arch arch, const test::TemporaryDirectory& directory) {
    Chip chip = Chip::make(arch, {.grid = ChipOptions::Size{4, 4}}).value();
    const std::string sender = directory.write("sender.elf", GridKernel::sender(arch)), receiver = directory.write("receiver.elf", GridKernel::receiver(arch));
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < 4; ++column) {
            Kernels kernels;
            kernels.arch = arch;
            kernels.images[0] = load_kernel(column % 2 ? receiver : sender).value();
            kernels.done = {{GridKernel::flag, 1}};
            EXPECT_TRUE(chip.load(column, row, kernels));
            if (column % 2) continue;
            Core& tile = *chip.tile(column, row).value();
            const NocPlace own = chip.coordinates(column, row).value(), to = chip.coordinates(column + 1, row).value(),
                           dram = chip.dram_place(row).value();
            const std::array<std::uint32_t, 7> places = {own.x, own.y, to.x, to.y, dram.x, dram.y, 64 * (column + 1)};
            const std::array<std::uint32_t, 4> message = {100 + row, column, 3, 4};
            EXPECT_TRUE(tile.write_l1(GridKernel::variables, std::as_bytes(std::span(places))));
            EXPECT_TRUE(tile.write_l1(GridKernel::message, std::as_bytes(std::span(message))));
        }
    return chip;
}

TEST(ManyThreads, AChipOfFourByFour) {
    for (const Arch arch : all_archs) {
        const test::TemporaryDirectory directory;
        std::uint64_t first = 0, cycles = 0;
        // The last of these are more than a computer starts.
        for (const unsigned threads : {1u, 2u, 4u, 16u, 4'000'000'000u}) {
            Chip chip = sending(arch, directory);
            const auto run = chip.run({.tile = {.max_cycles = 100'000}, .threads = threads}).value();
            ASSERT_FALSE(run.fault) << run.fault->describe();
            for (unsigned row = 0; row < 4; ++row)
                for (const unsigned column : {1u, 3u}) {
                    const auto got = chip.tile(column, row).value()->read_l1(GridKernel::message, 4).value();
                    EXPECT_EQ(std::to_integer<unsigned>(got[0]), 100 + row);
                }
            if (threads == 1) {
                first = state_digest(chip);
                cycles = run.cycles;
            }
            EXPECT_EQ(state_digest(chip), first) << threads;
            EXPECT_EQ(run.cycles, cycles) << threads;
        }
    }
}

// Each tile's first write throws. Several tiles do so in one round.
TEST(ManyThreads, AnExceptionLeavesARunAsWithOneThread) {
    for (const Arch arch : all_archs) {
        const test::TemporaryDirectory directory;
        std::string first;
        std::uint64_t digest = 0;
        for (const unsigned threads : {1u, 2u, 4u, 16u}) {
            Chip chip = sending(arch, directory);
            ChipRunOptions options{.tile = {.max_cycles = 100'000}, .threads = threads};
            options.for_tile = [](unsigned column, unsigned row, RunOptions& own) {
                own.on_write = [=](const Write&) { throw std::runtime_error(std::to_string(column) + "," + std::to_string(row)); };
            };
            std::string thrown;
            try {
                static_cast<void>(chip.run(options));
            } catch (const std::runtime_error& error) {
                thrown = error.what();
            }
            if (threads == 1) {
                first = thrown;
                digest = state_digest(chip);
            }
            EXPECT_NE(thrown, "");
            EXPECT_EQ(thrown, first) << threads;
            EXPECT_EQ(state_digest(chip), digest) << threads;
            EXPECT_TRUE(chip.run({.tile = {.max_cycles = 100'000}, .threads = threads}));
        }
    }
}

}  // namespace
}  // namespace tessera
