// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "hazards/noc_knowledge.hpp"

namespace tessera::hazards {

/// Accesses of requests over the NoC to a memory without cores: DRAM, an Ethernet tile. A forgotten access can hide a conflict, but
/// never adds one.
class MemoryOrder {
public:
    struct Access {
        NocOrigin by;
        std::uint64_t first = 0, last = 0;
        bool write = false;
    };
    /// Two accesses without an order.
    struct Conflict {
        Access now, before;
    };
    /// `known`: what the request's core knew; null: nothing is checked.
    void accessed(const Access& what, const NocKnowledge* known);
    /// One for each pair of instructions.
    const std::vector<Conflict>& conflicts() const { return conflicts_; }

private:
    static constexpr std::size_t most = 512;
    void check(const std::deque<Access>& earlier, const Access& what, const NocKnowledge& known);

    std::deque<Access> writes_, reads_;
    std::vector<Conflict> conflicts_;
};

}  // namespace tessera::hazards
