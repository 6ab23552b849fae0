// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kernel {

/// Tiles beside each other in a page, which has 32 whole rows.
inline constexpr unsigned width = 4;

}  // namespace kernel
