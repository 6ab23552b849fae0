// SPDX-License-Identifier: Apache-2.0
#include "tessera/chip_job.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>

#include "portable.hpp"
#include "shared_chip.hpp"

namespace tessera::python {

namespace {

void bind_chip_job_outputs(py::module_& module) {
    py::class_<ChipJob::Output> bound(module, "ChipJobOutput", "A part of DRAM or L1 that a ChipJob writes to a file after its run.");
    make_portable<ChipJob::Output>(bound);
    const auto what = [](auto member) { return [member](const ChipJob::Output& output) { return output.what.*member; }; };
    bound.def_readonly("channel", &ChipJob::Output::channel, "Of DRAM; None: L1 of a tile.")
        .def_property_readonly(
            "tile",
            [](const ChipJob::Output& output) {
                return output.channel ? std::nullopt : std::optional(std::pair(output.column, output.row));
            },
            "(column, row); None: DRAM.")
        .def_property_readonly("address", what(&Job::Output::address), "Of the first byte.")
        .def_property_readonly("rows", what(&Job::Output::rows), "Of the array; 0: raw bytes.")
        .def_property_readonly("cols", what(&Job::Output::cols), "Of the array; 0: raw bytes.")
        .def_property_readonly(
            "format",
            [](const ChipJob::Output& output) {
                return output.what.size ? std::nullopt : std::optional(known_format(output.what.format));
            },
            "DataFormat of the array; None: raw bytes.")
        .def_property_readonly("path", what(&Job::Output::path), "Of the file.")
        .def_property_readonly(
            "size", [](const ChipJob::Output& output) { return value_of(output_bytes(output.what)); }, "Bytes in memory.")
        .def("__repr__", [](const ChipJob::Output& output) { return fmt::format("<tessera.ChipJobOutput {}>", output.what.path); });
}

}  // namespace

void bind_chip_jobs(py::module_& module) {
    bind_chip_job_outputs(module);
    py::class_<ChipJob> bound(module, "ChipJob",
                              "A job file with a grid of tiles (docs/chip-jobs.md). Chip(job) is a chip with its memory and kernels in place.");
    make_portable<ChipJob>(bound);
    bound.def_readonly("file", &ChipJob::file, "Path of the job file.")
        .def_readonly("inputs", &ChipJob::inputs, "Paths of all files that were read, the job file included.")
        .def_readonly("outputs", &ChipJob::outputs, "Its ChipJobOutputs, as Chip.write_outputs() writes them.")
        .def_property_readonly(
            "arch", [](const ChipJob& job) { return name(job.arch); }, "'blackhole' or 'wormhole'.")
        .def(
            "run",
            [](const ChipJob& job, unsigned threads, std::optional<std::uint64_t> seed, std::optional<std::string> timing,
               std::optional<std::uint64_t> max_cycles, const std::map<std::string, std::string>& levels,
               std::optional<PacketCallback> on_packet, bool write, std::optional<double> timeout, std::optional<std::uint64_t> max_memory) {
                Chip chip = value_of(prepare(job));
                ChipRun run = run_chip(chip, job.options,
                                       {{seed, std::move(timing), max_cycles, levels, false, true, {timeout, max_memory}},
                                        threads, std::move(on_packet)});
                if (write && run.good()) value_of(write_outputs(job, chip));
                return run;
            },
            py::kw_only(), py::arg("threads") = 1, py::arg("seed") = py::none(), py::arg("timing") = py::none(),
            py::arg("max_cycles") = py::none(), py::arg("levels") = py::dict(), py::arg("on_packet") = py::none(),
            py::arg("write") = true, py::arg("timeout") = py::none(), py::arg("max_memory") = py::none(),
            R"(Runs the job on a chip of its own, as `tessera run` does. Returns a ChipRun.

write  writes the outputs if the run is good

All other arguments, and what is raised, are as in Chip.run(). Chip(job) gives the chip, too.)")
        .def("__repr__", [](const ChipJob& job) { return fmt::format("<tessera.ChipJob {}>", job.file); });
    module.def(
        "load_chip_job",
        [](const Path& path, const std::map<std::string, std::string>& keys) {
            return value_of(load_chip_job(path.text(), {{}, {}, keys}));
        },
        py::arg("path"), py::arg("keys") = py::dict(),
        R"(Reads a job with a grid of tiles from a .toml or .json file, with everything that it names, as a ChipJob.

keys  keys of the job file with values as TOML text, in place of the file's: {'chip.grid': '[2, 2]'}

Raises Error with file, line and column.)");
}

}  // namespace tessera::python
