// SPDX-License-Identifier: Apache-2.0
#include "bindings.hpp"

namespace tessera::python {

void raise(const Error& error) {
    const auto type = py::module_::import("tessera.errors").attr("Error");
    PyErr_SetObject(type.ptr(),
                    type(error.code, error.message, error.file, error.line, error.column, error.describe()).ptr());
    throw py::error_already_set();
}

void raise(const Run& run) {
    const auto type = py::module_::import("tessera.errors").attr("Fault");
    PyErr_SetObject(type.ptr(), type(py::cast(run)).ptr());
    throw py::error_already_set();
}

}  // namespace tessera::python

PYBIND11_MODULE(_core, module) {
    using namespace tessera::python;
    module.doc() = "The extension behind the package tessera.";
    bind_names(module);
    bind_programs(module);
    bind_kernels(module);
    const tessera::Recordings recordings;  // of all cores, since a script seldom keeps one
    bind_jobs(module, recordings);
    bind_runs(module);
    bind_tracing(module);
    bind_tensors(module);
    bind_arrays(module);
    bind_cores(module, recordings);
}
