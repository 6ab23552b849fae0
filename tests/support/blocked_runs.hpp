// SPDX-License-Identifier: Apache-2.0
// Runs of assembly text that end while something waits, and the list of those that are blocked then.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/blocked.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera::test {

using Names = std::vector<std::string>;

inline Program program(std::string_view text) {
    auto assembled = assemble(text, Arch::blackhole, "kernel.tts");
    if (!assembled) throw std::runtime_error(assembled.error().describe());
    return std::move(*assembled);
}

inline Run run(const Program& what, const RunOptions& options = {}) {
    Core core(Arch::blackhole, Reset::vendor_sim);
    return core.run(what, options).value();
}

inline Run run(std::string_view text, const RunOptions& options = {}) { return run(program(text), options); }

/// The fault's code, and whether the six actors come first, in order.
inline void expect_blocked(const Run& run, const std::string& code) {
    ASSERT_TRUE(run.fault) << "no fault";
    EXPECT_EQ(run.fault->code, code);
    EXPECT_FALSE(run.good());
    const char* const actors[] = {"T0 core", "T1 core", "T2 core", "T0 front end", "T1 front end", "T2 front end"};
    ASSERT_GE(run.blocked.size(), std::size(actors));
    for (std::size_t i = 0; i < std::size(actors); ++i) EXPECT_EQ(run.blocked[i].who, actors[i]);
    for (const auto& b : run.blocked) {
        EXPECT_EQ(b.finished, b.waits_for.empty()) << b.who;
        EXPECT_NE(run.describe_blocked().find(b.who), std::string::npos) << b.who;
    }
}

/// Names of those that are not finished.
inline Names unfinished(const Run& run) {
    Names names;
    for (const auto& b : run.blocked)
        if (!b.finished) names.push_back(b.who);
    return names;
}

}  // namespace tessera::test
