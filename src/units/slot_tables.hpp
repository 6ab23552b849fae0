// SPDX-License-Identifier: Apache-2.0
// Memoises the part of a plan that depends on configuration only, until one of its words is written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "state/generations.hpp"
#include "units/state_view.hpp"

namespace tessera::units {

/// The generations that a memoised value depends on: its guard.
using Stamp = std::array<std::uint32_t, 7>;

/// A table's index.
enum class SlotPlace : std::uint8_t { address_modifiers, unpacker, packer, packer_address_modifiers, matrix, count };

/// A direct-mapped table of memoised values. A value is valid while its key is the same and no group that it depends
/// on has been written.
template <class Value, std::size_t Size, SlotPlace Place>
class SlotTable {
public:
    static constexpr SlotPlace place = Place;

    /// `make` computes the value from a view. It must depend only on the key and on state that the stamp covers.
    template <class Make>
    const Value& get(std::uint32_t key, const Stamp& stamp, const StateView& view, Make&& make) {
        std::unique_ptr<Slot>& held = slots_[(key ^ key >> 7 ^ key >> 13) % Size];
        const bool is_new = !held;
        if (is_new) held = std::make_unique<Slot>();
        Slot& slot = *held;
        if (is_new || slot.key != key || slot.stamp != stamp) {
            slot.reads.clear();
            slot.value = make(StateView(view, slot.reads));
            slot.reads.sum_up();
            slot.key = key;
            slot.stamp = stamp;
        }
        if (Reads* reads = view.reads()) reads->add(slot.reads);
        return slot.value;
    }

private:
    struct Slot {
        std::uint32_t key = 0;
        Stamp stamp{};
        Reads reads;
        Value value{};
    };
    /// Made on demand: values are large, and a program uses few of them.
    std::array<std::unique_ptr<Slot>, Size> slots_;
};

/// The tables of all units, created on demand. Their owner need not know the units' types.
class SlotTables {
public:
    SlotTables() = default;
    SlotTables(SlotTables&&) noexcept = default;
    SlotTables& operator=(SlotTables&&) noexcept = default;
    virtual ~SlotTables() = default;

    template <class Table>
    Table& of() {
        auto& held = tables_[static_cast<std::size_t>(Table::place)];
        if (!held) held = std::make_unique<Holder<Table>>();
        return static_cast<Holder<Table>&>(*held).table;
    }

    /// PlanCache has been cleared: references to its plans must go, too.
    virtual void plans_forgotten() {}

private:
    struct Held {
        virtual ~Held() = default;
    };
    template <class Table>
    struct Holder : Held {
        Table table;
    };
    std::array<std::unique_ptr<Held>, static_cast<std::size_t>(SlotPlace::count)> tables_;
};

/// The stamp of a value that depends on the given groups in configuration bank `bank`, on `thread`'s own words
/// without Group::place, and on words of Group::other.
inline Stamp stamp(const state::Generations& generations, unsigned thread, unsigned bank, state::Group first,
                   state::Group second, state::Group third = state::Group::none,
                   state::Group fourth = state::Group::none) {
    using state::Group, state::group_counter;
    // Cells without a group, such as counters, change all the time and have no counter.
    auto of = [&](Group group, unsigned which) {
        return group == Group::none ? 0 : generations[group_counter(group, which)];
    };
    return {of(Group::thread, thread), of(Group::other, 0), of(Group::other, 1), of(first, bank),
            of(second, bank),          of(third, bank),     of(fourth, bank)};
}

}  // namespace tessera::units
