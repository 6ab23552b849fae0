// SPDX-License-Identifier: Apache-2.0
// Large memories as numpy views; copies where a view cannot show the value.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string_view>

#include "shared_core.hpp"

namespace tessera::python {

namespace {

/// Rows of 16 datums. Their memory stays in place while `owner` lives.
template <class Shown, class Datum>
py::array_t<Shown> banks_of(const std::array<std::span<Datum>, 2>& banks, const py::object& owner) {
    static_assert(sizeof(Shown) == sizeof(Datum));
    const auto address = [](const std::span<Datum>& bank) { return reinterpret_cast<std::intptr_t>(bank.data()); };
    const py::ssize_t columns = 16, size = sizeof(Datum), apart = address(banks[1]) - address(banks[0]);
    const auto rows = static_cast<py::ssize_t>(banks[0].size()) / columns;
    return py::array_t<Shown>({py::ssize_t{2}, rows, columns}, {apart, columns * size, size},
                              reinterpret_cast<const Shown*>(banks[0].data()), owner);
}

py::array_t<float> dst_tile(SharedCore& core, unsigned tile, const Format& format) {
    const auto values = value_of(core.idle().dst_tile(tile, to_format(format)));
    py::array_t<float> array({32, 32});
    std::copy(values.begin(), values.end(), array.mutable_data());
    return array;
}

py::array_t<std::uint32_t> dst_words(SharedCore& core) {
    const auto words = core.idle().dst_words();
    py::array_t<std::uint32_t> array({words.size() / 16, std::size_t{16}});
    std::copy(words.begin(), words.end(), array.mutable_data());
    return array;
}

/// Refuses what Core::mark_written() ignores.
void check_marked(const Section& section, std::size_t first, std::size_t count) {
    constexpr std::string_view tracked[] = {"l1", "src_a", "src_b", "dst"};
    if (std::ranges::find(tracked, section.name) == std::end(tracked))
        raise_value(fmt::format("mark_written() takes 'l1', 'src_a', 'src_b' or 'dst', not '{}'", section.name));
    if (first > section.size || count > section.size - first)
        raise_position(fmt::format("{} has {} elements: there are not {} from {} on", section.name, section.size, count, first));
}

}  // namespace

void bind_memories(py::class_<SharedCore>& core) {
    core.def_property_readonly(
            "l1",
            [](py::object self) {
                const auto bytes = self.cast<SharedCore&>().idle().l1();
                return py::array_t<std::uint8_t>({static_cast<py::ssize_t>(bytes.size())}, {py::ssize_t{1}}, bytes.data(),
                                                 self);
            },
            R"(L1 itself, as uint8 of shape (size,): 1536 KiB on Blackhole, 1464 KiB on Wormhole. Not a copy.

What is stored through the view does not count as written, so that reading it is noted as
'state.read-before-write' (level info) unless mark_written('l1', first, count) says so;
write_l1() does both. Like all views it keeps the core alive, and must not be used while the
core runs.)")
        .def_property_readonly(
            "src_a", [](py::object self) { return banks_of<float>(self.cast<SharedCore&>().idle().src_a(), self); },
            R"(SrcA itself, as float32 of shape (2, 64, 16): bank, row, column. Not a copy.

A datum is kept as the upper 19 bits of an FP32 (docs/internals/layout.md), so TF32 and BF16 values are
seen as they are; FP16 ones have their five bits of exponent at the low end of eight, and
view(numpy.uint32) shows the bits. Bits beyond the 19 that are stored here are dropped when the
next run begins. Storing changes neither what counts as written (mark_written('src_a', first,
count), in datums over both banks) nor whose a bank is: state['bank_owner']['src_a', bank] is 0
for the unpackers and 1 for the matrix unit, which reads a bank only when it has it.)")
        .def_property_readonly(
            "src_b", [](py::object self) { return banks_of<float>(self.cast<SharedCore&>().idle().src_b(), self); },
            "SrcB itself, as float32 of shape (2, 64, 16); like src_a otherwise.")
        .def_property_readonly(
            "dst",
            [](py::object self) {
                const auto datums = self.cast<SharedCore&>().idle().dst();
                return py::array_t<std::uint16_t>({static_cast<py::ssize_t>(datums.size()) / 16, py::ssize_t{16}},
                                                  {py::ssize_t{32}, py::ssize_t{2}}, datums.data(), self);
            },
            R"(Dst itself, as uint16 of shape (1024, 16): the patterns of BF16. Not a copy.

An FP16 has its bits in another order here, and a 32-bit value takes two rows (docs/internals/layout.md):
see dst_tile() and dst_words(). A row that is not valid reads as zero for units, whatever this
view shows: state['dst_valid'][row] tells and sets that, 1 for valid. Storing through the view
changes neither validity nor what counts as written (mark_written('dst', first, count), in
datums).)")
        .def("dst_tile", &dst_tile, py::arg("tile"), py::arg("format"),
             R"(The 32x32 tile at `tile` of Dst as a copy, float32 of shape (32, 32).

`tile` is 0 to 15, or 0 to 7 for the 32-bit formats; `format` Float32, Tf32, Float16 or
Float16_b. Rows that are not valid read as zero. Raises Error 'dst.format', 'dst.range'.)")
        .def("dst_words", &dst_words,
             R"(Dst in the 32-bit view as a copy, uint32 of shape (512, 16).

Patterns of FP32, or integers as hardware keeps them. Rows that are not valid read as zero.)")
        .def(
            "_write_l1",
            [](SharedCore& self, std::uint64_t address, const py::buffer& data, const std::optional<Format>& format,
               bool compressed) {
                const BufferBytes bytes(data);
                Core& core_now = self.idle();
                value_of(format ? core_now.write_l1(address, bytes.span(), to_format(*format), compressed)
                                : core_now.write_l1(address, bytes.span()));
            },
            py::arg("address"), py::arg("data"), py::arg("format") = py::none(), py::arg("compressed") = false)
        .def(
            "l1_formats",
            [](SharedCore& self, std::uint64_t address, std::uint64_t length) {
                std::vector<std::tuple<std::uint32_t, std::uint32_t, KnownFormat>> formats;
                for (const L1Format& piece : value_of(self.idle().l1_formats(address, length)))
                    formats.emplace_back(piece.first, piece.last, known_format(piece.format));
                return formats;
            },
            py::arg("address"), py::arg("length"),
            R"(What is known of the formats of these bytes of L1: (first byte, last byte, DataFormat), ascending.

Known are formats given to write_l1(), and those that packers have written in. Bytes that anything
else has written to have none, nor has any byte after a run with timing='functional'. Raises
Error 'l1.range'.)")
        .def(
            "mark_written",
            [](SharedCore& self, std::string_view section, std::size_t first, std::size_t count) {
                Core& core_now = self.idle();
                const Section& marked = *value_of(core_now.find_section(section));
                check_marked(marked, first, count);
                core_now.mark_written(marked, first, count);
            },
            py::arg("section"), py::arg("first"), py::arg("count"),
            R"(Counts elements of 'l1', 'src_a', 'src_b' or 'dst' as written, in whole lines of 16 bytes or
whole rows.

Raises Error 'state.unknown-section'; InputError for another section; PositionError for elements that it does not have.)");
}

}  // namespace tessera::python
