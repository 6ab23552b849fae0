// SPDX-License-Identifier: Apache-2.0
// Requests of an NIU's own tile, from the store to NOC_CMD_CTRL until their packets leave.
#pragma once

#include <deque>
#include <optional>

#include "noc/niu_registers.hpp"

namespace tessera::noc {

/// The memory of initiators beside their registers.
struct InitiatorsMemory {
protected:
    /// An initiator that waits for a virtual channel.
    struct Waiting {
        std::uint8_t initiator = 0;
        Places places;
        Origin origin;
        Cycle earliest = 0;
        bool continues = false;  ///< a transaction that an earlier request began
        std::uint32_t request = 0;  ///< Packet::request
        std::shared_ptr<const void> hazard_tag;
        bool is_split = false;  ///< longer than a packet
    };
    /// The destination of a transaction that a request has left open.
    struct Linked {
        std::uint32_t place = 0;
        bool broadcast = false, y_major = false;
        std::uint32_t first_request = 0;  ///< of the transaction
        std::optional<std::uint32_t> vc{};  ///< if it is static
        Origin last{};                      ///< who asked for its last request
        bool goes_as(const Linked& other) const {
            return place == other.place && broadcast == other.broadcast && y_major == other.y_major;
        }
    };
    std::deque<Waiting> queue_;
    std::uint32_t requests_ = 0;
    std::optional<Linked> linked_;
};

class Initiators : private InitiatorsMemory {
public:
    Initiators(const NiuSite& site, NiuRegisters& registers) : site_(site), registers_(registers) {}

    /// A bit for each initiator whose request still waits.
    unsigned pending() const;
    /// Whether one of these is longer than a packet.
    bool splits() const;
    /// A store of 1 to NOC_CMD_CTRL of an initiator without a pending request. A refusal: why the request is impossible.
    Refusal command(unsigned which, const Origin& by, Cycle at, const Neighbourhood& around);

    /// The asker of the last request of a transaction that waits for its next one.
    std::optional<Origin> open_transaction() const { return linked_ ? std::optional(linked_->last) : std::nullopt; }

    bool is_empty() const { return queue_.empty(); }
    std::size_t waiting() const { return queue_.size(); }
    /// Of the request that comes next: who asked for it, and the earliest cycle in which it can begin. There must be one.
    const Origin& origin() const { return queue_.front().origin; }
    Cycle earliest() const { return queue_.front().earliest; }
    struct Begun {
        Packet packet;
        Cycle leaves = 0;  ///< at the earliest
    };
    /// Makes its next packet. A refusal: why that is impossible.
    Refusal begin(Cycle now, Begun& begun);

    const InitiatorsMemory& memory() const { return *this; }
    void restore(const InitiatorsMemory& memory) { static_cast<InitiatorsMemory&>(*this) = memory; }

private:
    /// As bits of coordinates.
    static std::uint32_t destination(const Request& request, const Places& places);
    std::string check_linked(const Request& request, const Places& places, const Origin& by);
    std::uint64_t way(const Request& request, const Places& places, std::uint32_t linked_since) const;
    std::uint32_t answers(const Packet& packet, std::uint32_t packets, const Neighbourhood& around) const;
    std::shared_ptr<const void> tell(const Request& request, const Places& places, const Origin& by, std::uint64_t way, const Neighbourhood& around) const;
    /// The address of a write's data.
    std::uint64_t source(const Request& request) const;
    /// `packets` of the request wait now; a negative number of them, as a wrapped one, no longer.
    void count_accepted(const Request& request, std::uint32_t packets);
    /// The request that comes next, as far as it has not begun. Its data are in a register that cannot be read: NocOrder knows of none, and a
    /// range beyond L1 is refused with the command.
    void leave_out(const Request& request);
    Refusal read_source(Packet& packet, const Request& request, Cycle now);
    void count_start(const Packet& packet);
    Cycle delay(const Packet& packet, const Request& request, bool continues) const;

    const NiuSite& site_;
    NiuRegisters& registers_;
};

}  // namespace tessera::noc
