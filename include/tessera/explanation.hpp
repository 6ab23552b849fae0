// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// What one instruction was about to do when it was issued.
struct Explanation {
    int thread = 0;
    std::int64_t index = 0;
    std::uint64_t cycle = 0;
    std::string instruction;  ///< with named operands
    std::string place;        ///< "file:line", empty when unknown
    struct Line {
        std::string topic;  ///< "operand", "captured", "waits for", "costs", "counter", "effect", "work", "reads", …
        std::string name;
        std::string value;
    };
    std::vector<Line> lines;
    std::string describe() const;
};

}  // namespace tessera
