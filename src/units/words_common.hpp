// SPDX-License-Identifier: Apache-2.0
// The state that the words of one plan cache share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::units {

/// Lent to WordPlans by their cache. The lists keep their memory, so a lookup does not allocate.
struct WordsCommon {
    std::size_t kept = 0;                ///< plans of all words
    std::vector<std::uint64_t> values;   ///< of the last WordPlans::look_up()
    std::uint64_t hash = 0;              ///< of `values`
    /// `values` and `hash` are the present ones: find() has just looked them up, and found no plan. keep() takes them.
    bool is_looked_up = false;
    std::vector<std::uint32_t> setting;  ///< of the last WordSettings::settle() that compared it
};

}  // namespace tessera::units
