// SPDX-License-Identifier: Apache-2.0
#include "hazards/memory_order.hpp"

#include <algorithm>

namespace tessera::hazards {

namespace {

bool same_place(const NocOrigin& a, const NocOrigin& b) { return a.request.tile == b.request.tile && a.core == b.core && a.pc == b.pc; }

}  // namespace

void MemoryOrder::check(const std::deque<Access>& earlier, const Access& what, const NocKnowledge& known) {
    for (auto before = earlier.rbegin(); before != earlier.rend(); ++before) {
        if (before->last < what.first || before->first > what.last || before->by.request == what.by.request ||
            known.knows(before->by.request))
            continue;
        const bool is_known = std::any_of(conflicts_.begin(), conflicts_.end(), [&](const Conflict& met) {
            return same_place(met.now.by, what.by) && same_place(met.before.by, before->by);
        });
        if (!is_known) conflicts_.push_back({what, *before});
        return;
    }
}

void MemoryOrder::accessed(const Access& what, const NocKnowledge* known) {
    if (!known || is_flag(what.last - what.first + 1)) return;
    check(writes_, what, *known);
    if (what.write) check(reads_, what, *known);
    auto& all = what.write ? writes_ : reads_;
    if (what.write) {
        const auto covered = [&](const Access& before) {
            return before.first >= what.first && before.last <= what.last && known->knows(before.by.request);
        };
        std::erase_if(writes_, covered);
        std::erase_if(reads_, covered);
    }
    all.push_back(what);
    if (all.size() > most) all.pop_front();
}

}  // namespace tessera::hazards
