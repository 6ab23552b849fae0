// SPDX-License-Identifier: Apache-2.0
// The only test source compiled with the library's definitions of those sets (cmake/TesseraTests.cmake).
#include "support/each_target.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "util/vector_targets.hpp"

namespace tessera::test {

namespace {

// A bit each; better ones are lower.
auto usable() { return util::vector_targets() & HWY_TARGETS; }

}  // namespace

unsigned target_count() { return static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(usable()))); }

std::vector<std::string> target_names() {
    std::vector<std::string> names;
    for (auto left = usable(); left; left &= left - 1) names.push_back(hwy::TargetName(left & -left));
    return names;
}

void on_each_target(const std::function<void()>& body) {
    const std::int64_t all = util::vector_targets();
    for (auto left = usable(); left; left &= left - 1) {
        util::use_vector_targets(left & -left);
        SCOPED_TRACE(hwy::TargetName(left & -left));
        body();
        if (testing::Test::HasFatalFailure()) break;
    }
    util::use_vector_targets(all);
}

}  // namespace tessera::test
