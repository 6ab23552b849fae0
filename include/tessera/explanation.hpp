// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/element_trace.hpp"

namespace tessera {

/// What one instruction was about to do when it was issued, or why it could not be.
struct Explanation {
    int thread = 0;
    std::int64_t index = 0;
    std::uint64_t cycle = 0;
    std::string instruction;  ///< with named operands
    std::string place;        ///< "file:line", empty when unknown
    struct Line {
        /// "instruction", "form", "operand"; "register" and "counter": what was looked at; what else the instruction tells
        /// of itself ("context", "datums", "output", "speed"); "unit", "waits for", "costs", "work"; "at issue", "when it
        /// executes" and "when it ends": what changes then, as "old -> new"; "finding", "fault", and "another fault" that
        /// the first one hides, each with "should be", "silicon", "cure" and "source" behind it.
        std::string topic;
        std::string name;
        std::string value;
    };
    std::vector<Line> lines;
    /// Of RunOptions::elements, those that the instruction writes, from what it found when it executed.
    std::vector<ElementTrace> elements;
    /// As a table; four lines and more in a row that differ only in the number at the end of their names are one.
    std::string describe() const;
};

}  // namespace tessera
