// SPDX-License-Identifier: Apache-2.0
// Runs the library's loops on each available set of vector instructions.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tessera::test {

/// Number of sets.
unsigned target_count();
/// Highway's names of those sets, the best one first.
std::vector<std::string> target_names();

/// Runs `body` once for each, the best one first; what it chooses by configuration within is chosen for that one. Ends with
/// a set in which an assertion fails.
void on_each_target(const std::function<void()>& body);

}  // namespace tessera::test
