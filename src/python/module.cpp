// SPDX-License-Identifier: Apache-2.0
#include "bindings.hpp"
#include "tessera/chip.hpp"
#include "without_gil.hpp"

namespace tessera::python {

namespace {

/// Text from files and paths may be invalid UTF-8; invalid bytes are replaced.
py::str text_of(const std::string& bytes) {
    return py::reinterpret_steal<py::str>(
        PyUnicode_DecodeUTF8(bytes.data(), static_cast<py::ssize_t>(bytes.size()), "replace"));
}

/// pybind11 calls this where a function gets an object whose __init__ has not run, and would read what it returns.
[[noreturn]] void* refuse_unmade(std::size_t) {
    raise_type("an object of tessera is used before its __init__ has run: call super().__init__() first, "
               "and make objects by their class");
}

/// For all classes among the members of a module or class.
void refuse_unmade_objects(const py::object& of) {
    for (const auto& [name, member] : py::dict(of.attr("__dict__"))) {
        if (!py::isinstance<py::type>(member)) continue;
        auto* const own = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(member.ptr()));
        if (!own) continue;
        own->operator_new = refuse_unmade;
        refuse_unmade_objects(py::reinterpret_borrow<py::object>(member));
    }
}

/// pybind11 ends the process where its own base class is called, or a class of Python of that alone: it looks for a registered class. With
/// one, which has no constructor, that raises TypeError.
void refuse_objects_of_no_class() {
    static py::detail::type_info none{};
    auto& internals = py::detail::get_internals();
    none.type = reinterpret_cast<PyTypeObject*>(internals.instance_base);
    none.cpptype = &typeid(void);
    if (auto& registered = internals.registered_types_py[none.type]; registered.empty()) registered.push_back(&none);
}

}  // namespace

std::string Path::text() const {
    std::string text;
    try {
        text = py::module_::import("os").attr("fsencode")(*this).cast<std::string>();
    } catch (const py::error_already_set&) {
        raise_value("a path has characters that no file name can have");
    }
    if (text.find('\0') != std::string::npos) raise_value("a path has a null character, which no file name can have");
    return text;
}

void raise(const Error& error) {
    const auto make = py::module_::import("tessera.errors").attr("error_of");
    const py::object made =
        make(error.code, text_of(error.message), text_of(error.file), error.line, error.column, text_of(error.describe()));
    PyErr_SetObject(py::type::handle_of(made).ptr(), made.ptr());
    throw py::error_already_set();
}

void raise_value(std::string message) { raise(Error{"argument.value", std::move(message), {}, 0, 0}); }
void raise_type(std::string message) { raise(Error{"argument.type", std::move(message), {}, 0, 0}); }
void raise_position(std::string message) { raise(Error{"argument.position", std::move(message), {}, 0, 0}); }

void raise(const Run& run) {
    const auto type = py::module_::import("tessera.errors").attr("Fault");
    PyErr_SetObject(type.ptr(), type(py::cast(run)).ptr());
    throw py::error_already_set();
}

void raise(const ChipRun& run) {
    const auto type = py::module_::import("tessera.errors").attr("ChipFault");
    PyErr_SetObject(type.ptr(), type(py::cast(run)).ptr());
    throw py::error_already_set();
}

}  // namespace tessera::python

PYBIND11_MODULE(_core, module) {
    using namespace tessera::python;
    module.doc() = "The extension module of the package tessera.";
    bind_names(module);
    bind_programs(module);
    bind_kernels(module);
    const tessera::Recordings recordings;  // shared by all cores, since scripts seldom keep one
    bind_jobs(module, recordings);
    bind_runs(module);
    bind_tracing(module);
    bind_tensors(module);
    bind_arrays(module);
    bind_cores(module, recordings);
    bind_chip_runs(module);
    bind_chip_jobs(module);
    bind_chips(module);
    refuse_unmade_objects(module);
    refuse_objects_of_no_class();
    end_calls_at_exit();
}
