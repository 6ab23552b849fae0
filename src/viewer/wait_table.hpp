// SPDX-License-Identifier: Apache-2.0
// Waits of all actors, one row each, in the order of their ends.
#pragma once

#include <vector>

#include "viewer/instruction_table.hpp"

namespace tessera::viewer {

class WaitTable {
public:
    WaitTable(const Paths& paths, Texts& texts) : paths_(paths), texts_(texts) {}

    void add(const Wait& wait);
    /// Finds the instructions that waited, when all have been issued.
    void resolve(const InstructionTable& instructions);
    Json json(Packer& packer) const;

private:
    /// The instruction that waited at a gate, and the end of its wait.
    struct Waiting {
        std::size_t wait = 0;
        unsigned thread = 0;
        std::int64_t index = -1, position = -1;
        std::uint64_t end = 0;
    };

    const Paths& paths_;
    Texts& texts_;
    std::vector<Waiting> at_gates_;
    Column<double> begin_;
    Column<std::uint32_t> lane_, length_, kind_, reason_;
    Column<Row> row_, by_;
    Column<std::uint8_t> over_;
};

}  // namespace tessera::viewer
