// SPDX-License-Identifier: Apache-2.0
#include "diagnostics/findings_log.hpp"

#include <iterator>

namespace tessera::diagnostics {

void FindingsLog::use(const std::map<std::string, Level>& levels) {
    levels_.clear();
    any_stops_ = false;
    for (const auto& row : findings::catalogue) levels_.push_back(row.level);
    for (const auto& [code, level] : levels)
        for (std::size_t i = 0; i < levels_.size(); ++i)
            if (findings::catalogue[i].code == code) levels_[i] = level;
    for (std::size_t i = 0; i < levels_.size(); ++i)
        any_stops_ |= findings::catalogue[i].kind == findings::Kind::finding && levels_[i] == Level::error;
}

}  // namespace tessera::diagnostics
