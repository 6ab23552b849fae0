// SPDX-License-Identifier: Apache-2.0
// One NIU as software sees it: initiators, configuration and counters (NoC/MemoryMap).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "tessera/arch.hpp"

namespace tessera::reference::noc {

/// A transaction of several requests that waits for its next one (NOC_CMD_VC_LINKED).
struct Transaction {
    bool broadcast = false, y_major = false;
    std::uint32_t destination = 0;        ///< coordinates, in the layout of the registers
    std::optional<unsigned> static_vc{};  ///< empty: the NIU chose it
};

/// An NIU's registers, and what it remembers between requests. All offsets are from NIU_BASE.
struct Niu {
    Arch arch{};
    std::uint32_t node_id = 0, endpoint_id = 0;  ///< NOC_NODE_ID and NOC_ENDPOINT_ID
    std::array<std::array<std::uint32_t, 16>, 4> initiators{};
    std::array<std::uint32_t, 32> configuration_words{};  ///< from NIU_BASE + 0x100
    std::array<std::uint32_t, 62> counters{};             ///< by index on NoC/Counters
    std::uint32_t rtz_source = 0;                         ///< NIU_TRANS_COUNT_RTZ_SOURCE
    std::optional<Transaction> transaction{};

    /// Software's load of a register at a multiple of 4; 0 where the page has none. A load of NIU_TRANS_COUNT_RTZ_NUM
    /// changes NIU_TRANS_COUNT_RTZ_SOURCE.
    std::uint32_t load(std::uint32_t offset);
    /// Software's store to one that is not NOC_CMD_CTRL. Not empty: why the page has none there.
    std::string store(std::uint32_t offset, std::uint32_t value);
    /// The initiator whose NOC_CMD_CTRL is at an offset, if there is one.
    std::optional<unsigned> commanded(std::uint32_t offset) const;

    /// Whether the page has a configuration word at an offset.
    bool has_configuration(std::uint32_t offset) const;
    /// A configuration word, which must be there.
    std::uint32_t configuration(std::uint32_t offset) const;
    /// Stores to one. Of NIU_TRANS_COUNT_RTZ_CLR and DEBUG_COUNTER_RESET, nothing is kept.
    void store_configuration(std::uint32_t offset, std::uint32_t value);

    /// NIU_MST_REQS_OUTSTANDING_ID(id). Blackhole remembers that it came to zero.
    void set_outstanding(unsigned id, std::uint32_t value);

private:
    std::uint32_t load_rtz_num();
};

}  // namespace tessera::reference::noc
