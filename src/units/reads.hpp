// SPDX-License-Identifier: Apache-2.0
// Which bits of which cells a resolve looked at, in few instructions per look: kept plans are found again by them, and hazards
// ask for them.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "plan/seen.hpp"
#include "state/cells.hpp"
#include "util/golden_ratio.hpp"

namespace tessera::units {

struct Reads {
    /// What of an instruction depends on what was looked at.
    enum class Extent : std::uint8_t {
        plan,   ///< anything
        place,  ///< only where it works: StateView::place()
        count,  ///< only what it leaves in the same cell, which it adds to: StateView::count()
    };
    struct Bits {
        std::uint16_t cell = 0;
        Extent extent{};
        std::uint32_t mask = 0;
    };

    void add(state::Cell cell, std::uint32_t mask, Extent extent = Extent::plan) {
        bits.push_back({static_cast<std::uint16_t>(cell), extent, mask});
    }
    /// Looked at before, when a value was made that is used now. It stays until these reads are done with.
    void add(const Reads& of_value) { values.push_back({&of_value, bits.size()}); }
    void clear() {
        bits.clear();
        remarked.clear();
        values.clear();
        memory = false;
    }
    /// In the order of the looks.
    template <class F>
    void for_each(F&& f) const {
        std::size_t i = 0;
        for (const Value& value : values) {
            for (; i < value.before; ++i) f(bits[i]);
            value.reads->for_each(f);
        }
        for (; i < bits.size(); ++i) f(bits[i]);
    }
    /// The same for the same looks in the same order.
    void sum_up() {
        sum = memory;
        const auto mix = [&](std::uint64_t value) {
            value *= util::golden_ratio;
            sum = std::rotl(sum, 7) ^ value ^ value >> 32;
        };
        for (const auto& one : bits)
            mix(std::uint64_t{static_cast<std::uint8_t>(one.extent)} << 48 | std::uint64_t{one.cell} << 32 | one.mask);
        for (const state::Cell cell : remarked) mix(std::uint64_t{1} << 60 | state::index(cell));
        for (const Value& value : values) mix(value.reads->sum ^ value.before << 48);
    }

    std::vector<Bits> bits;             ///< without those of values
    std::vector<state::Cell> remarked;  ///< only for a remark: not captured
    struct Value {
        const Reads* reads = nullptr;
        std::size_t before = 0;  ///< of `bits`, those that come before it
    };
    std::vector<Value> values;
    bool memory = false;  ///< something else than cells decided
    std::uint64_t sum = 0;
};

}  // namespace tessera::units
