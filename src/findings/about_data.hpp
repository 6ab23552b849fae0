// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>

#include "findings/catalogue.hpp"

namespace tessera::findings {

/// Whether the finding of an UNPACR is only about the data that it brings into a source's bank. As long as nobody reads these, it
/// does not count (spec-notes A85).
constexpr bool is_about_data(Id which) {
    constexpr Id ids[] = {
        id("unpack.srca-row-64"),     id("unpack.srca-row-16"),     id("unpack.srcb-row-wrap"),
        id("unpack.fp32-to-src"),     id("unpack.tf32-to-src"),     id("unpack.int32-to-src"),
        id("unpack.format-mismatch"), id("unpack.format-expanded"), id("unpack.block-exponent"),
    };
    return std::find(std::begin(ids), std::end(ids), which) != std::end(ids);
}

}  // namespace tessera::findings
