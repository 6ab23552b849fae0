// SPDX-License-Identifier: Apache-2.0
// NOC_BRCST_EXCLUDE: the tiles of a rectangle that a broadcast on Blackhole leaves out.
#pragma once

#include "reference/noc/request/request.hpp"

namespace tessera::reference::noc {

/// Refused if the pages do not say what is excluded from the rectangle.
Checked<> exclusion_is_defined(const Request& request, const Fields& fields);
/// Whether a place on the request's NoC is left out.
bool excluded(const Request& request, unsigned x, unsigned y);

}  // namespace tessera::reference::noc
