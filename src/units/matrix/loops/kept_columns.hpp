// SPDX-License-Identifier: Apache-2.0
// Moves that leave some columns alone (SFPCONFIG, LaneConfig, BLOCK_DEST_MOV): the whole row is moved, then those
// columns are restored. This is rare, so the loops do not handle it.
#pragma once

#include <array>
#include <cstdint>

#include "plan/footprint.hpp"
#include "state/memories.hpp"

namespace tessera::units::matrix {

inline constexpr std::uint16_t all_columns = 0xFFFF;

/// The old contents of some rows in the columns that are not moved.
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

/// The moved columns of a row, as accesses.
inline void write_columns(plan::Footprint& out, plan::Storage storage, std::uint32_t first, std::uint16_t moved) {
    if (moved == all_columns) return out.write(storage, first, state::columns);
    for (unsigned c = 0; c < state::columns; ++c)
        if (moved >> c & 1) out.write(storage, first + c);
}

}  // namespace tessera::units::matrix
