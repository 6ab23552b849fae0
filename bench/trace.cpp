// SPDX-License-Identifier: Apache-2.0
// What tracing adds: examples/matmul in each form of a trace, beside the same run without.
#include <optional>
#include <string>

#include "report.hpp"
#include "support/matmul_example.hpp"
#include "tessera/trace.hpp"
#include "units.hpp"

namespace tessera::bench {

namespace {

void measure(benchmark::State& run, const TraceForms& forms) {
    const test::MatmulExample example;
    const auto job = load_job(example.job(), {{"PHASES", 1}});
    if (!job) return run.SkipWithError(job.error().describe().c_str());
    for (auto _ : run) {
        run.PauseTiming();
        auto core = std::make_optional(prepare(*job));
        run.ResumeTiming();
        if (!trace_job(*job, **core, job->options, forms)) return run.SkipWithError("the program was refused");
        run.PauseTiming();
        core.reset();
        run.ResumeTiming();
    }
    constexpr double blocks = 4 * 3 * 2;
    describe(run, 0, blocks);
}

void add(const std::string& form, const TraceForms& forms) {
    const std::string name = "LoFi block, traced: " + form;
    benchmark::RegisterBenchmark(name.c_str(), [forms](benchmark::State& run) { measure(run, forms); });
    benchmark::RegisterBenchmark((name + "/without").c_str(), [](benchmark::State& run) { measure(run, {}); });
}

}  // namespace

void register_trace() {
    static TraceReport report;
    const TraceSink nowhere = [](std::string_view text) { benchmark::DoNotOptimize(text.data()); };
    add("nothing", {});
    add("JSON lines", {.lines = nowhere});
    add("JSON lines with writes", {.lines = nowhere, .writes = true});
    add("timeline", {.perfetto = nowhere});
    add("report", {.report = &report});
}

}  // namespace tessera::bench
