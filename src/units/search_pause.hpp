// SPDX-License-Identifier: Apache-2.0
// Saves searches that rarely find a plan.
#pragma once

#include <algorithm>

namespace tessera::units {

/// Decides whether a word's plans are searched. A word whose plans rarely repeat (an UNPACR of ever new tiles) is
/// looked up again only after a pause. Pauses in a row are longer each time: plans may repeat after more than a trial.
class SearchPause {
public:
    /// Whether to search now. Call it once per instruction: it counts a pause down.
    bool is_over() { return left_ == 0 || --left_ == 0; }
    void count_found() { ++found_; }
    /// A plan is memoised. After a trial of so many, starts a pause if too few were found.
    void count_kept() {
        if (++kept_ < trial) return;
        const bool in_vain = found_ < kept_ / 8;
        if (in_vain) left_ = length_;
        length_ = in_vain ? std::min(2 * length_, longest) : shortest;
        found_ = kept_ = 0;
    }

private:
    static constexpr unsigned trial = 128, shortest = 128, longest = 8192;

    unsigned length_ = shortest;     ///< of the next pause
    unsigned found_ = 0, kept_ = 0;  ///< in the present trial
    unsigned left_ = 0;              ///< instructions until the pause is over
};

}  // namespace tessera::units
