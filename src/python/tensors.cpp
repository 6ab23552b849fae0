// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include "matrices.hpp"

namespace tessera::python {

namespace {

py::array_t<std::uint8_t> pack(const Dense<float>& values, const std::optional<Dense<std::int64_t>>& integers,
                               const py::object& format, std::string_view layout) {
    return bytes_of(value_of(to_bytes(to_matrix(values, integers), to_format(format), to_layout(layout))));
}

py::array unpack(const Dense<std::uint8_t>& bytes, Shape shape, const py::object& format, std::string_view layout) {
    return array_of(
        value_of(from_bytes(span_of(bytes), shape.first, shape.second, to_format(format), to_layout(layout))));
}

}  // namespace

void bind_tensors(py::module_& module) {
    module.def("pack", &pack);
    module.def("unpack", &unpack);
    module.def(
        "tensor_bytes",
        [](Shape shape, const py::object& format, std::string_view layout) {
            return value_of(tensor_bytes(shape.first, shape.second, to_format(format), to_layout(layout)));
        },
        py::arg("shape"), py::arg("format"), py::arg("layout") = "tiles",
        R"(Bytes of L1 that a matrix of `shape` (rows, columns) takes in a format and layout ('tiles' or 'rows').

Raises Error: 'tensor.format' for a format without converter, 'tensor.shape' when the layout does
not take the shape.)");
}

}  // namespace tessera::python
