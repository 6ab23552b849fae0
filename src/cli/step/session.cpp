// SPDX-License-Identifier: Apache-2.0
#include "step/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>
#include <sstream>

#include "options/op_selection.hpp"
#include "reports/chip_report.hpp"
#include "reports/run_report.hpp"
#include "step/packets.hpp"
#include "tessera/assembly.hpp"
#include "tessera/finding_catalogue.hpp"
#include "tessera/instruction_set.hpp"
#include "tessera/job.hpp"
#include "tessera/op_place.hpp"
#include "tessera/similar_name.hpp"
#include "tessera/state_text.hpp"

namespace tessera::cli {

namespace {

using Reply = StepSession::Reply;

Reply refused(const std::string& why) { return {why + "\n", true, false}; }
Reply refused(const Error& error) { return refused(error.message); }

std::optional<std::uint64_t> read_count(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

/// The N that may end a command, at `at`: 1 if it is left out. None: N is no number above 0, or words follow it.
std::optional<std::uint64_t> read_last_count(std::span<const std::string> words, std::size_t at = 1) {
    if (words.size() <= at) return 1;
    const auto count = words.size() == at + 1 ? read_count(words[at]) : std::nullopt;
    return count && *count > 0 ? count : std::nullopt;
}

/// The argument of `break`: T1:OP, @CYCLE, "finding" [CODE], FILE:LINE, an instruction.
Result<Breakpoints> read_break(const std::vector<std::string>& words, Arch arch) {
    Breakpoints what;
    if (words.size() < 2) return fail("cli.break", "where? FILE:LINE, INSTRUCTION, T1:OP, @CYCLE, finding [CODE]");
    const std::string& place = words[1];
    const bool of_finding = place == "finding";
    if (const std::size_t most = of_finding ? 3 : 2; words.size() > most)
        return fail("cli.break", fmt::format("'{}' is one word too many; break takes one place", words[most]));
    if (of_finding) {
        what.finding = words.size() > 2 ? words[2] : "";
        if (!what.finding->empty() && !is_diagnosis_code(*what.finding))
            return fail("cli.break", unknown_finding(*what.finding));
        return what;
    }
    if (place.starts_with('@')) {
        what.cycle = read_count(std::string_view(place).substr(1));
        if (!what.cycle) return fail("cli.break", fmt::format("'{}' is not a cycle", place.substr(1)));
        return what;
    }
    Breakpoints::Instruction instruction;
    if (place.find(':') != place.npos) {
        const auto ops = read_op_selection(place, "cli.break");
        if (!ops) return tl::make_unexpected(ops.error());
        instruction = *ops;
    } else {
        const auto here = find_instruction(place, arch);
        if (!here) return tl::make_unexpected(here.error());
        instruction.name = here->name;
    }
    what.instructions.push_back(std::move(instruction));
    return what;
}

/// True if an op of the job may issue that instruction, directly or by a MOP.
bool may_issue(const Program& program, const std::string& instruction) {
    for (const auto& ops : program.threads)
        for (const Op& op : ops) {
            const bool pushes = op.kind == Op::Kind::ins || op.kind == Op::Kind::mop;
            const std::string text = pushes ? disassemble_named(op.value, program.arch) : std::string();
            if (text.substr(0, text.find_first_of(" .")) == instruction) return true;
        }
    return false;
}

/// Rejects breakpoints that no run of the job can reach. Instructions pushed by kernels are unknown.
Result<void> check_reached(const Breakpoints& what, const Job& job) {
    const auto never = [](const std::string& why) { return fail("cli.break", "it would never be reached: " + why); };
    if (what.cycle && *what.cycle > job.options.max_cycles)
        return never(fmt::format("the run ends at cycle {} (max_cycles)", job.options.max_cycles));
    if (job.kernels) return {};
    for (const Breakpoints::Instruction& one : what.instructions) {
        if (const std::string why = never_issued(one, job.program); !why.empty()) return never(why);
        if (!one.name.empty() && !may_issue(job.program, one.name))
            return never(fmt::format("no op of the job is a {}", one.name));
    }
    return {};
}

Breakpoints::Elements run_of(const StatePart& part, std::size_t first, std::size_t count) {
    return {part.section->id, first, count};
}

/// Merges neighbouring elements into ranges.
std::vector<Breakpoints::Elements> runs_of(const StatePart& part) {
    std::vector<Breakpoints::Elements> runs;
    for (const std::size_t element : part.elements()) {
        if (!runs.empty() && runs.back().first + runs.back().count == element)
            ++runs.back().count;
        else
            runs.push_back(run_of(part, element, 1));
    }
    return runs;
}

}  // namespace

struct StepSession::Command {
    const char *name, *brief, *arguments, *about;
    Reply (StepSession::*does)(const Words&);
};

const std::vector<StepSession::Command>& StepSession::commands() {
    static const std::vector<Command> all = {
        {"step", "s", "[T0|T1|T2] [N]", "until N more instructions have been issued, by any thread or by that one",
         &StepSession::step},
        {"back", "b", "[N]", "to where it stood N instructions before", &StepSession::back},
        {"cycle", "n", "[N]", "N cycles", &StepSession::cycle},
        {"continue", "c", "", "to the next break or watch, or to the end", &StepSession::go_on},
        {"break", "br", "WHERE", "stop there: FILE:LINE (or :LINE), INSTRUCTION, T1:OP, @CYCLE, finding [CODE]",
         &StepSession::add_break},
        {"watch", "wa", "STATE", "stop when it has been written; of a configuration field: its word", &StepSession::watch},
        {"breaks", "l", "", "the breaks and watches", &StepSession::breaks},
        {"delete", "d", "[N]", "one of them, or all", &StepSession::remove},
        {"print", "p", "[STATE [as FORMAT]]",
         "dst 3 | src_a 0 0:4 | rwc 1 dst | gpr 0 | l1 0x20000 64 | a configuration field; alone: all names",
         &StepSession::print},
        {"waiting", "w", "", "the waits of all actors", &StepSession::waiting},
        {"explain", "x", "", "explain the instruction of the last step", &StepSession::explain},
        {"findings", "f", "", "list the findings so far", &StepSession::findings},
        {"report", "r", "", "where the cycles went so far", &StepSession::report},
        {"tile", "t", "[COLUMN ROW]", "of a grid: look at that tile; alone: all tiles, and what they wait for",
         &StepSession::tile},
        {"packet", "k", "[N]", "of a grid: until the next packet leaves the tile, or has reached it", &StepSession::packet},
    };
    return all;
}

std::string StepSession::help() {
    std::string text;
    for (const Command& command : commands())
        text += fmt::format("  {:<34} {}\n", fmt::format("{}, {} {}", command.brief, command.name, command.arguments),
                            command.about);
    return text + fmt::format("  {:<34} {}\n", "q, quit", "leave; an empty line repeats the last command");
}

StepSession::Reply StepSession::obey(const std::string& line) {
    std::istringstream in(line);
    Words words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.empty()) {
        if (last_.empty()) return {};
        return obey(std::string(last_));
    }
    if (words[0].starts_with('#')) return {};
    if (words[0] == "q" || words[0] == "quit") return {"", false, true};
    if (words[0] == "h" || words[0] == "help" || words[0] == "?") return {help(), false, false};
    for (const Command& command : commands())
        if (words[0] == command.name || words[0] == command.brief) {
            last_ = line;
            if (words.size() > 1 && std::string_view(command.arguments).empty())
                return refused(fmt::format("{} takes nothing behind it, not '{}'", command.name, words[1]));
            return (this->*command.does)(words);
        }
    std::vector<std::string_view> names{"help", "quit"};
    for (const Command& command : commands()) names.push_back(command.name);
    return refused(fmt::format("unknown command '{}'{}; try help", words[0], suggestion(words[0], names)));
}

std::string StepSession::describe_end() const {
    if (!execution_.ended()) return "nothing is remembered\n";
    const auto first_line = [](std::uint64_t cycles, bool fault) {
        return fmt::format("cycle {}  the end{}\n", cycles, fault ? ": a fault" : "");
    };
    if (tiles_) {
        const ChipRun run = tiles_->run();
        return first_line(run.cycles, run.fault.has_value()) + describe_chip_diagnoses(run);
    }
    const Run run = execution_.run();
    std::string text = first_line(run.cycles, run.fault.has_value());
    if (run.fault) text += run.fault->describe() + "\n" + run.describe_blocked();
    return text;
}

std::string StepSession::describe(const Pause& pause) const {
    if (pause.why == Pause::Why::end) return describe_end();
    if (pause.why == Pause::Why::cycle) return fmt::format("cycle {} (last event: {})\n", at_, pause.cycle);
    const Where& where = pause.where;
    const std::string place = where.describe_place();
    const OpPlace op{.thread = where.thread,
                     .index = where.thread < 0 ? -1 : where.index,
                     .position = where.position,
                     .cycle = pause.cycle,
                     .instruction = where.instruction,
                     .place = place};
    const PacketEvent* writer = tiles_ && pause.why == Pause::Why::written ? writer_of(pause, *tiles_) : nullptr;
    // A store of a core is no op.
    const std::string core = where.thread < 0 && !where.core.empty() ? where.core + ", " : "";
    std::string text = writer ? describe_packet(*writer, *chip_, *tiles_) : core + op.describe() + "\n";
    if (pause.finding) text += pause.finding->describe() + "\n";
    constexpr std::size_t most = 16;
    const auto sections = execution_.core().sections();
    for (std::size_t i = 0; i < std::min(most, pause.written.size()); ++i) {
        const StateElement& element = pause.written[i];
        const Section& section = sections[element.section];
        text += fmt::format(
            "  wrote {} = 0x{:X}\n",
            section.name == "l1" ? fmt::format("l1 0x{:X}", element.element) : section.describe(element.element),
            element.value);
    }
    if (pause.written.size() > most) text += fmt::format("  and {} more\n", pause.written.size() - most);
    return text;
}

/// The pause, and the findings since the last one.
StepSession::Reply StepSession::paused(const Pause& pause) {
    pause_ = pause;
    if (pause.why != Pause::Why::cycle) at_ = pause.cycle;
    std::string text = describe(pause);
    // The end of a grid has all of its findings.
    if (pause.why != Pause::Why::end || !tiles_) text += new_findings(pause.finding ? &*pause.finding : nullptr);
    return {text, false, false};
}

std::string StepSession::new_findings(const Finding* told) {
    std::string text;
    const auto findings = execution_.run().findings;
    const auto is_told = [&](const Finding& one) { return told && one.code == told->code && one.message == told->message; };
    for (std::size_t i = reported_; i < findings.size(); ++i)
        if (findings[i].level > Level::info && !is_told(findings[i]))
            text += fmt::format("  {}: {} [{}]\n", name(findings[i].level), findings[i].message, findings[i].code);
    reported_ = findings.size();
    return text;
}

StepSession::Reply StepSession::step(const Words& words) {
    std::optional<unsigned> thread;
    if (const auto named = parse_thread(words.size() > 1 ? words[1] : std::string())) thread = *named;
    const auto count = read_last_count(words, thread ? 2 : 1);
    if (!count) return refused("step takes [T0|T1|T2] [N]");
    Pause pause;
    for (std::uint64_t n = 0; n < *count; ++n)
        if (pause = execution_.step(thread); pause.why == Pause::Why::end) break;
    return paused(pause);
}

StepSession::Reply StepSession::cycle(const Words& words) {
    const auto count = read_last_count(words);
    if (!count) return refused("cycle takes [N]");
    constexpr auto last_cycle = std::numeric_limits<std::uint64_t>::max();
    at_ += std::min(*count, last_cycle - at_);
    Breakpoints until;
    until.cycle = at_;
    return paused(execution_.run_until(until));
}

StepSession::Reply StepSession::back(const Words& words) {
    const auto count = read_last_count(words);
    if (!count) return refused("back takes [N]");
    if (at_ == 0 && execution_.instructions() == 0 && !tiles_) return refused("this is the beginning");
    return paused(execution_.back(*count));
}

StepSession::Reply StepSession::go_on(const Words&) {
    Breakpoints all;
    for (const Named& one : breaks_) {
        const Breakpoints& what = one.what;
        // A past cycle is no breakpoint any more.
        if (what.cycle && *what.cycle > at_ && (!all.cycle || *what.cycle < *all.cycle))
            all.cycle = what.cycle;
        all.instructions.insert(all.instructions.end(), what.instructions.begin(), what.instructions.end());
        all.written.insert(all.written.end(), what.written.begin(), what.written.end());
        if (what.finding && what.finding->empty()) all.finding = what.finding;
        if (what.finding && !what.finding->empty()) all.findings.push_back(*what.finding);
    }
    const Pause pause = execution_.run_until(all);
    if (pause.why == Pause::Why::cycle) at_ = *all.cycle;
    has_stopped_ |= pause.why == Pause::Why::instruction;
    Reply reply = paused(pause);
    const auto is_line = [](const Breakpoints::Instruction& one) { return !one.place.empty(); };
    const bool in_vain = pause.why == Pause::Why::end && job_.kernels && !has_stopped_ &&
                         std::any_of(all.instructions.begin(), all.instructions.end(), is_line);
    if (in_vain)
        reply.text +=
            "  a break at a line of a kernel stops where an instruction that was pushed there is issued; tessera gdb "
            "stops at all lines\n";
    return reply;
}

StepSession::Reply StepSession::add_break(const Words& words) {
    auto what = read_break(words, execution_.core().arch());
    if (!what) return refused(what.error());
    if (const auto reached = check_reached(*what, job_); !reached) return refused(reached.error());
    breaks_.push_back({fmt::format("{}", fmt::join(words, " ")), std::move(*what)});
    return {fmt::format("{}: {}\n", breaks_.size(), breaks_.back().text), false, false};
}

StepSession::Reply StepSession::watch(const Words& words) {
    const auto part = read_state_part(execution_.core(), std::span(words).subspan(1));
    if (!part) return refused(part.error());
    if (!part->section->writes_told)
        return refused(fmt::format("writes of {0} are not told; step, and look at it with print {0}", part->section->name));
    Breakpoints what;
    what.written = runs_of(*part);
    breaks_.push_back({fmt::format("{}", fmt::join(words, " ")), std::move(what)});
    return {fmt::format("{}: {}\n", breaks_.size(), breaks_.back().text), false, false};
}

StepSession::Reply StepSession::breaks(const Words&) {
    std::string text;
    for (std::size_t i = 0; i < breaks_.size(); ++i) text += fmt::format("{}: {}\n", i + 1, breaks_[i].text);
    return {text.empty() ? "none\n" : text, false, false};
}

StepSession::Reply StepSession::remove(const Words& words) {
    if (words.size() == 1) {
        breaks_.clear();
        return {};
    }
    if (words.size() > 2) return refused("delete takes [N]");
    const auto number = read_count(words[1]);
    if (!number || *number == 0 || *number > breaks_.size()) return refused(fmt::format("there is no {}", words[1]));
    breaks_.erase(breaks_.begin() + static_cast<std::ptrdiff_t>(*number - 1));
    return {};
}

StepSession::Reply StepSession::print(const Words& words) {
    auto text = state_text(execution_.core(), std::span(words).subspan(1));
    if (!text) return refused(text.error());
    return {std::move(*text), false, false};
}

StepSession::Reply StepSession::waiting(const Words&) {
    tessera::Run run;
    run.blocked = execution_.waiting();
    return {run.describe_blocked(), false, false};
}

// At a break an instruction has just been issued: the run goes back before it and issues it again.
StepSession::Reply StepSession::explain(const Words&) {
    const bool at_break = pause_ && pause_->why == Pause::Why::instruction;
    if (!execution_.explanation() && at_break && execution_.instructions() > 0) {
        execution_.back(1);
        execution_.step();
    }
    if (execution_.explanation()) return {execution_.explanation()->describe(), false, false};
    const bool known = pause_ && pause_->where.thread >= 0 && pause_->where.index >= 0 && !tiles_;
    if (!known) return refused("only a step or a break explains its instruction");
    return refused(fmt::format("it was issued before: tessera explain {} --at T{}:{}", run_, pause_->where.thread,
                               pause_->where.index));
}

StepSession::Reply StepSession::findings(const Words&) {
    const std::string text = describe_diagnoses(execution_.run());
    return {text.empty() ? "none\n" : text, false, false};
}

StepSession::Reply StepSession::report(const Words&) { return {describe_run(execution_.run()), false, false}; }

StepSession::Reply StepSession::tile(const Words& words) {
    if (!tiles_) return refused("the job has one tile");
    if (words.size() == 1) return {describe_tiles(*tiles_), false, false};
    const auto column = words.size() == 3 ? read_count(words[1]) : std::nullopt;
    const auto row = words.size() == 3 ? read_count(words[2]) : std::nullopt;
    if (!column || !row) return refused("tile takes COLUMN ROW");
    const auto small = [](std::uint64_t number) { return static_cast<unsigned>(std::min<std::uint64_t>(number, 0xFFFF)); };
    if (const auto there = tiles_->look_at(small(*column), small(*row)); !there) return refused(there.error());
    pause_.reset();
    at_ = std::max(at_, execution_.cycle());  // no tile has stayed so far behind
    reported_ = execution_.run().findings.size();
    return {describe_tile(*tiles_), false, false};
}

StepSession::Reply StepSession::packet(const Words& words) {
    if (!tiles_) return refused("the job has one tile, and no packets");
    const auto count = read_last_count(words);
    if (!count) return refused("packet takes [N]");
    pause_.reset();
    std::string text;
    for (std::uint64_t n = 0; n < *count; ++n) {
        const auto packet = tiles_->run_to_packet();
        at_ = execution_.cycle();
        text += packet ? describe_packet(*packet, *chip_, *tiles_) : describe_end();
        if (!packet) break;
        text += new_findings();
    }
    return {text, false, false};
}

}  // namespace tessera::cli
