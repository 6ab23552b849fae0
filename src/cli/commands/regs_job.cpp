// SPDX-License-Identifier: Apache-2.0
#include "commands/regs_job.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "command.hpp"
#include "options/job_options.hpp"
#include "reports/regs_report.hpp"
#include "reports/run_report.hpp"
#include "reports/terminal.hpp"

namespace tessera::cli {

namespace {

/// The time before the first issue of an op: its thread, and its index in that thread's program.
struct Moment {
    unsigned thread = 0;
    std::int64_t index = 0;
    std::string text;
    std::optional<Core> core;  ///< its state at that time
};

Result<Moment> parse_moment(const std::string& text) {
    auto bad = [&] { return fail("cli.moment", fmt::format("'{}' is not a moment: T0:5 is op 5 of thread 0", text)); };
    if (text.size() < 4 || text[0] != 'T' || text[1] < '0' || text[1] > '2' || text[2] != ':') return bad();
    Moment moment{static_cast<unsigned>(text[1] - '0'), 0, text, std::nullopt};
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + 3, last, moment.index);
    if (error != std::errc{} || end != last || moment.index < 0) return bad();
    return moment;
}

Result<void> check_moment(const Moment& moment, const Job& job) {
    if (job.kernels)
        return fail("cli.moment", fmt::format("{}: the job has kernels, which have no ops to count", moment.text),
                    job.file);
    const auto& ops = job.program.threads.at(moment.thread);
    if (static_cast<std::uint64_t>(moment.index) >= ops.size())
        return fail("cli.moment", fmt::format("{}: thread {} has {} ops", moment.text, moment.thread, ops.size()),
                    job.file);
    if (ops[static_cast<std::size_t>(moment.index)].kind != Op::Kind::ins)
        return fail("cli.moment", fmt::format("{}: that op is not an instruction, and is never issued", moment.text),
                    job.file);
    return {};
}

Json report_as_json(const Job& job, const Run& run, const std::vector<Moment>& moments, const Core& first,
                    const Core& last) {
    Json json = {{"job", job.file}, {"arch", name(job.arch)}, {"moments", Json::array()}};
    for (const Moment& moment : moments) json["moments"].push_back(moment.text);
    if (moments.size() < 2) {
        json["registers"] = Json::array();
        for (const RegisterState& one : register_state(first)) json["registers"].push_back(to_json(one));
    } else {
        json["changes"] = Json::array();
        for (const RegisterChange& one : register_changes(first, last)) json["changes"].push_back(to_json(one));
    }
    json["run"] = to_json(run);
    return json;
}

}  // namespace

int list_job_registers(const RegsJobOptions& options) {
    std::vector<Moment> moments;
    for (const std::string& text : {options.at, options.other}) {
        if (text.empty()) continue;
        auto moment = parse_moment(text);
        if (!moment) return report(moment.error());
        moments.push_back(std::move(*moment));
    }
    JobOptions job_options;
    job_options.path = options.path;
    Result<Job> job = job_options.load();
    if (!job) return report(job.error());
    for (const Moment& moment : moments)
        if (auto good = check_moment(moment, *job); !good) return report(good.error());
    Result<Core> core = prepare(*job);
    if (!core) return report(core.error());

    // The hook runs before any effect of the instruction.
    job->options.explain = [&](unsigned thread, std::int64_t index, std::uint32_t) {
        for (Moment& moment : moments)
            if (moment.thread == thread && moment.index == index && !moment.core) moment.core = *core;
        return false;
    };
    const Result<Run> run = run_job(*job, *core, job->options);
    if (!run) return report(run.error());
    for (const Moment& moment : moments)
        if (!moment.core) {
            print(stdout, describe_diagnoses(*run));
            return report(
                {"cli.moment", fmt::format("{}: the run ended before it was issued", moment.text), job->file, 0, 0});
        }

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
