// SPDX-License-Identifier: Apache-2.0
// The catalogue by part of the tile: the pages of docs/reference/findings.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "findings/entry.hpp"

namespace tessera::findings {

struct Area {
    std::string_view page;  ///< docs/reference/findings/PAGE.md
    std::string_view title;
    std::span<const Entry> rows;
};

/// In the catalogue's order.
extern const std::span<const Area> areas;

/// The page of that code below docs/, with its heading: "reference/findings/hazards.md#hazarddst". Empty for an unknown code.
std::string page_of(std::string_view code);

}  // namespace tessera::findings
