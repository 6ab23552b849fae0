// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

namespace tessera::check {

/// Ranges sorted by place and address, without empty ones; those of a place that touch become one.
template <class Range, class PlaceOf>
std::vector<Range> joined_ranges(std::vector<Range> ranges, PlaceOf place_of) {
    std::ranges::sort(ranges, {}, [&](const Range& range) { return std::tuple(place_of(range), range.address); });
    std::vector<Range> result;
    for (const Range& range : ranges) {
        if (range.length == 0) continue;
        Range* const last = result.empty() ? nullptr : &result.back();
        if (last && place_of(*last) == place_of(range) && range.address <= last->address + last->length)
            last->length = std::max(last->address + last->length, range.address + range.length) - last->address;
        else
            result.push_back(range);
    }
    return result;
}

}  // namespace tessera::check
