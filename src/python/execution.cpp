// SPDX-License-Identifier: Apache-2.0
// Runs in steps: Core.start() and what it gives.
#include "tessera/execution.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "shared_core.hpp"

namespace tessera::python {

namespace {

/// An Execution, the core that it is of, and what looks for Ctrl-C.
class PyExecution {
public:
    PyExecution(SharedCore& core, Execution execution, std::unique_ptr<SignalWatch> watch)
        : core_(core), watch_(std::move(watch)), execution_(std::move(execution)), begun_(core.begun()) {}

    /// While nothing else runs, or has been begun, on the core.
    Execution& get() {
        core_.idle();
        if (begun_ != core_.begun())
            raise(Error{"run.over", "the core has been run, assigned to or reset since", {}, 0, 0});
        return execution_;
    }
    template <class What>
    auto do_(What&& what) {
        Execution& execution = get();
        return core_.without_gil(*watch_, [&](Core&) { return what(execution); });
    }

private:
    SharedCore& core_;
    std::unique_ptr<SignalWatch> watch_;
    Execution execution_;
    std::uint64_t begun_;
};

/// A Pause with the names of what was written.
struct PyPause {
    Pause pause;
    std::vector<std::tuple<std::string, std::uint32_t, std::uint64_t>> written;
};

PyPause named(const Execution& execution, Pause pause) {
    PyPause named{std::move(pause), {}};
    const auto sections = execution.core().sections();
    for (const StateElement& element : named.pause.written)
        named.written.emplace_back(sections[element.section].name, element.element, element.value);
    return named;
}

/// ("dst", 0, 16), ("gpr", 5) or "dst".
Breakpoints::Elements elements_of(const Core& core, const py::handle& what) {
    if (py::isinstance<py::str>(what)) {
        const Section& section = *value_of(core.find_section(what.cast<std::string>()));
        return {section.id, 0, section.size};
    }
    const auto parts = what.cast<py::tuple>();
    if (parts.size() < 2 || parts.size() > 3)
        throw py::value_error("what is written is a section's name, or (name, first element[, count])");
    const Section& section = *value_of(core.find_section(parts[0].cast<std::string>()));
    const auto first = parts[1].cast<std::size_t>();
    const std::size_t count = parts.size() == 3 ? parts[2].cast<std::size_t>() : 1;
    if (first >= section.size || count == 0 || count > section.size - first)
        throw py::index_error(fmt::format("{} has {} elements", section.name, section.size));
    return {section.id, first, count};
}

RiscvCore to_riscv_core(std::string_view text) {
    if (const auto core = parse_riscv_core(text)) return *core;
    throw py::value_error(fmt::format("'{}' is no core: brisc, trisc0, trisc1, trisc2, ncrisc", text));
}

PyPause run_until(PyExecution& self, std::optional<std::uint64_t> cycle, const std::string& instruction,
                  std::optional<unsigned> thread, std::optional<std::int64_t> index, const std::string& place,
                  const py::list& written, std::optional<std::string> finding,
                  const std::optional<py::tuple>& word) {
    Execution& execution = self.get();
    Breakpoints until;
    until.cycle = cycle;
    if (!instruction.empty() || thread || index || !place.empty())
        until.instructions.push_back({thread, index, place, instruction});
    for (const auto& what : written) until.written.push_back(elements_of(execution.core(), what));
    until.finding = std::move(finding);
    if (word) {
        if (word->size() != 2 && word->size() != 3) throw py::value_error("word is (address, value[, mask])");
        WordCondition& condition = until.word.emplace();
        condition.address = (*word)[0].cast<std::uint32_t>();
        condition.value = (*word)[1].cast<std::uint32_t>();
        if (word->size() == 3) condition.mask = (*word)[2].cast<std::uint32_t>();
        if (condition.address % 4 != 0 || condition.address >= execution.core().l1_size())
            raise(Error{"l1.range", fmt::format("0x{:X} is no address of a word of L1", condition.address), {}, 0, 0});
    }
    return named(execution, self.do_([&](Execution& e) { return e.run_until(until); }));
}

std::unique_ptr<PyExecution> start(SharedCore& self, const std::variant<Executable, const Execution::Snapshot*>& what,
                                   const RunArguments& arguments, std::size_t remember) {
    auto watch = std::make_unique<SignalWatch>();
    const auto interrupt = [at = watch.get()] { return at->asks_to_stop(); };
    Core& core = self.idle();
    Result<Execution> execution = tl::make_unexpected(Error{});
    if (const auto* const* snapshot = std::get_if<const Execution::Snapshot*>(&what)) {
        RunOptions options;
        options.interrupt = interrupt;
        execution = Execution::begin(core, **snapshot, std::move(options));
    } else {
        const auto& executable = std::get<Executable>(what);
        RunOptions options = arguments.over(executable);
        options.interrupt = interrupt;
        execution = std::visit(
            [&](const auto* one) -> Result<Execution> {
                if constexpr (!std::is_same_v<decltype(one), const Job*>)
                    return Execution::begin(core, *one, std::move(options));
                else if (one->kernels)
                    return Execution::begin(core, *one->kernels, std::move(options));
                else
                    return Execution::begin(core, one->program, std::move(options));
            },
            executable);
    }
    Execution begun = value_of(std::move(execution));
    if (remember) begun.remember(remember);
    self.begin();
    return std::make_unique<PyExecution>(self, std::move(begun), std::move(watch));
}

void bind_pauses(py::module_& module) {
    const auto where = [](auto member) { return [member](const PyPause& p) { return p.pause.where.*member; }; };
    py::class_<PyPause>(module, "Pause", "Why an Execution stands still, and behind what. False at the end of the run.")
        .def_property_readonly(
            "why", [](const PyPause& p) { return name(p.pause.why); },
            "'end', 'instruction', 'cycle', 'written', 'finding' or 'word'.")
        .def_property_readonly(
            "cycle", [](const PyPause& p) { return p.pause.cycle; }, "In which the last thing happened.")
        .def_property_readonly("thread", where(&Where::thread), "0 to 2; -1: no thread's.")
        .def_property_readonly("index", where(&Where::index), "Of the op in the thread's program; -1: none.")
        .def_property_readonly("position", where(&Where::position),
                               "Which one it is of what the op's MOP or REPLAY expanded to, from 0; -1: no expansion.")
        .def_property_readonly("instruction", where(&Where::instruction), "Disassembly; '' when none.")
        .def_property_readonly("place", where(&Where::place), "'file:line'; '' when unknown.")
        .def_readonly("written", &PyPause::written, "Of what was asked for: (section, element, value now).")
        .def_property_readonly(
            "finding", [](const PyPause& p) -> const Finding* { return p.pause.finding ? &*p.pause.finding : nullptr; },
            py::return_value_policy::reference_internal, "The Finding that was met, or None.")
        .def("__bool__", [](const PyPause& p) { return p.pause.why != Pause::Why::end; })
        .def("__repr__", [](const PyPause& p) {
            const Where& at = p.pause.where;
            return fmt::format(
                "<tessera.Pause: {}, cycle {}{}>", name(p.pause.why), p.pause.cycle,
                at.instruction.empty() ? "" : fmt::format(", T{} op {} {}", at.thread, at.index, at.instruction));
        });
}

}  // namespace

void bind_executions(py::module_& module, py::class_<SharedCore>& core) {
    bind_pauses(module);
    py::class_<Execution::Snapshot>(
        module, "Snapshot", "A run as it stood between two steps, with the core's whole state. It never changes.")
        .def_property_readonly("cycle", &Execution::Snapshot::cycle, "In which the last thing had happened.")
        .def_property_readonly("instructions", &Execution::Snapshot::instructions, "Issued until then.");
    py::class_<PyExecution>(module, "Execution", R"(A run that stands still between two steps; Core.start() begins one.

The core can be looked at meanwhile, through all that it has. In sum an Execution does what Core.run() does,
state and cycles included. Another run on the core ends it, and so do assign() and reset(): Error 'run.over'
from then on. Ctrl-C ends the run, with fault 'interrupted'.)")
        .def(
            "step",
            [](PyExecution& self, std::uint64_t n, std::optional<unsigned> thread) {
                return named(self.get(), self.do_([&](Execution& e) {
                    Pause pause;
                    for (std::uint64_t i = 0; i < n; ++i)
                        if (pause = e.step(thread); pause.why == Pause::Why::end) break;
                    return pause;
                }));
            },
            py::arg("n") = 1, py::kw_only(), py::arg("thread") = py::none(),
            "Until n more instructions have been issued, by any thread or by that one. Gives a Pause.")
        .def(
            "step_cycles",
            [](PyExecution& self, std::uint64_t n) {
                return named(self.get(), self.do_([&](Execution& e) { return e.step_cycles(n); }));
            },
            py::arg("n") = 1, "Until all of the next n cycles has happened. Gives a Pause.")
        .def("run_until", &run_until, py::kw_only(), py::arg("cycle") = py::none(), py::arg("instruction") = "",
             py::arg("thread") = py::none(), py::arg("index") = py::none(), py::arg("place") = "",
             py::arg("written") = py::list(), py::arg("finding") = py::none(), py::arg("word") = py::none(),
             R"(Until one of these comes about, or to the end. Gives a Pause.

cycle        before anything happens in this cycle or a later one
instruction, thread, index, place
             when an instruction has been issued to which all that is given applies: its name, its
             thread, its op, 'file:line' or the end of it
written      when one of these has been written: a section's name, ('l1', address, bytes),
             ('gpr', element)
finding      when a finding of that code is met for the first time; '': any above level info
word         when the word of L1 at an address has a value: (address, value), (address, value, mask)

Raises Error 'state.unknown-section'; IndexError.)")
        .def(
            "finish",
            [](PyExecution& self) { return named(self.get(), self.do_([](Execution& e) { return e.finish(); })); },
            "To the end of the run. Gives a Pause, which is False.")
        .def(
            "back",
            [](PyExecution& self, std::uint64_t n) {
                return named(self.get(), self.do_([&](Execution& e) { return e.back(n); }));
            },
            py::arg("n") = 1,
            "To where it stood when n instructions fewer had been issued. What has been stored into the core meanwhile "
            "is lost. Gives a Pause, which is False when nothing is remembered.")
        .def(
            "write_l1",
            [](PyExecution& self, std::uint64_t address, const py::bytes& bytes) {
                const auto text = static_cast<std::string_view>(bytes);
                value_of(self.get().write_l1(address, {reinterpret_cast<const std::byte*>(text.data()), text.size()}));
            },
            py::arg("address"), py::arg("bytes"),
            "Writes bytes to L1 as a host does while the run stands still: who waits for them goes on. Raises Error "
            "'l1.range', 'run.over'.")
        .def(
            "read_l1",
            [](PyExecution& self, std::uint64_t address, std::uint64_t size) {
                const auto bytes = value_of(self.get().core().read_l1(address, size));
                return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            },
            py::arg("address"), py::arg("size"), "Bytes of L1 as they are now. Raises Error 'l1.range'.")
        .def(
            "reset",
            [](PyExecution& self, std::string_view core) { value_of(self.get().reset(to_riscv_core(core))); },
            py::arg("core"), "Puts a core of kernels into reset, as a host does. Raises Error 'run.kernels', 'run.over'.")
        .def(
            "start",
            [](PyExecution& self, std::string_view core) { value_of(self.get().start(to_riscv_core(core))); },
            py::arg("core"),
            "Takes a core of kernels out of reset; it begins at its entry. Raises Error 'run.kernels', 'run.over'.")
        .def(
            "snapshot", [](PyExecution& self) { return self.get().snapshot(); },
            "The run as it stands, as a Snapshot: for restore(), or for Core.start() of any core.")
        .def(
            "restore",
            [](PyExecution& self, const Execution::Snapshot& snapshot) { value_of(self.get().restore(snapshot)); },
            py::arg("snapshot"),
            "Back, or forth, to a Snapshot of this run. Raises Error 'run.snapshot' for another's.")
        .def_property_readonly(
            "ended", [](PyExecution& self) { return self.get().ended(); },
            "Nothing is left to do, or there was a fault.")
        .def_property_readonly(
            "cycle", [](PyExecution& self) { return self.get().cycle(); }, "In which the last thing happened.")
        .def_property_readonly(
            "instructions", [](PyExecution& self) { return self.get().instructions(); },
            "Issued so far, by all threads.")
        .def_property_readonly(
            "run", [](PyExecution& self) { return self.get().run(); },
            "What has been until now, as a Run; a fault is in it, not raised.")
        .def_property_readonly(
            "waiting", [](PyExecution& self) { return self.get().waiting(); }, "Blocked of each actor and unit.")
        .def_property_readonly(
            "explanation",
            [](PyExecution& self) -> std::optional<std::string> {
                const auto& explanation = self.get().explanation();
                return explanation ? std::optional(explanation->describe()) : std::nullopt;
            },
            "What the instruction of the last step() was about to do, as text; None after anything else.");

    core.def(
        "start",
        [](SharedCore& self, const std::variant<Executable, const Execution::Snapshot*>& what,
           std::optional<std::uint64_t> seed, std::optional<std::string> timing,
           std::optional<std::uint64_t> max_cycles, const std::map<std::string, std::string>& levels, bool reference,
           std::size_t remember) {
            return start(self, what, {seed, std::move(timing), max_cycles, levels, reference}, remember);
        },
        py::arg("program"), py::kw_only(), py::arg("seed") = py::none(), py::arg("timing") = py::none(),
        py::arg("max_cycles") = py::none(), py::arg("levels") = py::dict(), py::arg("reference") = false,
        py::arg("remember") = 32, py::keep_alive<0, 1>(),
        R"(Begins a run, and gives it as an Execution that stands before its first step.

program is a Program, Kernels that have been loaded, a Job, or a Snapshot to go on from, whose state
this core then has. Of remember snapshots (at most 2 MiB each; 0: none) Execution.back() makes its way.
All else is as in run(); a Snapshot brings its own options.)");
}

}  // namespace tessera::python
