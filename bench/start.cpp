// SPDX-License-Identifier: Apache-2.0
// Measures fixed costs: the program's start, a core, a snapshot.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "cases.hpp"
#include "jobs.hpp"
#include "tessera/execution.hpp"

extern char** environ;

namespace tessera::bench {

namespace {

/// Starts the program and waits for its exit.
bool run_version(const posix_spawn_file_actions_t& actions) {
    std::string program = "/proc/self/exe", option = "--version";
    char* arguments[] = {program.data(), option.data(), nullptr};
    pid_t process = 0;
    int status = 0;
    return posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, environ) == 0 &&
           waitpid(process, &status, 0) == process && status == 0;
}

void measure_version(benchmark::State& run) {
    using Steady = std::chrono::steady_clock;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    bool good = true;
    for (auto _ : run) {
        const auto begin = Steady::now();
        good = good && run_version(actions);
        run.SetIterationTime(std::chrono::duration<double>(Steady::now() - begin).count());
    }
    posix_spawn_file_actions_destroy(&actions);
    if (!good) run.SkipWithError("this program could not be started");
    describe(run, 0);
}

/// A run halfway: units have work.
struct Halfway {
    Halfway() {
        constexpr int instructions = 500;
        const Job job = product_job({});
        core = std::make_unique<Core>(prepare(job).value());
        execution = std::make_unique<Execution>(Execution::begin(*core, job.program).value());
        for (int i = 0; i < instructions; ++i) execution->step();
    }

    /// Writes different bytes each time.
    void write_all_of_l1() {
        std::vector<std::byte> bytes(core->l1_size());
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i + written);
        ++written;
        (void)core->write_l1(0, bytes);
    }

    std::unique_ptr<Core> core;
    std::unique_ptr<Execution> execution;
    unsigned written = 1;
};

}  // namespace

void add_start(Cases& cases) {
    cases.add("start: tessera --version", measure_version, Role::line, true);
    cases.add("start: a Core made", [](benchmark::State& run) {
        for (auto _ : run) benchmark::DoNotOptimize(Core(Arch::blackhole).arch());
        describe(run, 0);
    });
    cases.add("snapshot: saved", [](benchmark::State& run) {
        Halfway halfway;
        for (auto _ : run) benchmark::DoNotOptimize(halfway.execution->snapshot().cycle());
        describe(run, 0);
    });
    cases.add("snapshot: gone back to", [](benchmark::State& run) {
        Halfway halfway;
        const auto snapshot = halfway.execution->snapshot();
        for (auto _ : run)
            if (!halfway.execution->restore(snapshot)) return run.SkipWithError("the snapshot was refused");
        describe(run, 0);
    });
    // The extra cost if all of L1 has changed since, which is rare.
    cases.add("snapshot: saved, all of L1 written since", [](benchmark::State& run) {
        Halfway halfway;
        for (auto _ : run) {
            run.PauseTiming();
            halfway.write_all_of_l1();
            run.ResumeTiming();
            benchmark::DoNotOptimize(halfway.execution->snapshot().cycle());
        }
        describe(run, 0);
    });
    cases.add("snapshot: gone back to, all of L1 written since", [](benchmark::State& run) {
        Halfway halfway;
        halfway.write_all_of_l1();
        const auto snapshot = halfway.execution->snapshot();
        for (auto _ : run) {
            run.PauseTiming();
            halfway.write_all_of_l1();
            run.ResumeTiming();
            if (!halfway.execution->restore(snapshot)) return run.SkipWithError("the snapshot was refused");
        }
        describe(run, 0);
    });
    cases.add("snapshot: a copy of a Core", [](benchmark::State& run) {
        const Core core(Arch::blackhole);
        for (auto _ : run) benchmark::DoNotOptimize(Core(core).arch());
        describe(run, 0);
    });
    cases.add("snapshot: a Core becomes another", [](benchmark::State& run) {
        const Core core(Arch::blackhole);
        Core again(Arch::blackhole);
        for (auto _ : run) benchmark::DoNotOptimize((again = core).arch());
        describe(run, 0);
    });
}

}  // namespace tessera::bench
