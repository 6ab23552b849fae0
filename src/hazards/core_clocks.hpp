// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "hazards/vector_clock.hpp"
#include "state/l1_access.hpp"

namespace tessera::hazards {

/// A value for each of a stream's latest numbers, which come in order from 1.
template <class Value>
class Recent {
public:
    void add(std::uint32_t number, Value value) {
        if (number >= ends_) [[unlikely]] grow(number);
        values_[number % kept] = {number, value};
    }
    Value get(std::uint32_t number, Value otherwise) const {
        const std::size_t i = number % kept;
        return i < values_.size() && values_[i].number == number ? values_[i].value : otherwise;
    }

private:
    static constexpr std::uint32_t kept = 1024, least = 64;
    struct Entry {
        std::uint32_t number = 0;
        Value value{};
    };

    /// Most streams are short.
    void grow(std::uint32_t number) {
        std::uint32_t size = least;
        while (size < kept && size <= number) size *= 2;
        values_.resize(size);
        ends_ = size < kept ? size : ~std::uint32_t{0};
    }

    std::vector<Entry> values_;
    std::uint32_t ends_ = 0;  ///< the first number that has no place yet
};

/// The vector clocks of the RISC-V cores: now, and at each of their accesses to L1 and Dst.
class CoreClocks {
public:
    const VectorClock& known(unsigned core) const { return known_[core]; }
    /// Counts the changes of the core's clock.
    std::uint32_t version(unsigned core) const { return versions_[core]; }
    void learn(unsigned core, const VectorClock& what) { versions_[core] += known_[core].join(what); }
    /// The core acquires an access of another core.
    void learn_access(unsigned core, unsigned of, std::uint32_t number) {
        std::uint32_t& known = known_[core].accesses()[of];
        versions_[core] += known < number;
        raise(known, number);
    }

    /// Advances the core's clock by one access; later readers inherit its vector clock.
    std::uint32_t count_access(unsigned core, std::uint32_t pc) {
        const std::uint32_t number = ++known_[core].accesses()[core];
        places_[core].add(number, pc);
        if (snapshot_versions_[core] != versions_[core]) keep_snapshot(core, number);
        return number;
    }
    /// The same for accesses in a row, between which the core's clock acquires nothing.
    void count_accesses(unsigned core, std::span<const state::L1Access> accesses) {
        if (accesses.empty()) return;
        std::uint32_t last = count_access(core, accesses.front().pc);
        for (const state::L1Access& access : accesses.subspan(1)) places_[core].add(++last, access.pc);
        known_[core].accesses()[core] = last;
    }
    /// The same as count_access() for a store to the coprocessor, which is held against no access to L1 or Dst.
    std::uint32_t count_store(unsigned core) { return ++known_[core].accesses()[core]; }
    /// The core's vector clock at its access number `at`, which count_access() has given.
    const VectorClock& known_at(unsigned core, std::uint32_t at) const;
    /// Address of the instruction that made the access; 0: no longer kept.
    std::uint32_t place(unsigned core, std::uint32_t at) const { return places_[core].get(at, 0); }

private:
    void keep_snapshot(unsigned core, std::uint32_t number);

    /// A core's vector clock from its access number `from` on.
    struct Snapshot {
        std::uint32_t from = 0;
        VectorClock known;
    };

    std::array<VectorClock, riscv_cores> known_{};
    std::array<std::uint32_t, riscv_cores> versions_{};
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::array<std::uint32_t, riscv_cores> snapshot_versions_{none, none, none, none, none};
    std::array<std::deque<Snapshot>, riscv_cores> snapshots_;
    std::array<Recent<std::uint32_t>, riscv_cores> places_;
};

}  // namespace tessera::hazards
