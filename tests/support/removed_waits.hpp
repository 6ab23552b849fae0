// SPDX-License-Identifier: Apache-2.0
// The table of examples with one wait, semaphore or hand-over removed.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "support/example.hpp"

namespace tessera::test {

/// A removed line that gives a finding, or that is superfluous for a reason.
struct Removed {
    std::string_view example;
    std::string_view file;
    std::string_view line;
    int occurrence;  ///< number of that text's occurrence in the file, from 1
    std::string_view reported;
    std::string_view not_needed{};
};

/// The table, in the order of the examples' lines.
std::span<const Removed> removed_waits();

/// The ordering that makes a superfluous line unnecessary, if it is a single one.
std::optional<Disregarded> ordering_instead(const Removed& removed);

/// A line's file, text and occurrence.
using LineKey = std::tuple<std::string, std::string, int>;
/// All lines of the example that wait, post, get or hand over.
std::set<LineKey> ordering_lines(const Example& example);

/// The text without what that line orders: a NOP for an instruction; a hand-over only loses its operand.
std::string without(const std::string& text, const Removed& removed);

}  // namespace tessera::test
