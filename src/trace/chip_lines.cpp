// SPDX-License-Identifier: Apache-2.0
// The trace of a chip as JSON lines: those of each tile with the tile's column and row, and packets.
#include <nlohmann/json.hpp>

#include "trace/chip_form.hpp"

namespace tessera {

std::string_view chip_trace_format() { return "tessera-chip-trace-1"; }

namespace trace {

namespace {

class ChipLines final : public ChipForm {
    using Json = nlohmann::ordered_json;

public:
    ChipLines(const ChipSubject& subject, TraceSink sink) : subject_(subject), sink_(std::move(sink)) {}

    void tile(unsigned, const std::string& text) override {
        begin();
        sink_(text);
    }

    void packet(const PacketEvent& packet) override {
        Json line = {{"kind", "packet"},
                     {"noc", packet.noc},
                     {"what", packet.kind},
                     {"from", place(packet.from)},
                     {"to", place(packet.to)},
                     {"sent", packet.sent},
                     {"arrived", packet.arrived},
                     {"address", packet.address},
                     {"bytes", packet.bytes},
                     {"asked_by", place(packet.asked_by)},
                     {"core", tessera::name(packet.core)},
                     {"pc", packet.pc},
                     {"request", packet.request}};
        const CodePlace at = subject_.code_place(packet.asked_by, packet.core, packet.pc);
        if (!at.place.empty()) line["place"] = at.place;
        give(line);
    }

    void finish(const ChipRun& run) override {
        // A fault at a tile is among that tile's lines, too; a deadlock of all tiles is only here.
        if (run.fault) give({{"kind", "fault"}, {"code", run.fault->code}, {"message", run.fault->message}, {"cycle", run.fault->where.cycle}});
        give({{"kind", "end"}, {"cycles", run.cycles}, {"packets", run.packets}, {"good", run.good()}});
    }

private:
    static Json place(NocPlace at) { return {at.x, at.y}; }

    void begin() {
        if (begun_) return;
        begun_ = true;
        const ChipJob& job = subject_.job;
        Json header = {{"kind", "header"},
                       {"format", chip_trace_format()},
                       {"arch", tessera::name(job.arch)},
                       {"job", job.file},
                       {"timing", tessera::name(subject_.options.timing)}};
        if (subject_.options.seed) header["seed"] = *subject_.options.seed;
        header["grid"] = {subject_.places.columns(), subject_.places.rows()};
        give(header);
    }

    void give(const Json& line) {
        begin();
        sink_(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    }

    const ChipSubject& subject_;
    TraceSink sink_;
    bool begun_ = false;
};

}  // namespace

std::unique_ptr<ChipForm> make_chip_lines(const ChipSubject& subject, TraceSink sink) {
    return std::make_unique<ChipLines>(subject, std::move(sink));
}

}  // namespace trace

}  // namespace tessera
