// SPDX-License-Identifier: Apache-2.0
// What the parts of the extension share: errors as exceptions, and names as values.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>
#include <type_traits>

#include "tessera/arch.hpp"
#include "tessera/core.hpp"
#include "tessera/error.hpp"
#include "tessera/tensor.hpp"

namespace tessera::python {

namespace py = pybind11;

void bind_programs(py::module_& module);
void bind_kernels(py::module_& module);
void bind_jobs(py::module_& module, const Recordings& recordings);
void bind_runs(py::module_& module);
void bind_cores(py::module_& module, const Recordings& recordings);
void bind_tracing(py::module_& module);
void bind_tensors(py::module_& module);
void bind_arrays(py::module_& module);
void bind_names(py::module_& module);

/// Raises tessera.Error.
[[noreturn]] void raise(const Error& error);

/// Raises tessera.Fault.
[[noreturn]] void raise(const Run& run);

template <class T>
T value_of(Result<T>&& result) {
    if (!result) raise(result.error());
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// Names of Python to values. ValueError, with what there is.
Arch to_arch(std::string_view name);
Reset to_reset(std::string_view name);
Timing to_timing(std::string_view name);
Level to_level(std::string_view name);
Layout to_layout(std::string_view name);
Rounding to_rounding(std::string_view name);
/// A name, or a code as in DataFormat.
DataFormat to_format(const py::object& format);

}  // namespace tessera::python
