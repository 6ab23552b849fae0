// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "matrices.hpp"
#include "shared_core.hpp"
#include "tessera/finding_catalogue.hpp"
#include "tessera/outputs.hpp"
#include "tessera/state_digest.hpp"

namespace tessera::python {

namespace {

std::map<std::string, Level> levels_of(const std::map<std::string, std::string>& texts) {
    std::map<std::string, Level> levels;
    for (const auto& [code, text] : texts) {
        if (const std::string why = refused_level(code); !why.empty()) raise_value(why);
        levels[code] = to_level(text);
    }
    return levels;
}

Run run(SharedCore& self, const Executable& what, const RunArguments& arguments) {
    RunOptions options = arguments.over(what);
    SignalWatch watch;
    options.interrupt = [&watch] { return watch.asks_to_stop(); };
    self.alone();
    self.begin();
    Result<Run> result = self.without_gil(watch, [&](Core& core) {
        return std::visit(
            [&](const auto* one) -> Result<Run> {
                if constexpr (std::is_same_v<decltype(one), const Job*>)
                    return run_job(*one, core, options);
                else
                    return core.run(*one, options);
            },
            what);
    });
    if (!result) self.refused();
    Run run = value_of(std::move(result));
    if (run.fault) raise(run);
    return run;
}

/// Sources of a new core: an architecture's name, another core, a job.
using CoreSource = std::variant<std::string, SharedCore*, const Job*>;

std::unique_ptr<SharedCore> make_core(const CoreSource& source, const std::optional<std::string>& reset,
                                      const Recordings& recordings) {
    SharedCore* const* const other = std::get_if<SharedCore*>(&source);
    const Job* const* const job = std::get_if<const Job*>(&source);
    if ((other && !*other) || (job && !*job))
        raise_type("a core is made for an architecture, or of a Core or a Job, not of None");
    if ((other || job) && reset)
        raise_value("'reset' needs an architecture's name: a Core or a Job has its own reset state");
    if (other) {
        if (auto tile = (*other)->handed_over()) return tile;
        return std::make_unique<SharedCore>(Core((*other)->idle()));
    }
    if (job) return std::make_unique<SharedCore>(value_of(prepare(**job)));
    return std::make_unique<SharedCore>(
        Core(to_arch(std::get<std::string>(source)), to_reset(reset.value_or("silicon")), recordings));
}

std::span<const HostRead> reads_of(const std::optional<Run>& run) {
    return run ? run->host_reads : std::span<const HostRead>();
}

Error other_arch(Arch its, Arch own) {
    return {
        "run.arch", fmt::format("the assigned value is of {}, but the core is a {}", name(its), name(own)), {}, 0, 0};
}

void assign(SharedCore& self, const std::variant<SharedCore*, const Job*>& other) {
    Core& to = self.alone();
    if (std::visit([](const auto* one) { return one == nullptr; }, other))
        raise_type("assign a Core or a Job, not None");
    if (const auto* const* job = std::get_if<const Job*>(&other)) {
        if (to.arch() != (*job)->arch) raise(other_arch((*job)->arch, to.arch()));
        self.begin();
        value_of(prepare(**job, to));
    } else {
        Core& from = std::get<SharedCore*>(other)->idle();
        if (to.arch() != from.arch()) raise(other_arch(from.arch(), to.arch()));
        self.begin();
        to = from;
    }
}

}  // namespace

void check_finding(const std::string& code) {
    if (!is_diagnosis_code(code)) raise_value(unknown_finding(code));
}

RunOptions RunArguments::over(RunOptions options) const {
    if (seed) options.seed = seed;
    if (timing) options.timing = to_timing(*timing);
    if (max_cycles) options.max_cycles = *max_cycles;
    for (const auto& [code, level] : levels_of(levels)) options.levels[code] = level;
    for (const std::string& text : disregard) {
        const auto what = parse_disregarded(text);
        if (!what) raise_value(fmt::format("'disregard': {}", what.error().message));
        options.disregard.push_back(*what);
    }
    if (host.timeout) {
        constexpr double longest = 1e9;
        if (!(*host.timeout > 0 && *host.timeout <= longest))
            raise_value(fmt::format("timeout is {}, and must be a number of seconds above 0 and at most 1e9", *host.timeout));
        using Clock = std::chrono::steady_clock;
        options.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*host.timeout));
    }
    if (host.max_memory == 0) raise_value("max_memory is 0, and must be a number of bytes above 0");
    if (host.max_memory) options.max_memory = *host.max_memory;
    if (reference && timing && options.timing != Timing::instant)
        raise_value(fmt::format("'reference' executes an instruction at once: it has no {} timing; leave 'timing' out", *timing));
    options.reference = options.reference || reference;
    options.recorded = options.recorded && recorded;
    return options;
}

RunOptions RunArguments::over(const Executable& what) const {
    // pybind11 converts None to a null pointer.
    if (std::visit([](const auto* one) { return one == nullptr; }, what))
        raise_type("execute a Program, Kernels or a Job, not None");
    const auto* const* job = std::get_if<const Job*>(&what);
    return over(job ? (*job)->options : RunOptions{});
}

void bind_cores(py::module_& module, const Recordings& recordings) {
    py::class_<SharedCore> core(module, "Core");
    core.def(py::init([recordings](const CoreSource& arch, const std::optional<std::string>& reset) {
                 return make_core(arch, reset, recordings);
             }),
             py::arg("arch"), py::kw_only(), py::arg("reset") = py::none())
        .def_property_readonly(
            "arch", [](SharedCore& self) { return name(self.idle().arch()); }, "'blackhole' or 'wormhole'.")
        .def_property_readonly("running", &SharedCore::running, "Whether another Python thread is in run().")
        .def("__repr__",
             [](SharedCore& self) {
                 return self.running() ? std::string("<tessera.Core: running>")
                                       : fmt::format("<tessera.Core: {}>", name(self.idle().arch()));
             })
        .def("_image", [](SharedCore& self) { return bytes_object(self.idle().image()); })
        .def_static(
            "_of_image",
            [recordings](const py::bytes& image) {
                const std::string_view bytes(image);
                return std::make_unique<SharedCore>(value_of(
                    Core::of_image({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, recordings)));
            },
            py::arg("image"))
        .def("assign", &assign, py::arg("other"),
             R"(Copies the state of another Core, or the state of Core(job) for a Job. Takes microseconds.

Use it for many runs from the same state. Views of this core's memories stay valid, and its cached
plans stay.

Raises Error 'run.arch' for another architecture and 'run.busy' for a core that is running; nothing
has changed then. After any other error of Core(job), such as 'kernels.overlap', the old state is lost.)")
        .def(
            "reset",
            [](SharedCore& self, std::string_view reset) {
                const Reset how = to_reset(reset);
                Core& to = self.alone();
                self.begin();
                to.reset(how);
            },
            py::kw_only(), py::arg("reset") = "silicon",
            "Sets all state to that of Core(arch, reset=reset), as assign() does.")
        .def(
            "load",
            [](SharedCore& self, const Kernels& kernels) {
                Core& to = self.alone("a tile of a chip runs the kernels that its chip knows: load them by Chip.load()");
                value_of(to.load(kernels));
                self.begin();
            },
            py::arg("kernels"),
            R"(Copies the bytes of Kernels into L1 and local memories, and sets the entries of their cores.

Raises Error before anything is written: 'run.arch' for kernels of another architecture;
'kernels.range' if an address is neither in L1 nor in that core's local memory; 'kernels.overlap' if
two images have different bytes for one address. InputError for a tile of a chip: use Chip.load().)")
        .def(
            "run",
            [](SharedCore& self, const Executable& program, std::optional<std::uint64_t> seed,
               std::optional<std::string> timing, std::optional<std::uint64_t> max_cycles,
               const std::map<std::string, std::string>& levels, bool reference, bool recorded,
               std::optional<double> timeout, std::optional<std::uint64_t> max_memory,
               std::vector<std::string> disregard) {
                return run(self, program,
                           {seed,
                            std::move(timing),
                            max_cycles,
                            levels,
                            reference,
                            recorded,
                            {timeout, max_memory},
                            std::move(disregard)});
            },
            py::arg("program"), py::kw_only(), py::arg("seed") = py::none(), py::arg("timing") = py::none(),
            py::arg("max_cycles") = py::none(), py::arg("levels") = py::dict(), py::arg("reference") = false,
            py::arg("recorded") = true, py::arg("timeout") = py::none(), py::arg("max_memory") = py::none(),
            py::arg("disregard") = py::tuple(),
            R"(Executes a Program, loaded Kernels, or a Job on the present state. Returns a Run.

seed        delays actors, and lets effects land at any time that no interlock forbids; the same
            seed gives the same run
timing      'silicon' (the default): costs as measured on chips, where published, else those of the
            vendor's pages; 'silicon-slow': of a chip's two speeds the slower one; 'documented': no
            measurement; 'instant': every instruction completes at its issue; 'functional': no clock
            and no hazards, the same end state many times as fast
max_cycles  the run ends with fault 'no-progress' if it takes longer; default 1,000,000,000
levels      of findings by code: {'hazard.dst': 'error'}; 'off', 'info', 'warning', or 'error',
            which ends the run
reference   executes instructions by the second implementation, where it has them, under 'instant'
            timing: no other may be given with it; slow and literal
recorded    allows an earlier run of the same program to answer this one if only data differs; the
            results are the same. False: never
timeout     seconds; the run ends with fault 'limit.time' if it takes longer
max_memory  bytes; the run ends with fault 'limit.memory' if the process has more
disregard   orderings without which hazards are looked for (docs/races.md): 'semaphore', 'unit-wait:T0', 'bank:T1:0'

Options that are not given come from the Job, if it is one. Kernels go on where their cores stand: a core at its end stays there
until load() or assign().

Raises Fault if the run ends with one. The state stays as it was, and Fault.run is the Run. Raises
Error before anything has run: 'run.arch' for a program of another architecture; 'program.op' for an
invalid op; 'run.busy' for a core that is running; 'run.functional' for options that need a clock;
InputError for other values. So is 'kernels.not-loaded', for Kernels that were not loaded, or if all cores stand at
their end of an earlier run and there is neither 'done' nor 'host' to wait for. Other Python threads run meanwhile. Ctrl-C raises KeyboardInterrupt.)");
    core.def(
        "read_outputs",
        [](SharedCore& self, const Job& job, const std::optional<Run>& run) {
            return arrays_of(value_of(read_outputs(job, self.idle(), reads_of(run))));
        },
        py::arg("job"), py::arg("run") = py::none(),
        R"(The outputs of a Job that this core has run, in the order of Job.outputs, as a list of arrays.

An array is one of float32, or of int64 for an integer format; raw bytes are one of uint8. `run` is needed
for outputs that the host read during the run.

Raises Error 'run.arch' for a Job of another architecture, 'host.step' if the run ended before the host read an output.)");
    core.def(
        "digest", [](SharedCore& self) { return fmt::format("{:016x}", state_digest(self.idle())); },
        R"(A digest of the state that programs can observe, as 16 hexadecimal digits.

Equal for equal states, and another one if any element of `state` differs. Time, caches and work that
was pending when a run was stopped are left out. The same on every machine and in every build.)");
    core.def(
        "write_outputs",
        [](SharedCore& self, const Job& job, const std::optional<Run>& run) {
            value_of(write_outputs(job, self.idle(), reads_of(run)));
        },
        py::arg("job"), py::arg("run") = py::none(),
        "Writes the output files of a Job that this core has run, all or none. `run` is needed for outputs that the "
        "host "
        "read during the run. Raises Error.");
    bind_memories(core);
    bind_sections(core);
    bind_executions(module, core);
}

}  // namespace tessera::python
