// SPDX-License-Identifier: Apache-2.0
#include "engine/findings_log.hpp"

namespace tessera::engine {

FindingsLog::FindingsLog(const std::map<std::string, Level>& levels) {
    for (const auto& row : findings::catalogue) {
        const auto set = levels.find(std::string(row.code));
        levels_.push_back(set == levels.end() ? row.level : set->second);
    }
}

}  // namespace tessera::engine
