// SPDX-License-Identifier: Apache-2.0
#include "reports/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "reports/documentation.hpp"
#include "tessera/finding_catalogue.hpp"
#include "tessera/op_place.hpp"
#include "tessera/related.hpp"
#include "tessera/version.hpp"

namespace tessera::cli {

namespace {

Json text_of(std::string text) { return {{"text", std::move(text)}}; }

std::string_view level_of(Level level) { return level == Level::info ? "note" : name(level); }

/// "file:line"; without a line, the file.
Json physical(std::string_view place) {
    const std::size_t colon = place.rfind(':');
    int line = 0;
    if (colon != place.npos) {
        const std::string_view digits = place.substr(colon + 1);
        std::from_chars(digits.data(), digits.data() + digits.size(), line);
    }
    Json location = {{"artifactLocation", {{"uri", uri_of(line > 0 ? place.substr(0, colon) : place)}}}};
    if (line > 0) location["region"] = {{"startLine", line}};
    return location;
}

/// "T2 op 9", "trisc1 0x6010 main+0x10"; empty for the run as a whole.
std::string logical_name(const Where& where) {
    std::string text;
    if (where.thread >= 0) text = OpPlace{.thread = where.thread, .index = where.index}.describe();
    if (where.core.empty()) return text;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", where.core);
    if (where.pc >= 0) text += fmt::format(" 0x{:x}", where.pc);
    if (!where.function.empty()) text += " " + where.function;
    return text;
}

/// `otherwise` is the file to name when the instruction's own place is unknown.
Json location_of(const Where& where, std::string_view otherwise) {
    Json location = Json::object();
    if (const std::string_view place = where.place.empty() ? otherwise : std::string_view(where.place); !place.empty())
        location["physicalLocation"] = physical(place);
    if (const std::string logical = logical_name(where); !logical.empty())
        location["logicalLocations"] = {{{"fullyQualifiedName", logical}, {"kind", "member"}}};
    if (!where.instruction.empty()) location["message"] = text_of(where.instruction);
    return location;
}

Json stack_of(const Where& where) {
    Json frames = Json::array();
    for (auto frame = where.frames.rbegin(); frame != where.frames.rend(); ++frame) {
        Json location = Json::object();
        if (!frame->place.empty()) location["physicalLocation"] = physical(frame->place);
        if (!frame->function.empty())
            location["logicalLocations"] = {{{"fullyQualifiedName", frame->function}, {"kind", "function"}}};
        frames.push_back({{"location", std::move(location)}});
    }
    return {{"message", text_of("inlined functions")}, {"frames", std::move(frames)}};
}

class Log {
public:
    Log(const Job& job, const Run& run) : job_(job), run_(run) {}

    Json json() {
        for (const Finding& finding : run_.findings) add(finding);
        if (run_.fault) add(*run_.fault);
        Json run = {
            {"tool",
             {{"driver",
               {{"name", "tessera"}, {"semanticVersion", TESSERA_VERSION_STRING}, {"rules", std::move(rules_)}}}}},
            {"invocations", {{{"executionSuccessful", !run_.cut_short()}}}},
            {"results", std::move(results_)}};
        return {
            {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", {std::move(run)}}};
    }

private:
    void add(const Finding& finding) {
        Json result = result_of(finding, level_of(finding.level));
        result["occurrenceCount"] = finding.count;
        for (const Where& other : related_instructions(finding, job_)) relate(result, location_of(other, {}));
        results_.push_back(std::move(result));
    }

    void add(const Fault& fault) {
        Json result = result_of(fault, "error");
        result["message"] = text_of(result["message"]["text"].get<std::string>() + "\n" + run_.describe_blocked());
        for (const Blocked& blocked : run_.blocked) {
            if (blocked.place.empty()) continue;
            const std::string waits = blocked.waits_for.empty() ? std::string() : blocked.runs() ? " runs" : " waits for " + blocked.waits_for;
            relate(result, {{"physicalLocation", physical(blocked.place)}, {"message", text_of(blocked.who + waits)}});
        }
        results_.push_back(std::move(result));
    }

    static void relate(Json& result, Json location) {
        Json& all = result["relatedLocations"];
        location["id"] = all.size();
        all.push_back(std::move(location));
    }

    Json result_of(const Diagnosis& diagnosis, std::string_view level) {
        std::string text = diagnosis.message;
        if (!diagnosis.cure.empty()) text += "\nCure: " + diagnosis.cure;
        Json result = {{"ruleId", diagnosis.code},
                       {"ruleIndex", rule(diagnosis)},
                       {"level", level},
                       {"message", text_of(std::move(text))}};
        if (Json location = location_of(diagnosis.where, job_.file); !location.empty())
            result["locations"] = Json::array({std::move(location)});
        if (diagnosis.where.frames.size() > 1) result["stacks"] = Json::array({stack_of(diagnosis.where)});
        Json properties = to_json(diagnosis);
        for (const char* const said : {"code", "message", "place", "frames"}) properties.erase(said);
        result["properties"] = std::move(properties);
        return result;
    }

    /// The index of its rule, which is added when it is the first of its kind.
    std::size_t rule(const Diagnosis& diagnosis) {
        const auto known =
            std::find_if(rules_.begin(), rules_.end(), [&](const Json& one) { return one["id"] == diagnosis.code; });
        if (known != rules_.end()) return static_cast<std::size_t>(known - rules_.begin());
        Json rule = {{"id", diagnosis.code}};
        if (const auto info = find_finding(diagnosis.code)) {
            rule["shortDescription"] = text_of(info->title);
            rule["fullDescription"] = text_of(info->meaning);
            std::string help;
            for (const auto& [title, text] : {std::pair("Hardware", info->hardware), std::pair("Cure", info->cure),
                                              std::pair("Source", info->source)})
                if (!text.empty()) help += fmt::format("{}{}: {}", help.empty() ? "" : "\n", title, text);
            if (!help.empty()) rule["help"] = text_of(std::move(help));
            rule["defaultConfiguration"] = {{"level", info->fault ? "error" : level_of(info->level)}};
            const std::size_t heading = info->page.find('#');
            if (const std::string page = page_uri(info->page.substr(0, heading)); !page.empty())
                rule["helpUri"] = page + info->page.substr(heading);
        }
        rules_.push_back(std::move(rule));
        return rules_.size() - 1;
    }

    const Job& job_;
    const Run& run_;
    Json rules_ = Json::array(), results_ = Json::array();
};

}  // namespace

Json to_sarif(const Job& job, const Run& run) { return Log(job, run).json(); }

}  // namespace tessera::cli
