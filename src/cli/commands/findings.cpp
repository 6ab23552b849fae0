// SPDX-License-Identifier: Apache-2.0
// tessera findings: what a fault or a finding means, with an example and its cure.
#include <memory>

#include "command.hpp"
#include "reports/json.hpp"
#include "reports/table.hpp"
#include "reports/terminal.hpp"
#include "tessera/finding_catalogue.hpp"

namespace tessera::cli {

namespace {

struct FindingsArguments {
    std::vector<std::string> codes;
    bool json = false;
};

std::string level_of(const FindingInfo& info) { return info.fault ? "fault" : std::string(name(info.level)); }

Json listed_json(const FindingInfo& info) {
    Json json = {{"code", info.code},       {"kind", info.fault ? "fault" : "finding"},
                 {"title", info.title},     {"meaning", info.meaning},
                 {"message", info.message}, {"hardware", info.hardware},
                 {"cure", info.cure},       {"source", info.source},
                 {"page", info.page}};
    if (!info.fault) json["level"] = name(info.level);
    if (!info.example.empty())
        json["example"] = {
            {"arch", name(info.example_arch)}, {"setup", info.setup}, {"lines", info.example}, {"cured", info.cured}};
    return json;
}

int execute(const FindingsArguments& options) {
    std::vector<std::string> codes = options.codes;
    if (codes.empty()) codes.emplace_back();
    std::vector<FindingInfo> found;
    for (const std::string& code : codes) {
        auto infos = describe_findings(code);
        if (!infos) return report(infos.error());
        found.insert(found.end(), infos->begin(), infos->end());
    }
    if (options.json) {
        print(stdout, to_text(json_list(found, listed_json), 2) + "\n");
        return good;
    }
    if (options.codes.empty()) {
        Table table{"code", "level", "meaning"};
        for (const FindingInfo& info : found) table.add({info.code, level_of(info), info.title});
        print(stdout, table.text());
        return good;
    }
    std::string text;
    for (const FindingInfo& info : found) text += (text.empty() ? "" : "\n") + info.describe();
    print(stdout, text);
    return good;
}

}  // namespace

void add_findings(CommandLine& program) {
    auto options = std::make_shared<FindingsArguments>();
    const Command command = program.add("findings", "Explain faults and findings: meaning, example, cure, source");
    command.option("CODE", options->codes, "Codes, or their first words (unpack, hazard); none: a list of all");
    command.flag("--json", options->json, "As JSON");
    command.footer("Example: tessera findings hazard.dst");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
