// SPDX-License-Identifier: Apache-2.0
// Work of the vector unit that stays within its registers.
#pragma once

#include <cstdint>

#include "state/cells.hpp"

namespace tessera::state {
class State;
}

namespace tessera::plan {

/// Reads and writes lanes of LRegs and lane flags.
struct LaneWork {
    using Loop = void (*)(const LaneWork&, state::State&);

    Loop loop = nullptr;
    std::uint32_t lanes = 0;                  ///< active lanes, a bit each
    std::uint32_t immediate = 0;              ///< in the form that the loop takes
    std::uint32_t marked = 0;                 ///< lanes that the loop treats specially, a bit each
    std::uint8_t a = 0, b = 0, c = 0, d = 0;  ///< LRegs: VA, VB, VC, VD of the pages
    std::uint8_t mode = 0;                    ///< meaning depends on the loop
    std::uint8_t cells = 0, cell_stride = 1;  ///< cells read beside LRegs, and their distance
    bool writes_cells = false;                ///< writes those cells, too
    std::uint16_t first_cell = 0;
    std::uint32_t reads = 0, writes = 0;      ///< LRegs, a bit each
    bool across = false;                      ///< reads inactive lanes, too
    bool data_decides = false;  ///< data chooses the registers: reads and writes are bounds
    bool reads_flags = false, writes_flags = false;     ///< LaneFlags
    bool keeps_rotated = false, takes_rotated = false;  ///< keeps or uses the lane that SFPSHFT2 rotated last
    bool random = false;                                ///< takes a random number for each lane
    friend bool operator==(const LaneWork&, const LaneWork&) = default;
};

/// The first eight lanes of LReg 0 to a cell each: SFPCONFIG of configuration that exists per lane column.
struct ColumnConfigWork {
    enum class Op : std::uint8_t { set, bit_or, bit_and, bit_xor };

    Op op = Op::set;
    std::uint8_t columns = 0;  ///< active columns, a bit each
    std::uint8_t stride = 1;   ///< between the cells of adjacent columns
    state::Cell first{};       ///< of column 0
    friend bool operator==(const ColumnConfigWork&, const ColumnConfigWork&) = default;
};

}  // namespace tessera::plan
