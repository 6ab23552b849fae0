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
    py::class_<Diagnosis> bound_diagnosis(module, "Diagnosis", "What a finding and a fault have in common.");
    make_portable<Diagnosis>(bound_diagnosis);
    bound_diagnosis
        .def_readonly("code", &Diagnosis::code, "Stable, e.g. 'unpack.format-mismatch' (docs/reference/findings.md).")
        .def_readonly("message", &Diagnosis::message, "What is the matter, in one sentence with the values in it.")
        .def_property_readonly("thread", where(&Where::thread), "0 to 2; -1: no single thread.")
        .def_property_readonly("index", where(&Where::index), "Of the op in the thread's program; -1: none.")
        .def_property_readonly("position", where(&Where::position),
                               "Which one it is of what the op's MOP or REPLAY expanded to, from 0; -1: no expansion.")
        .def_property_readonly(
            "cycle", [](const Diagnosis& d) { return at_cycle(d.where.cycle); },
            "When it was noticed; None without a clock ('functional').")
        .def_property_readonly("instruction", where(&Where::instruction), "Disassembly; '' when none.")
        .def_property_readonly("place", where(&Where::place),
                               "'file:line' of the program's text or a kernel's source; '' when unknown.")
        .def_property_readonly(
            "core", where(&Where::core),
            "RISC-V core whose instruction it is, or whose instruction pushed it: 'trisc0'; '' when none.")
        .def_property_readonly("pc", where(&Where::pc), "Address of that core's instruction; -1: unknown.")
        .def_property_readonly("function", where(&Where::function), "'function+0x12' of that address; '' when unknown.")
        .def_property_readonly(
            "frames",
            [](const Diagnosis& diagnosis) {
                std::vector<std::pair<std::string, std::string>> frames;
                for (const Frame& frame : diagnosis.where.frames) frames.emplace_back(frame.function, frame.place);
                return frames;
            },
            "Of a kernel: (function, 'file:line') of each function that the instruction is in, each inlined into the one "
            "before it.")
        .def_property_readonly(
            "values", [](const Diagnosis& d) { return values_of(d.values); }, "The values that led to it, by name.")
        .def_readonly("hardware", &Diagnosis::hardware, "What hardware does, where that is known.")
        .def_readonly("cure", &Diagnosis::cure, "What to change.")
        .def_readonly("source", &Diagnosis::source, "Document and section.")
        .def("describe", &Diagnosis::describe, "All of it, in several lines.")
        .def("__str__", &Diagnosis::describe)
        .def("__repr__", [](const Diagnosis& diagnosis) {
            return fmt::format("<tessera {}: {}>", diagnosis.code, diagnosis.message);
        });
    py::class_<Finding, Diagnosis> bound_finding(module, "Finding",
                                           "Something that a document calls undefined, non-contractual or unwise. The "
                                           "run went on unless level is 'error'.");
    make_portable<Finding>(bound_finding);
    bound_finding
        .def_property_readonly(
            "level", [](const Finding& finding) { return name(finding.level); }, "'info', 'warning' or 'error'.")
        .def_readonly("count", &Finding::count, "How often it was met; the rest is of the first time.");
    py::class_<Fault, Diagnosis> bound_fault(module, "FaultDiagnosis", "Why a run ended without a result: Run.fault.");
    make_portable<Fault>(bound_fault);
    bound_fault
        .def_property_readonly(
            "registers", [](const Fault& f) { return values_of(f.registers); },
            "x1 to x31 of the RISC-V core whose own instruction it is, by ABI names; else empty.")
        .def("describe", &Fault::describe, "All of it, in several lines, with the registers that are not 0.")
        .def("__str__", &Fault::describe);
}

void bind_uses(py::module_& module) {
    py::class_<UnitUse> bound_unit(module, "UnitUse", "What a unit did in a run.");
    make_portable<UnitUse>(bound_unit);
    bound_unit
        .def_readonly("unit", &UnitUse::unit)
        .def_readonly("instructions", &UnitUse::instructions)
        .def_readonly("busy", &UnitUse::busy, "Cycles with at least one instruction in it.")
        .def("__repr__", [](const UnitUse& use) {
            return fmt::format("<{}: {} instructions, busy {} cycles>", use.unit, use.instructions, use.busy);
        });
    py::class_<WaitUse> bound_wait(module, "WaitUse", "Cycles that a thread's front end waited for one reason.");
    make_portable<WaitUse>(bound_wait);
    bound_wait
        .def_readonly("thread", &WaitUse::thread)
        .def_readonly("reason", &WaitUse::reason)
        .def_readonly("cycles", &WaitUse::cycles)
        .def("__repr__", [](const WaitUse& use) {
            return fmt::format("<T{} waited {} cycles for {}>", use.thread, use.cycles, use.reason);
        });
    py::class_<Blocked> bound_blocked(module, "Blocked",
                                "An actor, or an instruction in a unit, that could not act when the run ended.");
    make_portable<Blocked>(bound_blocked);
    bound_blocked
        .def_readonly("who", &Blocked::who, "'T0 core', 'T0 front end', 'unpacker 0', …")
        .def_readonly("finished", &Blocked::finished, "It had nothing left to do.")
        .def_readonly("waits_for", &Blocked::waits_for, "The thing, in words.")
        .def_readonly("holder", &Blocked::holder, "Who holds it; '' when nobody does.")
        .def_property_readonly(
            "since", [](const Blocked& b) { return at_cycle(b.since); }, "Cycle; None without a clock ('functional').")
        .def_readonly("last_touched", &Blocked::last_touched, "Who last changed the thing; '' when nobody has.")
        .def_readonly("instruction", &Blocked::instruction)
        .def_readonly("place", &Blocked::place, "'file:line' of that instruction.")
        .def_readonly("in_reset", &Blocked::in_reset, "A RISC-V core that was not started, or was put into reset.");
}

}  // namespace

void bind_runs(py::module_& module) {
    bind_diagnoses(module);
    bind_uses(module);
    py::class_<Run> bound_run(module, "Run", "What a run was.");
    make_portable<Run>(bound_run);
    bound_run
        .def_property_readonly(
            "cycles", [](const Run& run) { return run.has_clock ? std::optional(run.cycles) : std::nullopt; },
            "None without a clock ('functional').")
        .def_readonly("instructions", &Run::instructions, "Issued, per thread.")
        .def_readonly("by_reference", &Run::by_reference, "Of them, executed by the second implementation.")
        .def_property_readonly(
            "fault", [](const Run& run) { return run.fault; }, "A FaultDiagnosis, or None.")
        .def_readonly("findings", &Run::findings, "Each Finding once, in the order in which they were met.")
        .def_readonly("blocked", &Run::blocked,
                      "After a deadlock, no progress or an interrupt: the six actors, then the units.")
        .def_readonly("units", &Run::units, "UnitUse of each unit that did something.")
        .def_readonly("waits", &Run::waits, "WaitUse of front ends, by reason, longest first.")
        .def_property_readonly(
            "overlapped", [](const Run& run) { return run.has_clock ? std::optional(run.overlapped) : std::nullopt; },
            "Cycles in which at least two of unpackers, math and packers were busy; None without a clock ('functional').")
        .def_property_readonly("good", &Run::good, "No fault, and no finding at level 'error'.")
        .def_property_readonly(
            "host_reads",
            [](const Run& run) {
                std::vector<std::tuple<std::size_t, std::optional<std::uint64_t>, std::uint32_t, py::bytes>> reads;
                for (const HostRead& read : run.host_reads)
                    reads.emplace_back(read.step, at_cycle(read.cycle), read.address,
                                       py::bytes(reinterpret_cast<const char*>(read.bytes.data()), read.bytes.size()));
                return reads;
            },
            "(step, cycle, address, bytes) of each step of the host that read; cycle is None without a clock ('functional').")
        .def("describe_blocked", &Run::describe_blocked, "The blocked actors as a table, or ''.")
        .def("__repr__", [](const Run& run) {
            return fmt::format("<tessera.Run: {}, {} findings{}>",
                               run.has_clock ? fmt::format("{} cycles", run.cycles) : "no clock", run.findings.size(),
                               run.fault ? ", fault " + run.fault->code : "");
        });
}

}  // namespace tessera::python
