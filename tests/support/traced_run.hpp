// SPDX-License-Identifier: Apache-2.0
// A run with its trace in each form: lines, timeline and report.
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/case_of_text.hpp"
#include "tessera/trace.hpp"

namespace tessera::test {

using Json = nlohmann::json;

struct Traced {
    Run run;
    std::string lines, perfetto;
    TraceReport report;
};

inline Traced trace(const Job& job, const RunOptions& options, Core* core = nullptr, bool writes = false) {
    Core own = prepare(job).value();
    Traced traced;
    const TraceForms forms{.lines = [&](std::string_view text) { traced.lines += text; },
                           .writes = writes,
                           .perfetto = [&](std::string_view text) { traced.perfetto += text; },
                           .report = &traced.report};
    traced.run = trace_job(job, core ? *core : own, options, forms).value();
    return traced;
}

inline Traced trace(std::string_view text) {
    const Case what = case_of_text(text);
    return trace(what.job, what.job.options);
}

inline std::vector<Json> parsed(const std::string& lines) {
    std::vector<Json> list;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) list.push_back(Json::parse(line));
    return list;
}

}  // namespace tessera::test
