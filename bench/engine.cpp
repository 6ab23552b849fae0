// SPDX-License-Identifier: Apache-2.0
// Cases of the engine: instructions with almost no work, and whole programs on three threads. Lines with a warm core
// still go through the engine, except those named as repeated.
#include <algorithm>
#include <iterator>
#include <optional>

#include "cases.hpp"
#include "jobs.hpp"
#include "tessera/assembly.hpp"

namespace tessera::bench {

namespace {

/// Reports the hit rate of the plan cache since `before`.
void report_kept(benchmark::State& run, PlanCounts before, PlanCounts after) {
    const auto found = static_cast<double>(after.found - before.found),
               made = static_cast<double>(after.made - before.made);
    if (found + made > 0) run.counters["kept"] = found / (found + made);
}

void add(Cases& cases, const char* name, double parts, const std::string& text) {
    cases.add(name, [text, parts](benchmark::State& run) {
        const auto program = assemble(text, Arch::blackhole);
        if (!program) return run.SkipWithError(program.error().describe().c_str());
        Core core(Arch::blackhole);
        if (!core.run(*program)) return run.SkipWithError("the program was refused");
        const PlanCounts before = core.plan_counts();
        const RunOptions options = by_engine();
        for (auto _ : run)
            if (!core.run(*program, options)) return run.SkipWithError("the program was refused");
        report_kept(run, before, core.plan_counts());
        describe(run, 0, parts);
    });
}

/// Makes new data in the same places: each datum moves to its neighbour's place.
void rotate(Job& job, Core& core) {
    constexpr std::ptrdiff_t bytes = 2;
    for (auto& region : job.l1) {
        std::rotate(region.bytes.begin(), std::next(region.bytes.begin(), bytes), region.bytes.end());
        (void)core.write_l1(region.address, region.bytes);
    }
}

/// Measures a job's runs, each on a new core with other data. Preparation is not measured.
void measure_new(benchmark::State& run, Job job, double parts, const RunOptions& options) {
    for (unsigned before = 0; before < 2; ++before)  // after two runs, a recorded run may answer
        if (auto core = prepare(job); !core || !core->run(job.program, options))
            return run.SkipWithError("the program was refused");
    PlanCounts counts;
    for (auto _ : run) {
        run.PauseTiming();
        auto core = std::make_optional(prepare(job));
        run.ResumeTiming();
        const auto outcome = (*core)->run(job.program, options);
        run.PauseTiming();
        if (!outcome || !outcome->good()) return run.SkipWithError("the program was refused, or ended with a fault");
        counts = (*core)->plan_counts();
        rotate(job, **core);
        core.reset();
        run.ResumeTiming();
    }
    report_kept(run, {}, counts);
    describe(run, 0, parts);
}

void add_new(Cases& cases, const std::string& name, double parts, const std::function<Job()>& make) {
    cases.add(name, [make, parts](benchmark::State& run) { measure_new(run, make(), parts, by_engine()); });
}

/// Same, on one core that has run the program before.
void add_again(Cases& cases, const std::string& name, double parts, const std::function<Job()>& make) {
    cases.add(name, [make, parts](benchmark::State& run) {
        const Job job = make();
        auto core = prepare(job);
        if (!core || !core->run(job.program)) return run.SkipWithError("the program was refused");
        const PlanCounts before = core->plan_counts();
        const RunOptions options = by_engine();
        for (auto _ : run)
            if (!core->run(job.program, options)) return run.SkipWithError("the program was refused");
        report_kept(run, before, core->plan_counts());
        describe(run, 0, parts);
    });
}

/// Measures a job's runs on one core, each with other data. Writing the data to L1 is not measured.
void measure_repeated(benchmark::State& run, Job job, double parts, const RunOptions& options) {
    // Enough runs for semaphores to reach their maximum and a packer to reach each plane of its tile.
    constexpr unsigned runs_before = 100;
    auto core = prepare(job);
    for (unsigned before = 0; before < runs_before; ++before) {
        if (!core || !core->run(job.program, options)) return run.SkipWithError("the program was refused");
        rotate(job, *core);
    }
    for (auto _ : run) {
        if (!core->run(job.program, options)) return run.SkipWithError("the program was refused");
        run.PauseTiming();
        rotate(job, *core);
        run.ResumeTiming();
    }
    describe(run, 0, parts);
}

void add_repeated(Cases& cases, const std::string& name, double parts, const std::function<Job()>& make) {
    cases.add(name, [make, parts](benchmark::State& run) { measure_repeated(run, make(), parts, {}); });
    cases.add(
        name, [make, parts](benchmark::State& run) { measure_repeated(run, make(), parts, by_engine()); },
        Role::without);
    cases.add(name + ", new cores", [make, parts](benchmark::State& run) { measure_new(run, make(), parts, {}); });
}

void add_each(Cases& cases, const std::string& name, double parts, const std::function<Job()>& make) {
    add_new(cases, name + ", three threads", parts, make);
    add_again(cases, name + ", core that has run it", parts, make);
    add_repeated(cases, "repeated on other data: " + name, parts, make);
}

}  // namespace

void add_engine(Cases& cases) {
    add(cases, "engine: NOP in line, one thread", 10000, ".repeat 10000\nNOP\n.end\n");
    add(cases, "engine: NOP in line, three threads", 30000,
        ".repeat 10000\nNOP\n.end\n.thread math\n.repeat 10000\nNOP\n.end\n.thread pack\n.repeat 10000\nNOP\n.end\n");
    add(cases, "engine: NOP replayed, one thread", 10240,
        "REPLAY load_mode=1 len=32\n.repeat 32\nNOP\n.end\n.repeat 320\nREPLAY len=32\n.end\n");
    add(cases, "engine: SFPMAD and SFPABS replayed, one thread", 10240,
        ".thread math\nREPLAY load_mode=1 len=32\n.repeat 16\nSFPMAD lreg_src_a=0 lreg_src_b=1 lreg_src_c=2 "
        "lreg_dest=3\n"
        "SFPABS lreg_c=4 lreg_dest=5\n.end\n.repeat 320\nREPLAY len=32\n.end\n");
    add(cases, "engine: SETRWC in line, one thread", 10000, ".thread math\n.repeat 10000\nSETRWC BitMask=1\n.end\n");
    const Product lofi, hifi{.phases = 4};
    add_each(cases, "block 32x32x32, LoFi", lofi.blocks(), [lofi] { return product_job(lofi); });
    add_each(cases, "block 32x32x32, HiFi4", hifi.blocks(), [hifi] { return product_job(hifi); });
    constexpr unsigned tiles = 12;
    add_each(cases, "add of a tile", tiles, [] { return add_job(tiles); });
    add_each(cases, "copy of a tile", tiles, [] { return copy_job(tiles); });
}

}  // namespace tessera::bench
