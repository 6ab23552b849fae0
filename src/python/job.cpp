// SPDX-License-Identifier: Apache-2.0
#include "tessera/job.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "portable.hpp"

namespace tessera::python {

void bind_jobs(py::module_& module, const Recordings& recordings) {
    py::class_<Job> bound(module, "Job",
                          "A job file: memory, a program or kernels, outputs (docs/jobs.md). Core(job) is a core with its memory in "
                          "place.");
    make_portable<Job>(bound, [recordings](Job& job) { job.recordings = recordings; });
    bound
        .def_readonly("file", &Job::file, "Path of the job file.")
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
