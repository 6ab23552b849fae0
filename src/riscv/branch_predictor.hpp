// SPDX-License-Identifier: Apache-2.0
// Predicts that a branch does what it did last, as far as its table still holds it.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::riscv {

class BranchPredictor {
public:
    static constexpr unsigned most_entries = 256;

    /// Forgets everything. `entries`: a power of two up to most_entries.
    void reset(unsigned entries) { *this = {}, mask_ = entries - 1; }

    /// Whether the prediction for the branch at `pc` was wrong. A branch that the table does not hold is predicted as not
    /// taken. Afterwards the table holds the branch, instead of the one that had its entry.
    bool mispredicts(std::uint32_t pc, bool taken) {
        std::uint32_t& entry = outcomes_[pc / 4 & mask_];
        const std::uint32_t before = entry;
        entry = pc | (taken ? was_taken : was_not);
        changes_ += entry != before;
        return (before == (pc | was_taken)) != taken;
    }

    /// How often the table has changed.
    std::uint64_t changes() const { return changes_; }

private:
    static constexpr std::uint32_t was_not = 1, was_taken = 3;

    std::uint32_t mask_ = 0;
    std::uint64_t changes_ = 0;
    std::array<std::uint32_t, most_entries> outcomes_{};  ///< pc and, in its lowest bits, the outcome; 0: none
};

}  // namespace tessera::riscv
