// SPDX-License-Identifier: Apache-2.0
// Chips: made, loaded, run. tessera/chip.py adds tiles and DRAM as objects.
#include "tessera/chip.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "matrices.hpp"
#include "portable.hpp"
#include "shared_chip.hpp"
#include "tessera/chip_job.hpp"
#include "tessera/state_digest.hpp"

namespace tessera::python {

namespace {

using Pair = std::pair<unsigned, unsigned>;

/// Sources of a new chip: an architecture's name, or a job.
using ChipSource = std::variant<std::string, const ChipJob*>;

std::unique_ptr<SharedChip> make_chip(const ChipSource& source, const std::optional<Pair>& grid, const std::vector<unsigned>& harvested,
                                      bool translation, const std::optional<std::string>& reset) {
    if (const auto* const* job = std::get_if<const ChipJob*>(&source)) {
        if (!*job) raise_type("a chip is made for an architecture, or of a ChipJob, not of None");
        if (grid || !harvested.empty() || translation || reset)
            raise_value("'grid', 'harvested', 'translation' and 'reset' need an architecture's name: a ChipJob has its own");
        return std::make_unique<SharedChip>(value_of(prepare(**job)), (*job)->options);
    }
    ChipOptions options;
    if (grid) options.grid = ChipOptions::Size{grid->first, grid->second};
    options.harvested = harvested;
    options.translation = translation;
    options.reset = to_reset(reset.value_or("silicon"));
    return std::make_unique<SharedChip>(value_of(Chip::make(to_arch(std::get<std::string>(source)), options)));
}

/// All tiles, or none: which tiles there are is known before the first one is loaded, and other errors come with the first one.
void load_tiles(SharedChip& self, const std::vector<unsigned>& columns, const std::vector<unsigned>& rows, const Kernels& kernels) {
    Chip& chip = self.idle();
    for (const unsigned row : rows)
        for (const unsigned column : columns) value_of(chip.place(column, row));
    for (const unsigned row : rows)
        for (const unsigned column : columns) value_of(chip.load(column, row, kernels));
}

void write_dram(SharedChip& self, unsigned channel, std::uint64_t address, const py::buffer& data) {
    const BufferBytes bytes(data);
    value_of(self.idle().write_dram(channel, address, bytes.span()));
}

void bind_chip_outputs(py::class_<SharedChip>& chip) {
    chip.def(
            "read_outputs",
            [](SharedChip& self, const ChipJob& job) { return arrays_of(value_of(read_outputs(job, self.idle()))); },
            py::arg("job"),
            R"(The outputs of a ChipJob that this chip has run, in the order of ChipJob.outputs, as a list of arrays.

An array is one of float32, or of int64 for an integer format; raw bytes are one of uint8.

Raises Error 'run.arch' for a job of another architecture, and 'chip.grid' for one with more columns or rows.)")
        .def(
            "digest", [](SharedChip& self) { return fmt::format("{:016x}", state_digest(self.idle())); },
            R"(A digest of the state of all tiles and of DRAM, as 16 hexadecimal digits. See Core.digest().)")
        .def(
            "write_outputs", [](SharedChip& self, const ChipJob& job) { value_of(write_outputs(job, self.idle())); },
            py::arg("job"), "Writes the output files of a ChipJob that this chip has run, all or none. Raises Error.");
}

void bind_memory(py::class_<SharedChip>& chip) {
    chip.def(
            "_tile", [](SharedChip& self, unsigned column, unsigned row) { return self.tile(column, row); }, py::arg("column"),
            py::arg("row"))
        .def("_load", &load_tiles, py::arg("columns"), py::arg("rows"), py::arg("kernels"))
        .def("_dram_channels", [](SharedChip& self) { return self.idle().dram_channels(); })
        .def("_dram_bytes", [](SharedChip& self) { return self.idle().dram_bytes(); })
        .def(
            "_dram_place", [](SharedChip& self, unsigned channel) { return xy(value_of(self.idle().dram_place(channel))); },
            py::arg("channel"))
        .def("_write_dram", &write_dram, py::arg("channel"), py::arg("address"), py::arg("data"))
        .def(
            "_read_dram",
            [](SharedChip& self, unsigned channel, std::uint64_t address, std::uint64_t size) {
                return bytes_of(value_of(self.idle().read_dram(channel, address, size)));
            },
            py::arg("channel"), py::arg("address"), py::arg("size"));
}

}  // namespace

void bind_chips(py::module_& module) {
    py::class_<SharedChip> chip(module, "Chip");
    refuse_pickles(chip, "a ChipJob can be, and a copy of a tile, Core(tile)");
    chip.def(py::init(&make_chip), py::arg("arch"), py::kw_only(), py::arg("grid") = py::none(),
             py::arg("harvested") = py::tuple(), py::arg("translation") = false, py::arg("reset") = py::none())
        .def_property_readonly(
            "arch", [](SharedChip& self) { return name(self.idle().arch()); }, "'blackhole' or 'wormhole'.")
        .def_property_readonly(
            "columns", [](SharedChip& self) { return self.idle().columns(); }, "Columns of the grid.")
        .def_property_readonly(
            "rows", [](SharedChip& self) { return self.idle().rows(); }, "Rows of the grid.")
        .def_property_readonly("running", &SharedChip::running, "Whether another Python thread is in run().")
        .def("__repr__",
             [](SharedChip& self) {
                 if (self.running()) return std::string("<tessera.Chip: running>");
                 const Chip& idle = self.idle();
                 return fmt::format("<tessera.Chip: {}, {} columns, {} rows>", name(idle.arch()), idle.columns(),
                                    idle.rows());
             })
        .def(
            "place",
            [](SharedChip& self, unsigned column, unsigned row) {
                return xy(value_of(self.idle().place(column, row)));
            },
            py::arg("column"), py::arg("row"),
            "The place (x, y) of a tile, in coordinates of NoC 0. Raises Error 'chip.tile' outside of the grid.")
        .def(
            "coordinates",
            [](SharedChip& self, unsigned column, unsigned row) {
                return xy(value_of(self.idle().coordinates(column, row)));
            },
            py::arg("column"), py::arg("row"),
            R"((x, y) as kernels write them for a tile: its place, or its translated coordinates for a chip with `translation`.

Raises Error 'chip.tile' outside of the grid.)")
        .def(
            "run",
            [](SharedChip& self, unsigned threads, std::optional<std::uint64_t> seed, std::optional<std::string> timing,
               std::optional<std::uint64_t> max_cycles, const std::map<std::string, std::string>& levels,
               std::optional<PacketCallback> on_packet, std::optional<double> timeout,
               std::optional<std::uint64_t> max_memory) {
                const ChipRunArguments arguments{
                    {seed, std::move(timing), max_cycles, levels, false, true, {timeout, max_memory}}, threads, std::move(on_packet)};
                return self.exclusively([&](Chip& one) { return run_chip(one, self.options(), arguments); });
            },
            py::kw_only(), py::arg("threads") = 1, py::arg("seed") = py::none(), py::arg("timing") = py::none(),
            py::arg("max_cycles") = py::none(), py::arg("levels") = py::dict(), py::arg("on_packet") = py::none(),
            py::arg("timeout") = py::none(), py::arg("max_memory") = py::none(),
            R"(Runs the loaded kernels of all tiles until all are done. Returns a ChipRun.

threads     of the host; their number changes no result
on_packet   a function that gets a Packet for each packet, once its arrival is known. An exception that it raises ends the run. It
            must not use the chip

What is on its way between tiles when a run ends early is lost.

seed, timing, max_cycles, levels, timeout and max_memory are those of Core.run(), for each tile. Those that are not given come from the ChipJob, if the
chip was made of one.

Raises ChipFault if the run ends with a fault. All tiles stay as they were, and ChipFault.run is the ChipRun. Raises Error before
anything has run: 'chip.timing' for 'functional' and 'instant' timing, 'run.busy' for a chip that is running; InputError for other
values. Other Python threads run meanwhile. Ctrl-C raises KeyboardInterrupt.)");
    bind_memory(chip);
    bind_chip_outputs(chip);
}

}  // namespace tessera::python
