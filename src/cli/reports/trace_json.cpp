// SPDX-License-Identifier: Apache-2.0
#include "reports/trace_json.hpp"

namespace tessera::cli {

namespace {

Json to_json(const UnitReport& unit) {
    return {{"unit", unit.unit},
            {"instructions", unit.instructions},
            {"busy", unit.busy},
            {"waiting", unit.waiting},
            {"idle", unit.idle},
            {"first", unit.first},
            {"last", unit.last},
            {"documented", unit.documented},
            {"measured", unit.measured},
            {"assumed", unit.assumed},
            {"instruction", unit.instruction},
            {"occupancy", unit.occupancy}};
}

Json to_json(const ThreadReport& thread) {
    Json json = {
        {"thread", thread.thread}, {"issuing", thread.issuing}, {"idle", thread.idle}, {"waits", Json::array()}};
    for (const auto& wait : thread.waits)
        json["waits"].push_back(
            {{"for", wait.kind}, {"reason", wait.reason}, {"count", wait.count}, {"cycles", wait.cycles}});
    return json;
}

Json to_json(const PathStep& step) {
    Json json = {
        {"what", name(step.what)}, {"begin", step.begin}, {"end", step.end}, {"who", step.who}, {"text", step.text}};
    if (step.thread >= 0) json["thread"] = step.thread;
    if (step.number >= 0) json["number"] = step.number;
    return json;
}

Json to_json(const Passage::Stage& stage) { return {{"begin", stage.begin}, {"end", stage.end}}; }

Json to_json(const Passage& passage) {
    Json json = Json::object();
    if (passage.unpack) json["unpack"] = to_json(*passage.unpack);
    if (passage.math) json["math"] = to_json(*passage.math);
    json["pack"] = to_json(passage.pack);
    json["packs"] = passage.packs;
    if (passage.address) json["address"] = *passage.address;
    return json;
}

constexpr auto as_json = [](const auto& element) { return to_json(element); };

}  // namespace

Json to_json(const TraceReport& report) {
    return {{"cycles", report.cycles},
            {"units", json_list(report.units, as_json)},
            {"threads", json_list(report.threads, as_json)},
            {"path", json_list(report.path, as_json)},
            {"passages", json_list(report.passages, as_json)}};
}

}  // namespace tessera::cli
