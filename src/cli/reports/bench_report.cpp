// SPDX-License-Identifier: Apache-2.0
#include "reports/bench_report.hpp"

#include <fmt/format.h>

#include <optional>

#include "reports/columns.hpp"

namespace tessera::cli {

namespace {

using Numbers = std::optional<double>;

std::string number(Numbers value, int decimals) { return value ? fmt::format("{:.{}f}", *value, decimals) : ""; }
/// A number with three or four significant digits.
std::string ns_text(double ns) { return number(ns, ns < 100 ? 1 : 0); }
std::string percent(Numbers part) { return part ? fmt::format("{:.0f} %", *part * 100) : ""; }
/// The spread of the repetitions.
std::string spread(double ns, double least, double most) {
    return percent(ns > 0 ? Numbers((most - least) / ns) : Numbers());
}

std::string goal_text(const bench::Line& line) {
    if (!line.goal) return "";
    if (!line.goal_is_ns) return fmt::format("{:.0f} times", *line.goal);
    return *line.goal < 1e5 ? fmt::format("at most {:g} ns", *line.goal)
                            : fmt::format("at most {:g} ms", *line.goal / 1e6);
}

std::string method(const bench::Report& report) {
    const auto& machine = report.machine;
    return fmt::format("Commit {}; {}.\n{}, {} processors; {}. Vector instructions: {}.\n",
                       machine.commit.empty() ? "unknown" : machine.commit, machine.compiler,
                       machine.cpu.empty() ? "Unknown processor" : machine.cpu, machine.cpus,
                       machine.caches.empty() ? "caches unknown" : machine.caches, machine.vectors);
}

/// A table of lines with a goal, or of lines without.
std::string table_of(const bench::Report& report, bool goals, bool markdown) {
    std::vector<std::string> cells = {goals ? "line with a goal" : "other line",
                                      ">ns",
                                      ">spread",
                                      ">bytes",
                                      ">copy",
                                      ">reference",
                                      ">peer",
                                      ">times"};
    for (const char* heading : {">goal", ">reached"})
        if (goals) cells.emplace_back(heading);
    for (const char* heading : {">without", ">kept"}) cells.emplace_back(heading);
    Columns columns(markdown, cells);
    bool any = false;
    for (const auto& line : report.lines) {
        if (line.error.empty() ? line.goal.has_value() != goals : goals) continue;
        any = true;
        if (!line.error.empty()) {
            columns.add({line.name, line.error});
            continue;
        }
        cells = {line.name,
                 ns_text(line.ns),
                 spread(line.ns, line.least, line.most),
                 line.bytes > 0 ? number(line.bytes, 0) : "",
                 number(line.copy, 1),
                 number(line.reference, 0),
                 number(line.peer_ns, 0),
                 number(line.times, 1)};
        if (goals) {
            cells.push_back(goal_text(line));
            cells.push_back(number(line.reached, 2));
        }
        cells.push_back(number(line.without, 2));
        cells.push_back(percent(line.kept));
        columns.add(cells);
    }
    return any ? "\n" + columns.text() : "";
}

std::string lines_text(const bench::Report& report, bool markdown) {
    return fmt::format(
               "Medians of {} repetitions of at least {} s each, of one thread's processor time (of starts, the time "
               "that passes); "
               "*spread* is from the\nfastest to the slowest. "
               "*copy*: times the time of memcpy of the bytes written, in cache. *reference*: times as fast as the "
               "second\n"
               "implementation. *peer*: ns of {};\n*times* as fast. *reached*: of the goal; 1.00 is all of it. "
               "*without*: times the time of the same without what the line is about.\n*kept*: of the plans that were "
               "needed.\n",
               report.repetitions, report.seconds, report.peer) +
           table_of(report, true, markdown) + table_of(report, false, markdown);
}

std::string scaling_text(const bench::Report& report, bool markdown) {
    std::string text = fmt::format(
        "Processor time of a LoFi block of a product, in each of the threads, which have a new core for each run; "
        "medians of at\n"
        "least {} runs and {} s. *a further one*: of each block that the product before does not have. *blocks a "
        "second* that passes:\n"
        "times those of one thread. *memory*: the most that the process had.\n\n",
        report.repetitions, report.seconds);
    Columns columns(markdown, {">blocks", "traced", ">threads", ">ns a block", ">spread", ">a further one",
                               ">blocks a second", ">memory, MiB"});
    for (const auto& row : report.scaling)
        columns.add({std::to_string(row.blocks), row.traced ? "yes" : "no", std::to_string(row.threads),
                     ns_text(row.ns), spread(row.ns, row.least, row.most), row.further ? ns_text(*row.further) : "",
                     number(row.speed_up, 2), number(row.peak_mib, 1)});
    return text + columns.text();
}

std::string long_runs_text(const bench::Report& report, bool markdown) {
    std::string text = fmt::format(
        "Runs of some 10^6 instructions beside ten of a tenth, each on a new core, in turn; medians of {} repetitions. ns are of an\n"
        "instruction, processor time. *over*: the long run's over the short ones'.\n\n",
        report.repetitions);
    Columns columns(markdown, {"run", ">instructions", ">ns", ">instructions, ten times", ">ns", ">over", ">spread"});
    for (const auto& row : report.long_runs)
        columns.add({row.name, std::to_string(row.many), ns_text(row.many_ns), std::to_string(row.few), ns_text(row.few_ns),
                     number(row.over, 2), spread(row.over, row.least, row.most)});
    return text + columns.text();
}

std::string programs_text(const bench::Report& report, bool markdown) {
    std::string text = fmt::format(
        "Programs of ops on three threads, met for the first time: in each of {} repetitions another random one, or a kernel's on other "
        "data,\non a new core. ns are of an instruction, processor time of a run without what comes before it; medians. *on*: with time and "
        "hazards.\n*functional*: without.",
        report.repetitions);
    if (!report.peer.empty())
        text += fmt::format(
            " *peer*: the vendor's simulator ({}) on the same words and data, with the same result. T cores push them in a\nstraight line, "
            "one .ttinsn each; B and NC are in reset. Its process has run another program of the kind before. *times* as fast:\nmedian of "
            "the programs' ratios, with spread.",
            report.peer);
    text += "\n\n";
    Columns columns(markdown, {"program", ">instructions", ">ns, on", ">ns, functional", ">peer", ">times, on", ">spread",
                               ">times, functional"});
    for (const auto& line : report.programs) {
        if (!line.error.empty()) {
            columns.add({line.name, line.error});
            continue;
        }
        columns.add({line.name, number(line.instructions, 0), ns_text(line.ns), ns_text(line.functional_ns), number(line.peer_ns, 0),
                     number(line.times, 2), line.times ? spread(*line.times, *line.least, *line.most) : "",
                     number(line.functional_times, 2)});
    }
    return text + columns.text();
}

std::string kernels_text(const bench::Report& report, bool markdown) {
    std::string text = fmt::format(
        "Kernels of {} tiles, through all five RISC-V cores, each on a new core; medians of {} runs, of one thread's processor "
        "time, of a run\nwithout what comes before it. *again*: on a core that has run it before. *instant*: without time. "
        "*functional*: without a clock\nand hazards. *no findings*: all of them off. *64 tiles*: only so many. *carried*: cores copy "
        "tiles into circular buffers and from\nthem; else the arrays are the circular buffers. *coprocessor*, *RISC-V*: instructions a "
        "tile.",
        report.tiles, report.repetitions);
    if (!report.peer.empty())
        text += fmt::format(
            " *peer*: ns of the vendor's simulator ({}) with the same ELF files and arrays and\nthe same result, in a process of its "
            "own, in turn with the runs here; *times* as fast.",
            report.peer);
    text += "\n\n";
    Columns columns(markdown, {"kernel", ">coprocessor", ">RISC-V", ">ns a tile", ">spread", ">peer", ">times"});
    for (const auto& line : report.kernels) {
        if (!line.error.empty()) {
            columns.add({line.name, line.error});
            continue;
        }
        columns.add({line.name, number(line.instructions, 1), number(line.riscv, 1), ns_text(line.ns),
                     spread(line.ns, line.least, line.most), number(line.peer_ns, 0), number(line.times, 2)});
    }
    return text + columns.text();
}

Json to_json_of(const bench::KernelLine& line) {
    return {{"name", line.name},
            {"error", line.error},
            {"instructions", line.instructions},
            {"riscv", line.riscv},
            {"ns", line.ns},
            {"least", line.least},
            {"most", line.most},
            {"peer_ns", maybe(line.peer_ns)},
            {"times", maybe(line.times)}};
}

Json to_json_of(const bench::ProgramLine& line) {
    return {{"name", line.name},
            {"error", line.error},
            {"instructions", line.instructions},
            {"ns", line.ns},
            {"functional_ns", line.functional_ns},
            {"peer_ns", maybe(line.peer_ns)},
            {"times", maybe(line.times)},
            {"functional_times", maybe(line.functional_times)},
            {"least", maybe(line.least)},
            {"most", maybe(line.most)}};
}

Json to_json_of(const bench::LongRun& row) {
    return {{"name", row.name},       {"few", row.few},   {"many", row.many},   {"few_ns", row.few_ns},
            {"many_ns", row.many_ns}, {"over", row.over}, {"least", row.least}, {"most", row.most}};
}

Json to_json_of(const bench::Line& line) {
    return {{"name", line.name},
            {"error", line.error},
            {"ns", line.ns},
            {"least", line.least},
            {"most", line.most},
            {"repetitions", line.repetitions},
            {"bytes", line.bytes},
            {"copy", maybe(line.copy)},
            {"reference", maybe(line.reference)},
            {"without", maybe(line.without)},
            {"kept", maybe(line.kept)},
            {"peer_ns", maybe(line.peer_ns)},
            {"times", maybe(line.times)},
            {"goal", maybe(line.goal)},
            {"goal_is_ns", line.goal_is_ns},
            {"reached", maybe(line.reached)}};
}

Json to_json_of(const bench::Scaling& row) {
    return {{"blocks", row.blocks},
            {"traced", row.traced},
            {"threads", row.threads},
            {"ns", row.ns},
            {"least", row.least},
            {"most", row.most},
            {"further", maybe(row.further)},
            {"speed_up", row.speed_up},
            {"peak_mib", maybe(row.peak_mib)}};
}

}  // namespace

std::string to_text(const bench::Report& report, bool markdown) {
    std::string text = method(report);
    if (!report.lines.empty()) text += lines_text(report, markdown);
    if (!report.scaling.empty()) text += scaling_text(report, markdown);
    if (!report.long_runs.empty()) text += long_runs_text(report, markdown);
    if (!report.kernels.empty()) text += kernels_text(report, markdown);
    if (!report.programs.empty()) text += programs_text(report, markdown);
    return text;
}

Json to_json(const bench::Report& report) {
    const auto& machine = report.machine;
    constexpr auto as_json = [](const auto& line) { return to_json_of(line); };
    return {{"machine",
             {{"cpu", machine.cpu},
              {"cpus", machine.cpus},
              {"caches", machine.caches},
              {"vectors", machine.vectors},
              {"compiler", machine.compiler},
              {"commit", machine.commit}}},
            {"repetitions", report.repetitions},
            {"seconds", report.seconds},
            {"peer", report.peer},
            {"lines", json_list(report.lines, as_json)},
            {"scaling", json_list(report.scaling, as_json)},
            {"long_runs", json_list(report.long_runs, as_json)},
            {"tiles", report.tiles},
            {"kernels", json_list(report.kernels, as_json)},
            {"programs", json_list(report.programs, as_json)}};
}

}  // namespace tessera::cli
