// SPDX-License-Identifier: Apache-2.0
// Runs in steps: Core.start() and its Execution.
#include "tessera/execution.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "history.hpp"
#include "portable.hpp"
#include "shared_core.hpp"
#include "tessera/instruction_set.hpp"
#include "tessera/op_place.hpp"

namespace tessera::python {

namespace {

/// The first moment that back() reaches, and the moves that led to it.
struct Remembered {
    History history;
    std::uint64_t issued;
};

/// A Snapshot, with the history of its run.
struct PySnapshot {
    Execution::Snapshot snapshot;
    History history;
    std::shared_ptr<const Remembered> remembered;  ///< of the Execution at that moment, if any
};

/// The core's state at the snapshot.
std::vector<std::byte> image_at(const Execution::Snapshot& snapshot, Arch arch) {
    Core core(arch);
    value_of(Execution::begin(core, snapshot));
    return core.image();
}

std::uint64_t digest(const std::vector<std::byte>& bytes) {
    return python::digest({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Error unrepeatable(std::string_view why, std::string_view cannot_be = "pickled") {
    return {"run.snapshot", fmt::format("this Snapshot cannot be {}: {}", cannot_be, why), {}, 0, 0};
}

PickledSnapshot pickled_form(const PySnapshot& of) {
    if (!of.history.unrepeatable.empty()) raise(unrepeatable(of.history.unrepeatable));
    const Origin& origin = *of.history.origin;
    return {origin.core.image(), origin.program, origin.kernels, origin.options, of.history.moves,
            digest(image_at(of.snapshot, origin.core.arch()))};
}

/// Repeats the run up to the snapshot.
PySnapshot made_again(PickledSnapshot pickled) {
    Core core = value_of(Core::of_image(pickled.core));
    if (!pickled.program && !pickled.kernels)
        raise(Error{"pickle.broken", "the pickle of this Snapshot is damaged", {}, 0, 0});
    const Arch arch = core.arch();
    History history;
    history.origin = std::make_shared<const Origin>(
        Origin{std::move(core), std::move(pickled.program), std::move(pickled.kernels), std::move(pickled.options)});
    history.moves = std::move(pickled.moves);
    auto snapshot = interruptible([&](const std::function<bool()>& interrupt) -> Result<Execution::Snapshot> {
        Core again = history.origin->core;
        auto execution = history.begin(again, interrupt);
        if (!execution) return tl::make_unexpected(execution.error());
        for (const Move& move : history.moves) move.apply(*execution);
        return execution->snapshot();
    });
    if (digest(image_at(snapshot, arch)) != pickled.state)
        raise(unrepeatable("its core was written to from outside after the run began", "read"));
    return {std::move(snapshot), std::move(history), nullptr};
}

/// An Execution with its core and its watch for Ctrl-C.
class PyExecution {
public:
    PyExecution(SharedCore& core, Execution execution, std::unique_ptr<SignalWatch> watch, History history,
                bool remembers)
        : core_(core),
          watch_(std::move(watch)),
          execution_(std::move(execution)),
          history_(std::move(history)),
          remembers_(remembers),
          begun_(core.begun()) {}

    /// Requires that nothing else runs, or has begun, on the core.
    Execution& get() {
        core_.idle();
        if (begun_ != core_.begun())
            raise(Error{"run.over", "the core has been run, assigned to, loaded or reset since", {}, 0, 0});
        return execution_;
    }
    /// For __repr__(), which raises nothing.
    std::string describe() const {
        if (core_.running()) return "<tessera.Execution: running>";
        if (begun_ != core_.begun()) return "<tessera.Execution: over>";
        return fmt::format("<tessera.Execution: cycle {}, {} instructions{}>", execution_.cycle(),
                           execution_.instructions(), execution_.ended() ? ", ended" : "");
    }
    Pause go(const Move& move) {
        return without_gil([&](Execution& e) {
            if (remembers_ && !remembered_) remembered_ = std::make_shared<const Remembered>(Remembered{history_, e.instructions()});
            const Pause pause = move.apply(e);
            history_.add(move);
            return pause;
        });
    }
    Pause back(std::uint64_t n) {
        return without_gil([&](Execution& e) {
            const Pause pause = e.back(n);
            if (!remembered_) return pause;
            history_ = remembered_->history;
            if (acts_differ_)
                history_.unrepeatable =
                    "after back() it is not known which acts of the host (write_l1(), reset(), start()) its state has: "
                    "take the Snapshot before back()";
            if (const std::uint64_t issued = e.instructions() - remembered_->issued)
                history_.add({.kind = Move::Kind::step, .n = issued});
            return pause;
        });
    }
    /// Refuses ops that its program never issues. Only a run shows those of kernels.
    void check_issued(const Breakpoints::Instruction& ops) const {
        const auto& program = history_.origin->program;
        if (!program) return;
        if (const std::string why = never_issued(ops, *program); !why.empty()) raise_value("it would never be reached: " + why);
    }
    void host(Move move) {
        value_of(move.take(get()));
        acts_differ_ = acts_differ_ || remembered_;
        history_.add(std::move(move));
    }
    PySnapshot snapshot() { return {get().snapshot(), history_, remembered_}; }
    void restore(const PySnapshot& snapshot) {
        value_of(get().restore(snapshot.snapshot));
        history_ = snapshot.history;
        if (remembered_ == snapshot.remembered) return;
        // That moment is not in the snapshot's past: the next step is the first that is remembered.
        remembered_.reset();
        acts_differ_ = false;
    }

private:
    /// Nothing else uses the history meanwhile: it is asked for by get() alone.
    template <class What>
    Pause without_gil(What&& what) {
        Execution& execution = get();
        return core_.without_gil(*watch_, [&](Core&) {
            Pause pause = what(execution);
            if (execution.ended() && execution.run().cut_short())
                history_.unrepeatable =
                    "Ctrl-C, another signal or a limit of this computer ended its run at a place that no other run finds: "
                    "take the Snapshot before that call";
            return pause;
        });
    }

    SharedCore& core_;
    std::unique_ptr<SignalWatch> watch_;
    Execution execution_;
    History history_;
    bool remembers_;
    std::shared_ptr<const Remembered> remembered_;
    bool acts_differ_ = false;  ///< the host may have acted between that moment and another one that back() reaches
    std::uint64_t begun_;
};

/// A Pause with the names of written elements.
struct PyPause {
    Pause pause;
    std::vector<std::tuple<std::string, std::uint32_t, std::uint64_t>> written;
};

template <class A>
void members(A& a, PyPause& named) {
    auto& [pause, written] = named;
    a(pause, written);
}

PyPause named(const Execution& execution, Pause pause) {
    PyPause named{std::move(pause), {}};
    const auto sections = execution.core().sections();
    for (const StateElement& element : named.pause.written)
        named.written.emplace_back(sections[element.section].name, element.element, element.value);
    return named;
}

/// "dst", ("gpr", 5) or ("dst", 0, 16).
using Written = std::variant<std::string, std::tuple<std::string, std::size_t>,
                             std::tuple<std::string, std::size_t, std::size_t>>;

const Section& told_section(const Core& core, const std::string& name) {
    const Section& section = *value_of(core.find_section(name));
    if (!section.writes_told) raise_value(fmt::format("writes of {} are not told, so no run stops at them", name));
    return section;
}

Breakpoints::Elements elements_of(const Core& core, const Written& what) {
    if (const auto* name = std::get_if<std::string>(&what)) {
        const Section& section = told_section(core, *name);
        return {section.id, 0, section.size};
    }
    const auto* one = std::get_if<1>(&what);
    const auto [name, first, count] =
        one ? std::tuple(std::get<0>(*one), std::get<1>(*one), std::size_t{1}) : std::get<2>(what);
    const Section& section = told_section(core, name);
    if (count == 0) raise_value(fmt::format("written: 0 elements of {} never stop a run; name 1 or more", section.name));
    if (first >= section.size || count > section.size - first)
        raise_position(fmt::format("{} has {} elements", section.name, section.size));
    return {section.id, first, count};
}

/// (address, value) or (address, value, mask).
using WordGiven = std::variant<std::tuple<std::uint32_t, std::uint32_t>,
                               std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>;

WordCondition condition_of(const Core& core, const WordGiven& word) {
    WordCondition condition;
    if (const auto* two = std::get_if<0>(&word))
        std::tie(condition.address, condition.value) = *two;
    else
        std::tie(condition.address, condition.value, condition.mask) = std::get<1>(word);
    value_of(check_condition(condition, core.l1_size()));
    return condition;
}

/// Breakpoints::Instruction::name; any instruction for an empty text.
std::string instruction_called(const std::string& text, Arch arch) {
    return text.empty() ? text : value_of(find_instruction(text, arch)).name;
}

/// Refuses a thread that would never stop a run.
void check_thread(std::optional<unsigned> thread) {
    if (thread && *thread > 2) raise_value(fmt::format("there is no thread {}: threads are 0 to 2", *thread));
}

PyPause step(PyExecution& self, std::uint64_t n, std::optional<unsigned> thread) {
    if (n == 0) raise_value("n is 0: a step issues 1 instruction or more");
    check_thread(thread);
    return named(self.get(), self.go({.kind = Move::Kind::step, .n = n, .thread = thread}));
}

PyPause step_cycles(PyExecution& self, std::uint64_t n) {
    if (n == 0) raise_value("n is 0: a step takes 1 cycle or more");
    return named(self.get(), self.go({.kind = Move::Kind::step_cycles, .n = n}));
}

PyPause run_until(PyExecution& self, std::optional<std::uint64_t> cycle, const std::string& instruction,
                  std::optional<unsigned> thread, std::optional<std::int64_t> index, const std::string& place,
                  const std::vector<Written>& written, std::optional<std::string> finding,
                  const std::optional<WordGiven>& word) {
    Execution& execution = self.get();
    check_thread(thread);
    if (index && *index < 0) raise_value(fmt::format("there is no op {}: a thread's ops are numbered from 0", *index));
    Breakpoints until;
    until.cycle = cycle;
    if (!instruction.empty() || thread || index || !place.empty()) {
        until.instructions.push_back(
            {thread, index, place, instruction_called(instruction, execution.core().arch())});
        self.check_issued(until.instructions.back());
    }
    if (finding && !finding->empty()) check_finding(*finding);
    for (const auto& what : written) until.written.push_back(elements_of(execution.core(), what));
    until.finding = std::move(finding);
    if (word) until.word = condition_of(execution.core(), *word);
    return named(execution, self.go({.kind = Move::Kind::run_until, .until = std::move(until)}));
}

std::unique_ptr<PyExecution> start(SharedCore& self, const std::variant<Executable, const PySnapshot*>& what,
                                   const RunArguments& arguments, std::size_t remember) {
    auto watch = std::make_unique<SignalWatch>();
    const auto interrupt = [at = watch.get()] { return at->asks_to_stop(); };
    Core& core = self.alone();
    Result<Execution> execution = tl::make_unexpected(Error{});
    History history;
    if (const auto* const* snapshot = std::get_if<const PySnapshot*>(&what)) {
        if (arguments.changes_results())
            raise_value(
                "'seed', 'timing', 'max_cycles', 'levels', 'reference' and 'disregard' need a Program, Kernels or a "
                "Job: "
                "a Snapshot has its own");
        RunOptions options = (*snapshot)->history.origin->options;
        options.deadline.reset();
        options.max_memory = 0;
        options = arguments.over(std::move(options));
        options.interrupt = interrupt;
        execution = Execution::begin(core, (*snapshot)->snapshot, std::move(options));
        history = (*snapshot)->history;
    } else {
        const auto& executable = std::get<Executable>(what);
        Origin origin{core, {}, {}, arguments.over(executable)};
        std::visit(
            [&](const auto* one) {
                using One = std::decay_t<decltype(*one)>;
                if constexpr (std::is_same_v<One, Program>) {
                    origin.program = *one;
                } else if constexpr (std::is_same_v<One, Kernels>) {
                    origin.kernels = *one;
                } else if (one->kernels) {
                    origin.kernels = one->kernels;
                } else {
                    origin.program = one->program;
                }
            },
            executable);
        history.origin = std::make_shared<const Origin>(std::move(origin));
        execution = history.begin(core, interrupt);
    }
    Execution begun = value_of(std::move(execution));
    if (remember) begun.remember(remember);
    self.begin();
    return std::make_unique<PyExecution>(self, std::move(begun), std::move(watch), std::move(history), remember > 0);
}

void bind_pauses(py::module_& module) {
    const auto where = [](auto member) { return [member](const PyPause& p) { return p.pause.where.*member; }; };
    py::class_<PyPause> bound(module, "Pause",
                              "The place and the reason of an Execution's stop. False at the end of the run.");
    make_portable<PyPause>(bound);
    bound
        .def_property_readonly(
            "why", [](const PyPause& p) { return name(p.pause.why); },
            "'end', 'instruction', 'cycle', 'written', 'finding' or 'word'.")
        .def_property_readonly(
            "cycle", [](const PyPause& p) { return p.pause.cycle; }, "Cycle of the last event.")
        .def_property_readonly("thread", where(&Where::thread), "0 to 2; -1: no single thread.")
        .def_property_readonly("index", where(&Where::index), "Position of the op in the thread's program, from 0; -1: none.")
        .def_property_readonly("position", where(&Where::position),
                               "Number of the instruction within the expansion of the op's MOP or REPLAY, from 0; -1: no expansion.")
        .def_property_readonly("instruction", where(&Where::instruction), "Disassembly; '' if unknown.")
        .def_property_readonly("place", where(&Where::place), "'file:line'; '' if unknown.")
        .def_readonly("written", &PyPause::written, "The elements that were asked for, as (section, element, present value).")
        .def_property_readonly(
            "finding", [](const PyPause& p) { return p.pause.finding; }, "The Finding that was met, or None.")
        .def("__bool__", [](const PyPause& p) { return p.pause.why != Pause::Why::end; })
        .def("__repr__", [](const PyPause& p) {
            const Where& at = p.pause.where;
            const OpPlace op{.thread = at.thread,
                             .index = at.index,
                             .position = at.position,
                             .cycle = p.pause.cycle,
                             .instruction = at.instruction};
            return fmt::format("<tessera.Pause: {}, {}>", name(p.pause.why), op.describe());
        });
}

}  // namespace

void bind_executions(py::module_& module, py::class_<SharedCore>& core) {
    bind_pauses(module);
    py::class_<PySnapshot> snapshot(module, "Snapshot",
                                    R"(A run between two steps, with the state of the core. It never changes: a
copy is the Snapshot itself.

A pickle contains the state at the begin of the run; reading it runs that again up to this point. The Snapshot that was read is of
another run: Core.start() continues from it, and Execution.restore() refuses it. Reading raises InputError 'run.snapshot'
if the core was written to from outside in between. Pickling raises the same after a signal or a limit of
this computer has ended the run, and after back() over acts of the host.)");
    snapshot
        .def_property_readonly(
            "cycle", [](const PySnapshot& s) { return s.snapshot.cycle(); }, "Cycle of the last event.")
        .def_property_readonly(
            "instructions", [](const PySnapshot& s) { return s.snapshot.instructions(); },
            "The number of instructions that were issued until then.")
        .def("__repr__",
             [](const PySnapshot& s) {
                 return fmt::format("<tessera.Snapshot: cycle {}, {} instructions>", s.snapshot.cycle(),
                                    s.snapshot.instructions());
             })
        .def_static(
            "_restored",
            [](std::string_view form, const py::bytes& data) {
                return made_again(unpickled<PickledSnapshot>("Snapshot", form, std::string_view(data)));
            },
            py::arg("form"), py::arg("data"))
        .def("__reduce__",
             [](const py::object& self) {
                 return py::make_tuple(py::type::of(self).attr("_restored"),
                                       py::make_tuple(pickle_form<PickledSnapshot>(),
                                                      pickled(pickled_form(self.cast<const PySnapshot&>()))));
             })
        .def("__copy__", [](const py::object& self) { return self; })
        .def(
            "__deepcopy__", [](const py::object& self, const py::dict&) { return self; }, py::arg("memo"))
        .def(
            "__eq__",
            [](const PySnapshot& a, const PySnapshot& b) {
                const auto whole = [](const PySnapshot& s) {
                    return std::tuple(s.snapshot.cycle(), s.snapshot.instructions(),
                                      image_at(s.snapshot, s.history.origin->core.arch()));
                };
                return whole(a) == whole(b);
            },
            py::is_operator());
    py::class_<PyExecution> bound(module, "Execution", R"(A run that stops between steps; Core.start() begins one.

All state of the core can be read in between. The sum of all steps is the run of Core.run(): state and cycles
are equal. Two things may differ: a run may notice some thousand cycles later that its cores poll for ever, and under
'instant' timing waits that are open at the end may be longer. Another run on the core, load(), assign() and reset() end it: it
then raises Error 'run.over'. Ctrl-C ends the run with fault 'interrupted'.)");
    refuse_pickles(bound, "a Job can be, and a Core between two runs");
    bound.def("__repr__", &PyExecution::describe)
        .def("step", &step, py::arg("n") = 1, py::kw_only(), py::arg("thread") = py::none(),
             "Runs until n more instructions were issued, by any thread or by `thread` (0 to 2). Returns a Pause. "
             "Raises InputError "
             "for n = 0 and for another thread.")
        .def("step_cycles", &step_cycles, py::arg("n") = 1,
             "Runs until all events of the next n cycles have happened. Returns a Pause. Raises InputError for n = 0.")
        .def("run_until", &run_until, py::kw_only(), py::arg("cycle") = py::none(), py::arg("instruction") = "",
             py::arg("thread") = py::none(), py::arg("index") = py::none(), py::arg("place") = "",
             py::arg("written") = py::tuple(), py::arg("finding") = py::none(), py::arg("word") = py::none(),
             R"(Runs to the first of these, or to the end. Returns a Pause.

cycle        stops before anything happens in this cycle or a later one
instruction  stops after the issue of an instruction of that name
thread       the same, of that thread, 0 to 2; all of these four that are given must hold
index        the same, of the op at that position, from 0
place        the same, of that 'file:line', or of the end of it: ':22'
written      stops after a write to one of these: a section's name, ('l1', address, bytes),
             ('gpr', element)
finding      stops when a finding of that code is met for the first time; '': any above level info
word         stops once a word of L1 has a value: (address, value) or (address, value, mask). Only the bits of the
             mask are compared, and `value` has no others

Raises Error 'state.unknown-section', 'isa.unknown-instruction'; 'l1.range' and 'host.condition' for a word that no wait can be
for; InputError for an unknown finding, a thread, index or place of which the program issues nothing, or a section whose writes
are not told (of front ends, queues and RISC-V cores with their tile); PositionError.)")
        .def(
            "finish", [](PyExecution& self) { return named(self.get(), self.go({.kind = Move::Kind::run_until})); },
            "Runs to the end. Returns a Pause, which is False.")
        .def(
            "back", [](PyExecution& self, std::uint64_t n) { return named(self.get(), self.back(n)); },
            py::arg("n") = 1,
            "Steps back by n issued instructions, at most to where Core.start() began. Acts of the host in between "
            "(write_l1(), "
            "reset(), start()) and data stored into the core are lost. Returns a Pause, which is False if nothing is "
            "remembered.")
        .def(
            "write_l1",
            [](PyExecution& self, std::uint64_t address, const py::bytes& bytes) {
                const auto text = static_cast<std::string_view>(bytes);
                const auto* const first = reinterpret_cast<const std::byte*>(text.data());
                self.host({.kind = Move::Kind::write_l1, .n = address, .bytes = {first, first + text.size()}});
            },
            py::arg("address"), py::arg("bytes"),
            "Writes bytes to L1 as a host does; cores that wait for them go on. Raises Error 'l1.range', 'run.over'.")
        .def(
            "read_l1",
            [](PyExecution& self, std::uint64_t address, std::uint64_t size) {
                return bytes_object(value_of(self.get().core().read_l1(address, size)));
            },
            py::arg("address"), py::arg("size"), "The present bytes of L1. Raises Error 'l1.range'.")
        .def(
            "reset",
            [](PyExecution& self, std::string_view which) {
                self.host({.kind = Move::Kind::reset, .core = to_riscv_core(which)});
            },
            py::arg("core"),
            "Puts a core of kernels into reset, as a host does. Raises Error 'run.kernels', 'run.over'.")
        .def(
            "start",
            [](PyExecution& self, std::string_view which) {
                self.host({.kind = Move::Kind::start, .core = to_riscv_core(which)});
            },
            py::arg("core"),
            "Takes a core of kernels out of reset; it begins at its entry. Raises Error 'run.kernels', 'run.over'.")
        .def("snapshot", &PyExecution::snapshot,
             "The present moment as a Snapshot, for restore(), or for Core.start() of any core.")
        .def("restore", &PyExecution::restore, py::arg("snapshot"),
             "Moves to a Snapshot of this run, backward or forward; back() then follows its past. Raises Error "
             "'run.snapshot' for one "
             "of another run, or from a pickle: Core.start() continues from it.")
        .def_property_readonly(
            "ended", [](PyExecution& self) { return self.get().ended(); },
            "Whether nothing is left to do, or there was a fault.")
        .def_property_readonly(
            "cycle", [](PyExecution& self) { return self.get().cycle(); }, "Cycle of the last event.")
        .def_property_readonly(
            "instructions", [](PyExecution& self) { return self.get().instructions(); },
            "The number of instructions that all threads have issued.")
        .def_property_readonly(
            "run", [](PyExecution& self) { return self.get().run(); },
            "The report until now, as a Run. A fault is in it, and not raised.")
        .def_property_readonly(
            "waiting", [](PyExecution& self) { return self.get().waiting(); }, "A Blocked of each actor and unit.")
        .def_property_readonly(
            "explanation",
            [](PyExecution& self) -> std::optional<std::string> {
                const auto& explanation = self.get().explanation();
                return explanation ? std::optional(explanation->describe()) : std::nullopt;
            },
            "The plan of the instruction of the last step() or back(), or that of the snapshot that restore() went to, "
            "as text; "
            "None after anything else.");

    core.def(
        "start",
        [](SharedCore& self, const std::variant<Executable, const PySnapshot*>& what, std::optional<std::uint64_t> seed,
           std::optional<std::string> timing, std::optional<std::uint64_t> max_cycles,
           const std::map<std::string, std::string>& levels, bool reference, std::size_t remember,
           std::optional<double> timeout, std::optional<std::uint64_t> max_memory, std::vector<std::string> disregard) {
            return start(self, what,
                         {seed,
                          std::move(timing),
                          max_cycles,
                          levels,
                          reference,
                          true,
                          {timeout, max_memory},
                          std::move(disregard)},
                         remember);
        },
        py::arg("program"), py::kw_only(), py::arg("seed") = py::none(), py::arg("timing") = py::none(),
        py::arg("max_cycles") = py::none(), py::arg("levels") = py::dict(), py::arg("reference") = false,
        py::arg("remember") = 32, py::arg("timeout") = py::none(), py::arg("max_memory") = py::none(),
        py::arg("disregard") = py::tuple(), py::keep_alive<0, 1>(),
        R"(Begins a run. Returns an Execution before its first step.

program   a Program, loaded Kernels, a Job, or a Snapshot to continue from, whose state this core gets
remember  the number of snapshots for Execution.back(), of at most 2 MiB each; 0: none

All else is as in run(), but that kernels whose cores stand at their end are taken: Execution.start() may start one. A Snapshot has its own options:
with one, only remember, timeout and max_memory may be given.)");
}

}  // namespace tessera::python
