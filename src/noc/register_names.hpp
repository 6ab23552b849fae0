// SPDX-License-Identifier: Apache-2.0
// Names of an NIU's registers (NoC/MemoryMap) and counters (NoC/Counters).
#pragma once

#include <cstdint>
#include <string>

#include "tessera/arch.hpp"

namespace tessera::noc {

/// The register at an offset from NIU_BASE, with its initiator if it is of one: "NIU_MST_WR_ACK_RECEIVED",
/// "NIU_MST_REQS_OUTSTANDING_ID(3)", "NOC_CMD_CTRL of initiator 1". Empty: it has no name here.
std::string register_name(Arch arch, std::uint32_t offset);

}  // namespace tessera::noc
