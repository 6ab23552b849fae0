// SPDX-License-Identifier: Apache-2.0
// NOC_NODE_ID of tiles without cores that run here, at the addresses where hosts read it (tt-umd, get_noc_reg_base(); tt-exalens; DRAMTile,
// APB peripherals). Hosts use it to see whether the chip answers.
#pragma once

#include <cstdint>
#include <optional>

#include "noc/layout.hpp"

namespace tessera::host {

/// The word there; empty: the address is not that of a NOC_NODE_ID of such a tile.
std::optional<std::uint32_t> node_id_at(const noc::Layout& chip, noc::Place place, std::uint64_t address);

}  // namespace tessera::host
