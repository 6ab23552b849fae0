// SPDX-License-Identifier: Apache-2.0
#include "tessera/job.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>

#include "portable.hpp"

namespace tessera::python {

namespace {

void bind_outputs(py::module_& module) {
    py::class_<Job::Output> bound(module, "JobOutput", "A part of L1 that a Job writes to a file after its run.");
    make_portable<Job::Output>(bound);
    bound.def_readonly("address", &Job::Output::address, "Of the first byte in L1.")
        .def_readonly("rows", &Job::Output::rows, "Of the array; 0: raw bytes.")
        .def_readonly("cols", &Job::Output::cols, "Of the array; 0: raw bytes.")
        .def_property_readonly(
            "format",
            [](const Job::Output& output) {
                return output.size ? std::nullopt : std::optional(known_format(output.format));
            },
            "DataFormat of the array in L1; None: raw bytes.")
        .def_readonly("path", &Job::Output::path, "Of the file.")
        .def_property_readonly(
            "size", [](const Job::Output& output) { return value_of(output_bytes(output)); }, "Bytes in L1.")
        .def_readonly("host_step", &Job::Output::host_step,
                      "The step of the host that reads it; None: it is read at the end of the run.")
        .def("__repr__", [](const Job::Output& output) { return fmt::format("<tessera.JobOutput {}>", output.path); });
}

}  // namespace

void bind_jobs(py::module_& module, const Recordings& recordings) {
    bind_outputs(module);
    py::class_<Job> bound(module, "Job",
                          "A job file: memory, a program or kernels, outputs (docs/jobs.md). Core(job) is a core with its memory in "
                          "place.");
    make_portable<Job>(bound, [recordings](Job& job) { job.recordings = recordings; });
    bound
        .def_readonly("file", &Job::file, "Path of the job file.")
        .def_readonly("inputs", &Job::inputs, "Paths of all files that were read, the job file included.")
        .def_readonly("outputs", &Job::outputs, "Its JobOutputs, as Core.write_outputs() writes them.")
        .def_property_readonly(
            "arch", [](const Job& job) { return name(job.arch); }, "'blackhole' or 'wormhole'.")
        .def_property_readonly(
            "program", [](const Job& job) { return job.kernels ? std::nullopt : std::optional(job.program); },
            "Its Program; None if it has kernels.")
        .def_property_readonly(
            "kernels", [](const Job& job) { return job.kernels; }, "Its Kernels; None if it has a program.")
        .def("__repr__", [](const Job& job) { return fmt::format("<tessera.Job {}>", job.file); });
    module.def(
        "load_job",
        [recordings](const Path& path, const JobSymbols& symbols, const std::map<std::string, std::int64_t>& registers,
                     const std::map<std::string, std::string>& keys) {
            Job job = value_of(load_job(path.text(), {symbols, registers, keys}));
            job.recordings = recordings;
            return job;
        },
        py::arg("path"), py::arg("symbols") = py::dict(), py::arg("registers") = py::dict(), py::arg("keys") = py::dict(),
        R"(Reads a job from a .toml or .json file, with everything that it names, as a Job.

symbols    names with values that its assembly can use, before the job's own
registers  configuration fields with values that replace those of the assembly's '.cfg FIELD = VALUE' lines
keys       keys of the job file with values as TOML text, in place of the file's: {'timing': 'instant', 'l1.0.npy': 'b.npy'}

Raises Error with file, line and column.)");
}

}  // namespace tessera::python
