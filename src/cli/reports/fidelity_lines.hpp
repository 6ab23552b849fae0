// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tessera/fidelity.hpp"

namespace tessera::cli {

/// Modes as a table; values of a setting with the same level and basis share a row.
std::string fidelity_table(const std::vector<FidelityLine>& lines);

}  // namespace tessera::cli
