// SPDX-License-Identifier: Apache-2.0
#include "reports/regs_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "reports/table.hpp"

namespace tessera::cli {

namespace {

std::string bits(const RegisterField& field) {
    const unsigned last = field.lo + field.width - 1;
    return field.width == 1 ? fmt::format("{}", field.lo) : fmt::format("{}:{}", last, field.lo);
}

std::string_view copies(const RegisterField& field) {
    if (field.space == RegisterSpace::thread) return "one per thread";
    return field.shared ? "shared by both banks" : "one per bank";
}

std::string number(const std::optional<std::uint64_t>& value) { return value ? fmt::format("{}", *value) : ""; }

/// A heading and a table per group, in order of first appearance.
template <class Items>
std::string by_group(const Items& items, const std::function<const RegisterState&(std::size_t)>& at,
                     const std::function<std::string(const std::vector<std::size_t>&)>& table) {
    std::vector<std::string> groups;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (std::find(groups.begin(), groups.end(), at(i).group) == groups.end()) groups.push_back(at(i).group);
    std::string text;
    for (const std::string& group : groups) {
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < items.size(); ++i)
            if (at(i).group == group) members.push_back(i);
        text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", group, table(members));
    }
    return text;
}

}  // namespace

Json to_json(const RegisterField& field) {
    return {{"name", field.name},       {"space", name(field.space)}, {"addr32", field.addr32},
            {"lo", field.lo},           {"width", field.width},       {"shared", field.shared},
            {"kind", name(field.kind)}, {"group", field.group},       {"meaning", field.meaning},
            {"source", field.source}};
}

Json to_json(const FieldValue& value) {
    Json json = to_json(value.field);
    json["value"] = value.value;
    json["text"] = value.text;
    return json;
}

Json to_json(const RegisterState& state) {
    return {{"group", state.group},
            {"where", state.where},
            {"name", state.name},
            {"value", maybe(state.value)},
            {"text", state.text}};
}

Json to_json(const RegisterChange& change) {
    Json json = to_json(change.after);
    json["before"] = {{"value", to_json(change.before)["value"]}, {"text", change.before.text}};
    return json;
}

std::string describe_field(const RegisterField& field, std::optional<std::uint32_t> value) {
    std::string text =
        fmt::format("{}\n  space    {}, {}\n  ADDR32   {}\n  bits     {}\n  kind     {}\n  group    {}\n", field.name,
                    name(field.space), copies(field), field.addr32, bits(field), name(field.kind), field.group);
    if (!field.meaning.empty()) text += fmt::format("  meaning  {}\n  source   {}\n", field.meaning, field.source);
    if (value) text += fmt::format("  value    {}: {}\n", *value, describe_value(field, *value));
    return text;
}

std::string describe_fields(std::span<const RegisterField> fields) {
    Table table{"name", "space", ">ADDR32", ">bits", "kind", "meaning"};
    for (const RegisterField& field : fields)
        table.add({std::string(field.name), std::string(name(field.space)), fmt::format("{}", field.addr32),
                   bits(field), std::string(name(field.kind)), std::string(field.meaning)});
    return table.text();
}

std::string describe_values(std::span<const FieldValue> values) {
    Table table{"name", ">bits", ">value", "text", "meaning"};
    for (const FieldValue& one : values)
        table.add({std::string(one.field.name), bits(one.field), fmt::format("{}", one.value), one.text,
                   std::string(one.field.meaning)});
    return table.text();
}

std::string describe_state(std::span<const RegisterState> items) {
    if (items.empty()) return "nothing differs from its value after reset\n";
    return by_group(
        items, [&](std::size_t i) -> const RegisterState& { return items[i]; },
        [&](const std::vector<std::size_t>& members) {
            Table table{"where", "name", ">value", "text"};
            for (std::size_t i : members)
                table.add({items[i].where, items[i].name, number(items[i].value), items[i].text});
            return table.text();
        });
}

std::string describe_changes(std::span<const RegisterChange> changes) {
    if (changes.empty()) return "nothing differs\n";
    return by_group(
        changes, [&](std::size_t i) -> const RegisterState& { return changes[i].after; },
        [&](const std::vector<std::size_t>& members) {
            Table table{"where", "name", "before", "after"};
            for (std::size_t i : members)
                table.add(
                    {changes[i].after.where, changes[i].after.name, changes[i].before.text, changes[i].after.text});
            return table.text();
        });
}

}  // namespace tessera::cli
