// SPDX-License-Identifier: Apache-2.0
// Runs of chips: their results, and packets on their way.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "portable.hpp"
#include "shared_chip.hpp"

namespace tessera::python {

namespace {

void bind_packets(py::module_& module) {
    py::class_<PacketEvent> bound(module, "Packet", "A packet that has travelled: what Chip.run() gives to `on_packet`.");
    refuse_pickles(bound, "its members can be");
    const auto place = [](auto member) { return [member](const PacketEvent& packet) { return xy(packet.*member); }; };
    bound.def_readonly("noc", &PacketEvent::noc, "0 or 1.")
        .def_property_readonly(
            "kind", [](const PacketEvent& packet) { return std::string(packet.kind); },
            "'read', 'write', 'inline write', 'atomic', 'read response', 'write ack' or 'atomic response'.")
        .def_property_readonly("source", place(&PacketEvent::from), "(x, y) of the NIU that sent it.")
        .def_property_readonly("target", place(&PacketEvent::to), "(x, y) of the NIU that received it.")
        .def_readonly("sent", &PacketEvent::sent, "Cycle in which its first flit reached the router of its source.")
        .def_readonly("arrived", &PacketEvent::arrived, "Cycle in which its last flit reached the NIU.")
        .def_readonly("address", &PacketEvent::address, "In the tile that received it.")
        .def_readonly("bytes", &PacketEvent::bytes, "Of data; in a read, those asked for.")
        .def_property_readonly("asked_by", place(&PacketEvent::asked_by), "(x, y) of the tile whose core asked for the request.")
        .def_property_readonly(
            "core", [](const PacketEvent& packet) { return std::string(name(packet.core)); }, "That core: 'brisc'.")
        .def_readonly("pc", &PacketEvent::pc, "Address of the core's instruction that wrote NOC_CMD_CTRL.")
        .def_readonly("request", &PacketEvent::request, "Counts the requests of `asked_by` on that NoC, from 1.")
        .def("__repr__", [](const PacketEvent& packet) {
            return fmt::format("<tessera.Packet: {}, NoC {}, ({}, {}) to ({}, {}), cycles {} to {}>", packet.kind, packet.noc,
                               packet.from.x, packet.from.y, packet.to.x, packet.to.y, packet.sent, packet.arrived);
        });
}

/// Calls a Python function for packets, from a thread without the GIL, until it raises an exception.
class PacketWatch {
public:
    explicit PacketWatch(const std::optional<PacketCallback>& callback) : callback_(callback) {}
    std::function<void(const PacketEvent&)> function() {
        if (!callback_) return {};
        return [this](const PacketEvent& packet) { call(packet); };
    }
    bool failed() const { return failed_; }
    void raise() {
        if (raised_) throw py::error_already_set(*std::exchange(raised_, std::nullopt));
    }

private:
    void call(const PacketEvent& packet) {
        if (failed_) return;
        const Caller::Work work(caller_);
        const WithGil with_gil;
        try {
            (*callback_)(packet);
        } catch (const py::error_already_set& raised) {
            raised_.emplace(raised);
            failed_ = true;
        }
    }

    const Caller caller_;
    const std::optional<PacketCallback>& callback_;
    std::optional<py::error_already_set> raised_;
    std::atomic<bool> failed_ = false;
};

}  // namespace

ChipRun run_chip(Chip& chip, const RunOptions& base, const ChipRunArguments& arguments) {
    PacketWatch packets(arguments.on_packet);
    ChipRunOptions options;
    options.tile = arguments.tile.over(base);
    // More would have nothing to do.
    options.threads = std::min(arguments.threads, chip.columns() * chip.rows() + chip.dram_channels());
    options.on_packet = packets.function();
    ChipRun run = stoppable([&](const std::atomic<bool>* stop) {
        options.tile.interrupt = [&packets, stop] { return stop->load(std::memory_order_relaxed) || packets.failed(); };
        return chip.run(options);
    });
    packets.raise();
    if (run.fault) raise(run);
    return run;
}

void bind_chip_runs(py::module_& module) {
    bind_packets(module);
    py::class_<TileRun> tile(module, "TileRun", "The report of a tile of a chip: a part of a ChipRun.");
    make_portable<TileRun>(tile);
    tile.def_readonly("column", &TileRun::column, "Of the grid.")
        .def_readonly("row", &TileRun::row, "Of the grid.")
        .def_property_readonly(
            "place", [](const TileRun& of) { return xy(of.place); }, "(x, y) in the NoC.")
        .def_readonly("run", &TileRun::run, "Its Run, with findings.")
        .def("__repr__", [](const TileRun& of) {
            return fmt::format("<tessera.TileRun: column {}, row {}, {} cycles, {} findings{}>", of.column, of.row, of.run.cycles,
                               of.run.findings.size(), of.run.fault ? ", fault " + of.run.fault->code : "");
        });
    py::class_<ChipRun> bound(module, "ChipRun", "The report of a chip's run: the result of Chip.run().");
    make_portable<ChipRun>(bound);
    bound
        .def_readonly("cycles", &ChipRun::cycles,
                      "Until the run ended: when all tiles were done, the first cycle in which they were; otherwise "
                      "the last act.")
        .def_property_readonly(
            "fault", [](const ChipRun& run) { return run.fault; },
            "A FaultDiagnosis, whose message names the tile; or None.")
        .def_readonly("tiles", &ChipRun::tiles,
                      "A TileRun of each tile that had kernels or received something, row by row.")
        .def_readonly("packets", &ChipRun::packets, "How many travelled.")
        .def_property_readonly("good", &ChipRun::good, "Whether there is no fault and no finding at level 'error'.")
        .def_property_readonly("cut_short", &ChipRun::cut_short, "Run.cut_short of any tile.")
        .def("describe_waits", &ChipRun::describe_waits,
             "After a deadlock or max_cycles: which tile waits for which other one, and why, in lines; '' otherwise.")
        .def("describe_blocked", &ChipRun::describe_blocked,
             "The blocked actors of tiles as tables, one for all tiles that wait at the same places; '' if there are "
             "none.")
        .def("__repr__", [](const ChipRun& run) {
            return fmt::format("<tessera.ChipRun: {} cycles, {} tiles, {} packets{}>", run.cycles, run.tiles.size(), run.packets,
                               run.fault ? ", fault " + run.fault->code : "");
        });
}

}  // namespace tessera::python
