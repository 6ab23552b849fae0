// SPDX-License-Identifier: Apache-2.0
// What most PACRs do, all at once: whole rows of Dst through the two conversions alone, to whole lines of L1. Everything
// else goes stage by stage (pack_work.cpp).
#pragma once

#include "formats/pack_convert.hpp"
#include "plan/pack_work.hpp"
#include "state/memories.hpp"

namespace tessera::units::packer {

/// Rows of a group, the first of which has a number that is divisible by 4: they lie one behind the other in Dst, whatever
/// its map.
inline constexpr unsigned group_rows = 4, group_datums = group_rows * state::columns;

/// Of whole rows.
struct DirectLoops {
    plan::PackWork::Stream::Loop group = nullptr;  ///< a group
    plan::PackWork::Stream::Loop rows = nullptr;   ///< any number
};

/// The loops for a pair of conversions; null where there are none.
DirectLoops direct_loops(const formats::Early& early, const formats::Late& late);

/// Whether a configuration has nothing but conversions. Downsampling is not asked about.
bool only_converts(const plan::PackWork::Conversion& conversion, const plan::PackWork::Edges& edges);

/// Has a stream, complete but for that, of such a configuration done by one of them, if it is whole rows to whole lines.
void choose_direct(const DirectLoops& loops, const plan::DstMap& map, plan::PackWork::Stream& stream);

}  // namespace tessera::units::packer
