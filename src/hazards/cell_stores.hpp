// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hazards/vector_clock.hpp"
#include "plan/seen.hpp"
#include "state/resources.hpp"

namespace tessera::hazards {

/// Memories of the coprocessor that keep the order of one core's accesses, each for itself.
enum class CoreRegion : std::uint8_t { config, gprs, count };

/// Stores of the threads' own cores to configuration and GPRs, each of which may be on its way while instructions capture the cell.
class CellStores {
public:
    struct Store {
        std::uint32_t number = 0;  ///< in the core's stream; 0: nobody
        std::uint8_t core = 0;
        std::int64_t index = 0;
        std::uint32_t changes = 0;  ///< bits that it, and those before it that may be on their way, give another value
        state::Resources resources = 0;  ///< what Auto TTSync takes it for
        std::uint32_t of_all = 0;        ///< its number among those of all cores
        std::uint32_t value = 0;
        std::uint64_t at = 0;  ///< cycle
    };
    struct Conflict {
        unsigned core = 0;
        bool overtaken = false;    ///< the core stores it after pushing the instruction
        std::int64_t index = 0;    ///< of the store
        std::uint32_t number = 0;  ///< among those of all cores, from 1
        std::uint64_t at = 0;      ///< cycle
        plan::CellBits bits;       ///< captured ones that it changes
    };
    /// Bits of a cell that an instruction replaces, whatever else the cell holds.
    struct Replacement {
        std::uint32_t mask = 0, value = 0;
    };
    /// Cycles for which a store is taken to be on its way at most, which no page promises (spec-notes B41).
    static constexpr std::uint64_t reach = 32;

    /// A core stores a cell; `known`: what its own thread knows, of_all is filled in here.
    void add(state::Cell cell, Store store, const VectorClock& known);
    /// A core has stored to the cell.
    bool has(std::uint16_t cell) const { return cell < stores_.size() && stores_[cell].number; }
    /// By all cores so far.
    std::uint32_t count() const { return count_; }
    /// Whether one of the stores behind the first `until` may have been to one of the cells.
    template <class Cells>
    bool since(std::uint32_t until, const Cells& cells) const {
        if (count_ - until > last_.size()) return true;
        for (std::uint32_t i = until; i != count_;)
            if (cells[state::index(last_[++i % last_.size()])]) return true;
        return false;
    }
    /// Whether some store of a core is not known to be over to the thread, or comes later in the core's program than this.
    bool may_matter(unsigned thread, std::int64_t index, const VectorClock& known) const {
        if (last_index_[thread] > index) return true;
        if (known_over_[thread] == count_) return false;
        for (unsigned core = 0; core < state::threads; ++core)
            if (known.done()[core_stream(core)] < last_number_[core]) return true;
        known_over_[thread] = count_;
        return false;
    }
    /// Checks what an instruction of `thread` at `index` captures: these bits of a cell. What it replaces a part of it captures only to put
    /// it back: there the order matters where store and instruction do not agree.
    std::optional<Conflict> check(unsigned thread, std::int64_t index, const plan::CellBits& captured,
                                  const std::optional<Replacement>& replaced, const VectorClock& known) const;

    /// All stores of the thread's core are over.
    void over(unsigned thread) {
        open_[thread] = 0;
        open_untracked_[thread] = false;
    }
    /// Auto TTSync has let the thread's instruction `index` pass: its core's stores of before to any of these are done. True: there are
    /// no others.
    bool passed(unsigned thread, state::Resources resources, std::int64_t index);
    /// The core has loaded from the region, which has all that it stored there: what it pushes from `index` on comes later.
    void read_back(unsigned thread, CoreRegion region, std::int64_t index);

private:
    /// The core's stores up to this number are over for its own thread's instructions from `from` on.
    struct ReadBack {
        std::int64_t from = 0;
        std::uint32_t number = 0;
    };
    bool read_back_before(const Store& store, state::Cell cell, std::int64_t index) const;
    bool kept_in_order(const Store& store) const;

    std::vector<Store> stores_;           ///< by cell, as far as there are any
    std::array<state::Cell, 16> last_{};  ///< by number among all
    std::uint32_t count_ = 0;
    std::array<std::uint32_t, state::threads> last_number_{};  ///< in the core's stream
    std::array<std::int64_t, state::threads> last_index_{-1, -1, -1};
    /// So many by all cores each thread has been found to know to be over; no thread forgets what it knows.
    mutable std::array<std::uint32_t, state::threads> known_over_{};
    /// By resource: the latest instruction that Auto TTSync has let pass behind the stores of its core.
    std::array<std::array<std::int64_t, 8>, state::threads> passed_{};
    std::array<state::Resources, state::threads> open_{};  ///< by stores that the thread does not know to be done
    std::array<bool, state::threads> open_untracked_{};    ///< there are others among them
    /// The latest of each core and region, in order.
    std::array<std::array<std::vector<ReadBack>, static_cast<std::size_t>(CoreRegion::count)>, state::threads>
        read_backs_;
};

}  // namespace tessera::hazards
