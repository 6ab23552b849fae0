// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "bindings.hpp"

namespace tessera::python {

namespace {

template <class T>
using Dense = py::array_t<T, py::array::c_style | py::array::forcecast>;

using Shape = std::pair<std::size_t, std::size_t>;

template <class T>
py::array_t<T> matrix_of(const std::vector<T>& values, Shape shape) {
    py::array_t<T> array({shape.first, shape.second});
    std::copy(values.begin(), values.end(), array.mutable_data());
    return array;
}

void set_integers(Matrix& matrix, const Dense<std::int64_t>& exact) {
    matrix.integers.assign(exact.data(), exact.data() + exact.size());
}

py::array array_of(const Matrix& matrix) {
    const Shape shape{matrix.rows, matrix.cols};
    if (!matrix.integers.empty()) return matrix_of(matrix.integers, shape);
    return matrix_of(matrix.values, shape);
}

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

/// `integers`: nothing, or the same values exactly.
py::array_t<std::uint8_t> pack(const Dense<float>& values, const std::optional<Dense<std::int64_t>>& integers,
                               const py::object& format, const py::tuple& form) {
    if (values.ndim() != 2) throw py::value_error("an array of two dimensions is needed");
    Matrix matrix;
    matrix.rows = static_cast<std::size_t>(values.shape(0));
    matrix.cols = static_cast<std::size_t>(values.shape(1));
    matrix.values.assign(values.data(), values.data() + values.size());
    if (integers) set_integers(matrix, *integers);
    const auto bytes = value_of(to_bytes(matrix, to_format(format), form_of(form)));
    return py::array_t<std::uint8_t>(static_cast<py::ssize_t>(bytes.size()),
                                     reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

py::array unpack(const Dense<std::uint8_t>& bytes, Shape shape, const py::object& format, const py::tuple& form) {
    const std::span all(reinterpret_cast<const std::byte*>(bytes.data()), static_cast<std::size_t>(bytes.size()));
    return array_of(value_of(from_bytes(all, shape.first, shape.second, to_format(format), form_of(form))));
}

std::size_t size(Shape shape, const py::object& format, const py::tuple& form) {
    return value_of(tensor_bytes(shape.first, shape.second, to_format(format), form_of(form)));
}

std::vector<std::size_t> sizes(const Dense<std::uint8_t>& bytes, Shape shape, const py::object& format,
                               const py::tuple& form) {
    const std::span all(reinterpret_cast<const std::byte*>(bytes.data()), static_cast<std::size_t>(bytes.size()));
    return value_of(tensor_sizes(all, shape.first, shape.second, to_format(format), form_of(form)));
}

}  // namespace

void bind_tensors(py::module_& module) {
    module.def("pack", &pack);
    module.def("unpack", &unpack);
    module.def("tensor_bytes", &size);
    module.def("tensor_sizes", &sizes);
}

}  // namespace tessera::python
