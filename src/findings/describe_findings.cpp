// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "findings/areas.hpp"
#include "findings/catalogue.hpp"
#include "findings/examples.hpp"
#include "tessera/finding_catalogue.hpp"
#include "tessera/similar_name.hpp"

namespace tessera {

namespace {

bool is_called(std::string_view code, std::string_view name) {
    return name.empty() || code == name || (code.starts_with(name) && code[name.size()] == '.');
}

std::string with_names(const findings::Entry& row) {
    std::string text(row.message);
    const auto replace = [&](const std::string& what, const std::string& with) {
        for (std::size_t at; (at = text.find(what)) != text.npos;) text.replace(at, what.size(), with);
    };
    for (std::size_t i = 0; i < row.values.size(); ++i)
        replace(fmt::format("{{{}}}", i), fmt::format("<{}>", findings::is_op(row.values[i]) ? "op" : row.values[i]));
    replace("{detail}", "<detail>");
    return text;
}

FindingInfo describe(const findings::Entry& row) {
    FindingInfo info;
    info.code = row.code;
    info.fault = row.kind == findings::Kind::fault;
    info.level = row.level;
    info.has_level = !info.fault || row.has_level;
    info.title = row.title;
    info.meaning = row.meaning;
    info.message = row.message;
    info.named_message = with_names(row);
    info.hardware = row.hardware;
    info.cure = row.cure;
    info.source = row.source;
    info.page = findings::page_of(row.code);
    if (const findings::Example* example = findings::example_of(row.code)) {
        info.example_arch = example->arch;
        info.setup = lines_of(example->setup);
        info.example = example->wrong;
        info.cured = example->right;
    }
    return info;
}

std::string indented(std::string_view lines) {
    std::string text;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
        text += "    ";
        text += lines.substr(0, end);
        lines.remove_prefix(end);
    }
    return text;
}

}  // namespace

std::string FindingInfo::describe() const {
    std::string text = fmt::format("{} ({}): {}\n", code, fault ? "fault" : name(level), title);
    if (!meaning.empty()) text += fmt::format("  {}\n", meaning);
    text += fmt::format("  message  {}\n", message);
    if (!hardware.empty()) text += fmt::format("  silicon  {}\n", hardware);
    if (!cure.empty()) text += fmt::format("  cure     {}\n", cure);
    text += fmt::format("  source   {}\n  page     docs/{}\n", source, page);
    if (example.empty()) return text;
    if (!setup.empty()) text += fmt::format("\n  set up\n{}", indented(setup));
    text += fmt::format("\n  example, {}\n{}", name(example_arch), indented(example));
    if (!cured.empty()) text += fmt::format("\n  cured\n{}", indented(cured));
    return text;
}

Result<std::vector<FindingInfo>> describe_findings(std::string_view name) {
    std::vector<FindingInfo> found;
    for (const findings::Entry& row : findings::catalogue)
        if (is_called(row.code, name)) found.push_back(describe(row));
    if (found.empty()) return fail("finding.unknown", unknown_finding(name));
    return found;
}

std::string unknown_finding(std::string_view code) {
    std::vector<std::string_view> codes;
    for (const findings::Entry& row : findings::catalogue) codes.push_back(row.code);
    return fmt::format("'{}' is not a code of a fault or finding{}; 'tessera findings' lists all codes", code,
                       suggestion(code, codes));
}

std::string refused_level(std::string_view code) {
    const std::optional<FindingInfo> info = find_finding(code);
    if (!info) return unknown_finding(code);
    return info->has_level ? std::string() : fmt::format("'{}' is a fault: it ends the run, and has no level", code);
}

std::optional<FindingInfo> find_finding(std::string_view code) {
    for (const findings::Entry& row : findings::catalogue)
        if (row.code == code) return describe(row);
    return std::nullopt;
}

}  // namespace tessera
