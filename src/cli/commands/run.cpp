// SPDX-License-Identifier: Apache-2.0
// tessera run: runs a job or kernels to the end, writes outputs, and prints a report.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.hpp"
#include "commands/run_chip.hpp"
#include "options/job_options.hpp"
#include "options/kernel_options.hpp"
#include "options/output_paths.hpp"
#include "reports/digest.hpp"
#include "reports/json.hpp"
#include "reports/run_report.hpp"
#include "reports/sarif.hpp"
#include "reports/terminal.hpp"
#include "tessera/output_file.hpp"

namespace tessera::cli {

namespace {

struct RunArguments {
    std::vector<std::string> paths;
    JobOptions job;
    KernelOptions kernels;
    std::string window;
    std::string sarif;
    std::optional<unsigned> threads;
    bool json = false;
    bool no_output = false;
    bool digest = false;
};

/// Whether the output is an array that fills its room in L1 at the end of the run.
bool is_whole_array(const Job::Output& output) {
    return !output.host_step && !output.size && !output.form.compressed && !output.form.digest_size;
}

/// How many bytes of a whole array nothing has written: they are as the reset left them. Others have none.
std::uint64_t unwritten_bytes(const Job::Output& output, const Core& core) {
    if (!is_whole_array(output)) return 0;
    return output_bytes(output).and_then([&](std::size_t size) { return core.unwritten_l1(output.address, size); }).value_or(0);
}

/// The bytes of a whole array that were written in another form than the job reads them in; the first such form if there are any.
struct Misread {
    std::uint64_t bytes = 0;
    L1Format written;
};
Misread misread_bytes(const Job::Output& output, const Core& core) {
    Misread misread;
    if (!is_whole_array(output)) return misread;
    const auto formats = output_bytes(output)
                             .and_then([&](std::size_t size) { return core.l1_formats(output.address, size); })
                             .value_or(std::vector<L1Format>{});
    for (const L1Format& piece : formats) {
        if (are_read_alike(piece.format, output.format) && !piece.compressed) continue;
        if (misread.bytes == 0) misread.written = piece;
        misread.bytes += piece.last - piece.first + 1;
    }
    return misread;
}

/// "wrote         sum.npy; nothing has written 16 of its 2048 bytes in L1"
std::string wrote_line(const Job::Output& output, const Core& core) {
    std::string line = "wrote         " + output.path;
    if (const std::uint64_t unwritten = unwritten_bytes(output, core))
        line += fmt::format("; nothing has written {} of its {} bytes in L1", unwritten, output_bytes(output).value_or(0));
    if (const Misread misread = misread_bytes(output, core); misread.bytes)
        line += fmt::format("; {} of its {} bytes were written as {}{}, not as {}", misread.bytes,
                            output_bytes(output).value_or(0), name(misread.written.format),
                            misread.written.compressed ? ", compressed" : "", name(output.format));
    return line + '\n';
}

Json describe_as_json(const Job& job, const Core& core, const Run& run, bool written) {
    Json json = {{"job", job.file},
                 {"arch", name(job.arch)},
                 {"timing", name(job.options.timing)},
                 {"reference", job.options.reference},
                 {"seed", maybe(job.options.seed)}};
    json.update(to_json(run));
    json["outputs"] = Json::array();
    json["unwritten_bytes"] = Json::array();
    json["misread_bytes"] = Json::array();
    if (written)
        for (const Job::Output& output : job.outputs) {
            json["outputs"].push_back(output.path);
            json["unwritten_bytes"].push_back(unwritten_bytes(output, core));
            json["misread_bytes"].push_back(misread_bytes(output, core).bytes);
        }
    return json;
}

Result<AnyJob> load(const RunArguments& options) {
    const auto& paths = options.paths;
    constexpr const char* without_job = "--core, --in-reset and --done are for kernels without a job";
    const bool kernels = !options.kernels.cores.empty() || std::any_of(paths.begin(), paths.end(), is_kernel);
    if (kernels) {
        const auto is_job = [](const std::string& path) { return path.ends_with(".toml"); };
        if (options.kernels.any() && std::any_of(paths.begin(), paths.end(), is_job)) return fail("cli.usage", without_job);
        if (const std::string change = options.job.changes.given(); !change.empty())
            return fail("cli.usage", fmt::format("{} changes a job, and kernels are given without one: leave it out", change));
        return options.kernels.load(paths)
            .and_then([&](Job job) { return options.job.with_options(std::move(job)); })
            .map([](Job job) { return AnyJob(std::move(job)); });
    }
    constexpr std::string_view help = "try 'tessera run --help'";
    if (paths.empty()) return fail("cli.usage", fmt::format("JOB is required, or kernels; {}", help));
    if (paths.size() > 1) return fail("cli.usage", fmt::format("'{}' is one job too many; {}", paths[1], help));
    if (const auto& arch = options.kernels.arch)
        return fail("cli.usage", fmt::format("--arch is for kernels without a job: --set arch={} changes that of a job", *arch));
    if (options.kernels.any()) return fail("cli.usage", without_job);
    JobOptions job = options.job;
    job.path = paths.front();
    return job.load_any();
}

int execute_chip(const ChipJob& job, const RunArguments& options) {
    for (const auto& [name, value] : {std::pair("--window", options.window), std::pair("--sarif", options.sarif)})
        if (!value.empty()) return refuse("job.chip", fmt::format("{} is for jobs of one tile", name), job.file);
    return run_chip(job, {options.threads.value_or(1), options.json, options.no_output, options.digest});
}

/// Writes the SARIF file, if it is wanted, and the job's outputs if `of_job`: all of them or none. As in commit(), a device goes first: it may
/// refuse, while a rename hardly fails.
Result<void> write_files(const Job& job, const Core& core, const Run& run, bool of_job, const std::string& sarif) {
    const auto write_job = [&] { return of_job ? write_outputs(job, core, run.host_reads) : Result<void>(); };
    if (sarif.empty()) return write_job();
    Result<OutputFile> file = OutputFile::with(sarif, to_text(to_sarif(job, run), 2) + "\n", "cli.write");
    if (!file) return tl::make_unexpected(file.error());
    if (file->receives()) return file->commit().and_then(write_job);
    return write_job().and_then([&] { return file->commit(); });
}

int execute(const RunArguments& options) {
    Result<AnyJob> any = load(options);
    if (!any) return report(any.error());
    if (const auto* const of_chip = std::get_if<ChipJob>(&*any)) return execute_chip(*of_chip, options);
    if (options.threads) return refuse("cli.usage", "--threads is for jobs with a grid of tiles");
    Job& job = std::get<Job>(*any);
    job.options.window = options.window;
    std::vector<std::string> outputs;
    if (!options.no_output)
        for (const Job::Output& output : job.outputs) outputs.push_back(output.path);
    std::vector<std::string> paths{options.sarif};
    paths.insert(paths.end(), outputs.begin(), outputs.end());
    if (const auto checked = check_outputs(paths, job.inputs); !checked) return report(checked.error());
    Result<Core> core = prepare(job);
    if (!core) return report(core.error());
    const Result<Run> run = run_job(job, *core, job.options);
    if (!run) return report(run.error());

    // Outputs of a failed run could be mistaken for good ones.
    const bool written = run->good() && !options.no_output;
    const Result<void> wrote = write_files(job, *core, *run, written, options.sarif);

    if (options.json) {
        Json json = describe_as_json(job, *core, *run, written && wrote);
        if (options.digest) json["digest"] = digest_text(*core);
        print(stdout, to_text(json, 2) + "\n");
    } else {
        print(stdout, describe_run(*run));
        if (!options.window.empty() && !run->window)
            print(stdout, fmt::format("\nwindow        no {} was issued\n", options.window));
        if (options.digest) print(stdout, digest_line(*core));
        if (written && wrote)
            for (const Job::Output& output : job.outputs) print(stdout, wrote_line(output, *core));
        if (!run->good()) print(stdout, kept_lines(outputs));
    }
    if (!wrote) return report_unwritten(wrote.error());
    return run->good() ? good : bad_result;
}

}  // namespace

void add_run(CommandLine& program) {
    auto options = std::make_shared<RunArguments>();
    const Command command = program.add("run", "Run a job or kernels, write outputs, report where the cycles went");
    command.option(
        "JOB", options->paths,
        "Job file (.toml or .json), - for one on standard input, or kernels: ELF files named after their cores");
    options->job.add_options_to(command);
    options->kernels.add_to(command);
    command.flag("--json", options->json, "Report as one JSON object");
    command
        .option("--window", options->window,
                "Report also where the cycles went from the first to the last issue of an instruction")
        .value_name("INSTRUCTION");
    command
        .option("--sarif", options->sarif, "Write faults and findings there as SARIF 2.1.0, for editors and CI systems")
        .value_name("FILE");
    command.flag("--no-output", options->no_output, "Write no output files");
    command.flag("--digest", options->digest, "Report also a hash of the state at the end, equal wherever and however it was reached");
    add_threads(command, options->threads);
    command.footer(
        "An ELF file's name ends in brisc, trisc0 or unpack, trisc1 or math, trisc2 or pack, or ncrisc; any other one "
        "needs\n"
        "--core: run brisc.elf --core trisc1=multiply.elf --done 0x1FFB8=1 (docs/kernels.md).\n"
        "Examples: tessera run examples/add/add.toml --finding hazard.dst=error\n"
        "          tessera run examples/matmul/matmul.toml --symbol PHASES=1 --window MVMUL");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
