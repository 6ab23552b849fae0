// SPDX-License-Identifier: Apache-2.0
#include "reports/json.hpp"

#include <fmt/format.h>

namespace tessera::cli {

namespace {

Json at_cycle(std::uint64_t cycle) { return cycle == no_cycle ? Json(nullptr) : Json(cycle); }

}  // namespace

Json to_json(const UnitUse& unit) {
    return {{"unit", unit.unit}, {"instructions", unit.instructions}, {"busy", unit.busy}};
}

Json to_json(const WaitUse& wait) {
    return {{"thread", wait.thread}, {"reason", wait.reason}, {"cycles", wait.cycles}};
}

Json to_json(const ThreadUse& use) {
    return {{"thread", use.thread}, {"waiting", use.waiting}, {"what", use.what}, {"cycles", use.cycles}};
}

Json to_json(const Window& window) {
    return {{"instruction", window.instruction},
            {"count", window.count},
            {"first", window.first},
            {"cycles", window.cycles},
            {"units", json_list(window.units)},
            {"threads", json_list(window.threads)}};
}

Json to_json(const Blocked& blocked) {
    return {{"who", blocked.who},
            {"finished", blocked.finished},
            {"waits_for", blocked.waits_for},
            {"holder", blocked.holder},
            {"since", at_cycle(blocked.since)},
            {"last_touched", blocked.last_touched},
            {"instruction", blocked.instruction},
            {"place", blocked.place},
            {"in_reset", blocked.in_reset}};
}

Json to_json(const HostRead& read) {
    std::string hex;
    for (const std::byte byte : read.bytes) hex += fmt::format("{:02x}", static_cast<unsigned>(byte));
    return {{"step", read.step}, {"cycle", at_cycle(read.cycle)}, {"address", read.address}, {"hex", hex}};
}

Json to_json(const Frame& frame) { return {{"function", frame.function}, {"place", frame.place}}; }

Json to_json(const Explanation::Line& line) {
    return {{"topic", line.topic}, {"name", line.name}, {"value", line.value}};
}

Json to_json(const Diagnosis& diagnosis) {
    Json values = Json::object();
    for (const NamedValue& value : diagnosis.values) values[value.name] = value.value;
    const Where& where = diagnosis.where;
    return {{"code", diagnosis.code},
            {"message", diagnosis.message},
            {"thread", where.thread},
            {"index", where.index},
            {"position", where.position},
            {"cycle", at_cycle(where.cycle)},
            {"instruction", where.instruction},
            {"place", where.place},
            {"core", where.core},
            {"pc", where.pc},
            {"function", where.function},
            {"frames", json_list(where.frames)},
            {"values", std::move(values)},
            {"hardware", diagnosis.hardware},
            {"cure", diagnosis.cure},
            {"source", diagnosis.source}};
}

Json to_json(const Finding& finding) {
    Json json = to_json(static_cast<const Diagnosis&>(finding));
    json["level"] = name(finding.level);
    json["count"] = finding.count;
    return json;
}

Json to_json(const Fault& fault) {
    Json json = to_json(static_cast<const Diagnosis&>(fault));
    for (const NamedValue& one : fault.registers) json["registers"][one.name] = one.value;
    return json;
}

Json maybe(const std::optional<Fault>& fault) { return fault ? to_json(*fault) : Json(); }

Json to_json(const Explanation& explanation) {
    return {{"thread", explanation.thread},
            {"index", explanation.index},
            {"cycle", explanation.cycle},
            {"instruction", explanation.instruction},
            {"place", explanation.place},
            {"lines", json_list(explanation.lines)},
            {"elements", json_list(explanation.elements)}};
}

Json to_json(const Run& run) {
    return {{"good", run.good()},
            {"cycles", run.has_clock ? Json(run.cycles) : Json(nullptr)},
            {"instructions", run.instructions},
            {"by_reference", run.by_reference},
            {"units", json_list(run.units)},
            {"overlapped", run.has_clock ? Json(run.overlapped) : Json(nullptr)},
            {"waits", json_list(run.waits)},
            {"window", run.window ? to_json(*run.window) : Json(nullptr)},
            {"findings", json_list(run.findings)},
            {"fault", maybe(run.fault)},
            {"blocked", json_list(run.blocked)},
            {"host_reads", json_list(run.host_reads)}};
}

std::string to_text(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::cli
