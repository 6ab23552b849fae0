// SPDX-License-Identifier: Apache-2.0
#include "commands/regs_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "command.hpp"
#include "options/op_selection.hpp"
#include "reports/regs_report.hpp"
#include "reports/run_report.hpp"
#include "reports/terminal.hpp"

namespace tessera::cli {

namespace {

/// The time before the first issue of one of these ops.
struct Moment {
    SelectedOps ops;
    std::string text;
    std::optional<Core> core;  ///< its state at that time
    std::size_t number = 0;    ///< in the order of time
};

Json report_as_json(const Job& job, const Run& run, const std::vector<Moment>& moments, const Core& first,
                    const Core& last) {
    constexpr auto as_json = [](const auto& one) { return to_json(one); };
    Json json = {{"job", job.file},
                 {"arch", name(job.arch)},
                 {"moments", json_list(moments, [](const Moment& moment) { return moment.text; })}};
    if (moments.size() < 2)
        json["registers"] = json_list(register_state(first), as_json);
    else
        json["changes"] = json_list(register_changes(first, last), as_json);
    json["run"] = to_json(run);
    return json;
}

}  // namespace

int list_job_registers(const RegsJobOptions& options) {
    Result<Job> job = options.job.load();
    if (!job) return report(job.error());
    std::vector<Moment> moments;
    for (const std::string& text : {options.at, options.other}) {
        if (text.empty()) continue;
        auto ops = SelectedOps::read(text, *job, "cli.moment");
        if (!ops) return report(ops.error());
        moments.push_back({std::move(*ops), text, std::nullopt});
    }
    Result<Core> core = prepare(*job);
    if (!core) return report(core.error());

    std::size_t captured = 0;
    // The hook runs before any effect of the instruction.
    job->options.explain = [&](unsigned thread, std::int64_t index, std::uint32_t) {
        for (Moment& moment : moments)
            if (!moment.core && moment.ops.has(thread, index)) {
                moment.core = *core;
                moment.number = captured++;
            }
        return false;
    };
    const Result<Run> run = run_job(*job, *core, job->options);
    if (!run) return report(run.error());
    for (const Moment& moment : moments)
        if (!moment.core) {
            print(stdout, describe_diagnoses(*run));
            return refuse("cli.moment", fmt::format("{}: the run ended before it was issued", moment.text), job->file);
        }

    std::sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) { return a.number < b.number; });
    const Core& first = moments.empty() ? *core : *moments.front().core;
    const Core& last = moments.empty() ? *core : *moments.back().core;
    if (options.json) {
        print(stdout, to_text(report_as_json(*job, *run, moments, first, last), 2) + "\n");
    } else {
        print(stdout, moments.size() < 2 ? describe_state(register_state(first))
                                         : describe_changes(register_changes(first, last)));
        if (const std::string diagnoses = describe_diagnoses(*run); !diagnoses.empty()) print(stdout, "\n" + diagnoses);
    }
    return run->good() ? good : bad_result;
}

}  // namespace tessera::cli
