// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "hazards/vector_clock.hpp"

namespace tessera::hazards {

/// What each of the latest numbers of a stream was.
template <class Value>
class Recent {
public:
    void add(std::uint32_t number, Value value) {
        if (values_.empty()) values_.resize(kept);
        values_[number % kept] = {number, value};
    }
    Value get(std::uint32_t number, Value otherwise) const {
        if (values_.empty() || values_[number % kept].number != number) return otherwise;
        return values_[number % kept].value;
    }

private:
    static constexpr std::size_t kept = 1024;
    struct Entry {
        std::uint32_t number = 0;
        Value value{};
    };
    std::vector<Entry> values_;
};

/// What the RISC-V cores know, now and when they made their accesses to L1 and Dst.
class CoreClocks {
public:
    const VectorClock& known(unsigned core) const { return known_[core]; }
    /// How often what it knows has changed.
    std::uint32_t version(unsigned core) const { return versions_[core]; }
    void learn(unsigned core, const VectorClock& what) { versions_[core] += known_[core].join(what); }
    /// The core knows of an access of another one.
    void learn_access(unsigned core, unsigned of, std::uint32_t number) { raise(known_[core].accesses()[of], number); }

    /// Counts an access of the core, which from now on tells what it knows.
    std::uint32_t count_access(unsigned core, std::uint32_t pc) {
        const std::uint32_t number = ++known_[core].accesses()[core];
        places_[core].add(number, pc);
        if (snapshot_versions_[core] != versions_[core] || snapshots_[core].empty()) keep_snapshot(core, number);
        return number;
    }
    bool has_accessed(unsigned core) const { return !snapshots_[core].empty(); }
    /// What the core knew at its access number `at`.
    const VectorClock& known_at(unsigned core, std::uint32_t at) const;
    /// Address of the instruction that made it; 0: no longer known.
    std::uint32_t place(unsigned core, std::uint32_t at) const { return places_[core].get(at, 0); }

private:
    void keep_snapshot(unsigned core, std::uint32_t number);

    /// A core's knowledge from its access number `from` on.
    struct Snapshot {
        std::uint32_t from = 0;
        VectorClock known;
    };

    std::array<VectorClock, riscv_cores> known_{};
    std::array<std::uint32_t, riscv_cores> versions_{};
    std::array<std::uint32_t, riscv_cores> snapshot_versions_{};
    std::array<std::deque<Snapshot>, riscv_cores> snapshots_;
    std::array<Recent<std::uint32_t>, riscv_cores> places_;
};

}  // namespace tessera::hazards
