// SPDX-License-Identifier: Apache-2.0
// Arrays of numpy to matrices and back.
#pragma once

#include <pybind11/numpy.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "bindings.hpp"

namespace tessera::python {

template <class T>
using Dense = py::array_t<T, py::array::c_style | py::array::forcecast>;

using Shape = std::pair<std::size_t, std::size_t>;

template <class T>
py::array_t<T> matrix_of(const std::vector<T>& values, Shape shape) {
    py::array_t<T> array({shape.first, shape.second});
    std::copy(values.begin(), values.end(), array.mutable_data());
    return array;
}

/// Of int64 where the matrix has integers.
inline py::array array_of(const Matrix& matrix) {
    const Shape shape{matrix.rows, matrix.cols};
    if (!matrix.integers.empty()) return matrix_of(matrix.integers, shape);
    return matrix_of(matrix.values, shape);
}

/// `integers`: nothing, or the same values exactly.
inline Matrix to_matrix(const Dense<float>& values, const std::optional<Dense<std::int64_t>>& integers) {
    if (values.ndim() != 2) throw py::value_error("an array of two dimensions is needed");
    Matrix matrix;
    matrix.rows = static_cast<std::size_t>(values.shape(0));
    matrix.cols = static_cast<std::size_t>(values.shape(1));
    matrix.values.assign(values.data(), values.data() + values.size());
    if (integers) matrix.integers.assign(integers->data(), integers->data() + integers->size());
    return matrix;
}

inline py::array_t<std::uint8_t> bytes_of(const std::vector<std::byte>& bytes) {
    return py::array_t<std::uint8_t>(static_cast<py::ssize_t>(bytes.size()),
                                     reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

inline std::span<const std::byte> span_of(const Dense<std::uint8_t>& bytes) {
    return {reinterpret_cast<const std::byte*>(bytes.data()), static_cast<std::size_t>(bytes.size())};
}

}  // namespace tessera::python
