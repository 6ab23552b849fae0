// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/json.hpp"
#include "tessera/trace.hpp"

namespace tessera::cli {

/// Output of `tessera trace --report --json` (docs/trace.md).
Json to_json(const TraceReport& report);

}  // namespace tessera::cli
