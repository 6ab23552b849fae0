// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "functional/run.hpp"

namespace tessera::functional {

Result<void> accepts(const RunOptions& options) {
    const std::pair<bool, std::string_view> clocked[] = {
        {static_cast<bool>(options.on_event), "a trace of instructions"},
        {static_cast<bool>(options.on_write), "a trace of writes"},
        {static_cast<bool>(options.on_wait), "a trace of waits"},
        {!options.window.empty(), "a window of cycles"},
        {options.explain != nullptr, "explaining instructions"},
        {options.seed.has_value(), "a seed, which adds delays"},
        {options.reference, "the second implementation"},
        {!options.disregard.empty(), "disregarding an ordering, since it looks for no hazards"},
    };
    for (const auto& [asked, what] : clocked)
        if (asked)
            return fail("run.functional",
                        fmt::format("functional timing has no clock and no hazard checks, and cannot be combined with {}: leave it out, or "
                                    "use documented timing",
                                    what));
    return {};
}

}  // namespace tessera::functional
