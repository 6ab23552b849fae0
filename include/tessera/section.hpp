// SPDX-License-Identifier: Apache-2.0
/// @file
/// The state of a core as named arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// A dimension of a Section.
struct Dimension {
    std::string name;                 ///< "row", "thread"
    std::size_t size = 0;             ///< the number of indices
    std::vector<std::string> labels;  ///< a name for each index; empty if they are plain numbers
};

/// A named part of the coprocessor's state: an array of unsigned integers in row-major order.
struct Section {
    std::string name;                   ///< "src_a"
    std::vector<Dimension> dimensions;  ///< none for a single element
    unsigned bits = 32;                 ///< of an element
    std::size_t size = 0;               ///< the number of elements
    std::size_t id = 0;                 ///< its position in Core::sections()
    /// Whether RunOptions::on_write and Breakpoints::written see its writes. False: what the front ends, the queues of units and the
    /// RISC-V cores with their tile keep for themselves.
    bool writes_told = true;

    /// The name of an element: "src_a bank 0 row 3 column 7". For an element that does not exist: "src_a element 2048".
    std::string describe(std::size_t element) const;
};

/// Consecutive elements of a Section.
struct ElementRange {
    std::uint32_t section = 0;  ///< Section::id
    std::uint32_t first = 0;    ///< the first element
    std::uint32_t count = 0;    ///< how many

    friend bool operator==(const ElementRange&, const ElementRange&) = default;  ///< equal in every member
};

}  // namespace tessera
