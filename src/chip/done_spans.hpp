// SPDX-License-Identifier: Apache-2.0
// When a node was done. Nodes are ahead of one another, and the run ends in the first cycle in which all were done at once.
#pragma once

#include <algorithm>
#include <vector>

#include "noc/costs.hpp"

namespace tessera::chip {

class DoneSpans {
public:
    /// The node is done since that cycle, unless it is known to be.
    void begin(noc::Cycle at) {
        if (!is_open()) spans_.push_back({at, noc::never});
    }
    /// The node is not done: it was for the last time in that cycle.
    void end(noc::Cycle at) {
        if (!is_open()) return;
        spans_.back().last = at;
        if (spans_.back().first > at) spans_.pop_back();
    }
    /// From that cycle on the node was not done, since a packet was on its way to it.
    void end_before(noc::Cycle cycle) {
        std::erase_if(spans_, [&](const Span& span) { return span.first >= cycle; });
        if (!spans_.empty()) spans_.back().last = std::min(spans_.back().last, cycle - 1);
    }
    /// Earlier cycles will not be asked about.
    void forget_before(noc::Cycle cycle) {
        std::erase_if(spans_, [&](const Span& span) { return span.last < cycle; });
    }
    /// The first cycle from `from` on in which the node was done; never: none is known.
    noc::Cycle first_from(noc::Cycle from) const {
        const auto span = std::find_if(spans_.begin(), spans_.end(), [&](const Span& one) { return one.last >= from; });
        return span == spans_.end() ? noc::never : std::max(span->first, from);
    }

private:
    struct Span {
        noc::Cycle first, last;  ///< `last` never: the node is done
    };
    bool is_open() const { return !spans_.empty() && spans_.back().last == noc::never; }

    std::vector<Span> spans_;  ///< in their order
};

}  // namespace tessera::chip
