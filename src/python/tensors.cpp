// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "matrices.hpp"
#include "signal_watch.hpp"

namespace tessera::python {

namespace {

TensorForm make_form(std::string_view layout, bool compressed, std::optional<std::uint32_t> row_datums,
                     std::optional<std::uint32_t> digest_size, std::optional<std::uint32_t> shared_exponent,
                     std::string_view rounding) {
    const auto byte = [](std::string_view what, std::optional<std::uint32_t> value) {
        if (value && *value > 0xFF) raise_value(fmt::format("{} is 0 to 255, not {}", what, *value));
        return value ? std::optional(static_cast<std::uint8_t>(*value)) : std::nullopt;
    };
    TensorForm form(to_layout(layout));
    form.compressed = compressed;
    form.row_datums = row_datums.value_or(0);
    form.digest_size = byte("digest_size", digest_size);
    form.shared_exponent = byte("shared_exponent", shared_exponent);
    form.rounding = to_rounding(rounding);
    return form;
}

/// Number of rows converted between two checks for signals; whole tiles.
std::size_t stripe_rows(std::size_t rows, std::size_t cols, const TensorForm& form) {
    constexpr std::size_t tile = 32, most_datums = std::size_t{1} << 20;
    if (form.layout != Layout::tiles || cols == 0 || rows % tile || cols % tile) return rows;
    return std::max(tile, most_datums / cols / tile * tile);
}

Matrix rows_of(const Matrix& matrix, std::size_t first, std::size_t count) {
    const auto part = [&](const auto& all) {
        const auto at = all.begin() + static_cast<std::ptrdiff_t>(first * matrix.cols);
        return std::decay_t<decltype(all)>(at, at + static_cast<std::ptrdiff_t>(count * matrix.cols));
    };
    Matrix rows{count, matrix.cols, part(matrix.values)};
    if (!matrix.integers.empty()) rows.integers = part(matrix.integers);
    return rows;
}

py::array_t<std::uint8_t> tilize(const Dense<float>& values, const std::optional<Dense<std::int64_t>>& integers,
                                 const Format& format, const TensorForm& form) {
    const Given given(values, integers);
    const DataFormat to = to_format(format);
    return bytes_of(interruptible([&](const auto& interrupt) -> Result<std::vector<std::byte>> {
        const Matrix matrix = given.matrix(interrupt);
        if (interrupt()) return std::vector<std::byte>();
        const std::size_t stripe = stripe_rows(matrix.rows, matrix.cols, form);
        if (stripe >= matrix.rows) return to_bytes(matrix, to, form);
        std::vector<std::byte> all;
        for (std::size_t row = 0; row < matrix.rows && !interrupt(); row += stripe) {
            const auto bytes = to_bytes(rows_of(matrix, row, std::min(stripe, matrix.rows - row)), to, form);
            if (!bytes) return bytes;
            all.insert(all.end(), bytes->begin(), bytes->end());
        }
        return all;
    }));
}

/// Whether matrices of a format have Matrix::integers. An empty matrix does not tell.
bool has_integers(DataFormat format) {
    const TensorForm row(Layout::rows);
    const auto size = tensor_bytes(1, 1, format, row);
    if (!size) return false;
    const auto one = from_bytes(std::vector<std::byte>(*size), 1, 1, format, row);
    return one && !one->integers.empty();
}

py::array untilize(const Dense<std::uint8_t>& data, Shape shape, const Format& format, const TensorForm& form) {
    const DataFormat from = to_format(format);
    const auto bytes = span_of(data);
    Matrix matrix = interruptible([&](const auto& interrupt) -> Result<Matrix> {
        const auto [rows, cols] = shape;
        const std::size_t stripe = stripe_rows(rows, cols, form);
        const auto size = tensor_bytes(rows, cols, from, form);
        if (stripe >= rows || !size || *size != bytes.size()) return from_bytes(bytes, rows, cols, from, form);
        Matrix all{rows, cols, {}};
        for (std::size_t row = 0; row < rows && !interrupt(); row += stripe) {
            const std::size_t there = std::min(stripe, rows - row);
            const auto part = from_bytes(bytes.subspan(*size / rows * row, *size / rows * there), there, cols, from, form);
            if (!part) return part;
            all.values.insert(all.values.end(), part->values.begin(), part->values.end());
            all.integers.insert(all.integers.end(), part->integers.begin(), part->integers.end());
        }
        return all;
    });
    if (matrix.values.empty() && has_integers(from)) return matrix_of(std::move(matrix.integers), shape);
    return array_of(std::move(matrix));
}

std::size_t size(Shape shape, const Format& format, const TensorForm& form) {
    return value_of(tensor_bytes(shape.first, shape.second, to_format(format), form));
}

std::vector<std::size_t> sizes(const Dense<std::uint8_t>& data, Shape shape, const Format& format,
                               const TensorForm& form) {
    return value_of(tensor_sizes(span_of(data), shape.first, shape.second, to_format(format), form));
}

}  // namespace

void bind_tensors(py::module_& module) {
    py::class_<TensorForm>(module, "TensorForm")
        .def(py::init(&make_form), py::arg("layout"), py::arg("compressed"), py::arg("row_datums"),
             py::arg("digest_size"), py::arg("shared_exponent"), py::arg("rounding"));
    module.def("tilize", &tilize, py::arg("array"), py::arg("integers"), py::arg("format"), py::arg("form"));
    module.def("untilize", &untilize, py::arg("data"), py::arg("shape"), py::arg("format"), py::arg("form"));
    module.def("tensor_bytes", &size, py::arg("shape"), py::arg("format"), py::arg("form"));
    module.def("tensor_sizes", &sizes, py::arg("data"), py::arg("shape"), py::arg("format"), py::arg("form"));
}

}  // namespace tessera::python
