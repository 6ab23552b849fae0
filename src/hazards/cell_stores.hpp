// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hazards/vector_clock.hpp"
#include "plan/seen.hpp"
#include "state/resources.hpp"

namespace tessera::hazards {

/// Memories of the coprocessor. Each keeps one core's accesses in order, independently of the other.
enum class CoreRegion : std::uint8_t { config, gprs, count };

/// Stores of the threads' own cores to configuration and GPRs. Each may still be in flight when an instruction
/// captures the cell.
class CellStores {
public:
    struct Store {
        std::uint32_t number = 0;  ///< in the core's stream; 0: none
        std::uint8_t core = 0;     ///< of the thread with this number
        std::int64_t index = 0;
        std::uint32_t changes = 0;  ///< bits changed by this store or by earlier ones still in flight
        state::Resources resources = 0;  ///< resources under which Auto TTSync tracks it
        std::uint32_t of_all = 0;        ///< its number among all cores' stores
        std::uint32_t value = 0;
        std::uint64_t at = 0;      ///< cycle of the store
        std::uint32_t access = 0;  ///< its number among the core's accesses (VectorClock::accesses())
    };
    struct Conflict {
        unsigned core = 0;
        bool overtaken = false;    ///< the core's program has the store after the instruction
        bool written = false;      ///< the instruction writes the bits, too
        bool follows = false;      ///< programs alone order the instruction's push behind the store
        std::int64_t index = 0;    ///< of the store
        std::uint32_t number = 0;  ///< among those of all cores, from 1
        std::uint64_t at = 0;      ///< cycle
        plan::CellBits bits;       ///< captured bits that the store changes, or bits that both write
    };
    /// Bits of a cell that an instruction replaces, whatever the cell holds otherwise.
    struct Replacement {
        std::uint32_t mask = 0, value = 0;
    };
    /// Cycles for which a store is assumed to be in flight at most. No page gives a bound (spec-notes B41).
    static constexpr std::uint64_t reach = 32;

    /// A core stores a cell. add() fills in of_all. `known`: the vector clock of the core's own thread. `later`: that of the first
    /// instruction that the thread's last wait blocks; as a rule those that use the cell come behind it.
    void add(state::Cell cell, Store store, const VectorClock& known, const VectorClock& later);
    /// Whether any core has stored to the cell.
    bool has(std::uint16_t cell) const { return cell < stores_.size() && stores_[cell].number; }
    /// Whether one has since the store numbered `until`. `never`: whether any has.
    bool has_since(std::uint16_t cell, std::uint32_t until) const {
        return has(cell) && (until == never || stores_[cell].of_all > until);
    }
    /// Stores of all cores so far.
    std::uint32_t count() const { return count_; }
    static constexpr std::uint32_t never = ~0u;
    /// Whether the last store to one of the cells is numbered above `until`. `never`: true.
    template <class Cells>
    bool since(std::uint32_t until, const Cells& cells) const {
        if (until == never) return true;
        if (count_ - until > last_.size()) return any_since(until, cells);
        for (std::uint32_t i = until; i != count_;)
            if (cells[state::index(last_[++i % last_.size()])]) return true;
        return false;
    }
    /// Whether the thread lacks a core's store in its vector clock, or has a store behind `index` in its own core's
    /// program.
    bool may_matter(unsigned thread, std::int64_t index, const VectorClock& known) const {
        if (any_behind(thread, index)) return true;
        if (known_over_[thread] == count_) return false;
        for (unsigned core = 0; core < state::threads; ++core)
            if (known.done()[core_stream(core)] < last_number_[core]) return true;
        known_over_[thread] = count_;
        return false;
    }
    /// Whether the thread's own core has stored, and its program has the store behind the instruction at `index`.
    bool any_behind(unsigned thread, std::int64_t index) const { return last_index_[thread] > index; }
    /// The last store to the cell, if it is such a store; else null.
    const Store* behind(unsigned thread, std::int64_t index, std::uint16_t cell) const {
        if (!has(cell)) return nullptr;
        const Store& last = stores_[cell];
        return last.core == thread && last.index > index ? &last : nullptr;
    }
    /// Checks the bits of a cell that the instruction at `index` of `thread` captures. Bits outside `replaced` are
    /// captured and written back unchanged; for the replaced ones the order matters only if store and instruction
    /// disagree.
    std::optional<Conflict> check(unsigned thread, std::int64_t index, const plan::CellBits& captured,
                                  const std::optional<Replacement>& replaced, const VectorClock& known) const;

    /// The last store to the cell, if it was another core's, of another value, and nothing orders it before this one.
    /// `known`: the vector clock of the core that stores `value` now.
    std::optional<Store> unordered_store(unsigned thread, state::Cell cell, std::uint32_t value,
                                         const VectorClock& known) const;

    /// All stores of the thread's core have completed.
    void over(unsigned thread) { open_[thread] = awaited_[thread] = {}; }
    /// The thread's wait at `index` has ended. For instructions that it blocks, the stores before it in the core's program are
    /// over. Returns the number of the last of them.
    std::uint32_t await(unsigned thread, std::int64_t index);
    void awaited_are_over(unsigned thread) { awaited_[thread] = {}; }
    /// Auto TTSync has let the thread's instruction `index` pass: its core's earlier stores to any of these are done.
    /// Returns whether all of the core's stores are done then.
    bool passed(unsigned thread, state::Resources resources, std::int64_t index);
    /// The core has loaded from a region behind all of its stores there: instructions that it pushes from `index` on
    /// come after them.
    void read_back(unsigned thread, CoreRegion region, std::int64_t index);

private:
    template <class Cells>
    bool any_since(std::uint32_t until, const Cells& cells) const {
        for (std::size_t i = 0; i < std::min(stores_.size(), cells.size()); ++i)
            if (cells[i] && stores_[i].of_all > until) return true;
        return false;
    }
    /// Instructions of the core's own thread from `from` on come after the core's stores up to this number.
    struct ReadBack {
        std::int64_t from = 0;
        std::uint32_t number = 0;
    };
    bool read_back_before(const Store& store, state::Cell cell, std::int64_t index) const;
    bool kept_in_order(const Store& store) const;

    std::vector<Store> stores_;           ///< by cell; grows on demand
    std::array<state::Cell, 64> last_{};  ///< the latest stores' cells, by number among all
    std::uint32_t count_ = 0;
    std::array<std::uint32_t, state::threads> last_number_{};  ///< in the core's stream
    std::array<std::int64_t, state::threads> last_index_{-1, -1, -1};
    /// By thread: number up to which all cores' stores are known to be over. Valid for good, since a vector clock
    /// only grows.
    mutable std::array<std::uint32_t, state::threads> known_over_{};
    /// By resource: the latest instruction that Auto TTSync has let pass behind the stores of its own core.
    std::array<std::array<std::int64_t, 8>, state::threads> passed_{};
    /// Stores that the thread does not know to be done: their resources, and whether some have none.
    struct Open {
        state::Resources resources = 0;
        bool untracked = false;
        void add(const Open& others) {
            resources |= others.resources;
            untracked |= others.untracked;
        }
        bool all_within(state::Resources these) const { return !untracked && !(resources & ~these); }
    };
    std::array<Open, state::threads> open_{}, awaited_{};  ///< the latter behind await()
    /// The latest read-backs of each core and region, oldest first.
    std::array<std::array<std::vector<ReadBack>, static_cast<std::size_t>(CoreRegion::count)>, state::threads>
        read_backs_;
};

}  // namespace tessera::hazards
