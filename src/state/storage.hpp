// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::state {

/// The arrays that hold all state. Their elements: a cell, a byte of L1, a datum of SrcA or SrcB (bank × row ×
/// column), a datum of Dst (physical row × column), the validity of a Dst row, a lane of an LReg, a word of a RISC-V
/// core, a byte of a core's local data RAM (state/riscv_words.hpp), a word of the tile's devices.
enum class Storage : std::uint8_t { cell, l1, src_a, src_b, dst, dst_valid, lreg, riscv, riscv_local, tile };
inline constexpr std::size_t storages = static_cast<std::size_t>(Storage::tile) + 1;

}  // namespace tessera::state
