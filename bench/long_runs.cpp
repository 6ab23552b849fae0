// SPDX-License-Identifier: Apache-2.0
// Compares the cost of an instruction in runs of 10⁶ and of 10⁵ instructions: it must not grow with a run's length.
#include "long_runs.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "jobs.hpp"
#include "new_programs.hpp"
#include "times.hpp"

namespace tessera::bench {

namespace {

struct Work {
    const char* name;
    /// Makes a job of about 10⁵ instructions, or `times` as many.
    Job (*make)(unsigned times);
};

constexpr unsigned more = 10;
constexpr Work works[] = {
    {"product, LoFi", [](unsigned times) { return product_job({.rows = 8, .depth = 64 * times, .cols = 8}); }},
    {"product, HiFi4", [](unsigned times) { return product_job({.rows = 8, .depth = 20 * times, .cols = 8, .phases = 4}); }},
    {"random, three threads",
     [](unsigned times) {
         constexpr unsigned seed = 1;
         Job job;
         job.program = random_program(33'333 * times, seed);
         return job;
     }},
};

/// ns per instruction on a new core.
double run_once(const Job& job, std::uint64_t& instructions) {
    auto core = prepare(job);
    if (!core) throw std::runtime_error(core.error().describe());
    RunOptions options = by_engine();
    options.max_cycles = 1'000'000'000;
    const double begin = thread_ns();
    const auto run = core->run(job.program, options);
    const double ns = thread_ns() - begin;
    if (!run || run->fault) throw std::runtime_error(run ? run->fault->describe() : run.error().describe());
    instructions = std::accumulate(run->instructions.begin(), run->instructions.end(), std::uint64_t{0});
    return ns / static_cast<double>(instructions);
}

}  // namespace

std::vector<LongRun> measure_long_runs(unsigned repetitions) {
    std::vector<LongRun> rows;
    for (const Work& work : works) {
        const Job few = work.make(1), many = work.make(more);
        LongRun row;
        row.name = work.name;
        std::vector<double> few_ns, many_ns, over;
        for (unsigned repetition = 0; repetition < repetitions; ++repetition) {
            double ten = 0;
            for (unsigned i = 0; i < more; ++i) ten += run_once(few, row.few) / more;
            few_ns.push_back(ten);
            many_ns.push_back(run_once(many, row.many));
            over.push_back(many_ns.back() / ten);
        }
        for (auto* values : {&few_ns, &many_ns, &over}) std::sort(values->begin(), values->end());
        row.few_ns = median(few_ns);
        row.many_ns = median(many_ns);
        row.over = median(over);
        row.least = over.front();
        row.most = over.back();
        rows.push_back(row);
    }
    return rows;
}

}  // namespace tessera::bench
