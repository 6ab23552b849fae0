// SPDX-License-Identifier: Apache-2.0
// The library's loops on each set of vector instructions that this computer has. Sources that include this are compiled with
// the library's definitions of those sets (cmake/TesseraTests.cmake).
#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

namespace tessera::test {

/// Runs `body` once for each; what it chooses by configuration within is chosen for that one.
template <class Body>
void on_each_target(Body&& body) {
    const auto supported = hwy::SupportedTargets() & HWY_TARGETS;
    for (auto left = supported; left; left &= left - 1) {
        hwy::SetSupportedTargetsForTest(left & -left);
        SCOPED_TRACE(hwy::TargetName(left & -left));
        body();
        if (testing::Test::HasFatalFailure()) break;
    }
    hwy::SetSupportedTargetsForTest(0);
}

}  // namespace tessera::test
