// SPDX-License-Identifier: Apache-2.0
// One request: what the registers of an initiator say when software stores 1 to NOC_CMD_CTRL.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/noc/checked.hpp"
#include "reference/noc/chip/chip.hpp"
#include "reference/noc/chip/tile.hpp"
#include "reference/noc/coordinates.hpp"
#include "reference/noc/registers.hpp"
#include "reference/noc/request/initiator.hpp"

namespace tessera::reference::noc {

/// The registers as they are when the request starts, and what the NIU makes of them.
struct Request {
    Chip& chip;
    Tile& tile;  ///< that starts it
    unsigned noc;
    Niu& niu;
    const Map& map;
    Initiator initiator;
    std::uint32_t ctrl, tag, kind;
    unsigned id;
    bool posted, broadcast, inlined;
    Fields targ{}, ret{};       ///< translated
    Transaction transaction{};  ///< that the NIU remembers if the request is linked

    /// Of a tile's initiator on a NoC.
    Request(Chip& of, Tile& from, unsigned on_noc, unsigned index);

    bool blackhole() const { return chip.arch == Arch::blackhole; }
    std::uint32_t& word(std::uint32_t offset) const { return initiator.word(offset); }
    std::uint64_t targ_address() const { return initiator.address(NOC_TARG_ADDR_LO); }
    std::uint64_t ret_address() const { return initiator.address(NOC_RET_ADDR_LO); }
    /// Writes from memory go to NOC_RET_ADDR, all other requests to NOC_TARG_ADDR.
    bool goes_to_ret() const { return kind == NOC_CMD_WR && !inlined; }
    /// The destination of the request: a tile, or the rectangle of a broadcast.
    const Fields& destination() const { return goes_to_ret() ? ret : targ; }

    /// Sets `targ` and `ret`.
    Checked<> translate_coordinates();
    /// Sets `transaction`, if the NIU's open transaction allows the request.
    Checked<> continue_transaction();
    /// Makes the changes of software's store to NOC_CMD_CTRL, besides the counters. From here on, nothing is refused.
    void begin(const std::vector<Tile*>& to) const;
};

/// Refused if software must not write these values of NOC_CTRL and NOC_PACKET_TAG (NoC/MemoryMap).
Checked<> legal(const Request& request);

}  // namespace tessera::reference::noc
