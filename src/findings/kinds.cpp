// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "findings/catalogue.hpp"
#include "tessera/finding_kinds.hpp"

namespace tessera {

namespace {

std::string with_names(const findings::Entry& row) {
    std::string text(row.message);
    const auto replace = [&](const std::string& what, const std::string& with) {
        for (std::size_t at; (at = text.find(what)) != text.npos;) text.replace(at, what.size(), with);
    };
    for (std::size_t i = 0; i < row.values.size(); ++i) replace(fmt::format("{{{}}}", i), fmt::format("<{}>", row.values[i]));
    replace("{detail}", "<detail>");
    return text;
}

std::vector<FindingKind> make_kinds() {
    std::vector<FindingKind> kinds;
    for (const findings::Entry& row : findings::catalogue) {
        const bool fault = row.kind == findings::Kind::fault;
        kinds.push_back({row.code, fault, row.level, with_names(row), row.hardware, row.cure, row.source});
    }
    return kinds;
}

}  // namespace

std::span<const FindingKind> finding_kinds() {
    static const std::vector<FindingKind> kinds = make_kinds();
    return kinds;
}

const FindingKind* find_finding_kind(std::string_view code) {
    const auto kinds = finding_kinds();
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const FindingKind& one) { return one.code == code; });
    return found == kinds.end() ? nullptr : &*found;
}

}  // namespace tessera
