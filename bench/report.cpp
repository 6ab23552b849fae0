// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>
#include <hwy/targets.h>

#include <cstdio>

namespace tessera::bench {

void describe(benchmark::State& run, double bytes_written, double parts) {
    run.counters["bytes"] = bytes_written;
    run.counters["parts"] = parts;
}

bool Table::ReportContext(const Context&) {
    const auto usable = hwy::SupportedTargets() & HWY_TARGETS;
    fmt::print(
        "One thread. Medians of repetitions, processor time. Data vary over at least 64 blocks, with exponents near 1.\n"
        "'copy' is the time over that of memcpy of as many bytes as the line writes, in cache, measured in this run;\n"
        "'reference' is the time of src/reference for the same over the line's; 'without' the line's time over that of "
        "the\n"
        "same run without what the line is about. Vectors: {}.\n\n",
        hwy::TargetName(usable & -usable));
    return true;
}

void Table::ReportRuns(const std::vector<Run>& runs) {
    for (const Run& run : runs) {
        if (run.error_occurred) {
            lines_.push_back({run.benchmark_name() + ": " + run.error_message});
            continue;
        }
        const bool repeated = run.repetitions > 1;
        if (repeated && !(run.run_type == Run::RT_Aggregate && run.aggregate_name == "median")) continue;
        const double parts = run.counters.count("parts") ? run.counters.at("parts").value : 1;
        const double bytes = run.counters.count("bytes") ? run.counters.at("bytes").value / parts : 0;
        const double ns = run.GetAdjustedCPUTime() / parts;
        const std::string name =
            run.run_name.function_name + (run.run_name.args.empty() ? "" : "/" + run.run_name.args);
        const auto slash = name.rfind('/');
        if (name.starts_with("copy/"))
            copies_[bytes] = ns;
        else if (slash != name.npos && name.substr(slash) == "/reference")
            references_[name.substr(0, slash)] = ns;
        else if (slash != name.npos && name.substr(slash) == "/without")
            withouts_[name.substr(0, slash)] = ns;
        else
            lines_.push_back({name, ns, bytes});
    }
}

void Table::Finalize() {
    fmt::print("{:<44}{:>12}{:>8}{:>9}{:>11}{:>9}\n", "", "ns", "bytes", "copy", "reference", "without");
    for (const Line& line : lines_) {
        const auto copy = copies_.find(line.bytes);
        const auto reference = references_.find(line.name);
        const auto without = withouts_.find(line.name);
        fmt::print("{:<44}{:>12.1f}{:>8}{:>9}{:>11}{:>9}\n", line.name, line.ns,
                   line.bytes > 0 ? fmt::format("{:.0f}", line.bytes) : "",
                   copy != copies_.end() ? fmt::format("{:.1f}", line.ns / copy->second) : "",
                   reference != references_.end() ? fmt::format("{:.0f}", reference->second / line.ns) : "",
                   without != withouts_.end() ? fmt::format("{:.2f}", line.ns / without->second) : "");
    }
}

}  // namespace tessera::bench
