// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "portable.hpp"

namespace tessera::python {

namespace {

Values values_of(const std::vector<NamedValue>& named) {
    Values values;
    for (const auto& value : named) values[py::str(value.name)] = value.value;
    return values;
}

std::optional<std::uint64_t> at_cycle(std::uint64_t cycle) {
    return cycle == no_cycle ? std::nullopt : std::optional(cycle);
}

void bind_diagnoses(py::module_& module) {
    const auto where = [](auto member) { return [member](const Diagnosis& d) { return d.where.*member; }; };
    py::class_<Diagnosis> bound_diagnosis(module, "Diagnosis", "The common part of a Finding and a FaultDiagnosis.");
    make_portable<Diagnosis>(bound_diagnosis);
    bound_diagnosis
        .def_readonly("code", &Diagnosis::code,
                      "Stable, such as 'unpack.format-mismatch' (docs/reference/findings.md).")
        .def_readonly("message", &Diagnosis::message, "The mistake, in one sentence with its values.")
        .def_property_readonly("thread", where(&Where::thread), "0 to 2; -1: no single thread.")
        .def_property_readonly("index", where(&Where::index),
                               "Position of the op in the thread's program, from 0; -1: none.")
        .def_property_readonly(
            "position", where(&Where::position),
            "Number of the instruction within the expansion of the op's MOP or REPLAY, from 0; -1: no expansion.")
        .def_property_readonly(
            "cycle", [](const Diagnosis& d) { return at_cycle(d.where.cycle); },
            "Cycle of the finding; None without a clock ('functional').")
        .def_property_readonly("instruction", where(&Where::instruction), "Disassembly; '' if unknown.")
        .def_property_readonly("place", where(&Where::place),
                               "'file:line' of the program's text or a kernel's source; '' if unknown.")
        .def_property_readonly("core", where(&Where::core),
                               "The RISC-V core that executes or pushed the instruction: 'trisc0'; '' if unknown.")
        .def_property_readonly("pc", where(&Where::pc), "Address of that core's instruction; -1: unknown.")
        .def_property_readonly("function", where(&Where::function), "'function+0x12' of that address; '' if unknown.")
        .def_property_readonly(
            "frames", [](const Diagnosis& diagnosis) { return pairs_of(diagnosis.where.frames); },
            "The functions that contain a kernel's instruction, as (function, 'file:line'); each is inlined into the "
            "one "
            "before it.")
        .def_property_readonly(
            "values", [](const Diagnosis& d) { return values_of(d.values); }, "The values that led to it, by name.")
        .def_readonly("hardware", &Diagnosis::hardware, "The hardware's behaviour, if known.")
        .def_readonly("cure", &Diagnosis::cure, "The change that mends it.")
        .def_readonly("source", &Diagnosis::source, "Document and section.")
        .def("describe", &Diagnosis::describe, "Several lines for people.")
        .def("__str__", &Diagnosis::describe)
        .def("__repr__", [](const Diagnosis& diagnosis) {
            return fmt::format("<tessera {}: {}>", diagnosis.code, diagnosis.message);
        });
    py::class_<Finding, Diagnosis> bound_finding(module, "Finding",
                                           "An act of the program that a document calls undefined, non-contractual or unwise. "
                                           "The run went on unless level is 'error'.");
    make_portable<Finding>(bound_finding);
    bound_finding
        .def_property_readonly(
            "level", [](const Finding& finding) { return name(finding.level); }, "'info', 'warning' or 'error'.")
        .def_readonly("count", &Finding::count, "How often it was met; all other members are about the first time.");
    py::class_<Fault, Diagnosis> bound_fault(module, "FaultDiagnosis", "The reason why a run ended without a result: Run.fault.");
    make_portable<Fault>(bound_fault);
    bound_fault
        .def_property_readonly(
            "registers", [](const Fault& f) { return values_of(f.registers); },
            "x1 to x31 by ABI name, if a RISC-V core's own instruction failed; else empty.")
        .def("describe", &Fault::describe, "Several lines for people, with the registers that are not 0.")
        .def("__str__", &Fault::describe);
}

void bind_uses(py::module_& module) {
    py::class_<UnitUse> bound_unit(module, "UnitUse", "The use of a unit in a run.");
    make_portable<UnitUse>(bound_unit);
    bound_unit
        .def_readonly("unit", &UnitUse::unit, "'unpacker 0'.")
        .def_readonly("instructions", &UnitUse::instructions, "How many it executed.")
        .def_readonly("busy", &UnitUse::busy, "Cycles with at least one instruction in it.")
        .def("__repr__", [](const UnitUse& use) {
            return fmt::format("<{}: {} instructions, busy {} cycles>", use.unit, use.instructions, use.busy);
        });
    py::class_<WaitUse> bound_wait(module, "WaitUse", "Cycles that a thread's front end waited for one reason.");
    make_portable<WaitUse>(bound_wait);
    bound_wait
        .def_readonly("thread", &WaitUse::thread, "0 to 2.")
        .def_readonly("reason", &WaitUse::reason, "In words.")
        .def_readonly("cycles", &WaitUse::cycles, "Their sum.")
        .def("__repr__", [](const WaitUse& use) {
            return fmt::format("<T{} waited {} cycles for {}>", use.thread, use.cycles, use.reason);
        });
    py::class_<Blocked> bound_blocked(module, "Blocked",
                                "An actor, or an instruction in a unit or its queue, when the run ended.");
    make_portable<Blocked>(bound_blocked);
    bound_blocked.def_readonly("who", &Blocked::who, "'T0 core', 'T0 front end', 'unpacker 0', …")
        .def_readonly("finished", &Blocked::finished, "It had no work left.")
        .def_readonly("waits_for", &Blocked::waits_for, "In words.")
        .def_property_readonly("runs", &Blocked::runs, "It waits for nothing: it was at work when the run ended.")
        .def_readonly("holder", &Blocked::holder,
                      "The owner of the awaited resource; of a semaphore, who still comes to its post or get; '' if "
                      "there is none.")
        .def_property_readonly(
            "since", [](const Blocked& b) { return at_cycle(b.since); },
            "Cycle; None without a clock ('functional'), and of a RISC-V core that runs or polls.")
        .def_readonly("last_touched", &Blocked::last_touched,
                      "The actor that last changed the awaited resource; '' if none has.")
        .def_readonly("instruction", &Blocked::instruction,
                      "The waiting instruction; of a RISC-V core that has finished, its last one.")
        .def_readonly("place", &Blocked::place, "'file:line' of that instruction.")
        .def_readonly("in_reset", &Blocked::in_reset, "A RISC-V core that never ran, or was put into reset.")
        .def("__repr__", [](const Blocked& blocked) {
            const char* const without = blocked.in_reset ? "is in reset" : blocked.finished ? "has finished" : "runs";
            return fmt::format("<{} {}>", blocked.who,
                               blocked.waits_for.empty() ? without : "waits for " + blocked.waits_for);
        });
}

}  // namespace

void bind_runs(py::module_& module) {
    bind_diagnoses(module);
    bind_uses(module);
    py::class_<Run> bound_run(module, "Run", "The report of a run.");
    make_portable<Run>(bound_run);
    bound_run
        .def_property_readonly(
            "cycles", [](const Run& run) { return run.has_clock ? std::optional(run.cycles) : std::nullopt; },
            "Length of the run; None without a clock ('functional').")
        .def_readonly("instructions", &Run::instructions, "Issued instructions, by thread.")
        .def_readonly("by_reference", &Run::by_reference, "Of these, executed by the second implementation.")
        .def_property_readonly(
            "fault", [](const Run& run) { return run.fault; }, "A FaultDiagnosis, or None.")
        .def_readonly("findings", &Run::findings, "Each Finding once, in the order of their first times.")
        .def_readonly(
            "blocked", &Run::blocked,
            "After a fault that leaves actors where they were ('deadlock', 'no-progress', "
            "'no-progress.polling', 'kernel.not-done', 'sync.mutex-index', 'interrupted', 'limit.time', "
            "'limit.memory'): a Blocked of each actor, then of units. Actors are cores and front ends, six of "
            "a program and eight of kernels, and a host with steps left.")
        .def_readonly("units", &Run::units, "UnitUse of each unit that was in use.")
        .def_readonly("waits", &Run::waits, "WaitUse of front ends, by reason, longest first.")
        .def_property_readonly(
            "overlapped", [](const Run& run) { return run.has_clock ? std::optional(run.overlapped) : std::nullopt; },
            "Cycles in which at least two of unpackers, math and packers were busy; None without a clock "
            "('functional').")
        .def_property_readonly("good", &Run::good, "Whether there is no fault and no finding at level 'error'.")
        .def_property_readonly("cut_short", &Run::cut_short,
                               "Whether Ctrl-C, a timeout or a limit of memory ended the run, and nothing that it did.")
        .def_property_readonly(
            "host_reads",
            [](const Run& run) {
                std::vector<std::tuple<std::size_t, std::optional<std::uint64_t>, std::uint32_t, py::bytes>> reads;
                for (const HostRead& read : run.host_reads)
                    reads.emplace_back(read.step, at_cycle(read.cycle), read.address, bytes_object(read.bytes));
                return reads;
            },
            "(step, cycle, address, bytes) of each read of the host; cycle is None without a clock ('functional').")
        .def("describe_blocked", &Run::describe_blocked, "The blocked actors as a table; '' if there are none.")
        .def("__repr__", [](const Run& run) {
            return fmt::format("<tessera.Run: {}, {} findings{}>",
                               run.has_clock ? fmt::format("{} cycles", run.cycles) : "no clock", run.findings.size(),
                               run.fault ? ", fault " + run.fault->code : "");
        });
}

}  // namespace tessera::python
