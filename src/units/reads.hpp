// SPDX-License-Identifier: Apache-2.0
// Records the bits of cells that a resolve reads, at low cost per read. They are the guard of memoised plans, and the
// captures of the hazard checker.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "plan/seen.hpp"
#include "state/cells.hpp"
#include "util/golden_ratio.hpp"

namespace tessera::units {

struct Reads {
    /// The part of an instruction that depends on a read.
    enum class Extent : std::uint8_t {
        plan,   ///< any part
        place,  ///< only its place: StateView::place()
        count,  ///< only the sum that it writes back to the cell: StateView::count()
    };
    struct Bits {
        std::uint32_t mask = 0;  ///< of each cell
        std::uint16_t cell = 0;
        Extent extent{};
        std::uint8_t cells = 1;  ///< this one and those behind it
    };

    void add(state::Cell cell, std::uint32_t mask, Extent extent = Extent::plan) {
        add({mask, static_cast<std::uint16_t>(cell), extent, 1});
    }
    /// Adds all bits of a block, of fewer than 256 cells.
    void add(const state::CellBlock& block) {
        add({~0u, block.first, Extent::plan, static_cast<std::uint8_t>(block.count)});
    }
    /// Adds the reads of a memoised value that is used now. `of_value` must outlive these reads.
    void add(const Reads& of_value) { values.push_back({&of_value, count_}); }
    void clear() {
        count_ = 0;
        remarked.clear();
        values.clear();
        memory = false;
    }
    /// In the order of the reads.
    template <class F>
    void for_each(F&& f) const {
        std::size_t i = 0;
        for (const Value& value : values) {
            for (; i < value.before; ++i) f(bits_[i]);
            value.reads->for_each(f);
        }
        for (; i < count_; ++i) f(bits_[i]);
    }
    /// Makes `sum`: equal for the same reads in the same order.
    void sum_up() {
        sum = memory;
        const auto mix = [&](std::uint64_t value) {
            value *= util::golden_ratio;
            sum = std::rotl(sum, 7) ^ value ^ value >> 32;
        };
        static_assert(std::has_unique_object_representations_v<Bits>);
        for (const Bits& one : bits()) mix(std::bit_cast<std::uint64_t>(one));
        for (const state::Cell cell : remarked) mix(std::uint64_t{1} << 60 | state::index(cell));
        for (const Value& value : values) mix(value.reads->sum ^ value.before << 48);
    }

    /// Without those of values.
    std::span<const Bits> bits() const { return {bits_.data(), count_}; }

    std::vector<state::Cell> remarked;  ///< for a remark only: not captured
    struct Value {
        const Reads* reads = nullptr;
        std::size_t before = 0;  ///< number of bits() read before it
    };
    std::vector<Value> values;
    bool memory = false;  ///< depends on more than cells
    std::uint64_t sum = 0;

private:
    void add(Bits some) {
        if (count_ == bits_.size()) [[unlikely]] return add_beyond(some);
        bits_[count_++] = some;
    }
    // Room is made rarely, and by a call at the end of add(): a function that adds many reads need not save its registers.
    [[gnu::noinline]] void add_beyond(Bits some) {
        bits_.resize(2 * bits_.size() + 32);
        bits_[count_++] = some;
    }

    std::vector<Bits> bits_;  ///< the first count_ of them
    std::size_t count_ = 0;
};

}  // namespace tessera::units
