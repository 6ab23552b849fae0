// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "tessera/run.hpp"

namespace tessera::util {

/// The first finding at level error, which stops a run; null: there is none.
inline const Finding* first_error(const Run& run) {
    const auto found = std::find_if(run.findings.begin(), run.findings.end(), [](const Finding& one) { return one.level == Level::error; });
    return found == run.findings.end() ? nullptr : &*found;
}

}  // namespace tessera::util
