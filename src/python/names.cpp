// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>
#include <vector>

#include "bindings.hpp"
#include "tessera/format_name.hpp"
#include "tessera/version.hpp"

namespace tessera::python {

namespace {

template <class Value>
Value choose(std::string_view what, std::string_view text, const std::optional<Value>& value,
             const std::vector<std::string_view>& names) {
    if (value) return *value;
    raise_value(fmt::format("unknown {} '{}': use one of {}", what, text, fmt::join(names, ", ")));
}

/// All formats that the library names.
py::object data_formats() {
    std::vector<std::pair<std::string, unsigned>> codes;
    for (const DataFormat format : all_data_formats) codes.emplace_back(name(format), static_cast<unsigned>(format));
    py::object formats =
        py::module_::import("enum").attr("IntEnum")("DataFormat", codes, py::arg("module") = "tessera");
    formats.attr("__doc__") = "A data format, with its code in the hardware's format fields. Functions take names too.";
    return formats;
}

}  // namespace

Arch to_arch(std::string_view text) {
    return choose("architecture", text, parse_arch(text), {name(Arch::blackhole), name(Arch::wormhole)});
}

Reset to_reset(std::string_view text) {
    std::optional<Reset> reset;
    if (text == "silicon") reset = Reset::silicon;
    if (text == "vendor-sim") reset = Reset::vendor_sim;
    return choose("reset", text, reset, {"silicon", "vendor-sim"});
}

Timing to_timing(std::string_view text) {
    std::vector<std::string_view> names;
    for (const Timing timing : all_timings) names.push_back(name(timing));
    return choose("timing", text, parse_timing(text), names);
}

Level to_level(std::string_view text) {
    return choose("level", text, parse_level(text),
                  {name(Level::off), name(Level::info), name(Level::warning), name(Level::error)});
}

RiscvCore to_riscv_core(std::string_view text) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < riscv_cores; ++i) names.push_back(name(static_cast<RiscvCore>(i)));
    return choose("core", text, parse_riscv_core(text), names);
}

Layout to_layout(std::string_view text) {
    return choose("layout", text, parse_layout(text), {name(Layout::tiles), name(Layout::rows)});
}

Rounding to_rounding(std::string_view text) {
    return choose("rounding", text, parse_rounding(text), {name(Rounding::host), name(Rounding::device)});
}

DataFormat to_format(const Format& format) {
    if (py::isinstance<py::str>(format)) {
        const auto text = format.cast<std::string>();
        const auto parsed = read_data_format(text);
        if (parsed) return *parsed;
        raise_value(parsed.error().message);
    }
    const py::int_ code(format);
    for (const DataFormat known : all_data_formats)
        if (code.equal(py::int_(static_cast<unsigned>(known)))) return known;
    const py::object given = py::module_::import("tessera._arguments").attr("given")(code);
    raise_value(fmt::format("{} is the code of no data format; tessera.DataFormat has them all", given.cast<std::string>()));
}

KnownFormat known_format(DataFormat format) {
    py::object formats = py::module_::import("tessera._core").attr("DataFormat");
    return py::reinterpret_steal<KnownFormat>(formats(static_cast<unsigned>(format)).release());
}

void bind_names(py::module_& module) {
    module.attr("DataFormat") = data_formats();
    module.attr("__version__") = py::str(std::string(version));
}

}  // namespace tessera::python
