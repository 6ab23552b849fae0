// SPDX-License-Identifier: Apache-2.0
// The ranges of the state's storages that an instruction reads and writes: exact, or marked as a bound.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "plan/dst_rows.hpp"
#include "state/cells.hpp"
#include "state/memories.hpp"
#include "state/storage.hpp"
#include "util/inline_vector.hpp"

namespace tessera::plan {

using state::Storage;

struct Access {
    Storage storage = Storage::cell;
    bool write = false;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint8_t part = 0;  ///< which of the plan's pipes makes it, from the lowest one on
    friend bool operator==(const Access&, const Access&) = default;
};

struct Footprint {
    static constexpr std::size_t max_accesses = 128;
    /// Reserved for the first access of each kind, so that every kind can be recorded.
    static constexpr std::size_t kinds = 2 * state::storages;

    InlineVector<Access, max_accesses + kinds> accesses;
    bool exact = true;  ///< false: `accesses` is a bound
    /// Set by who asks only about rows: datums of one row of Dst, in several columns, may be one access.
    bool rows_suffice = false;

    std::uint8_t part = 0;  ///< Access::part of those that follow

    void read(Storage storage, std::uint32_t first, std::uint32_t count = 1) { add({storage, false, first, count, part}); }
    void write(Storage storage, std::uint32_t first, std::uint32_t count = 1) { add({storage, true, first, count, part}); }
    /// Rows of a bank of SrcA or SrcB. They wrap around from the last to the first.
    void read_rows(Storage src, unsigned bank, unsigned row, unsigned count) {
        constexpr unsigned rows = state::SrcBank::rows, columns = state::columns;
        row %= rows;
        const unsigned first = std::min(count, rows - row);
        read(src, (bank * rows + row) * columns, first * columns);
        read(src, bank * rows * columns, (count - first) * columns);
    }
    /// Whole rows of Dst with their validity bits, `step` rows apart.
    void change_rows(const DstMap& map, unsigned row, unsigned count, unsigned step, bool reads) {
        for (unsigned i = 0; i < count;) {
            const unsigned first = map.row(row + i * step);
            unsigned n = 1;
            while (i + n < count && map.row(row + (i + n) * step) == first + n) ++n;
            for (unsigned half = 0; half < (map.wide ? 2u : 1u); ++half) {
                const unsigned physical = half ? DstMap::low_half(first) : first;
                if (reads) read(Storage::dst, physical * state::columns, n * state::columns);
                write(Storage::dst, physical * state::columns, n * state::columns);
            }
            if (reads) read(Storage::dst_valid, first, n);
            write(Storage::dst_valid, first, n);
            i += n;
        }
    }
    void read(state::Cell cell) { read(Storage::cell, index(cell)); }
    void write(state::Cell cell) { write(Storage::cell, index(cell)); }

private:
    // Adjacent accesses are merged. Once the list is full, the last access of the kind grows to cover the new one,
    // which makes it a bound.
    void add(const Access& access) {
        if (!access.count) return;
        std::uint8_t& last = last_[2 * static_cast<std::size_t>(access.storage) + access.write];
        if (last < accesses.size()) {
            Access& known = accesses[last];
            if (known.first + known.count == access.first && known.part == access.part) {
                known.count += access.count;
                return;
            }
            if (accesses.size() >= max_accesses) {
                const std::uint32_t first = std::min(known.first, access.first);
                known.count = std::max(known.first + known.count, access.first + access.count) - first;
                known.first = first;
                exact = false;
                return;
            }
        }
        last = static_cast<std::uint8_t>(accesses.size());
        accesses.push_back(access);
    }

    static constexpr std::array<std::uint8_t, kinds> nothing = [] {
        std::array<std::uint8_t, kinds> none{};
        none.fill(0xFF);
        return none;
    }();
    std::array<std::uint8_t, kinds> last_ = nothing;  ///< index of the last access of each kind
};

}  // namespace tessera::plan
