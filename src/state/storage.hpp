// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::state {

/// The arrays that hold all state. Elements: a cell, a byte of L1, a datum of SrcA or SrcB (bank × row × column), a
/// datum of Dst (physical row × column), the validity of a Dst row, a lane of an LReg.
enum class Storage : std::uint8_t { cell, l1, src_a, src_b, dst, dst_valid, lreg };
inline constexpr std::size_t storages = static_cast<std::size_t>(Storage::lreg) + 1;

}  // namespace tessera::state
