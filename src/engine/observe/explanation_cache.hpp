// SPDX-License-Identifier: Apache-2.0
// Memoises explanations: an instruction that finds the same values in every cell that it depends on is explained by the same lines.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/instruction.hpp"
#include "state/state.hpp"
#include "tessera/explanation.hpp"

namespace tessera::engine {

class ExplanationCache {
public:
    struct Known {
        Explanation explanation;
        std::uint64_t number = 0;  ///< from 1 on, no two the same
        std::uint64_t place = 0;   ///< Places::key of Explanation::place
    };
    /// The explanation of an instruction that found these values before; null: none. `context` is what its lines depend on besides.
    /// The pointer is good until the next call of find() or keep().
    Known* find(unsigned thread, const isa::Instruction& instruction, const std::string& context, const state::State& state);
    /// `cells`: all that the explanation depends on, in an order that depends on their values alone. The reference is good as the
    /// pointer of find() is.
    Known& keep(unsigned thread, const isa::Instruction& instruction, const std::string& context, const state::State& state,
                std::vector<state::Cell> cells, Explanation&& explanation, std::uint64_t place);

private:
    struct Entry {
        std::vector<std::uint32_t> values;
        std::string context;
        Known known;
    };
    /// Entries of an instruction that depend on the same cells, by the hash of the values.
    struct Group {
        std::vector<state::Cell> cells;
        std::unordered_multimap<std::uint64_t, Entry> entries;
    };
    static constexpr std::size_t most_entries = 16384;  ///< a few kB each; a full cache is emptied

    std::vector<Group>& groups(unsigned thread, const isa::Instruction& instruction) {
        return groups_[std::uint64_t{thread} << 32 | instruction.word];
    }

    std::unordered_map<std::uint64_t, std::vector<Group>> groups_;
    std::vector<std::uint32_t> values_;
    std::size_t entries_ = 0;
    std::uint64_t last_number_ = 0;
};

}  // namespace tessera::engine
