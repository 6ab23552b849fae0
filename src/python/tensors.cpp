// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "matrices.hpp"

namespace tessera::python {

namespace {

/// All but the format, in the order of tensors.py.
TensorForm form_of(const py::tuple& form) {
    const auto byte = [&](std::size_t i) {
        const auto value = form[i].cast<std::optional<unsigned>>();
        if (value && *value > 0xFF) throw py::value_error(fmt::format("{} is not 0 to 255", *value));
        return value ? std::optional(static_cast<std::uint8_t>(*value)) : std::nullopt;
    };
    TensorForm result(to_layout(form[0].cast<std::string>()));
    result.compressed = form[1].cast<bool>();
    result.row_datums = form[2].cast<std::optional<std::uint32_t>>().value_or(0);
    result.digest_size = byte(3);
    result.shared_exponent = byte(4);
    result.rounding = to_rounding(form[5].cast<std::string>());
    return result;
}

py::array_t<std::uint8_t> pack(const Dense<float>& values, const std::optional<Dense<std::int64_t>>& integers,
                               const py::object& format, const py::tuple& form) {
    return bytes_of(value_of(to_bytes(to_matrix(values, integers), to_format(format), form_of(form))));
}

py::array unpack(const Dense<std::uint8_t>& bytes, Shape shape, const py::object& format, const py::tuple& form) {
    return array_of(
        value_of(from_bytes(span_of(bytes), shape.first, shape.second, to_format(format), form_of(form))));
}

std::size_t size(Shape shape, const py::object& format, const py::tuple& form) {
    return value_of(tensor_bytes(shape.first, shape.second, to_format(format), form_of(form)));
}

std::vector<std::size_t> sizes(const Dense<std::uint8_t>& bytes, Shape shape, const py::object& format,
                               const py::tuple& form) {
    return value_of(tensor_sizes(span_of(bytes), shape.first, shape.second, to_format(format), form_of(form)));
}

}  // namespace

void bind_tensors(py::module_& module) {
    module.def("pack", &pack);
    module.def("unpack", &unpack);
    module.def("tensor_bytes", &size);
    module.def("tensor_sizes", &sizes);
}

}  // namespace tessera::python
