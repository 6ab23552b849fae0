// SPDX-License-Identifier: Apache-2.0
// Measurements on chips beside predictions, as text and JSON.
#pragma once

#include <string>

#include "bench/silicon/silicon.hpp"
#include "reports/json.hpp"

namespace tessera::cli {

/// The table, what it shows in a few figures, and the sources; aligned or as Markdown.
std::string to_text(const bench::silicon::Comparison& comparison, bool markdown);

/// The keys of bench/silicon/silicon.hpp, and "deviation"; unknown values are null.
Json to_json(const bench::silicon::Comparison& comparison);

}  // namespace tessera::cli
