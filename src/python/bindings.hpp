// SPDX-License-Identifier: Apache-2.0
// Shared parts of the extension: errors as exceptions, and names as values.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/core.hpp"
#include "tessera/error.hpp"
#include "tessera/kernels.hpp"
#include "tessera/tensor.hpp"

namespace pybind11::detail {

/// A text may have the name of a file, whose bytes need not be UTF-8. They become what os.fsdecode() makes of them, so os.fsencode() has
/// them again.
template <>
struct type_caster<std::string> : string_caster<std::string> {
    static handle cast(const std::string& text, return_value_policy, handle) {
        const handle made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
        if (!made) throw error_already_set();
        return made;
    }
};

}  // namespace pybind11::detail

namespace tessera {
struct ChipRun;
}

namespace tessera::python {

namespace py = pybind11;

void bind_programs(py::module_& module);
void bind_kernels(py::module_& module);
void bind_jobs(py::module_& module, const Recordings& recordings);
void bind_runs(py::module_& module);
void bind_cores(py::module_& module, const Recordings& recordings);
void bind_chip_runs(py::module_& module);
void bind_chip_jobs(py::module_& module);
void bind_chips(py::module_& module);
void bind_tracing(py::module_& module);
void bind_tensors(py::module_& module);
void bind_arrays(py::module_& module);
void bind_names(py::module_& module);

/// Raises tessera.Error.
[[noreturn]] void raise(const Error& error);

/// Raises tessera.Fault.
[[noreturn]] void raise(const Run& run);

/// Raises tessera.ChipFault.
[[noreturn]] void raise(const ChipRun& run);

/// Raise tessera.InputError 'argument.value', tessera.ArgumentError, tessera.PositionError, for errors that the
/// argument's type in the signature cannot express.
[[noreturn]] void raise_value(std::string message);
[[noreturn]] void raise_type(std::string message);
[[noreturn]] void raise_position(std::string message);

// Types with these names in signatures; scripts/python_stubs documents them.

inline bool is_path(PyObject* it) {
    return PyUnicode_Check(it) || PyBytes_Check(it) || PyObject_HasAttrString(it, "__fspath__");
}
inline bool is_format(PyObject* it) {
    if (PyUnicode_Check(it)) {
        const bool is_text = PyUnicode_AsUTF8(it) != nullptr;
        if (!is_text) PyErr_Clear();
        return is_text;
    }
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(it));
    if (!index) PyErr_Clear();
    return static_cast<bool>(index);
}

class Path : public py::object {
public:
    PYBIND11_OBJECT(Path, py::object, is_path)
    /// The path in the file system's encoding. Raises InputError 'argument.value' if it has none.
    std::string text() const;
};
/// A DataFormat, its name or its code.
class Format : public py::object {
public:
    PYBIND11_OBJECT(Format, py::object, is_format)
};
/// A member of tessera.DataFormat.
class KnownFormat : public py::object {
public:
    using py::object::object;
};
/// A function of one Packet.
class PacketCallback : public py::object {
public:
    PYBIND11_OBJECT(PacketCallback, py::object, PyCallable_Check)
};
/// A dict of named values in a fixed order.
class Values : public py::dict {
public:
    using py::dict::dict;
};

template <class T>
T value_of(Result<T>&& result) {
    if (!result) raise(result.error());
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

inline py::bytes bytes_object(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// (function, 'file:line') of each.
inline std::vector<std::pair<std::string, std::string>> pairs_of(const std::vector<Frame>& frames) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const Frame& frame : frames) pairs.emplace_back(frame.function, frame.place);
    return pairs;
}

/// The bytes of a buffer, which it keeps.
class BufferBytes {
public:
    /// Raises InputError 'argument.value' for a buffer that is not contiguous.
    explicit BufferBytes(const py::buffer& data) : info_(data.request()) {
        if (!PyBuffer_IsContiguous(info_.view(), 'C')) raise_value("the data must be contiguous");
    }
    std::span<const std::byte> span() const {
        return {static_cast<const std::byte*>(info_.ptr), static_cast<std::size_t>(info_.size * info_.itemsize)};
    }

private:
    py::buffer_info info_;
};

// Python's names to values. Unknown names raise InputError with a list of the known ones.
Arch to_arch(std::string_view name);
Reset to_reset(std::string_view name);
Timing to_timing(std::string_view name);
Level to_level(std::string_view name);
RiscvCore to_riscv_core(std::string_view name);
Layout to_layout(std::string_view name);
Rounding to_rounding(std::string_view name);
DataFormat to_format(const Format& format);
KnownFormat known_format(DataFormat format);

}  // namespace tessera::python

namespace pybind11::detail {

template <>
struct handle_type_name<tessera::python::Path> {
    static constexpr auto name = const_name("Path");
};
template <>
struct handle_type_name<tessera::python::Format> {
    static constexpr auto name = const_name("Format");
};
template <>
struct handle_type_name<tessera::python::PacketCallback> {
    static constexpr auto name = const_name("PacketCallback");
};
template <>
struct handle_type_name<tessera::python::KnownFormat> {
    static constexpr auto name = const_name("DataFormat");
};
template <>
struct handle_type_name<tessera::python::Values> {
    static constexpr auto name = const_name("Dict[str, int]");
};

}  // namespace pybind11::detail
