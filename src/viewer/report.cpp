// SPDX-License-Identifier: Apache-2.0
#include "viewer/report.hpp"

#include "tessera/registers.hpp"

namespace tessera::viewer {

namespace {

Json diagnosis(const Diagnosis& one, const Paths& paths) {
    Json values = Json::object();
    for (const NamedValue& value : one.values) values[value.name] = value.value;
    const Where& where = one.where;
    return {{"code", one.code},
            {"message", paths.shorten(one.message)},
            {"thread", where.thread},
            {"index", where.index},
            {"position", where.position},
            {"cycle", where.cycle},
            {"instruction", where.instruction},
            {"place", paths.shorten(where.place)},
            {"inlined", where.frames.size() > 1 ? paths.shorten(where.describe_place()) : std::string()},
            {"core", where.core},
            {"pc", where.pc},
            {"function", where.function},
            {"values", std::move(values)},
            {"hardware", one.hardware},
            {"cure", one.cure},
            {"source", one.source}};
}

Json blocked(const Blocked& one, const Paths& paths) {
    return {{"who", one.who},
            {"finished", one.finished},
            {"in_reset", one.in_reset},
            {"runs", one.runs()},
            {"waits_for", paths.shorten(one.waits_for)},
            {"holder", paths.shorten(one.holder)},
            {"since", one.since == no_cycle ? Json() : Json(one.since)},
            {"last_touched", paths.shorten(one.last_touched)},
            {"instruction", one.instruction},
            {"place", paths.shorten(one.place)}};
}

}  // namespace

Json report(const Run& run, const Paths& paths) {
    Json json = {{"cycles", run.cycles}, {"good", run.good()}, {"instructions", run.instructions}};
    for (const char* list : {"units", "waits", "findings", "blocked"}) json[list] = Json::array();
    for (const UnitUse& unit : run.units)
        json["units"].push_back({{"unit", unit.unit}, {"instructions", unit.instructions}, {"busy", unit.busy}});
    for (const WaitUse& wait : run.waits)
        json["waits"].push_back({{"thread", wait.thread}, {"reason", wait.reason}, {"cycles", wait.cycles}});
    for (const Finding& finding : run.findings) {
        Json one = diagnosis(finding, paths);
        one["level"] = name(finding.level);
        one["count"] = finding.count;
        json["findings"].push_back(std::move(one));
    }
    json["fault"] = nullptr;
    if (run.fault) {
        json["fault"] = diagnosis(*run.fault, paths);
        Json& registers = json["fault"]["registers"] = Json::object();
        for (const NamedValue& one : run.fault->registers) registers[one.name] = one.value;
    }
    for (const Blocked& one : run.blocked) json["blocked"].push_back(blocked(one, paths));
    return json;
}

Json describe(const Job& job) {
    Json json = {{"file", job.file},
                 {"arch", name(job.arch)},
                 {"timing", name(job.options.timing)},
                 {"reference", job.options.reference},
                 // A text, since numbers of a browser have 53 bits.
                 {"seed", job.options.seed ? Json(std::to_string(*job.options.seed)) : Json(nullptr)},
                 {"kernels", job.kernels.has_value()},
                 {"loaded", Json::array()},
                 {"outputs", Json::array()}};
    for (const Job::Region& region : job.l1)
        json["loaded"].push_back({{"address", region.address}, {"bytes", region.bytes.size()}});
    for (const Job::Output& output : job.outputs)
        if (!output.size)
            json["outputs"].push_back({{"address", output.address},
                                       {"rows", output.rows},
                                       {"cols", output.cols},
                                       {"format", name(output.format)},
                                       {"layout", name(output.form.layout)}});
    return json;
}

Json fields(Arch arch) {
    Json all = Json::array();
    for (const RegisterField& field : register_fields(arch))
        if (field.kind != FieldKind::whole)
            all.push_back({field.space == RegisterSpace::thread ? 1 : 0, field.addr32, field.lo, field.width,
                           field.name, name(field.kind)});
    return all;
}

Json data_formats() {
    Json names = Json::object();
    for (const DataFormat format : all_data_formats)
        names[std::to_string(static_cast<unsigned>(format))] = name(format);
    return names;
}

}  // namespace tessera::viewer
