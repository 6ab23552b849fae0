// SPDX-License-Identifier: Apache-2.0
// The kind of work of the vector unit that stays within its registers.
#pragma once

#include <cstdint>

#include "state/cells.hpp"

namespace tessera::state {
class State;
}

namespace tessera::plan {

/// Lanes of LRegs, and lane flags, to lanes of LRegs, and lane flags.
struct LaneWork {
    using Loop = void (*)(const LaneWork&, state::State&);

    Loop loop = nullptr;
    std::uint32_t lanes = 0;                  ///< that take part, a bit each
    std::uint32_t immediate = 0;              ///< as the loop wants it
    std::uint32_t marked = 0;                 ///< lanes that the loop treats in another way, a bit each
    std::uint8_t a = 0, b = 0, c = 0, d = 0;  ///< LRegs: VA, VB, VC, VD of the pages
    std::uint8_t mode = 0;                    ///< as the loop wants it
    std::uint8_t cells = 0, cell_stride = 1;  ///< how many cells it reads beside LRegs, and how far apart
    bool writes_cells = false;                ///< and writes
    std::uint16_t first_cell = 0;
    std::uint32_t reads = 0, writes = 0;      ///< LRegs, a bit each
    bool across = false;                      ///< reads lanes that take no part
    bool data_decides = false;  ///< which registers, or whether any, is in the data: reads and writes are bounds
    bool reads_flags = false, writes_flags = false;     ///< LaneFlags
    bool keeps_rotated = false, takes_rotated = false;  ///< what SFPSHFT2 saw last when it rotated
    bool random = false;                                ///< takes a number from the generator of each lane
    friend bool operator==(const LaneWork&, const LaneWork&) = default;
};

/// The first eight lanes of LReg 0 to a cell each: SFPCONFIG of configuration that lane columns have.
struct ColumnConfigWork {
    enum class Op : std::uint8_t { set, bit_or, bit_and, bit_xor };

    Op op = Op::set;
    std::uint8_t columns = 0;  ///< that take part, a bit each
    std::uint8_t stride = 1;   ///< from the cell of one column to that of the next
    state::Cell first{};       ///< of column 0
    friend bool operator==(const ColumnConfigWork&, const ColumnConfigWork&) = default;
};

}  // namespace tessera::plan
