// SPDX-License-Identifier: Apache-2.0
// Views of a job's run: traces, reports, pages, races.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "portable.hpp"
#include "signal_watch.hpp"
#include "tessera/race.hpp"
#include "tessera/trace.hpp"
#include "tessera/viewer.hpp"

namespace tessera::python {

namespace {

std::optional<std::pair<std::uint64_t, std::uint64_t>> stage_of(const std::optional<Passage::Stage>& stage) {
    return stage ? std::optional(std::pair(stage->begin, stage->end)) : std::nullopt;
}

/// Runs the job with some trace forms, without the GIL.
void traced(const Job& job, const TraceForms& forms) {
    interruptible([&](const std::function<bool()>& interrupt) -> Result<Run> {
        Result<Core> core = prepare(job);
        if (!core) return tl::make_unexpected(core.error());
        RunOptions options = job.options;
        options.interrupt = interrupt;
        return trace_job(job, *core, options, forms);
    });
}

void bind_reports(py::module_& module) {
    py::class_<UnitReport> bound_unit(
        module, "UnitReport",
        "The cycles of a unit in a run. The sum of busy, waiting and idle is the length of the run.");
    make_portable<UnitReport>(bound_unit);
    bound_unit.def_readonly("unit", &UnitReport::unit, "'unpacker 0'.")
        .def_readonly("instructions", &UnitReport::instructions, "How many it executed.")
        .def_readonly("busy", &UnitReport::busy, "Cycles with at least one instruction in it.")
        .def_readonly("waiting", &UnitReport::waiting,
                      "Cycles without, while an instruction for it stood at a gate or in its queue.")
        .def_readonly("idle", &UnitReport::idle, "All other cycles.")
        .def_readonly("first", &UnitReport::first, "Cycle of its first start; 0 if there is none.")
        .def_readonly("last", &UnitReport::last,
                      "Cycle from which another instruction could have started after its last one.")
        .def_readonly("documented", &UnitReport::documented,
                      "Cycles of all its instructions, one after the other, by the table of costs.")
        .def_readonly("measured", &UnitReport::measured, "Those of them whose cost rests on a measurement on a chip.")
        .def_readonly("assumed", &UnitReport::assumed,
                      "Those of them whose cost is assumed. The rest follows documents.")
        .def_readonly("instruction", &UnitReport::instruction,
                      "The name of the instruction that it executed most often.")
        .def("__repr__", [](const UnitReport& unit) {
            return fmt::format("<{}: {} instructions, busy {} cycles, waiting {}, idle {}>", unit.unit,
                               unit.instructions, unit.busy, unit.waiting, unit.idle);
        });
    py::class_<ThreadReport> bound_thread(module, "ThreadReport",
                                          "The cycles of a thread's front end in a run. The sum of issuing, all waits "
                                          "and idle is the length of the run.");
    make_portable<ThreadReport>(bound_thread);
    bound_thread.def_readonly("thread", &ThreadReport::thread, "0 to 2.")
        .def_readonly("issuing", &ThreadReport::issuing,
                      "Cycles in which it issued, with the address phases of its UNPACRs.")
        .def_readonly("idle", &ThreadReport::idle, "Cycles after its last instruction.")
        .def_property_readonly(
            "waits",
            [](const ThreadReport& report) {
                std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>> waits;
                for (const auto& wait : report.waits) waits.emplace_back(wait.reason, wait.count, wait.cycles);
                return waits;
            },
            "(reason, count, cycles) of its waits, longest first.")
        .def("__repr__", [](const ThreadReport& report) {
            return fmt::format("<T{}: issuing {} cycles, idle {}, {} reasons to wait>", report.thread, report.issuing,
                               report.idle, report.waits.size());
        });
    py::class_<PathStep> bound_step(module, "PathStep", "A link of the critical path.");
    make_portable<PathStep>(bound_step);
    bound_step
        .def_property_readonly(
            "what", [](const PathStep& step) { return name(step.what); }, "'unit', 'front end', 'core' or 'wait'.")
        .def_readonly("begin", &PathStep::begin, "Cycle.")
        .def_readonly("end", &PathStep::end, "Cycle.")
        .def_readonly("who", &PathStep::who, "'unpacker 0', 'T1 front end', 'brisc'.")
        .def_readonly("text", &PathStep::text, "The instruction, or the reason of the wait.")
        .def("__repr__", [](const PathStep& step) {
            return fmt::format("<cycles {} to {}: {}, {}: {}>", step.begin, step.end, name(step.what), step.who,
                               step.text);
        });
    py::class_<Passage> bound_passage(
        module, "Passage", "The path of data through the core: the instructions that produced a packer's output.");
    make_portable<Passage>(bound_passage);
    bound_passage
        .def_property_readonly(
            "unpack", [](const Passage& passage) { return stage_of(passage.unpack); },
            "(first start, last end) from L1 to source banks or Dst, or None.")
        .def_property_readonly(
            "math", [](const Passage& passage) { return stage_of(passage.math); },
            "The same, from source banks to Dst and within Dst.")
        .def_property_readonly(
            "pack", [](const Passage& passage) { return std::pair(passage.pack.begin, passage.pack.end); },
            "The same, from Dst to L1.")
        .def_readonly("address", &Passage::address, "The lowest byte of L1 that was written; None if none was.")
        .def("__repr__", [](const Passage& passage) {
            return fmt::format("<tessera.Passage: packed in cycles {} to {}{}>", passage.pack.begin, passage.pack.end,
                               passage.address ? fmt::format(", to L1 0x{:X}", *passage.address) : "");
        });
    py::class_<TraceReport> bound_report(module, "TraceReport",
                                         "The cycles of a run by cause; trace_report() makes one.");
    make_portable<TraceReport>(bound_report);
    bound_report.def_readonly("cycles", &TraceReport::cycles, "Length of the run.")
        .def_readonly("units", &TraceReport::units,
                      "UnitReport of each unit that executed an instruction, or that one waited for.")
        .def_readonly("threads", &TraceReport::threads, "ThreadReport of each thread that issued or waited.")
        .def_readonly("path", &TraceReport::path,
                      "The critical path as PathSteps, from cycle 0 to the end without gaps.")
        .def_readonly("passages", &TraceReport::passages, "Passages, in the order of their first pack instructions.")
        .def("__repr__",
             [](const TraceReport& report) { return fmt::format("<tessera.TraceReport: {} cycles>", report.cycles); })
        .def("describe", &TraceReport::describe, "Several lines for people.")
        .def("__str__", &TraceReport::describe);
}

void bind_races(py::module_& module) {
    py::class_<RaceOutcome> bound_outcome(module, "RaceOutcome",
                                          "The end that some schedules of a job have in common.");
    make_portable<RaceOutcome>(bound_outcome);
    bound_outcome
        .def_readonly("seeds", &RaceOutcome::seeds,
                      "The seeds of those schedules, without the schedule without delays.")
        .def_readonly("without_delays", &RaceOutcome::without_delays,
                      "Whether the schedule without delays has this outcome.")
        .def_readonly("end", &RaceOutcome::end, "Code of the fault; '' if it ended well.")
        .def_readonly("output", &RaceOutcome::output,
                      "Path of the first output that differs from the first outcome; '' if none differs.")
        .def_readonly("count", &RaceOutcome::count, "The number of elements that differ from the first outcome.")
        .def("__repr__", [](const RaceOutcome& outcome) {
            return fmt::format("<tessera.RaceOutcome: {} schedules{}{}>",
                               outcome.seeds.size() + (outcome.without_delays ? 1 : 0),
                               outcome.end.empty() ? "" : ", fault " + outcome.end,
                               outcome.count ? fmt::format(", {} elements differ", outcome.count) : "");
        });
    py::class_<RaceReport> bound_report(module, "RaceReport",
                                        "The outcomes of a job under delays that hardware may have.");
    make_portable<RaceReport>(bound_report);
    bound_report.def_readonly("schedules", &RaceReport::schedules, "How many ended.")
        .def_readonly("compared", &RaceReport::compared,
                      "The part of the end that is compared: 'outputs'; without outputs 'state'; for kernels without "
                      "outputs 'l1'.")
        .def_readonly("outcomes", &RaceReport::outcomes,
                      "RaceOutcomes; the first contains the schedule without delays.")
        .def_readonly("findings", &RaceReport::findings, "Hazards of all schedules, each pair of places once.")
        .def_property_readonly("same", &RaceReport::same, "Whether all schedules ended equally.")
        .def("__repr__",
             [](const RaceReport& report) {
                 return fmt::format("<tessera.RaceReport: {} schedules, {} outcomes, {} findings>", report.schedules,
                                    report.outcomes.size(), report.findings.size());
             })
        .def("describe", &RaceReport::describe, "Several lines for people.")
        .def("__str__", &RaceReport::describe);
}

}  // namespace

void bind_tracing(py::module_& module) {
    bind_reports(module);
    bind_races(module);
    module.def(
        "trace_lines",
        [](const Job& job, bool writes) {
            std::string text;
            traced(job, {.lines = [&](std::string_view piece) { text += piece; }, .writes = writes});
            return text;
        },
        py::arg("job"), py::kw_only(), py::arg("writes") = false,
        R"(Runs a Job and gives the run as JSON lines (docs/reference/trace-lines.md).

writes  also what each instruction and each store has written

A run that ends with a fault has lines, too. Raises Error when it did not run.)");
    module.def(
        "trace_perfetto",
        [](const Job& job) {
            std::string text;
            traced(job, {.perfetto = [&](std::string_view piece) { text += piece; }});
            return text;
        },
        py::arg("job"), "Runs a Job. Returns a timeline for ui.perfetto.dev. Raises Error.");
    module.def(
        "trace_report",
        [](const Job& job) {
            TraceReport report;
            traced(job, {.report = &report});
            return report;
        },
        py::arg("job"), "Runs a Job. Returns its cycles by cause, as a TraceReport. Raises Error.");
    module.def(
        "view",
        [](const Job& job) {
            return interruptible(
                       [&](const std::function<bool()>& interrupt) { return view(job, {.interrupt = interrupt}); })
                .html;
        },
        py::arg("job"), "Runs a Job. Returns one HTML page that shows the run (docs/viewer.md). Raises Error.");
    module.def(
        "find_races",
        [](const Job& job, std::uint32_t runs, std::uint64_t seed) {
            return stoppable([&](const std::atomic<bool>* stop) {
                Job stopped = job;
                stopped.options.stop = stop;
                return find_races(stopped, {.runs = runs, .seed = seed});
            });
        },
        py::arg("job"), py::kw_only(), py::arg("runs") = RaceOptions{}.runs, py::arg("seed") = RaceOptions{}.seed,
        R"(Runs a Job without delays and then under seeds, and compares how the runs ended: a RaceReport.

runs  schedules beside the one without delays; 100,000 at most
seed  of the first of them; the others follow

Raises Error when it did not run.)");
}

}  // namespace tessera::python
