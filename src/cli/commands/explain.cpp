// SPDX-License-Identifier: Apache-2.0
// tessera explain: plans of selected instructions at the time of their issue.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "command.hpp"
#include "options/job_options.hpp"
#include "options/op_selection.hpp"
#include "options/words.hpp"
#include "reports/json.hpp"
#include "reports/run_report.hpp"
#include "reports/terminal.hpp"
#include "tessera/instruction_set.hpp"

namespace tessera::cli {

namespace {

struct ExplainArguments {
    JobOptions job;
    std::optional<unsigned> thread;
    std::optional<std::int64_t> index;
    std::optional<int> line;
    std::string at;
    std::string instruction;
    std::vector<std::string> elements;
    std::size_t limit = 20;  ///< an explanation takes kilobytes, and a run may have millions of candidates
    bool json = false;
};

/// The argument of --instruction: "UNPACR_NOP", "unpacr_nop.pop", "ttunpacr_nop", "UNPACR x=1".
struct Wanted {
    std::optional<InstructionInfo> instruction;  ///< none: every instruction
    std::string form;                            ///< empty: every form

    bool is(std::uint32_t word) const {
        if (!instruction) return true;
        if (word >> 24 != instruction->opcode) return false;
        if (form.empty()) return true;
        const auto first = std::find_if(instruction->forms.begin(), instruction->forms.end(),
                                        [&](const auto& one) { return (word & one.mask) == one.value; });
        return first != instruction->forms.end() && first->name == form;
    }
};

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

/// Rejects a name unknown to both architectures, and a form that the instruction lacks.
Result<Wanted> parse_wanted(std::string_view text, Arch arch) {
    Wanted wanted;
    text = text.substr(0, text.find_first_of(" \t"));
    if (text.empty()) return wanted;
    const std::size_t dot = text.find('.');
    const auto of_each = describe_instruction(text.substr(0, dot));
    if (!of_each) return tl::make_unexpected(of_each.error());
    for (const InstructionInfo& info : *of_each)
        if (!wanted.instruction || info.arch == arch) wanted.instruction = info;
    if (dot == text.npos) return wanted;
    wanted.form = lower(text.substr(dot + 1));
    std::string forms;
    for (const auto& form : wanted.instruction->forms) {
        if (form.name == wanted.form) return wanted;
        forms += (forms.empty() ? "" : ", ") + form.name;
    }
    return tl::make_unexpected(Error{"cli.selection",
                                     fmt::format("{} has no form '{}'; {}", wanted.instruction->name, wanted.form,
                                                 forms.empty() ? "it has one form only" : "its forms are " + forms),
                                     "", 0, 0});
}

/// Selects issued instructions.
class Selection {
public:
    Selection(const ExplainArguments& options, const Program& program, std::optional<SelectedOps> at, Wanted wanted)
        : options_(options), program_(program), at_(std::move(at)), wanted_(std::move(wanted)) {}

    /// Whether the run offered any instruction: with --element only those that compute one of the elements.
    bool offered() const { return offered_; }
    /// Instructions that --limit leaves out.
    std::size_t left_out() const { return asked_ - std::min(asked_, options_.limit); }

    bool operator()(unsigned thread, std::int64_t index, std::uint32_t word) {
        offered_ = true;
        if (options_.thread && *options_.thread != thread) return false;
        if (options_.index && *options_.index != index) return false;
        if (options_.line) {
            const auto& ops = program_.threads.at(thread);
            if (index < 0 || static_cast<std::size_t>(index) >= ops.size()) return false;
            if (*options_.line != ops[static_cast<std::size_t>(index)].line) return false;
        }
        if (at_ && !at_->has(thread, index)) return false;
        if (!wanted_.is(word)) return false;
        return asked_++ < options_.limit;
    }

private:
    const ExplainArguments& options_;
    const Program& program_;
    std::optional<SelectedOps> at_;
    Wanted wanted_;
    std::size_t asked_ = 0;  ///< that are selected
    bool offered_ = false;
};

void show(const ExplainArguments& options, const Job& job, const Run& run, std::size_t left_out) {
    const std::vector<Explanation>& chosen = run.explanations;
    if (options.json) {
        Json json = {{"job", job.file}, {"arch", name(job.arch)}};
        json.update(to_json(run));
        json["explanations"] = json_list(chosen);
        json["left_out"] = left_out;
        print(stdout, to_text(json, 2) + "\n");
        return;
    }
    std::string separator;
    for (const Explanation& one : chosen) {
        print(stdout, separator + one.describe());
        separator = "\n";
    }
    if (left_out) print(stdout, fmt::format("{}and {} more: --limit {} shows all\n", separator, left_out, chosen.size() + left_out));
    if (!run.good()) print(stdout, separator + describe_diagnoses(run));
}

/// "ROW,COLUMN"
Result<DstElement> read_element(const std::string& text) {
    const auto element = parse_pair<unsigned>(text, ',');
    if (!element || element->first > 1023 || element->second > 15)
        return fail("cli.element", fmt::format("'{}' is not ROW,COLUMN: 0 to 1023, 0 to 15", text));
    return DstElement{element->first, element->second};
}

int execute(const ExplainArguments& options) {
    Result<Job> job = options.job.load();
    if (!job) return report(job.error());
    Result<Wanted> wanted = parse_wanted(options.instruction, job->arch);
    if (!wanted) return report(wanted.error());
    for (const std::string& text : options.elements) {
        const Result<DstElement> element = read_element(text);
        if (!element) return report(element.error());
        job->options.elements.push_back(*element);
    }
    if (job->kernels && options.line)
        return refuse("cli.selection",
                      "--line is for texts of threads: a line of a kernel's source is named by --at FILE:LINE",
                      job->file);
    std::optional<SelectedOps> at;
    if (!options.at.empty()) {
        auto read = SelectedOps::read(options.at, *job, "cli.selection");
        if (!read) return report(read.error());
        at = std::move(*read);
    }
    Result<Core> core = prepare(*job);
    if (!core) return report(core.error());

    Selection selection(options, job->program, std::move(at), std::move(*wanted));
    job->options.explain = [&](unsigned thread, std::int64_t index, std::uint32_t word) {
        return selection(thread, index, word);
    };
    Result<Run> run = run_job(*job, *core, job->options);
    if (!run) return report(run.error());

    show(options, *job, *run, selection.left_out());
    if (run->explanations.empty()) {
        const std::string why = options.elements.empty() || selection.offered()
                                    ? "no issued instruction matches"
                                    : fmt::format("no issued instruction of the matrix unit computes element {} of Dst; one that copies, clears or unpacks to it, "
                                                  "or the vector unit's, is explained with --instruction (MOVA2D, ZEROACC, UNPACR, SFPSTORE)",
                                                  fmt::join(options.elements, " or "));
        const int status = refuse("cli.selection", why, job->file);
        return run->good() ? status : bad_result;
    }
    return run->good() ? good : bad_result;
}

}  // namespace

void add_explain(CommandLine& program) {
    auto options = std::make_shared<ExplainArguments>();
    const Command command =
        program.add("explain", "Run a job and explain its instructions at issue: operands, settings, reads, writes");
    options->job.add_to(command, {.with_clock = true});
    command
        .option("--at", options->at,
                "Only the op at that place, or all of that line: T0:5 (op 5 of thread 0), FILE:LINE")
        .value_name("PLACE");
    command.option("--thread", options->thread, "Only of that thread").value_name("N").check(whole_number(0, 2));
    command.option("--index", options->index, "Only the op at that position of its thread")
        .value_name("N")
        .check(whole_number(0, std::numeric_limits<std::int64_t>::max()));
    command.option("--line", options->line, "Only ops from that line of the program text")
        .value_name("N")
        .check(whole_number(1, std::numeric_limits<int>::max()));
    command.option("--instruction", options->instruction, "Only instructions of that name, or of one of its forms")
        .value_name("NAME[.FORM]");
    command
        .option("--element", options->elements,
                "Only matrix instructions that compute that element of Dst, with each step of its arithmetic (may be "
                "repeated)")
        .value_name("ROW,COLUMN")
        .one_at_a_time();
    command.option("--limit", options->limit, "Show at most this many")
        .value_name("N")
        .show_default()
        .check(whole_number(1));
    command.flag("--json", options->json, "Print one JSON object");
    command.footer(
        "Examples: tessera explain examples/add/add.toml --instruction UNPACR --limit 2\n"
        "          tessera explain examples/matmul/matmul.toml --element 0,3 --limit 4");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
