// SPDX-License-Identifier: Apache-2.0
/// @file
/// Explains what one instruction is about to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/element_trace.hpp"

namespace tessera {

/// The plan of one instruction at its issue, or the reason why it cannot be issued.
struct Explanation {
    int thread = 0;           ///< 0 to 2
    std::int64_t index = 0;   ///< as Event::index
    std::uint64_t cycle = 0;  ///< of the issue
    std::string instruction;  ///< with named operands
    std::string place;        ///< "file:line", empty if unknown
    /// A row of the table.
    struct Line {
        /// The subject of the row:
        /// - "instruction", "form", "operand": the word;
        /// - "register", "counter": state that was read;
        /// - "context", "datums", "output", "speed": further properties of the instruction;
        /// - "unit", "waits for", "costs", "work": its execution;
        /// - "at issue", "when it executes", "when it ends": changes at that moment, as "old -> new";
        /// - "finding", "fault", "another fault": what is wrong, followed by "should be", "silicon", "cure" and "source".
        std::string topic;
        std::string name;   ///< of the operand, register, counter or element
        std::string value;  ///< for people
    };
    std::vector<Line> lines;  ///< in the order of the table
    /// The arithmetic of those of RunOptions::elements that the instruction writes, with its operands at execution.
    std::vector<ElementTrace> elements;
    /// The table. Four or more successive rows whose names differ only in a number at the end are joined.
    std::string describe() const;
};

}  // namespace tessera
