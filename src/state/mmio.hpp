// SPDX-License-Identifier: Apache-2.0
// Registers of the tile that instructions reach by their address and that the coprocessor's state holds. Instructions
// reach 0xFFB0'0000 to 0xFFBF'FFFF, so that configuration, GPRs and semaphores, from 0xFFE0'0000 on, are not among them
// (BabyRISCV, memory map; spec-notes A80).
#pragma once

#include <optional>

#include "state/cells.hpp"

namespace tessera::state::mmio {

inline constexpr std::uint32_t base = 0xFFB0'0000;
inline constexpr std::uint32_t overlay = 0xFFB4'0000;      ///< NOC_OVERLAY_START_ADDR
inline constexpr std::uint32_t overlay_end = 0xFFB8'0000;  ///< first address behind
inline constexpr std::uint32_t stream_bytes = 0x1000;
static_assert((overlay_end - overlay) / stream_bytes == cells::streams);

/// The cell that a 32-bit access at `address` means.
constexpr std::optional<Cell> cell(const ArchDescription& arch, std::uint32_t address) {
    if (address < overlay || address >= overlay_end) return std::nullopt;
    if (address % stream_bytes != arch.stream_data_clear * 4u) return std::nullopt;
    return cells::stream_data_clear((address - overlay) / stream_bytes);
}

}  // namespace tessera::state::mmio
