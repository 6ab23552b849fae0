// SPDX-License-Identifier: Apache-2.0
#include "vectors.hpp"

#include <hwy/highway.h>

#include "util/vector_targets.hpp"

namespace tessera::bench {

namespace {

/// Highway's number of the best set that library and computer support.
std::int64_t target_in_use() {
    const auto usable = util::vector_targets() & HWY_TARGETS;
    return usable & -usable;
}

}  // namespace

bool use_at_most(std::string_view name) {
    for (auto left = HWY_TARGETS & util::vector_targets(); left; left &= left - 1) {
        const auto target = left & -left;
        if (name != hwy::TargetName(target)) continue;
        // Better sets have lower bits.
        util::use_vector_targets(util::vector_targets() & -target);
        return true;
    }
    return false;
}

std::string vectors_in_use() { return hwy::TargetName(target_in_use()); }

bool vectors_are_wide() { return target_in_use() <= HWY_AVX3; }

}  // namespace tessera::bench
