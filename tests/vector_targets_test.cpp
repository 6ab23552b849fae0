// SPDX-License-Identifier: Apache-2.0
// The sets of vector instructions that loops are taken for.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/each_target.hpp"

namespace tessera {
namespace {

using Flags = std::set<std::string>;

/// What Linux says the first processor can do, and lets programs use.
Flags flags_of_linux() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line))
        if (line.starts_with("flags")) {
            std::istringstream words(line.substr(line.find(':') + 1));
            return {std::istream_iterator<std::string>(words), {}};
        }
    return {};
}

bool has_all(const Flags& flags, std::initializer_list<std::string_view> wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [&](std::string_view each) { return flags.contains(std::string(each)); });
}

TEST(VectorTargets, AreThoseThatLinuxNames) {
    const Flags flags = flags_of_linux();
    if (flags.empty()) GTEST_SKIP() << "no flags in /proc/cpuinfo";
    const bool avx2 = has_all(flags, {"avx2", "fma", "bmi1", "bmi2", "abm", "f16c"});
    const bool avx3 = avx2 && has_all(flags, {"avx512f", "avx512cd", "avx512dq", "avx512bw", "avx512vl"});
    std::vector<std::string> expected{"SSE4"};
    if (avx2) expected.insert(expected.begin(), "AVX2");
    if (avx3) expected.insert(expected.begin(), "AVX3");
    EXPECT_EQ(test::target_names(), expected);
}

TEST(VectorTargets, AreOneAtATimeWhereATestAsksForIt) {
    const std::vector<std::string> all = test::target_names();
    std::vector<std::string> used;
    test::on_each_target([&] {
        EXPECT_EQ(test::target_names().size(), 1u);
        used.push_back(test::target_names().front());
    });
    EXPECT_EQ(used, all);
    EXPECT_EQ(test::target_names(), all);
}

}  // namespace
}  // namespace tessera
