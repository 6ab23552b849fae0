// SPDX-License-Identifier: Apache-2.0
// The trace as JSON lines; docs/reference/trace-lines.md lists all fields. Fields that do not apply are absent.
#include <nlohmann/json.hpp>

#include "tessera/assembly.hpp"
#include "trace/names.hpp"
#include "trace/observer.hpp"

namespace tessera {

std::string_view trace_format() { return "tessera-trace-2"; }

namespace trace {

namespace {

using Json = nlohmann::ordered_json;

std::string_view name(Wait::Who who) {
    constexpr std::string_view names[] = {"core", "front end", "unit"};
    return names[static_cast<std::size_t>(who)];
}

class Lines final : public Observer {
public:
    Lines(const Subject& subject, TraceSink sink, bool writes)
        : subject_(subject), sink_(std::move(sink)), writes_(writes), begun_(subject.tile != nullptr) {
        if (const GridTile* const tile = subject.tile)
            tile_ = "\"tile\":[" + std::to_string(tile->column) + "," + std::to_string(tile->row) + "],";
    }

    bool wants_writes() const override { return writes_; }

    void event(const Event& event) override {
        Json line = {{"kind", "instruction"}, {"number", event.number}};
        report_place(line, event.thread, event.index, event.position, event.core, event.pc);
        if (event.command)
            line["command"] = true;
        else
            line["word"] = event.word;
        line["instruction"] = event.instruction;
        line["unit"] = event.unit;
        line["pushed"] = event.pushed;
        line["gate"] = event.gate;
        line["issue"] = event.issue;
        line["ready"] = event.ready;
        line["start"] = event.start;
        line["land"] = event.land;
        line["end"] = event.end;
        line["occupancy"] = event.occupancy;
        line["latency"] = event.latency;
        line["reads"] = ranges(event.reads);
        line["writes"] = ranges(event.writes);
        line["exact"] = event.exact;
        give(line);
    }

    void wait(const Wait& wait) override {
        Json line = {{"kind", "wait"}, {"who", name(wait.who)}};
        if (!wait.unit.empty()) line["unit"] = wait.unit;
        if (wait.number >= 0) line["number"] = wait.number;
        report_place(line, wait.thread, wait.index, wait.position, wait.core, wait.pc);
        if (wait.word) {
            line["word"] = wait.word;
            line["instruction"] = disassemble(wait.word, subject_.job.arch);
        }
        line["for"] = wait.kind;
        line["reason"] = wait.reason;
        line["begin"] = wait.begin;
        line["end"] = wait.end;
        line["over"] = wait.over;
        if (const Initiator& by = wait.ended_by; by != Initiator{}) {
            Json& ended_by = line["ended_by"] = Json::object();
            if (by.number >= 0) ended_by["number"] = by.number;
            report_place(ended_by, by.thread, by.index, -1, by.core, by.pc);
        }
        give(line);
    }

    void write(const Write& write) override {
        if (write.elements.empty()) return;
        Json line = {{"kind", "write"}, {"cycle", write.cycle}, {"by_core", write.by_core}};
        if (write.by_host) line["by_host"] = true;
        if (write.by_packet) line["by_packet"] = true;
        if (write.number >= 0) line["number"] = write.number;
        report_place(line, write.thread, write.index, write.position, write.core, write.pc);
        if (!write.by_core) line["word"] = write.word;
        line["elements"] = values(write.elements);
        give(line);
    }

    void finish(const Run& run) override {
        for (const Finding& finding : run.findings) {
            Json line = diagnosis("finding", finding);
            line["level"] = tessera::name(finding.level);
            line["count"] = finding.count;
            give(line);
        }
        if (run.fault) {
            Json line = diagnosis("fault", *run.fault);
            for (const NamedValue& one : run.fault->registers) line["registers"][one.name] = one.value;
            give(line);
        }
        for (const Blocked& blocked : run.blocked) give(to_json(blocked));
        give({{"kind", subject_.tile ? "tile_end" : "end"}, {"cycles", run.cycles}, {"instructions", run.instructions}, {"good", run.good()}});
    }

private:
    static Json diagnosis(const char* kind, const Diagnosis& diagnosis) {
        const Where& where = diagnosis.where;
        Json line = {{"kind", kind}, {"code", diagnosis.code}, {"message", diagnosis.message}, {"cycle", where.cycle}};
        if (where.thread >= 0) line["thread"] = where.thread;
        if (where.index >= 0) line["index"] = where.index;
        if (where.position >= 0) line["position"] = where.position;
        if (!where.core.empty()) line["core"] = where.core;
        if (where.pc >= 0) line["pc"] = where.pc;
        report_code(line, where.place, where.frames);
        if (!where.instruction.empty()) line["instruction"] = where.instruction;
        Json& values = line["values"] = Json::object();
        for (const NamedValue& value : diagnosis.values) values[value.name] = value.value;
        return line;
    }

    static Json to_json(const Blocked& blocked) {
        Json line = {{"kind", "blocked"}, {"who", blocked.who}, {"finished", blocked.finished}};
        if (blocked.finished) {
            if (blocked.in_reset) line["in_reset"] = true;
            if (!blocked.instruction.empty()) line["instruction"] = blocked.instruction;
            if (!blocked.place.empty()) line["place"] = blocked.place;
            return line;
        }
        line["waits_for"] = blocked.waits_for;
        if (blocked.since != no_cycle) line["since"] = blocked.since;
        if (!blocked.holder.empty()) line["holder"] = blocked.holder;
        if (!blocked.last_touched.empty()) line["last_touched"] = blocked.last_touched;
        if (!blocked.instruction.empty()) line["instruction"] = blocked.instruction;
        if (!blocked.place.empty()) line["place"] = blocked.place;
        return line;
    }

    void report_place(Json& line, int thread, std::int64_t index, std::int64_t position, int core, std::uint32_t pc) {
        if (thread >= 0) line["thread"] = thread;
        if (index >= 0) line["index"] = index;
        if (position >= 0) line["position"] = position;
        if (core >= 0) {
            line["core"] = tessera::name(RiscvCore(core));
            line["pc"] = pc;
        }
        const CodePlace at = place_of(subject_.job, thread, index, core, pc);
        report_code(line, at.place, at.frames);
    }

    static void report_code(Json& line, const std::string& place, const std::vector<Frame>& frames) {
        if (!place.empty()) line["place"] = place;
        if (frames.size() < 2) return;
        for (const Frame& frame : frames)
            line["frames"].push_back({{"function", frame.function}, {"place", frame.place}});
    }

    Json ranges(const std::vector<ElementRange>& list) const {
        Json json = Json::array();
        for (const ElementRange& range : list)
            json.push_back({subject_.core.sections()[range.section].name, range.first, range.count});
        return json;
    }

    /// Neighbouring elements become a range with a list of values.
    Json values(std::span<const StateElement> elements) const {
        Json json = Json::array();
        const StateElement* last = nullptr;
        for (const StateElement& element : elements) {
            const bool next = last && last->section == element.section && last->element + 1 == element.element;
            if (!next) json.push_back({subject_.core.sections()[element.section].name, element.element, Json::array()});
            json.back()[2].push_back(element.value);
            last = &element;
        }
        return json;
    }

    void give(const Json& line) {
        if (!begun_) {
            begun_ = true;
            Json header = {{"kind", "header"},
                           {"format", trace_format()},
                           {"arch", tessera::name(subject_.job.arch)},
                           {"job", subject_.job.file},
                           {"timing", tessera::name(subject_.options.timing)},
                           {"reference", subject_.options.reference}};
            if (subject_.options.seed) header["seed"] = *subject_.options.seed;
            give(header);
        }
        std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
        // Behind the kind, which each line begins with.
        if (!tile_.empty()) text.insert(text.find(',') + 1, tile_);
        sink_(text);
    }

    Subject subject_;
    TraceSink sink_;
    bool writes_;
    bool begun_;
    std::string tile_;  ///< of a grid
};

}  // namespace

std::unique_ptr<Observer> make_lines(const Subject& subject, TraceSink sink, bool writes) {
    return std::make_unique<Lines>(subject, std::move(sink), writes);
}

}  // namespace trace

}  // namespace tessera
