// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noc/endpoint.hpp"

namespace tessera::noc {

/// Which NIU of a chip it is, and what lies behind it.
struct NiuSite {
    const Layout& chip;
    unsigned noc = 0;
    Place place;
    Endpoint& behind;
    const Costs& costs;
    /// The place at which its NoC sees it.
    Place seen() const { return chip.seen_by(noc, place); }
};

}  // namespace tessera::noc
