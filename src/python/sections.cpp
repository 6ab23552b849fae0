// SPDX-License-Identifier: Apache-2.0
// State and configuration by name, for tessera/state.py.
#include <pybind11/stl.h>

#include "matrices.hpp"
#include "shared_core.hpp"
#include "tessera/registers.hpp"

namespace tessera::python {

namespace {

py::dict dimension_of(const Dimension& dimension) {
    py::dict dict;
    dict["name"] = dimension.name;
    dict["size"] = dimension.size;
    dict["labels"] = dimension.labels;
    return dict;
}

}  // namespace

void bind_sections(py::class_<SharedCore>& core) {
    core.def("_section_names",
             [](SharedCore& self) {
                 std::vector<std::string> names;
                 for (const auto& section : self.idle().sections()) names.push_back(section.name);
                 return names;
             })
        .def("_section",
             [](SharedCore& self, std::string_view name) {
                 const Section& section = *value_of(self.idle().find_section(name));
                 py::list dimensions;
                 for (const auto& dimension : section.dimensions) dimensions.append(dimension_of(dimension));
                 return py::make_tuple(dimensions, section.bits, section.size);
             },
             py::arg("name"))
        .def("_read",
             [](SharedCore& self, std::string_view name, std::size_t first, std::size_t count) {
                 const Core& core_now = self.idle();
                 const Section& section = *value_of(core_now.find_section(name));
                 std::vector<std::uint64_t> values(count);
                 for (std::size_t i = 0; i < count; ++i) values[i] = core_now.read(section, first + i);
                 return keeping<std::uint64_t>(std::move(values), {static_cast<py::ssize_t>(count)});
             },
             py::arg("name"), py::arg("first"), py::arg("count"))
        .def("_write",
             [](SharedCore& self, std::string_view name, std::size_t element, std::uint64_t value) {
                 Core& core_now = self.idle();
                 core_now.write(*value_of(core_now.find_section(name)), element, value);
             },
             py::arg("name"), py::arg("element"), py::arg("value"))
        .def("_read_field", [](SharedCore& self, std::string_view name,
                               unsigned index) { return value_of(read_field(self.idle(), name, index)); },
             py::arg("name"), py::arg("index"))
        .def("_write_field", [](SharedCore& self, std::string_view name, unsigned index,
                                std::uint32_t value) { value_of(write_field(self.idle(), name, index, value)); },
             py::arg("name"), py::arg("index"), py::arg("value"))
        .def("_field_space",
             [](SharedCore& self, std::string_view name) {
                 return tessera::name(value_of(find_register_field(name, self.idle().arch())).space);
             },
             py::arg("name"))
        .def("_field_names", [](SharedCore& self) {
            std::vector<std::string_view> names;
            for (const auto& field : register_fields(self.idle().arch())) names.push_back(field.name);
            return names;
        });
}

}  // namespace tessera::python
