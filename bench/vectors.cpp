// SPDX-License-Identifier: Apache-2.0
#include "vectors.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

namespace tessera::bench {

namespace {

/// Highway's number of the best set that library and computer support.
std::int64_t target_in_use() {
    const auto usable = hwy::SupportedTargets() & HWY_TARGETS;
    return usable & -usable;
}

}  // namespace

bool use_at_most(std::string_view name) {
    for (auto left = HWY_TARGETS & hwy::SupportedTargets(); left; left &= left - 1) {
        const auto target = left & -left;
        if (name != hwy::TargetName(target)) continue;
        // Better sets have lower bits.
        hwy::SetSupportedTargetsForTest(hwy::SupportedTargets() & -target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        return true;
    }
    return false;
}

std::string vectors_in_use() { return hwy::TargetName(target_in_use()); }

bool vectors_are_wide() { return target_in_use() <= HWY_AVX3; }

}  // namespace tessera::bench
