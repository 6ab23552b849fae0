// SPDX-License-Identifier: Apache-2.0
// The instructions of a run, one row each, in the order of their issue.
#pragma once

#include <unordered_map>

#include "tessera/job.hpp"
#include "viewer/packing.hpp"
#include "viewer/sources.hpp"
#include "viewer/write_log.hpp"

namespace tessera::viewer {

/// Event::number; what was never issued comes behind.
using Row = std::uint32_t;
inline constexpr Row no_row = 0xFFFFFFFF;

class InstructionTable {
public:
    InstructionTable(const Job& job, const Core& core, Sources& sources, Texts& texts)
        : job_(job), numbering_(core), sources_(sources), texts_(texts) {}

    /// The row of an instruction that has been issued, known from its first write or its end.
    Row issued(const Write& write);
    Row ended(const Event& event);
    /// A row for an instruction that a fault has stopped at the gate.
    Row unissued(unsigned thread, std::int64_t index, std::int64_t position, std::uint32_t word, std::uint64_t cycle);

    void set_plan(Row row, std::int32_t plan) { plan_[row] = plan; }
    /// The explanation of an instruction that has not ended.
    void set_unit(Row row, std::string_view unit);

    /// The first row of that place of the program that was issued in or after a cycle; no_row: none.
    Row find(unsigned thread, std::int64_t index, std::int64_t position, std::uint64_t cycle) const;

    Json json(Packer& packer) const;
    /// Reads of instructions: the first range of each row, and the ranges.
    Json accesses(Packer& packer) const;

private:
    static constexpr std::uint32_t never = 0xFFFFFFFF;  ///< a time that did not come
    struct Place {
        int thread = 0;
        std::int64_t index = 0, position = -1;
        std::uint32_t word = 0;
        int core = -1;
        std::uint32_t pc = 0;
    };

    Row grow(std::int64_t number, std::uint64_t cycle);
    void describe(Row row, const Place& place, std::uint64_t issue);
    /// As Sources has it.
    std::uint32_t source_of(const Place& place);

    const Job& job_;
    SectionNumbers numbering_;
    Sources& sources_;
    Texts& texts_;
    std::unordered_map<std::uint32_t, std::uint32_t> disassembled_;  ///< text of a word
    std::unordered_map<std::uint64_t, std::uint32_t> known_places_;  ///< of an op of a thread, or of a core's instruction
    std::uint64_t unissued_ = 0;

    // Times are cycles; start, land and end count from the issue.
    Column<std::uint8_t> thread_;
    Column<std::int8_t> core_;
    Column<double> index_, issue_;
    Column<std::int32_t> position_, plan_;
    Column<std::uint32_t> word_, text_, place_, unit_, pc_, start_, land_, end_, reads_at_;
    ByteStream reads_;
};

}  // namespace tessera::viewer
