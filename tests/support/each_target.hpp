// SPDX-License-Identifier: Apache-2.0
// The library's loops on each set of vector instructions that this computer has.
#pragma once

#include <functional>

namespace tessera::test {

/// How many sets there are.
unsigned target_count();

/// Runs `body` once for each, the best one first; what it chooses by configuration within is chosen for that one. Ends with
/// a set in which an assertion fails.
void on_each_target(const std::function<void()>& body);

}  // namespace tessera::test
