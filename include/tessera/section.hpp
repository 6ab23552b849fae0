// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// One dimension of a Section; where `labels` is not empty it names each index.
struct Dimension {
    std::string name;
    std::size_t size = 0;
    std::vector<std::string> labels;
};

/// One named part of the coprocessor's state, seen as an array of unsigned integers in row-major order.
struct Section {
    std::string name;
    std::vector<Dimension> dimensions;
    unsigned bits = 32;    ///< of an element
    std::size_t size = 0;  ///< elements
    std::size_t id = 0;    ///< for Core::read and Core::write

    /// "src_a bank 0 row 3 column 7".
    std::string describe(std::size_t element) const;
};

/// Elements of a Section that stand in a row.
struct ElementRange {
    std::uint32_t section = 0;  ///< Section::id
    std::uint32_t first = 0, count = 0;

    friend bool operator==(const ElementRange&, const ElementRange&) = default;
};

}  // namespace tessera
