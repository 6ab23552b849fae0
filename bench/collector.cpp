// SPDX-License-Identifier: Apache-2.0
#include "collector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>

#include "times.hpp"

namespace tessera::bench {

void describe(benchmark::State& run, double bytes_written, double parts) {
    run.counters["bytes"] = bytes_written;
    run.counters["parts"] = parts;
}

double Sample::median() const { return bench::median(ns); }

namespace {

class Collector : public benchmark::BenchmarkReporter {
public:
    Collector(const std::vector<Case>& cases, std::vector<Sample>& samples) : cases_(cases), samples_(samples) {}

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            // The name is the case's number.
            const std::string& name = run.run_name.function_name;
            std::size_t number = samples_.size();
            std::from_chars(name.data(), name.data() + name.size(), number);
            if (number >= samples_.size() || run.run_type != Run::RT_Iteration) continue;
            Sample& sample = samples_[number];
            if (run.error_occurred) {
                sample.error = run.error_message;
                continue;
            }
            auto counter = [&](const char* of, double otherwise) {
                const auto at = run.counters.find(of);
                return at == run.counters.end() ? otherwise : at->second.value;
            };
            const double parts = counter("parts", 1);
            sample.ns.push_back((cases_[number].elapsed ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime()) /
                                parts);
            sample.bytes = counter("bytes", 0) / parts;
            if (const double kept = counter("kept", -1); kept >= 0) sample.kept = kept;
        }
    }

private:
    const std::vector<Case>& cases_;
    std::vector<Sample>& samples_;
};

}  // namespace

std::vector<Sample> collect(const std::vector<Case>& cases, unsigned repetitions, double seconds) {
    if (cases.empty()) return {};
    std::vector<std::string> arguments = {"bench", fmt::format("--benchmark_repetitions={}", repetitions),
                                          fmt::format("--benchmark_min_time={}", seconds)};
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    int count = static_cast<int>(pointers.size());
    benchmark::Initialize(&count, pointers.data());

    benchmark::ClearRegisteredBenchmarks();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        auto* registered = benchmark::RegisterBenchmark(std::to_string(i).c_str(), [&cases, i](benchmark::State& run) {
            try {
                cases[i].measure(run);
            } catch (const std::exception& error) {
                run.SkipWithError(error.what());
            }
        });
        if (cases[i].elapsed) registered->UseManualTime();
    }
    std::vector<Sample> samples(cases.size());
    Collector collector(cases, samples);
    benchmark::RunSpecifiedBenchmarks(&collector, ".");
    benchmark::ClearRegisteredBenchmarks();
    for (Sample& sample : samples) {
        std::sort(sample.ns.begin(), sample.ns.end());
        if (sample.ns.empty() && sample.error.empty()) sample.error = "it was not measured";
    }
    return samples;
}

}  // namespace tessera::bench
