// SPDX-License-Identifier: Apache-2.0
// Pickling, comparison and copying for types whose members archives know.
#pragma once

#include <fmt/format.h>

#include "bindings.hpp"
#include "members.hpp"
#include "tessera/version.hpp"

namespace tessera::python {

template <class T>
std::string archived(const T& value) {
    ArchiveWriter writer;
    writer(value);
    return writer.take();
}

/// Form of a pickle: the library's version, and the type's members.
template <class T>
std::string pickle_form() {
    ArchiveForm form;
    T value{};
    form(value);
    return fmt::format("{}/{:016x}", tessera::version, digest(form.text()));
}

/// The bytes of a pickle, after their digest.
template <class T>
py::bytes pickled(const T& value) {
    const std::string bytes = archived(value);
    ArchiveWriter sum;
    sum(digest(bytes));
    return py::bytes(sum.take() + bytes);
}

/// Raises InputError 'pickle.version' or 'pickle.broken'; `what` is the type's name.
template <class T>
T unpickled(std::string_view what, std::string_view form, std::string_view bytes) {
    if (form != pickle_form<T>()) {
        const std::string_view version = form.substr(0, form.find('/'));
        raise(Error{"pickle.version",
                    version == tessera::version
                        ? fmt::format("a {} pickled by another build of tessera {} is not read: pickle it again", what, version)
                        : fmt::format("a {} pickled by tessera {} is not read by tessera {}: pickle it again", what, version,
                                      tessera::version),
                    {}, 0, 0});
    }
    std::uint64_t sum = 0;
    T value{};
    if (bytes.size() >= sizeof sum) {
        ArchiveReader(bytes.substr(0, sizeof sum))(sum);
        bytes.remove_prefix(sizeof sum);
        ArchiveReader reader(bytes);
        if (sum == digest(bytes)) {
            reader(value);
            if (reader.complete()) return value;
        }
    }
    raise(Error{"pickle.broken", fmt::format("the pickle of this {} is damaged", what), {}, 0, 0});
}

/// Adds pickling, copying and == to a bound type. `complete` adds the process's own parts to a value that was read.
template <class T, class Class, class Complete>
void make_portable(Class& bound, Complete complete) {
    const auto what = bound.attr("__name__").template cast<std::string>();
    bound
        .def_static(
            "_restored",
            [what, complete](std::string_view form, const py::bytes& data) {
                T value = unpickled<T>(what, form, std::string_view(data));
                complete(value);
                return value;
            },
            py::arg("form"), py::arg("data"))
        .def("__reduce__",
             [](const py::object& self) {
                 return py::make_tuple(py::type::of(self).attr("_restored"),
                                       py::make_tuple(pickle_form<T>(), pickled(self.cast<const T&>())));
             })
        .def(
            "__eq__", [](const T& a, const T& b) { return archived(a) == archived(b); }, py::is_operator());
}
/// Pickling raises ArgumentError, which names the value to pickle instead.
template <class Class>
void refuse_pickles(Class& bound, std::string_view instead) {
    const std::string message =
        fmt::format("a {} is of this process and cannot be pickled: {}", bound.attr("__name__").template cast<std::string>(), instead);
    bound.def("__reduce__", [message](const py::object&) -> py::object { raise_type(message); });
}

template <class T, class Class>
void make_portable(Class& bound) {
    make_portable<T>(bound, [](T&) {});
}

}  // namespace tessera::python
