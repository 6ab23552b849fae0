// SPDX-License-Identifier: Apache-2.0
// What an instruction reads and writes, as ranges of the state's storages. Exact, or marked as a bound.
#pragma once

#include <cstdint>

#include "state/cells.hpp"
#include "state/storage.hpp"
#include "util/inline_vector.hpp"

namespace tessera::plan {

using state::Storage;

struct Access {
    Storage storage = Storage::cell;
    bool write = false;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    friend bool operator==(const Access&, const Access&) = default;
};

struct Footprint {
    static constexpr std::size_t max_accesses = 128;
    /// Room that only the first access of a kind takes, so that none is ever without one.
    static constexpr std::size_t kinds = 2 * state::storages;

    InlineVector<Access, max_accesses + kinds> accesses;
    bool exact = true;  ///< false: what is listed is a bound

    void read(Storage storage, std::uint32_t first, std::uint32_t count = 1) { add({storage, false, first, count}); }
    void write(Storage storage, std::uint32_t first, std::uint32_t count = 1) { add({storage, true, first, count}); }
    void read(state::Cell cell) { read(Storage::cell, index(cell)); }
    void write(state::Cell cell) { write(Storage::cell, index(cell)); }

private:
    // Neighbours become one access. When there is no room left the last of its kind grows to a bound.
    void add(const Access& access) {
        if (!access.count) return;
        for (std::size_t i = accesses.size(); i-- > 0;) {
            Access& known = accesses[i];
            if (known.storage != access.storage || known.write != access.write) continue;
            if (known.first + known.count == access.first) {
                known.count += access.count;
                return;
            }
            if (accesses.size() < max_accesses) break;
            const std::uint32_t first = std::min(known.first, access.first);
            known.count = std::max(known.first + known.count, access.first + access.count) - first;
            known.first = first;
            exact = false;
            return;
        }
        accesses.push_back(access);
    }
};

}  // namespace tessera::plan
