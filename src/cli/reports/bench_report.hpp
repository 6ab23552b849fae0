// SPDX-License-Identifier: Apache-2.0
// Results of `tessera bench` as text and JSON.
#pragma once

#include <string>

#include "bench/bench.hpp"
#include "reports/json.hpp"

namespace tessera::cli {

/// Machine, method and tables, with aligned columns or as Markdown.
std::string to_text(const bench::Report& report, bool markdown);

/// The keys of bench/bench.hpp; unknown values are null.
Json to_json(const bench::Report& report);

}  // namespace tessera::cli
