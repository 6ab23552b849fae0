// SPDX-License-Identifier: Apache-2.0
#include "race/hazard_key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "tessera/related.hpp"

namespace tessera::race {

namespace {

std::string place(const Where& where) {
    return fmt::format("{}|T{}|{}|{:X}", where.core, where.thread, where.place.empty() ? std::to_string(where.index) : where.place,
                       where.pc);
}

}  // namespace

bool is_about_order(const Finding& finding) {
    // Scheduled instructions meet others in a cycle, which a delay changes.
    constexpr std::string_view others[] = {
        "matrix.bank-not-owned", "config.write-while-busy",  "config.rdcfg-together", "vector.macro-collision",
        "vector.macro-replaced", "vector.macro-two-results", "vector.macro-swap"};
    if (finding.level < Level::warning) return false;
    return finding.code.starts_with("hazard.") || std::ranges::find(others, finding.code) != std::end(others);
}

std::string key_of(const Finding& finding, const Job& job) {
    std::string text = fmt::format("{}|{}|{}", finding.code, place(finding.where), finding.where.instruction);
    const std::vector<Where> others = related_instructions(finding, job);
    for (const Where& other : others) text += "|" + place(other);
    return others.empty() ? text + finding.message : text;
}

}  // namespace tessera::race
