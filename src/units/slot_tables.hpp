// SPDX-License-Identifier: Apache-2.0
// The part of a plan that only configuration decides, kept until one of the words it depends on is written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "state/generations.hpp"
#include "units/state_view.hpp"

namespace tessera::units {

/// The generations that a kept value depends on.
using Stamp = std::array<std::uint32_t, 7>;

/// A table's place among the others.
enum class SlotPlace : std::uint8_t { address_modifiers, unpacker, packer, matrix };

/// A direct-mapped table of kept values. A value is used again when its key is the same and no word of the groups it
/// depends on has been written since.
template <class Value, std::size_t Size, SlotPlace Place>
class SlotTable {
public:
    static constexpr SlotPlace place = Place;

    /// `make` gets a look to make the value with, and may look at nothing but what the key and the stamp stand for.
    template <class Make>
    const Value& get(std::uint32_t key, const Stamp& stamp, const StateView& view, Make&& make) {
        Slot& slot = slots_[(key ^ key >> 7 ^ key >> 13) % Size];
        if (!slot.used || slot.key != key || slot.stamp != stamp) {
            slot.reads.clear();
            slot.value = make(StateView(view, slot.reads));
            slot.reads.sum_up();
            slot.key = key;
            slot.stamp = stamp;
            slot.used = true;
        }
        if (Reads* reads = view.reads()) reads->add(slot.reads);
        return slot.value;
    }

private:
    struct Slot {
        bool used = false;
        std::uint32_t key = 0;
        Stamp stamp{};
        Reads reads;
        Value value{};
    };
    std::array<Slot, Size> slots_{};
};

/// The tables of all units. Each is made when its unit first asks for it; whoever holds them need not know what is in them.
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

    /// PlanCache has forgotten all plans: what refers to them is to go, too.
    virtual void plans_forgotten() {}

private:
    struct Held {
        virtual ~Held() = default;
    };
    template <class Table>
    struct Holder : Held {
        Table table;
    };
    std::array<std::unique_ptr<Held>, 4> tables_;
};

/// The stamp of a value that depends on the given groups in configuration bank `bank`, on `thread`'s own words but those of
/// Group::place, and on the words that belong to no group.
inline Stamp stamp(const state::Generations& generations, unsigned thread, unsigned bank, state::Group first,
                   state::Group second, state::Group third = state::Group::none,
                   state::Group fourth = state::Group::none) {
    using state::Group, state::group_counter;
    // What belongs to no group, counters for instance, is written all the time.
    auto of = [&](Group group, unsigned which) {
        return group == Group::none ? 0 : generations[group_counter(group, which)];
    };
    return {of(Group::thread, thread), of(Group::other, 0), of(Group::other, 1), of(first, bank),
            of(second, bank),          of(third, bank),     of(fourth, bank)};
}

}  // namespace tessera::units
