// SPDX-License-Identifier: Apache-2.0
// Converts numpy arrays to matrices and back.
#pragma once

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "tessera/outputs.hpp"

namespace tessera::python {

template <class T>
using Dense = py::array_t<T, py::array::c_style | py::array::forcecast>;

using Shape = std::pair<std::size_t, std::size_t>;

/// An array that owns a vector, without copying its elements.
///
/// It is made of a shape, because one that is made of a count has wrong strides under NumPy 2 with pybind11 before 2.12.
template <class T, class Element>
py::array_t<T> keeping(std::vector<Element> elements, std::vector<py::ssize_t> shape) {
    static_assert(sizeof(T) == sizeof(Element));
    auto kept = std::make_unique<std::vector<Element>>(std::move(elements));
    const auto* const data = reinterpret_cast<const T*>(kept->data());
    const py::capsule owner(kept.get(), [](void* vector) { delete static_cast<std::vector<Element>*>(vector); });
    kept.release();
    return py::array_t<T>(std::move(shape), data, owner);
}

template <class T>
py::array_t<T> matrix_of(std::vector<T> values, Shape shape) {
    return keeping<T>(std::move(values),
                      {static_cast<py::ssize_t>(shape.first), static_cast<py::ssize_t>(shape.second)});
}

/// An int64 array if the matrix has integers.
inline py::array array_of(Matrix matrix) {
    const Shape shape{matrix.rows, matrix.cols};
    if (!matrix.integers.empty()) return matrix_of(std::move(matrix.integers), shape);
    return matrix_of(std::move(matrix.values), shape);
}

/// A Python array. The matrix is made without the GIL.
class Given {
public:
    /// `integers`: absent, or exactly the same values.
    Given(const Dense<float>& values, const std::optional<Dense<std::int64_t>>& integers) {
        if (values.ndim() != 2)
            raise_value(fmt::format("an array of two dimensions is needed, not of {}", values.ndim()));
        rows_ = static_cast<std::size_t>(values.shape(0));
        cols_ = static_cast<std::size_t>(values.shape(1));
        values_ = {values.data(), rows_ * cols_};
        if (integers) integers_ = {integers->data(), rows_ * cols_};
    }
    /// Stops early, with fewer elements, when `interrupt` returns true.
    Matrix matrix(const std::function<bool()>& interrupt) const {
        Matrix matrix{rows_, cols_, {}};
        copy(values_, matrix.values, interrupt);
        copy(integers_, matrix.integers, interrupt);
        return matrix;
    }

private:
    template <class T>
    static void copy(std::span<const T> from, std::vector<T>& to, const std::function<bool()>& interrupt) {
        constexpr std::size_t piece = std::size_t{1} << 20;
        to.reserve(from.size());
        for (; !from.empty() && !interrupt(); from = from.subspan(std::min(piece, from.size()))) {
            const auto part = from.first(std::min(piece, from.size()));
            to.insert(to.end(), part.begin(), part.end());
        }
    }

    std::size_t rows_ = 0, cols_ = 0;
    std::span<const float> values_;
    std::span<const std::int64_t> integers_;
};

inline py::array_t<std::uint8_t> bytes_of(std::vector<std::byte> bytes) {
    const auto size = static_cast<py::ssize_t>(bytes.size());
    return keeping<std::uint8_t>(std::move(bytes), {size});
}

inline py::array array_of(std::vector<std::byte> bytes) { return bytes_of(std::move(bytes)); }

/// An array of each.
inline std::vector<py::array> arrays_of(std::vector<OutputValue> values) {
    std::vector<py::array> arrays;
    for (OutputValue& value : values)
        arrays.push_back(std::visit([](auto& one) { return array_of(std::move(one)); }, value));
    return arrays;
}

inline std::span<const std::byte> span_of(const Dense<std::uint8_t>& bytes) {
    return {reinterpret_cast<const std::byte*>(bytes.data()), static_cast<std::size_t>(bytes.size())};
}

}  // namespace tessera::python
