// SPDX-License-Identifier: Apache-2.0
// Moves that leave some columns alone (SFPCONFIG, LaneConfig, BLOCK_DEST_MOV) are the whole move, and what was in those
// columns put back: it is rare, and the loops need not know.
#pragma once

#include <array>
#include <cstdint>

#include "plan/footprint.hpp"
#include "state/memories.hpp"

namespace tessera::units::matrix {

inline constexpr std::uint16_t all_columns = 0xFFFF;

/// What some rows hold in the columns that are not moved.
template <class Datum>
class KeptColumns {
public:
    explicit KeptColumns(std::uint16_t moved) : moved_(moved) {}

    void keep(Datum* row) {
        rows_[count_] = row;
        for (unsigned c = 0; c < state::columns; ++c) datums_[count_][c] = row[c];
        ++count_;
    }
    void put_back() const {
        for (unsigned i = 0; i < count_; ++i)
            for (unsigned c = 0; c < state::columns; ++c)
                if (!(moved_ >> c & 1)) rows_[i][c] = datums_[i][c];
    }

private:
    static constexpr unsigned most_rows = 16;  // eight, and the low halves of eight
    std::uint16_t moved_;
    unsigned count_ = 0;
    std::array<Datum*, most_rows> rows_{};
    std::array<std::array<Datum, state::columns>, most_rows> datums_{};
};

/// The columns of a row that are moved, as accesses.
inline void write_columns(plan::Footprint& out, plan::Storage storage, std::uint32_t first, std::uint16_t moved) {
    if (moved == all_columns) return out.write(storage, first, state::columns);
    for (unsigned c = 0; c < state::columns; ++c)
        if (moved >> c & 1) out.write(storage, first + c);
}

}  // namespace tessera::units::matrix
