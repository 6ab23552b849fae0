// SPDX-License-Identifier: Apache-2.0
// Functions over arrays; their docstrings and defaults are in tessera/arrays.py.
#include "tessera/arrays.hpp"

#include <pybind11/stl.h>

#include "matrices.hpp"
#include "signal_watch.hpp"

namespace tessera::python {

namespace {

using Integers = std::optional<Dense<std::int64_t>>;
using Function = Result<Matrix> (*)(const Matrix&, const Matrix&, const ArrayOptions&);

std::optional<DataFormat> optional_format(const std::optional<Format>& format) {
    if (!format) return std::nullopt;
    return to_format(*format);
}

template <class Options>
Options with(const Interrupt& interrupt, Options options) {
    options.interrupt = interrupt;
    return options;
}

/// A function of two arrays. It releases the GIL while it computes.
template <Function F>
py::array of_two(const Dense<float>& a, const Integers& a_exact, const Dense<float>& b, const Integers& b_exact,
                 const ArrayOptions& options) {
    const Given x(a, a_exact), y(b, b_exact);
    return array_of(interruptible([&](const Interrupt& interrupt) {
        return F(x.matrix(interrupt), y.matrix(interrupt), with(interrupt, options));
    }));
}

py::tuple maxima(const Dense<float>& a, const Integers& a_exact, bool arg_max, const ArrayOptions& options) {
    const Given x(a, a_exact);
    Maxima all = interruptible(
        [&](const Interrupt& interrupt) { return gmpool(x.matrix(interrupt), arg_max, with(interrupt, options)); });
    const py::object values = all.values.values.empty() ? py::none() : py::object(array_of(std::move(all.values)));
    return py::make_tuple(values, std::vector<std::int64_t>(all.rows.begin(), all.rows.end()));
}

py::array_t<std::uint32_t> one_mvmul(const Dense<float>& b, const Integers& b_exact, const Dense<float>& a,
                                     const Integers& a_exact, const std::optional<Dense<std::uint32_t>>& dst,
                                     unsigned phase, const ArrayOptions& options) {
    std::span<const std::uint32_t> patterns;
    if (dst) patterns = {dst->data(), static_cast<std::size_t>(dst->size())};
    const Given x(b, b_exact), y(a, a_exact);
    const auto never = [] { return false; };
    return matrix_of(value_of(mvmul(x.matrix(never), y.matrix(never), patterns, phase, options)), {8, 16});
}

py::array_t<std::uint8_t> packed(const Dense<float>& a, const Integers& a_exact, const ConvertOptions& options) {
    const Given x(a, a_exact);
    return bytes_of(interruptible(
        [&](const Interrupt& interrupt) { return pack_tiles(x.matrix(interrupt), with(interrupt, options)); }));
}

py::array converted(const Dense<float>& a, const Integers& a_exact, const ConvertOptions& options) {
    const Given x(a, a_exact);
    return array_of(interruptible(
        [&](const Interrupt& interrupt) { return convert(x.matrix(interrupt), with(interrupt, options)); }));
}

py::array unpacked(const Dense<std::uint8_t>& data, Shape shape, const Format& format, const Format& src,
                   std::string_view arch) {
    const DataFormat in = to_format(format), out = to_format(src);
    const Arch chip = to_arch(arch);
    return array_of(interruptible([&](const Interrupt& interrupt) {
        return unpack_tiles(span_of(data), shape.first, shape.second, in, out, chip, interrupt);
    }));
}

ArrayOptions array_options(std::string_view arch, const Format& a, const Format& b, const Format& src, unsigned fidelity,
                           std::optional<unsigned> dst_bits, const std::optional<Format>& out,
                           const std::optional<Format>& intermediate) {
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

ConvertOptions convert_options(std::string_view arch, const Format& from, const Format& dst, const Format& to,
                               const std::optional<Format>& intermediate) {
    return {to_arch(arch), to_format(from), to_format(dst), to_format(to), optional_format(intermediate)};
}

}  // namespace

void bind_arrays(py::module_& module) {
    py::class_<ArrayOptions>(module, "ArrayOptions")
        .def(py::init(&array_options), py::arg("arch"), py::arg("format"), py::arg("b_format"), py::arg("src"),
             py::arg("fidelity"), py::arg("dst_bits"), py::arg("out"), py::arg("intermediate"));
    py::class_<ConvertOptions>(module, "ConvertOptions")
        .def(py::init(&convert_options), py::arg("arch"), py::arg("format"), py::arg("dst"), py::arg("to"),
             py::arg("intermediate"));
    const auto bind_of_two = [&](const char* name, auto* function) {
        module.def(name, function, py::arg("a"), py::arg("a_integers"), py::arg("b"), py::arg("b_integers"),
                   py::arg("options"));
    };
    bind_of_two("matmul", &of_two<matmul>);
    bind_of_two("elwadd", &of_two<elwadd>);
    bind_of_two("elwsub", &of_two<elwsub>);
    bind_of_two("elwmul", &of_two<elwmul>);
    bind_of_two("gapool", &of_two<gapool>);
    module.def("gmpool", &maxima, py::arg("a"), py::arg("a_integers"), py::arg("argmax"), py::arg("options"));
    module.def("mvmul", &one_mvmul, py::arg("b"), py::arg("b_integers"), py::arg("a"), py::arg("a_integers"),
               py::arg("dst"), py::arg("phase"), py::arg("options"));
    module.def("pack_tiles", &packed, py::arg("a"), py::arg("a_integers"), py::arg("options"));
    module.def("convert", &converted, py::arg("a"), py::arg("a_integers"), py::arg("options"));
    module.def("unpack_tiles", &unpacked, py::arg("data"), py::arg("shape"), py::arg("format"), py::arg("src"),
               py::arg("arch"));
}

}  // namespace tessera::python
