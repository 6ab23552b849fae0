// SPDX-License-Identifier: Apache-2.0
// A run's faults and findings as SARIF 2.1.0, which editors and CI systems read.
#pragma once

#include "reports/json.hpp"

namespace tessera::cli {

/// One log with one run. Rules are the kinds of finding that were met; docs/ci.md has an example.
Json to_sarif(const Job& job, const Run& run);

}  // namespace tessera::cli
