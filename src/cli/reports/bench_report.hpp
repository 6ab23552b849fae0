// SPDX-License-Identifier: Apache-2.0
// What `tessera bench` has measured, in the forms that it is printed in.
#pragma once

#include <string>

#include "bench/bench.hpp"
#include "reports/json.hpp"

namespace tessera::cli {

/// Machine, method and tables: aligned columns, or Markdown's.
std::string to_text(const bench::Report& report, bool markdown);

/// Keys are those of bench/bench.hpp; what is not known is null.
Json to_json(const bench::Report& report);

}  // namespace tessera::cli
