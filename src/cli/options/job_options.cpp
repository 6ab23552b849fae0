// SPDX-License-Identifier: Apache-2.0
#include "options/job_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "options/host_step.hpp"
#include "options/standard_input.hpp"
#include "options/words.hpp"
#include "stop.hpp"
#include "tessera/finding_catalogue.hpp"
#include "tessera/similar_name.hpp"

namespace tessera::cli {

namespace {

Result<void> set_level(RunOptions& options, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return fail("cli.finding", fmt::format("'{}' is not CODE=LEVEL", text));
    const std::string code = text.substr(0, equals);
    const std::optional<Level> level = parse_level(text.substr(equals + 1));
    if (const std::string why = refused_level(code); !why.empty()) return fail("cli.finding", why);
    if (!level) {
        constexpr std::string_view names[] = {"off", "info", "warning", "error"};
        const std::string given = text.substr(equals + 1);
        return fail("cli.finding",
                    fmt::format("'{}' is not a level{}: {}", given, suggestion(given, names), fmt::join(names, ", ")));
    }
    options.levels[code] = *level;
    return {};
}

/// Adds the NAME=VALUE of an option to `values`.
template <class Value, class Parse>
Result<void> read_pair(std::map<std::string, Value>& values, const std::string& text, const char* code, Parse&& parse) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return fail(code, fmt::format("'{}' is not NAME=VALUE", text));
    const std::string given = text.substr(equals + 1);
    const std::optional<Value> value = parse(given);
    if (!value) {
        std::vector<std::string_view> formats;
        for (const DataFormat format : all_data_formats) formats.push_back(name(format));
        return fail(code, fmt::format("'{}' is neither a number of 64 bits, decimal or with 0x, nor a data format{}", given,
                                      suggestion(given, formats)));
    }
    values[text.substr(0, equals)] = *value;
    return {};
}

/// Reads the file of these options by load(path, changes), or standard input by parse(text, name, changes).
template <class Load, class Parse>
auto read(const JobOptions& options, Load load, Parse parse) {
    return options.changes.read().and_then([&](const JobChanges& given) -> decltype(load(options.path, given)) {
        if (options.path != standard_input) return load(options.path, given);
        return read_standard_input().and_then(
            [&](const std::string& text) { return parse(text, standard_input_name, given); });
    });
}

}  // namespace

std::array<Option, 3> ChangeOptions::add_to(const Command& command) {
    return {command.option("--symbol", symbols, "Value of a symbol in the job's assembly (may be repeated)")
                .value_name("NAME=VALUE")
                .one_at_a_time(),
            command
                .option("--register", registers,
                        "Value of a configuration field, in place of that in the assembly's .cfg lines (may be repeated)")
                .value_name("FIELD=VALUE")
                .one_at_a_time(),
            command.option("--set", keys, "Value of a key of the job file: timing=instant, l1.0.npy=b.npy (may be repeated)")
                .value_name("KEY=VALUE")
                .one_at_a_time()};
}

std::string ChangeOptions::given() const {
    return !symbols.empty() ? "--symbol" : !registers.empty() ? "--register" : !keys.empty() ? "--set" : "";
}

Result<JobChanges> ChangeOptions::read() const {
    JobChanges changes;
    Result<void> done;
    for (const std::string& text : symbols)
        if (done) done = read_pair(changes.symbols, text, "cli.symbol", parse_job_number);
    for (const std::string& text : registers)
        if (done) done = read_pair(changes.registers, text, "cli.register", parse_job_number);
    for (const std::string& text : keys)
        if (done)
            done =
                read_pair(changes.keys, text, "cli.set", [](const std::string& value) { return std::optional(value); });
    if (!done) return tl::make_unexpected(std::move(done.error()));
    return changes;
}

void add_levels(const Command& command, std::vector<std::string>& levels) {
    command.option("--finding", levels, "Level of a finding: off, info, warning or error (may be repeated)")
        .value_name("CODE=LEVEL")
        .one_at_a_time();
}

void JobOptions::add_to(const Command& command, const JobHelp& help) {
    command.option("JOB", path, "Job file (.toml or .json), or - for standard input").required();
    add_options_to(command, help);
}

void JobOptions::add_options_to(const Command& command, const JobHelp& help) {
    with_clock = help.with_clock;
    command.option("--seed", seed, "Delay actors and effects as hardware may; the same seed gives the same run")
        .value_name("N")
        .check(whole_number());
    const std::string functional = help.with_clock ? "" : " (none, for results alone, fast)";
    command.option("--timing", timing, fmt::format("What time is: {}{}", timing_choices(help.with_clock), functional)).value_name("T");
    command.option("--max-cycles", max_cycles, "End a run that takes longer").value_name("N").check(whole_number(1));
    limits.add_to(command);
    const Option by_reference = command.flag("--reference", reference, help.reference ? help.reference : "");
    if (!help.reference) by_reference.hidden();
    add_levels(command, levels);
    command
        .option("--disregard", disregarded,
                "Look for hazards without an ordering of docs/races.md; of one thread or core; of one semaphore "
                "(may be repeated)")
        .value_name("ORDERING[:WHO[:WHICH]]")
        .one_at_a_time();
    changes.add_to(command);
    const Option steps = command
                             .option("--host", host,
                                     fmt::format("Steps of the host while kernels run, after the job's own (may be repeated): {}",
                                                 host_step_form))
                             .value_name("STEP")
                             .one_at_a_time();
    if (!help.host) steps.hidden();
}

std::string JobOptions::run_text() const {
    std::string text = shell_word(path);
    const auto add = [&](const char* option, const std::string& value) { text += fmt::format(" {} {}", option, shell_word(value)); };
    const auto add_each = [&](const char* option, const std::vector<std::string>& values) {
        for (const std::string& value : values) add(option, value);
    };
    if (seed) add("--seed", std::to_string(*seed));
    if (timing) add("--timing", *timing);
    if (max_cycles) add("--max-cycles", std::to_string(*max_cycles));
    if (reference) text += " --reference";
    add_each("--finding", levels);
    add_each("--disregard", disregarded);
    add_each("--host", host);
    add_each("--symbol", changes.symbols);
    add_each("--register", changes.registers);
    add_each("--set", changes.keys);
    return text;
}

Result<Job> JobOptions::load() const {
    return read(*this, load_job, parse_job).and_then([&](Job job) { return with_options(std::move(job)); });
}

Result<AnyJob> JobOptions::load_any() const {
    return read(*this, load_any_job, parse_any_job).and_then([&](AnyJob job) {
        return std::visit(
            [&](auto& of) -> Result<AnyJob> {
                return with_options(std::move(of)).map([](auto changed) { return AnyJob(std::move(changed)); });
            },
            job);
    });
}

Result<Case> JobOptions::load_job_or_case() const {
    return read(*this, tessera::load_job_or_case, parse_job_or_case).and_then([&](Case what) {
        return with_options(std::move(what.job)).map([&](Job job) {
            what.job = std::move(job);
            return std::move(what);
        });
    });
}

Result<AnyCase> JobOptions::load_any_case() const {
    const auto either = [](auto of_tile, auto of_chip) {
        return [=](const auto&... source) -> Result<AnyCase> {
            Result<Case> what = of_tile(source...);
            if (what) return AnyCase(std::move(*what));
            if (what.error().code != "job.chip") return tl::make_unexpected(std::move(what.error()));
            return of_chip(source...).map([](ChipCase of) { return AnyCase(std::move(of)); });
        };
    };
    return read(*this, either(tessera::load_job_or_case, load_chip_job_or_case),
                either(parse_job_or_case, parse_chip_job_or_case))
        .and_then([&](AnyCase what) {
            return std::visit(
                [&](auto& of) -> Result<AnyCase> {
                    return with_options(std::move(of.job)).map([&](auto job) {
                        of.job = std::move(job);
                        return AnyCase(std::move(of));
                    });
                },
                what);
        });
}

Result<void> JobOptions::change(RunOptions& options) const {
    if (seed) options.seed = *seed;
    if (max_cycles) options.max_cycles = *max_cycles;
    if (timing) {
        const Result<Timing> parsed = read_timing(*timing, with_clock);
        if (!parsed) return tl::make_unexpected(parsed.error());
        options.timing = *parsed;
    }
    if (reference && timing && timing != "instant")
        return fail("cli.timing",
                    fmt::format("--reference executes an instruction at once: it has no {} timing; leave --timing out",
                                *timing));
    if (reference) {
        options.reference = true;
        options.timing = Timing::instant;
    }
    for (const std::string& level : levels)
        if (Result<void> set = set_level(options, level); !set) return set;
    for (const std::string& text : disregarded) {
        const Result<Disregarded> what = parse_disregarded(text);
        if (!what) return fail("cli.disregard", what.error().message);
        options.disregard.push_back(*what);
    }
    options.stop = stop_on_interrupt();
    limits.set(options);
    return {};
}

Result<Job> JobOptions::with_options(Job job) const {
    if (auto changed = change(job.options); !changed) return tl::make_unexpected(changed.error());
    if (!host.empty() && !job.kernels) return fail("cli.host", "--host is for jobs with kernels", job.file);
    for (const std::string& text : host) {
        Result<HostStep> step = parse_host_step(text);
        if (!step) return tl::make_unexpected(step.error());
        step->place = "--host";
        job.kernels->host.push_back(std::move(*step));
    }
    if (job.kernels)
        if (Result<void> checked = check_kernels(*job.kernels); !checked) return tl::make_unexpected(checked.error());
    return job;
}

Result<ChipJob> JobOptions::with_options(ChipJob job) const {
    if (!host.empty()) return fail("job.chip", "--host is for jobs of one tile", job.file);
    if (reference)
        return fail("chip.timing",
                    "the second implementation (--reference) has instant timing, and packets of a grid need time to travel: leave it out",
                    job.file);
    if (auto changed = change(job.options); !changed) return tl::make_unexpected(changed.error());
    return job;
}

}  // namespace tessera::cli
