// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hazards/past.hpp"

namespace tessera::hazards {

/// The coprocessor's latest accesses to L1, by stream. A forgotten access can hide a conflict but never adds one.
class L1Spans {
public:
    /// Checks an access against other streams', and records it. Two `atomic` accesses need no order.
    void check(const Requester& now, const plan::Access& access, bool atomic, Conflicts& conflicts);

private:
    struct Span {
        std::uint32_t first = 0, last = 0;
        bool write = false, atomic = false;
        Past who;
    };
    /// The range that covers some spans, and whether one of them writes.
    struct Extent {
        std::uint32_t first = ~0u, last = 0;
        bool writes = false;

        bool meets(std::uint32_t from, std::uint32_t to, bool write) const {
            return from <= last && first <= to && (write || writes);
        }
        void add(const Span& span) {
            first = std::min(first, span.first);
            last = std::max(last, span.last);
            writes |= span.write;
        }
    };
    struct Stream {
        bool may_meet(std::uint32_t from, std::uint32_t to, bool write) const {
            return now.meets(from, to, write) || before.meets(from, to, write);
        }

        std::vector<Span> spans;  ///< a ring once it is full
        Extent now,
            before;  ///< since the ring's first place was last filled, and before that
        Past last;   ///< the latest: ordered after it means ordered after all
        std::size_t next = 0;
    };
    static constexpr std::size_t remembered = 64;

    std::array<Stream, streams> streams_;
    std::uint64_t used_ = 0;  ///< a bit per stream that has accessed L1
};

}  // namespace tessera::hazards
