// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>
#include <future>
#include <optional>
#include <variant>

#include "shared_core.hpp"
#include "tessera/job.hpp"

namespace tessera::python {

/// Python sees signals only in its main thread and only while nothing is being computed there: the run has a thread of
/// its own, and this one looks for Ctrl-C.
template <class What>
Run SharedCore::run(const What& what, RunOptions options) {
    using namespace std::chrono_literals;
    Core& core = idle();
    std::atomic<bool> stop = false;
    options.stop = &stop;
    std::optional<py::error_already_set> interrupted;
    Result<Run> result;
    {
        const Running running(running_);
        const py::gil_scoped_release released;
        auto future = std::async(std::launch::async, [&] { return core.run(what, options); });
        while (future.wait_for(50ms) != std::future_status::ready) {
            const py::gil_scoped_acquire acquired;
            if (stop || PyErr_CheckSignals() == 0) continue;
            interrupted.emplace();
            stop = true;
        }
        result = future.get();
    }
    if (interrupted) throw py::error_already_set(*interrupted);
    Run run = value_of(std::move(result));
    if (run.fault) raise(run);
    return run;
}

namespace {

std::map<std::string, Level> levels_of(const std::map<std::string, std::string>& texts) {
    std::map<std::string, Level> levels;
    for (const auto& [code, text] : texts) {
        if (!is_diagnosis_code(code)) throw py::value_error(fmt::format("there is no finding '{}'", code));
        levels[code] = to_level(text);
    }
    return levels;
}

}  // namespace

void bind_cores(py::module_& module) {
    py::class_<SharedCore> core(module, "Core");
    core.def(py::init([](std::string_view arch, std::string_view reset) {
                 return std::make_unique<SharedCore>(Core(to_arch(arch), to_reset(reset)));
             }),
             py::arg("arch"), py::kw_only(), py::arg("reset") = "silicon")
        .def(py::init([](SharedCore& other) { return std::make_unique<SharedCore>(Core(other.idle())); }),
             py::arg("other"))
        .def_property_readonly(
            "arch", [](SharedCore& self) { return name(self.idle().arch()); }, "'blackhole' or 'wormhole'.")
        .def_property_readonly("running", &SharedCore::running, "Whether another thread of Python is in run().")
        .def(
            "load", [](SharedCore& self, const Kernels& kernels) { value_of(self.idle().load(kernels)); },
            py::arg("kernels"),
            R"(Puts the bytes of Kernels into L1 and local memories, and lets the cores that have one begin.

Raises Error, and nothing is written, for kernels of another architecture ('run.arch'), an address
that is neither in L1 nor in that core's local memory ('kernels.range'), and images with different
bytes for one address ('kernels.overlap').)")
        .def(
            "run",
            [](SharedCore& self, const std::variant<const Program*, const Kernels*>& what,
               std::optional<std::uint64_t> seed, std::string_view timing, std::uint64_t max_cycles,
               const std::map<std::string, std::string>& levels, bool reference) {
                RunOptions options;
                options.seed = seed;
                options.timing = to_timing(timing);
                options.max_cycles = max_cycles;
                options.levels = levels_of(levels);
                options.reference = reference;
                return std::visit(
                    [&](const auto* one) {
                        // None is no program, though pybind11 takes it for a pointer.
                        if (!one) throw py::type_error("run() takes a Program or Kernels");
                        return self.run(*one, std::move(options));
                    },
                    what);
            },
            py::arg("program"), py::kw_only(), py::arg("seed") = py::none(), py::arg("timing") = "documented",
            py::arg("max_cycles") = RunOptions{}.max_cycles, py::arg("levels") = py::dict(),
            py::arg("reference") = false,
            R"(Executes a Program, or Kernels that have been loaded, on this core's state as it is, and gives a Run.

seed        delays actors, and lets effects land anywhere that no interlock forbids; the same
            seed gives the same run
timing      'documented', or 'instant': every instruction completes when it is issued
max_cycles  the run ends with fault 'no-progress' when it takes longer
levels      of findings by code: {'hazard.dst': 'error'}; 'off', 'info', 'warning', or 'error',
            which ends the run
reference   executes each instruction that has a functional model in the second implementation
            by it, slow and literal, as under 'instant'

Raises Fault when the run ends with one: the state stays as it was then, and Fault.run is the
Run. Raises Error, and nothing has run, for a program of another architecture ('run.arch'), one
that is not valid ('program.op'), and a core that is running ('run.busy'); ValueError for other
values. Other threads of Python go on during a run. Ctrl-C ends it with KeyboardInterrupt.)");
    bind_memories(core);
    bind_sections(core);
}

}  // namespace tessera::python
