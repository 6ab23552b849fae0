// SPDX-License-Identifier: Apache-2.0
// The four kinds of request with the steps of NoC/Counters in their order. Each checks all first, so a refused request
// changes nothing.
#pragma once

#include "reference/noc/request/request.hpp"

namespace tessera::reference::noc {

/// NOC_CMD_RD.
Checked<> read(const Request& request);
/// NOC_CMD_WR with NOC_CMD_WR_INLINE=false: from memory, for a length or with byte enables.
Checked<> write(const Request& request);
/// NOC_CMD_WR with NOC_CMD_WR_INLINE=true: of NOC_AT_DATA.
Checked<> write_inline(const Request& request);
/// NOC_CMD_AT.
Checked<> atomic(const Request& request);

}  // namespace tessera::reference::noc
