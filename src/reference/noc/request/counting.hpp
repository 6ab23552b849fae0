// SPDX-License-Identifier: Apache-2.0
// How a request moves the counters of NIUs on its NoC.
#pragma once

#include <cstdint>

#include "reference/noc/counters.hpp"
#include "reference/noc/request/request.hpp"

namespace tessera::reference::noc {

/// Counters of NIUs on the NoC of one request. They wrap around at their width.
class Counting {
public:
    explicit Counting(const Request& request) : request_(request) {}

    void count(Tile& tile, Counter index, std::uint32_t by = 1) const;
    /// The counter of non-posted requests, or that of posted ones, which is the next.
    void count_posted_or_not(Tile& tile, Counter nonposted, std::uint32_t by = 1) const;
    /// NIU_MST_REQS_OUTSTANDING_ID(id).
    void change_outstanding(Tile& tile, unsigned id, std::uint32_t by) const;
    /// NIU_MST_WRITE_REQS_OUTGOING_ID of the NIU that starts the request.
    void change_outgoing(std::uint32_t by) const;

private:
    const Request& request_;
};

}  // namespace tessera::reference::noc
