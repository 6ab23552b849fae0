// SPDX-License-Identifier: Apache-2.0
#include "diagnostics/findings_log.hpp"

#include <string>

#include "diagnostics/op_index.hpp"

namespace tessera::diagnostics {

void FindingsLog::use(const std::map<std::string, Level>& levels) {
    levels_.clear();
    levels_.reserve(findings::catalogue.size());
    any_stops_ = false;
    for (const auto& row : findings::catalogue) levels_.push_back(row.level);
    for (const auto& [code, level] : levels)
        for (std::size_t i = 0; i < levels_.size(); ++i)
            if (findings::catalogue[i].code == code) levels_[i] = level;
    for (std::size_t i = 0; i < levels_.size(); ++i)
        any_stops_ |= findings::catalogue[i].kind == findings::Kind::finding && levels_[i] == Level::error;
}

// "other_index" becomes "other_core" and "other_pc".
void FindingsLog::place_ops(std::vector<NamedValue>& values) {
    std::vector<NamedValue> placed;
    for (NamedValue& one : values) {
        if (!findings::is_op(one.name)) {
            placed.push_back(std::move(one));
            continue;
        }
        if (one.value == op_of_before) continue;
        const auto op = KernelOp::of(static_cast<std::int64_t>(one.value & KernelOp::place_mask));
        if (!op.is_of_core()) continue;
        const std::string whose = one.name.substr(0, one.name.find('_'));
        placed.push_back({whose + "_core", op.core});
        placed.push_back({whose + "_pc", op.pc});
    }
    values = std::move(placed);
}

}  // namespace tessera::diagnostics
