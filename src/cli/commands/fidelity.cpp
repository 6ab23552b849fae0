// SPDX-License-Identifier: Apache-2.0
// tessera fidelity: the level of confidence in each mode of each instruction.
#include "tessera/fidelity.hpp"

#include <memory>
#include <numeric>

#include "command.hpp"
#include "options/case_list.hpp"
#include "options/words.hpp"
#include "reports/fidelity_lines.hpp"
#include "reports/json.hpp"
#include "reports/table.hpp"
#include "reports/terminal.hpp"
#include "tessera/instruction_set.hpp"

namespace tessera::cli {

namespace {

struct FidelityArguments {
    std::vector<std::string> names;
    std::string arch, gather;
    bool markdown = false, json = false;
};

Json json_of(const FidelityLine& line) {
    return {{"instruction", line.instruction},
            {"arch", name(line.arch)},
            {"form", line.form},
            {"setting", line.setting},
            {"value", line.value},
            {"level", name(line.level)},
            {"basis", line.basis},
            {"time", line.time}};
}

int gather(const std::string& folder) {
    const auto files = find_cases(folder);
    if (!files) return report(files.error());
    const auto evidence = gather_fidelity_evidence(*files);
    if (!evidence) return report(evidence.error());
    print(stdout, *evidence);
    return good;
}

std::string summary(const std::vector<FidelityLine>& lines) {
    Table table{"arch", ">equal", ">document", ">decided", ">unsupported", ">all"};
    for (const Arch arch : all_archs) {
        const FidelityCounts n = count_by_level(lines, arch);
        const std::size_t all = std::accumulate(n.begin(), n.end(), std::size_t{0});
        if (all == 0) continue;
        table.add({std::string(name(arch)), std::to_string(n[0]), std::to_string(n[1]), std::to_string(n[2]),
                   std::to_string(n[3]), std::to_string(all)});
    }
    return table.text();
}

int execute(const FidelityArguments& options) {
    if (!options.gather.empty()) return gather(options.gather);
    if (options.markdown) {
        print(stdout, fidelity_reference());
        return good;
    }
    std::vector<Arch> archs(std::begin(all_archs), std::end(all_archs));
    if (!options.arch.empty()) {
        const Result<Arch> only = read_arch(options.arch);
        if (!only) return report(only.error());
        archs = {*only};
    }
    std::vector<std::string> names = options.names;
    if (names.empty()) names.emplace_back();
    std::vector<FidelityLine> lines;
    for (const std::string& one : names) {
        std::string mnemonic = one;
        if (!one.empty()) {
            const auto known = archs.size() == 1
                                   ? find_instruction(one, archs.front())
                                   : describe_instruction(one).map([](const auto& of_each) { return of_each.front(); });
            if (!known) return report(known.error());
            mnemonic = known->name;
        }
        for (const Arch arch : archs)
            for (auto& line : fidelity_of(arch, mnemonic)) lines.push_back(std::move(line));
    }
    if (options.json) {
        print(stdout, to_text(json_list(lines, json_of), 2) + "\n");
        return good;
    }
    print(stdout, summary(lines));
    if (!options.names.empty()) print(stdout, "\n" + fidelity_table(lines));
    return good;
}

}  // namespace

void add_fidelity(CommandLine& program) {
    auto options = std::make_shared<FidelityArguments>();
    const Command command =
        program.add("fidelity", "Show how far each mode of each instruction is verified, and by what");
    const Option names = command.option("NAME", options->names, "Instructions; none: the number of modes on each level");
    const Option arch = command.option("--arch", options->arch, "Only blackhole or wormhole").value_name("A");
    const Option markdown =
        command.flag("--markdown", options->markdown, "All of it as a page: docs/reference/fidelity.md");
    const Option json = command.flag("--json", options->json, "As JSON");
    const Option gather =
        command
            .option("--gather", options->gather,
                    "Run the cases of a folder and print which modes they prove: src/fidelity/evidence.inc")
            .value_name("FOLDER")
            .excludes(markdown)
            .excludes(json);
    markdown.excludes(json);
    for (const Option& all : {markdown, gather}) all.excludes(names).excludes(arch);
    command.footer("Example: tessera fidelity SFPMAD --arch blackhole");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
