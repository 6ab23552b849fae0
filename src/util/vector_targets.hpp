// SPDX-License-Identifier: Apache-2.0
// Highway compiles a loop once for each set of vector instructions. This chooses the version for the computer, as Highway's own library
// does. A process that loads that library measures the resolution of a timer first, which takes several milliseconds at each start.
#pragma once

#include <hwy/targets.h>

#include <cstdint>

namespace tessera::util {

/// The sets of vector instructions in use, as bits of HWY_TARGETS: those that the computer has, or what use_vector_targets() left of them.
/// Better ones have lower bits.
std::int64_t vector_targets();
/// For tests and benchmarks: from now on all threads use the best of these sets. The computer must have it.
void use_vector_targets(std::int64_t targets);
/// The one that TESSERA_BEST_VERSION takes.
const hwy::ChosenTarget& chosen_vector_target();

}  // namespace tessera::util

/// In place of HWY_EXPORT: a table of a function's versions, and of HWY_DYNAMIC_DISPATCH: the version to call.
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
#define TESSERA_VERSIONS(function) static_assert(true)
#define TESSERA_BEST_VERSION(function) HWY_STATIC_DISPATCH(function)
#else
#define TESSERA_VERSIONS(function)                                                                   \
    constexpr decltype(&HWY_STATIC_DISPATCH(function)) function##_versions[HWY_MAX_DYNAMIC_TARGETS + 2] = { \
        nullptr, HWY_CHOOSE_TARGET_LIST(function), HWY_CHOOSE_FALLBACK(function)}
#define TESSERA_BEST_VERSION(function) (*function##_versions[tessera::util::chosen_vector_target().GetIndex()])
#endif
