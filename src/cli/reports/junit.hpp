// SPDX-License-Identifier: Apache-2.0
// Test results as the XML that CI systems read.
#pragma once

#include <span>
#include <string>

namespace tessera::cli {

struct TestCase {
    enum class End { passed, skipped, failed, error };

    std::string suite;
    std::string name;
    std::string file;
    double seconds = 0;
    End end = End::passed;
    std::string reason;  ///< why it did not pass; its first line becomes the `message`
};

/// One <testsuite> for each suite, in the order of their first cases, and one <testcase> for each case.
std::string junit(std::string_view name, std::span<const TestCase> cases);

}  // namespace tessera::cli
