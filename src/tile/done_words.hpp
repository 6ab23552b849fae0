// SPDX-License-Identifier: Apache-2.0
// The words of L1 that end a run (Kernels::done).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/cores.hpp"
#include "tile/l1_word.hpp"

namespace tessera::tile {

class DoneWords {
public:
    /// Both outlive it.
    DoneWords(const std::vector<Kernels::Word>& words, const state::L1& l1)
        : words_(words), l1_(l1), missing_(words.empty() ? nullptr : words.data()) {}

    bool empty() const { return words_.empty(); }
    /// False: they do not all hold, or there are none. It is called at every step, so it only checks the word that was unmet last.
    bool may_hold() const { return missing_ && holds(*missing_); }
    /// All of them hold. There must be some.
    bool hold() const {
        const auto unmet = std::find_if(words_.begin(), words_.end(), [&](const auto& word) { return !holds(word); });
        missing_ = unmet == words_.end() ? words_.data() : &*unmet;
        return unmet == words_.end();
    }
    std::optional<engine::Cores::Unmet> first_unmet() const {
        for (const auto& word : words_)
            if (!holds(word)) return engine::Cores::Unmet{word.address, l1_word(l1_, word.address), word.value};
        return std::nullopt;
    }

private:
    bool holds(const Kernels::Word& word) const { return l1_word(l1_, word.address) == word.value; }

    const std::vector<Kernels::Word>& words_;
    const state::L1& l1_;
    mutable const Kernels::Word* missing_;  ///< the word to check first; null: there are none
};

}  // namespace tessera::tile
