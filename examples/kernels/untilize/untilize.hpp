// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kernel {

/// Tiles in a block: that many fit into half of Dst, and into a page of the circular buffer that T2 fills.
inline constexpr unsigned width = 4;

}  // namespace kernel
