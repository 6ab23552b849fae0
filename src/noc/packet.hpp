// SPDX-License-Identifier: Apache-2.0
// Packets between NIUs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "noc/costs.hpp"
#include "noc/layout.hpp"

namespace tessera::noc {

/// The origin of a request: the core's instruction that wrote NOC_CMD_CTRL, or a host that wrote it.
struct Origin {
    Place tile;             ///< whose NIU sends the request
    std::uint8_t core = 0;  ///< by RiscvCore
    std::uint32_t pc = 0;
    bool by_host = false;   ///< core and pc say nothing
    bool is_core_of(Place place) const { return !by_host && tile == place; }
};

/// A broadcast's rectangle: from `first` to `last` in the direction of the NoC's flow, edges joined.
struct Rectangle {
    Place first, last;
    bool y_major = false, include_source = false;
    std::uint32_t exclude = 0;  ///< NOC_BRCST_EXCLUDE
};

using Bytes = std::vector<std::uint8_t>;

struct Packet {
    enum class Kind : std::uint8_t { read, write, write_word, atomic, read_response, write_ack, atomic_response };

    Kind kind{};
    std::uint8_t noc = 0;
    bool posted = false;
    bool broadcast = false;
    std::uint8_t transaction = 0;
    Place source, to;              ///< `to`: the destination; of a broadcast, of this copy
    Rectangle rectangle;           ///< of a broadcast
    std::uint64_t address = 0;     ///< in the destination
    std::uint32_t length = 0;      ///< of the data, in bytes
    std::shared_ptr<const Bytes> data;
    std::uint64_t byte_enables = 0;  ///< of a write with byte enables: a bit for each byte from the address on; 0: all
    std::uint32_t operands = 0;      ///< NOC_AT_LEN_BE of an atomic or of a word
    std::uint32_t word = 0;          ///< NOC_AT_DATA; of an atomic's response the old value
    Place answer_to;                 ///< where the response goes
    std::uint64_t answer_address = 0;
    std::uint64_t header_address = never;  ///< where the first 16 bytes go once more (NOC_PACKET_TAG_HEADER_STORE)
    Origin origin;
    std::uint32_t pauses = 0;        ///< cycles from its first flit to its last in which no flit leaves
    std::uint32_t sequence = 0;      ///< counts the packets of its source on its NoC
    /// Identifies the request that this packet is part of, to those who watch: counts the source's requests on its NoC.
    std::uint32_t request = 0;
    /// The tag that the endpoint gave it to carry (Endpoint::asked()). The NoC does not look at it.
    std::shared_ptr<const void> hazard_tag;

    bool answers() const { return kind >= Kind::read_response; }
    bool carries_data() const { return kind == Kind::write || kind == Kind::read_response; }
    /// A write has one even if its byte enables name no byte (NoC/Counters).
    std::uint32_t data_flits(const Layout& chip) const {
        const std::uint32_t flits = carries_data() ? (length + chip.flit_bytes - 1) / chip.flit_bytes : 0;
        return kind == Kind::write ? std::max(1u, flits) : flits;
    }
    /// With the header.
    std::uint32_t flits(const Layout& chip) const { return 1 + data_flits(chip); }
};

std::string_view name(Packet::Kind kind);
/// Packet::answers() of a kind by its name.
bool is_answer(std::string_view kind);

/// A packet whose last flit reaches its NIU at `at`.
struct Arrival {
    Cycle at = 0;
    Packet packet;
};

}  // namespace tessera::noc
