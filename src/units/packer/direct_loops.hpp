// SPDX-License-Identifier: Apache-2.0
// The fast path of most PACRs: whole rows of Dst, only the two conversions, whole lines of L1. All others go stage by
// stage (pack_work.cpp).
#pragma once

#include "formats/pack_convert.hpp"
#include "plan/pack_work.hpp"
#include "state/memories.hpp"

namespace tessera::units::packer {

/// A group of rows: the first row's number is a multiple of 4, so the rows are adjacent in Dst under every map.
inline constexpr unsigned group_rows = 4, group_datums = group_rows * state::columns;

/// Loops for whole rows.
struct DirectLoops {
    plan::PackWork::Stream::Loop group = nullptr;  ///< a group
    plan::PackWork::Stream::Loop rows = nullptr;   ///< any number
};

/// The loops for a pair of conversions; null if there are none.
DirectLoops direct_loops(const formats::Early& early, const formats::Late& late);

/// Whether a configuration has no stage but conversions. Downsampling is not tested.
bool only_converts(const plan::PackWork::Conversion& conversion, const plan::PackWork::Edges& edges);

/// Sets the fast path of an otherwise complete stream, if it moves whole rows to whole lines.
void choose_direct(const DirectLoops& loops, const plan::DstMap& map, plan::PackWork::Stream& stream);

}  // namespace tessera::units::packer
