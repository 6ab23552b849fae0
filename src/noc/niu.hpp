// SPDX-License-Identifier: Apache-2.0
// One NIU: it sends the requests of its tile, answers those of others, and counts (NoC/MemoryMap, NoC/Counters, NoC/Ordering).
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "noc/endpoint.hpp"
#include "noc/registers.hpp"
#include "noc/request.hpp"

namespace tessera::noc {

/// Takes what NIUs send.
class Fabric : public Neighbourhood {
public:
    /// The packet's first flit reaches the router of its source at `at`.
    virtual void send(Packet packet, Cycle at) = 0;
};

/// What an NIU remembers beside its registers.
struct NiuMemory {
protected:
    /// Something that the NIU does at a known cycle.
    struct Act {
        enum class Kind : std::uint8_t {
            initiate,  ///< the first of `queue_` gets a virtual channel
            sent,      ///< the last byte of a write's data has been read
            arrive,
            answer,
        };
        Cycle at = 0;
        Kind kind{};
        Packet packet;
    };
    /// An initiator that waits for a virtual channel.
    struct Waiting {
        std::uint8_t initiator = 0;
        Places places;
        Origin origin;
        Cycle earliest = 0;
        bool continues = false;  ///< a transaction that an earlier request began
        std::uint32_t request = 0;  ///< Packet::request
        std::shared_ptr<const void> luggage;
    };
    std::vector<Act> acts_;  ///< sorted; the next one last
    std::deque<Waiting> queue_;
    Cycle port_free_ = 0;  ///< when the way to the router is free
    std::uint32_t sequence_ = 0, requests_ = 0;
    std::uint32_t returned_to_zero_ = 0;  ///< NIU_TRANS_COUNT_RTZ_SOURCE
    /// The destination of a transaction that a request has left open.
    struct Linked {
        std::uint32_t place = 0;
        bool broadcast = false, y_major = false;
        std::uint32_t first_request = 0;  ///< of the transaction
        bool goes_as(const Linked& other) const {
            return place == other.place && broadcast == other.broadcast && y_major == other.y_major;
        }
    };
    std::optional<Linked> linked_;
    std::optional<std::uint32_t> linked_vc_;  ///< if it is static
};

class Niu : private NiuMemory {
public:
    Niu(const Layout& chip, unsigned noc, Place place, NiuWords words, Endpoint& endpoint, const Costs& costs)
        : chip_(chip), map_(register_map(chip.arch)), costs_(costs), noc_(noc), place_(place), words_(words), endpoint_(endpoint) {}

    /// Where packets go. It must outlive the NIU's use.
    void connect(Fabric& fabric) { fabric_ = &fabric; }

    /// A register's value, by its offset from NIU_BASE. Empty: there is none, or Tessera does not model it.
    std::optional<std::uint32_t> load(std::uint32_t offset);
    struct Stored {
        bool known = true;   ///< false: as load()
        std::string wrong;   ///< of a request: why it is impossible
        bool too_early = false;  ///< to an initiator whose request still waits
    };
    Stored store(std::uint32_t offset, std::uint32_t value, const Origin& by, Cycle at);

    /// The next act; never: none.
    Cycle due() const { return acts_.empty() ? never : acts_.back().at; }
    /// An access that is impossible, and who asked for it.
    struct Failure {
        std::string why;
        Origin origin;
    };
    std::optional<Failure> act();
    /// The packet's last flit reaches the NIU at that cycle.
    void arrive(Arrival arrival);

    Place place() const { return place_; }
    NiuMemory save() const { return *this; }
    void restore(const NiuMemory& memory) { static_cast<NiuMemory&>(*this) = memory; }

private:
    std::span<std::uint32_t> initiator(unsigned i) const { return words_.initiator.subspan(i * initiator_words, initiator_words); }
    std::uint32_t& count(Counter counter, unsigned further = 0) const { return words_.counter[static_cast<unsigned>(counter) + further]; }
    /// The counter of requests without a response follows that of the others.
    void count_for(const Packet& packet, Counter counter, std::uint32_t amount = 1) const { count(counter, packet.posted) += amount; }
    /// Counters of 8 bits that belong to a transaction id.
    void change_by_id(Counter first, unsigned transaction, std::uint32_t amount);
    std::uint32_t packets(const Request& request) const;
    std::uint32_t* plain_word(std::uint32_t offset) const;
    std::uint32_t interrupting_transaction();
    bool is_pending(unsigned initiator) const;
    std::uint32_t output_ports(const Packet& packet) const;
    std::string command(unsigned which, const Origin& by, Cycle at);
    void plan_initiate(Cycle now);
    void insert(Act act);

    Places places_of(const Request& request) const;
    std::string check_linked(const Request& request);
    std::uint64_t way(const Request& request, const Places& places, std::uint32_t linked_since) const;
    std::uint32_t answers(const Packet& packet, std::uint32_t packets) const;
    std::shared_ptr<const void> tell(const Request& request, const Places& places, const Origin& by, std::uint64_t way) const;
    Packet packet_of(const Request& request, const Places& places, const Origin& origin) const;
    bool excludes(std::uint32_t exclude, Place seen) const;
    std::string initiate(Cycle now);
    bool goes_to_register(const Packet& packet) const;
    std::string read_source(Packet& packet, const Request& request, Cycle now);
    std::string take(Packet& packet, Cycle now);
    std::string take_write(const Packet& packet, const Access& access);
    std::string take_atomic(Packet& packet, const Access& access);
    std::string take_answer(const Packet& packet, const Access& access);
    std::string answer(const Packet& packet, Cycle now);
    Packet response(Packet::Kind kind, const Packet& to) const;
    /// Cycles in which no flit of the packet leaves, although it has begun.
    std::uint32_t pauses(const Packet& packet) const;
    void leave(Packet packet, Cycle at);
    /// `exclude`: the broadcast's NOC_BRCST_EXCLUDE.
    bool opts_out(std::uint32_t exclude) const;

    const Layout& chip_;
    const RegisterMap& map_;
    const Costs& costs_;
    const unsigned noc_;
    const Place place_;
    NiuWords words_;
    Endpoint& endpoint_;
    Fabric* fabric_ = nullptr;
};

}  // namespace tessera::noc
