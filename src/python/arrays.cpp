// SPDX-License-Identifier: Apache-2.0
// Functions over arrays; the package has their docstrings and defaults (tessera/arrays.py).
#include "tessera/arrays.hpp"

#include <pybind11/stl.h>

#include "matrices.hpp"

namespace tessera::python {

namespace {

using Integers = std::optional<Dense<std::int64_t>>;
using Function = Result<Matrix> (*)(const Matrix&, const Matrix&, const ArrayOptions&);

std::optional<DataFormat> optional_format(const py::object& format) {
    if (format.is_none()) return std::nullopt;
    return to_format(format);
}

/// A function of two arrays. Other threads of Python go on while it computes.
template <Function F>
py::array of_two(const Dense<float>& a, const Integers& a_exact, const Dense<float>& b, const Integers& b_exact,
                 const ArrayOptions& options) {
    const Matrix x = to_matrix(a, a_exact), y = to_matrix(b, b_exact);
    Result<Matrix> result;
    {
        const py::gil_scoped_release released;
        result = F(x, y, options);
    }
    return array_of(value_of(std::move(result)));
}

py::tuple maxima(const Dense<float>& a, const Integers& a_exact, bool arg_max, const ArrayOptions& options) {
    const Matrix x = to_matrix(a, a_exact);
    Result<Maxima> result;
    {
        const py::gil_scoped_release released;
        result = gmpool(x, arg_max, options);
    }
    Maxima all = value_of(std::move(result));
    const py::object values = all.values.values.empty() ? py::none() : py::object(array_of(std::move(all.values)));
    return py::make_tuple(values, std::vector<std::int64_t>(all.rows.begin(), all.rows.end()));
}

py::array_t<std::uint32_t> one_mvmul(const Dense<float>& b, const Integers& b_exact, const Dense<float>& a,
                                     const Integers& a_exact, const std::optional<Dense<std::uint32_t>>& dst,
                                     unsigned phase, const ArrayOptions& options) {
    std::span<const std::uint32_t> patterns;
    if (dst) patterns = {dst->data(), static_cast<std::size_t>(dst->size())};
    return matrix_of(value_of(mvmul(to_matrix(b, b_exact), to_matrix(a, a_exact), patterns, phase, options)), {8, 16});
}

py::array_t<std::uint8_t> packed(const Dense<float>& a, const Integers& a_exact, const ConvertOptions& options) {
    const Matrix x = to_matrix(a, a_exact);
    Result<std::vector<std::byte>> result;
    {
        const py::gil_scoped_release released;
        result = pack_tiles(x, options);
    }
    return bytes_of(value_of(std::move(result)));
}

py::array converted(const Dense<float>& a, const Integers& a_exact, const ConvertOptions& options) {
    const Matrix x = to_matrix(a, a_exact);
    Result<Matrix> result;
    {
        const py::gil_scoped_release released;
        result = convert(x, options);
    }
    return array_of(value_of(std::move(result)));
}

ArrayOptions array_options(std::string_view arch, const py::object& a, const py::object& b, const py::object& src,
                           unsigned fidelity, std::optional<unsigned> dst_bits, const py::object& out,
                           const py::object& intermediate) {
    ArrayOptions options;
    options.arch = to_arch(arch);
    options.a = to_format(a);
    options.b = to_format(b);
    options.src = to_format(src);
    options.fidelity = fidelity;
    options.dst_bits = dst_bits;
    options.out = optional_format(out);
    options.intermediate = optional_format(intermediate);
    return options;
}

ConvertOptions convert_options(std::string_view arch, const py::object& from, const py::object& dst,
                               const py::object& to, const py::object& intermediate) {
    return {to_arch(arch), to_format(from), to_format(dst), to_format(to), optional_format(intermediate)};
}

}  // namespace

void bind_arrays(py::module_& module) {
    py::class_<ArrayOptions>(module, "ArrayOptions").def(py::init(&array_options));
    py::class_<ConvertOptions>(module, "ConvertOptions").def(py::init(&convert_options));
    module.def("matmul", &of_two<matmul>);
    module.def("elwadd", &of_two<elwadd>);
    module.def("elwsub", &of_two<elwsub>);
    module.def("elwmul", &of_two<elwmul>);
    module.def("gapool", &of_two<gapool>);
    module.def("gmpool", &maxima);
    module.def("mvmul", &one_mvmul);
    module.def("pack_tiles", &packed);
    module.def("convert", &converted);
    module.def("unpack_tiles", [](const Dense<std::uint8_t>& bytes, Shape shape, const py::object& format,
                                  const py::object& src, std::string_view arch) {
        return array_of(value_of(
            unpack_tiles(span_of(bytes), shape.first, shape.second, to_format(format), to_format(src), to_arch(arch))));
    });
}

}  // namespace tessera::python
