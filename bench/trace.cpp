// SPDX-License-Identifier: Apache-2.0
// Measures the cost of tracing: examples/matmul with each trace form, and without.
#include "tessera/trace.hpp"

#include <optional>

#include "cases.hpp"
#include "jobs.hpp"

namespace tessera::bench {

namespace {

constexpr Product product;

using MakeForms = TraceForms (*)(TraceReport&);

const TraceSink nowhere = [](std::string_view text) { benchmark::DoNotOptimize(text.data()); };

/// Without `make`, measures Core::run() alone.
void measure(benchmark::State& run, MakeForms make) {
    const Job job = product_job(product);
    const RunOptions options = by_engine();
    for (auto _ : run) {
        run.PauseTiming();
        TraceReport report;
        auto core = std::make_optional(prepare(job));
        run.ResumeTiming();
        const auto outcome = make ? trace_job(job, **core, options, make(report)) : (*core)->run(job.program, options);
        if (!outcome) return run.SkipWithError("the program was refused");
        run.PauseTiming();
        core.reset();
        run.ResumeTiming();
    }
    describe(run, 0, product.blocks());
}

void add(Cases& cases, const std::string& form, MakeForms make) {
    const std::string name = "LoFi block, traced: " + form;
    cases.add(name, [make](benchmark::State& run) { measure(run, make); });
    cases.add(
        name, [](benchmark::State& run) { measure(run, nullptr); }, Role::without);
}

}  // namespace

void add_trace(Cases& cases) {
    add(cases, "nothing", [](TraceReport&) { return TraceForms{}; });
    add(cases, "JSON lines", [](TraceReport&) { return TraceForms{.lines = nowhere}; });
    add(cases, "JSON lines with writes", [](TraceReport&) { return TraceForms{.lines = nowhere, .writes = true}; });
    add(cases, "timeline", [](TraceReport&) { return TraceForms{.perfetto = nowhere}; });
    add(cases, "report", [](TraceReport& report) { return TraceForms{.report = &report}; });
}

}  // namespace tessera::bench
