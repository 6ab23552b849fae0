// SPDX-License-Identifier: Apache-2.0
#include "support/reference_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "findings/catalogue.hpp"
#include "findings/examples.hpp"
#include "registers/field.hpp"
#include "registers/field_family.hpp"
#include "support/field_readers.hpp"
#include "tessera/registers.hpp"
#include "units/packer/config_rules.hpp"
#include "units/write_rules.hpp"

namespace tessera::test {

namespace {

using Json = nlohmann::ordered_json;

/// '|' would end a cell of a table.
std::string cell(std::string_view text) {
    std::string escaped;
    for (char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
    return escaped;
}

std::string position(const registers::FieldPosition& at) {
    if (!at.present()) return "–";
    if (at.width == 1) return fmt::format("{} [{}]", at.addr32, at.lo);
    return fmt::format("{} [{}:{}]", at.addr32, at.lo + at.width - 1, at.lo);
}

std::string joined(const std::set<std::string>& parts) {
    std::string text;
    for (const auto& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

/// The table's entry for a field on one chip.
std::string place_on(const registers::FieldSpec& spec, Arch arch, const std::string& readers) {
    const auto place = registers::place_of(spec.name, arch);
    std::string_view reason = place.reason;
    if (constexpr std::string_view twice = "not used: "; reason.starts_with(twice)) reason.remove_prefix(twice.size());
    const std::string why = reason.empty() ? std::string() : fmt::format(" ({})", reason);
    switch (place.place) {
        case registers::Place::effect: return "effect: " + (readers.empty() ? std::string("when written") : readers);
        case registers::Place::ignored: return "ignored" + why;
        case registers::Place::tile: return "of the tile";
        case registers::Place::undocumented: break;
    }
    return "undocumented, `config.undocumented-field`" + why;
}

std::string place_cell(const registers::FieldSpec& spec, const std::string& readers) {
    if (!spec.blackhole.present()) return place_on(spec, Arch::wormhole, readers);
    if (!spec.wormhole.present()) return place_on(spec, Arch::blackhole, readers);
    const std::string blackhole = place_on(spec, Arch::blackhole, readers);
    const std::string wormhole = place_on(spec, Arch::wormhole, readers);
    if (blackhole == wormhole) return blackhole;
    return fmt::format("Blackhole: {}; Wormhole: {}", blackhole, wormhole);
}

std::string tests_cell(const registers::FieldSpec& spec, const std::set<std::string>& tests) {
    const bool effect =
        (spec.blackhole.present() &&
         registers::place_of(spec.name, Arch::blackhole).place == registers::Place::effect) ||
        (spec.wormhole.present() && registers::place_of(spec.name, Arch::wormhole).place == registers::Place::effect);
    std::set<std::string> all = effect ? tests : std::set<std::string>();
    all.insert("field_places");
    return joined(all);
}

template <class Table>
std::string field_table(const Table& table, const std::map<std::string, std::set<std::string>>& readers,
                        const std::map<std::string, std::set<std::string>>& tests) {
    std::string text =
        "| field | Blackhole | Wormhole | kind | place | tests | meaning | source "
        "|\n|---|---|---|---|---|---|---|---|\n";
    const auto of = [](const auto& map, std::string_view name) {
        const auto found = map.find(std::string(name));
        return found == map.end() ? std::set<std::string>() : found->second;
    };
    for (const auto& spec : table) {
        const auto* family = registers::find_family(spec.name);
        const Arch arch = spec.blackhole.present() ? Arch::blackhole : Arch::wormhole;
        const bool whole = family && family->kind == FieldKind::whole;
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", spec.name, position(spec.blackhole),
                            position(spec.wormhole), name(registers::kind_of(spec, arch)),
                            whole ? "see its parts" : place_cell(spec, joined(of(readers, spec.name))),
                            whole ? "see its parts" : tests_cell(spec, of(tests, spec.name)),
                            family ? cell(family->meaning) : "", family ? cell(family->source) : "");
    }
    return text;
}

constexpr std::string_view registers_head = R"(# Configuration fields

Made by `scripts/reference_pages` from `src/registers/`. Positions are ADDR32 [bits]; – where the chip has no such field.
`tessera regs NAME` looks a field up. Every field has its place:

- *effect*: instructions depend on it. The column names the parts of `src/units/` (else of `src/`) that read it; all units use
  `state_view`. `field_places_test.cpp` changes each of these fields and shows an instruction that then has another result. Other
  tests of the field are named beside it.
- *ignored*: hardware uses another field, as the source says. The test shows that no instruction depends on it.
- *of the tile*: for RISC-V cores and the mover, which are beside the coprocessor; the source gives its use.
- *undocumented*: no page gives an effect. It is stored without effect, and writing it is a finding.

)";

constexpr std::string_view findings_head = R"(# Faults and findings

Made by `scripts/reference_pages` from `src/findings/`. Look a code up here, or ask `tessera findings CODE`. A fault ends the run. A
finding is noted at its level, and the run continues. A job (`findings`) or `--finding CODE=LEVEL` sets the level: `off`, `info`,
`warning`, `error` (ends the run). A fault has no level, except `riscv.ebreak`. The page of a code has its message, what silicon does,
the cure, the source, and where a few lines show it, an example.
)";

constexpr std::string_view findings_of_area_head = R"(
Made by `scripts/reference_pages` from `src/findings/`; [all codes](../findings.md). In messages, {0}, {1}, … stand for values of the
run, and {detail} for a text. `finding_examples_test.cpp` runs each example and its cure. Examples are for Blackhole, unless they say
otherwise.
)";

constexpr std::string_view configuration_check_head = R"(# Configuration check

Made by `scripts/reference_pages` from `src/units/packer/config_rules.cpp` and `src/units/write_rules.cpp`. Known mistakes in the
configuration of the packers, and in how configuration is written, are told without being asked for: a rule about
configuration alone when it is first used, one about a PACR or an order where it happens. [findings.md](findings.md) has what
hardware does; `tessera explain` names the fields.

| finding | looks at | fields | message | cure |
|---|---|---|---|---|
)";

constexpr std::string_view job_head = R"(# Job files

Made by `scripts/reference_pages` from [job.schema.json](job.schema.json), which editors can use. The guide with an
example is [jobs](../jobs.md).

)";

/// The schema that a `$ref` names, or the schema itself.
const Json& resolved(const Json& schema, const Json& root) {
    if (!schema.contains("$ref")) return schema;
    const std::string ref = schema["$ref"];
    return root.at(Json::json_pointer(ref.substr(1)));
}

std::string type_of(const Json& property, const Json& root) {
    const Json& schema = resolved(property, root);
    if (schema.contains("enum")) {
        std::string text;
        for (const auto& value : schema["enum"]) text += (text.empty() ? "`" : ", `") + value.dump() + "`";
        return text;
    }
    if (schema.contains("const")) return "`" + schema["const"].dump() + "`";
    if (schema.contains("oneOf")) return schema.value("description", "");
    if (schema["type"] == "array" && schema.contains("prefixItems")) {
        std::string text;
        for (const auto& item : schema["prefixItems"]) text += (text.empty() ? "[" : ", ") + type_of(item, root);
        return text + "]";
    }
    if (schema["type"] == "array") {
        const Json& item = resolved(schema["items"], root);
        const char* const of = item.contains("title") ? "tables" : item.contains("enum") ? "names" : "integers";
        return std::string("list of ") + of;
    }
    if (schema["type"] == "object") return "table";
    std::string text = schema["type"];
    const auto most = schema.find("maximum");
    if (schema.contains("minimum"))
        text += most == schema.end() ? " from " + schema["minimum"].dump()
                                     : " " + schema["minimum"].dump() + " to " + most->dump();
    return text;
}

std::string keys_of(const Json& schema, const Json& root) {
    std::string text = "| key | value | default | meaning |\n|---|---|---|---|\n";
    const Json required = schema.value("required", Json::array());
    for (const auto& [key, property] : schema["properties"].items()) {
        const bool needed = std::find(required.begin(), required.end(), key) != required.end();
        const std::string fallback = needed                         ? "required"
                                     : property.contains("default") ? "`" + property["default"].dump() + "`"
                                                                    : "";
        text += fmt::format("| `{}` | {} | {} | {} |\n", key, cell(type_of(property, root)), fallback,
                            cell(property["description"].get<std::string>()));
    }
    return text;
}

std::string level_of(const findings::Entry& row) {
    return row.kind == findings::Kind::fault ? "fault" : std::string(name(row.level));
}

/// The lines that some of the area's examples share.
std::string set_up_of(const findings::Area& area) {
    for (const auto& row : area.rows)
        if (const auto* const example = findings::example_of(row.code); example && example->setup != findings::Setup::none)
            return fmt::format("\nThe set-up, after which some of the examples stand:\n\n```\n{}```\n", lines_of(example->setup));
    return {};
}

}  // namespace

std::string source_text(const std::string& path) {
    std::ifstream file(std::string(TESSERA_SOURCE_DIR "/") + path, std::ios::binary);
    if (!file) throw std::runtime_error("no " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string register_page() {
    const auto readers = field_readers(), tests = field_tests();
    return std::string(registers_head) + "## Backend configuration\n\n" +
           field_table(registers::backend_fields, readers, tests) + "\n## Thread configuration\n\n" +
           field_table(registers::thread_fields, readers, tests);
}

std::string findings_page() {
    std::string text(findings_head);
    for (const auto& area : findings::areas) {
        text += fmt::format("\n## Of {}\n\n| code | level | what it is about |\n|---|---|---|\n", area.title);
        for (const auto& row : area.rows)
            text += fmt::format("| [`{}`]({}) | {} | {} |\n", row.code,
                                findings::page_of(row.code).substr(std::string_view("reference/").size()), level_of(row),
                                cell(row.title));
    }
    return text;
}

std::string findings_page(const findings::Area& area) {
    std::string text = fmt::format("# Faults and findings: {}\n", area.title);
    text += findings_of_area_head;
    text += set_up_of(area);
    for (const auto& row : area.rows) {
        text += fmt::format("\n## {}\n\n*{}*: {}. {}\n\n- message: `{}`\n", row.code, level_of(row), row.title, row.meaning, row.message);
        if (!row.hardware.empty()) text += fmt::format("- silicon: {}\n", row.hardware);
        if (!row.cure.empty()) text += fmt::format("- cure: {}\n", row.cure);
        text += fmt::format("- source: {}\n", row.source);
        const findings::Example* const example = findings::example_of(row.code);
        if (!example) continue;
        text += fmt::format("\n{}{}:\n\n```\n{}```\n", example->setup == findings::Setup::none ? "Example" : "Example, after the set-up",
                            example->arch == Arch::wormhole ? ", Wormhole" : "", example->wrong);
        if (!example->right.empty()) text += fmt::format("\nCured:\n\n```\n{}```\n", example->right);
    }
    return text;
}

std::string configuration_check_page() {
    std::string text(configuration_check_head);
    const auto row = [&](std::string_view code, std::string_view when, std::string_view fields) {
        for (const auto& entry : findings::catalogue)
            if (entry.code == code)
                text += fmt::format("| `{}` | {} | {} | {} | {} |\n", code, when, cell(fields), cell(entry.message),
                                    cell(entry.cure));
    };
    constexpr std::string_view moments[] = {"configuration", "PACR's counters", "PACR's streams"};
    for (const auto& rule : units::packer::rules())
        row(findings::entry(rule.id).code, moments[static_cast<unsigned>(rule.moment)], rule.fields);
    std::string busy, gpr;
    for (const auto& rule : units::write_rules()) {
        std::string& list = rule.from_gpr ? gpr : busy;
        const std::string where = rule.only ? fmt::format(", {} alone", name(*rule.only)) : "";
        list += fmt::format("{}{}… ({}{})", list.empty() ? "" : ", ", rule.fields, rule.condition, where);
    }
    row("config.write-while-busy", "a write", busy);
    row("config.gpr-not-awaited", "a write", gpr);
    row("hazard.config-late", "order", "what WRCFG or CFGSHIFTMASK wrote just before");
    row("hazard.config-stream", "order", "what STREAMWRCFG writes");
    row("hazard.config-store", "order", "what a core stores");
    row("hazard.config-overtaken", "order", "what the thread's own core stores later");
    return text;
}

std::string job_page() {
    const Json root = Json::parse(source_text("docs/reference/job.schema.json"));
    std::string text =
        fmt::format("{}## The job\n\n{}\n\n{}", job_head, root["description"].get<std::string>(), keys_of(root, root));
    for (const auto& [key, schema] : root["$defs"].items()) {
        if (!schema.contains("title")) continue;
        text += fmt::format("\n## {}\n\n", schema["title"].get<std::string>());
        if (schema.contains("description")) text += schema["description"].get<std::string>() + "\n\n";
        text += keys_of(schema, root);
    }
    return text;
}

}  // namespace tessera::test
