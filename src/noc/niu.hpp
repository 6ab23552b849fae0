// SPDX-License-Identifier: Apache-2.0
// One NIU: it sends the requests of its tile, answers those of others, and does each at its cycle (NoC/Ordering).
#pragma once

#include <optional>
#include <vector>

#include "noc/initiators.hpp"
#include "noc/niu_registers.hpp"
#include "noc/receiver.hpp"

namespace tessera::noc {

/// Takes what NIUs send.
class Fabric : public Neighbourhood {
public:
    /// The packet's first flit reaches the router of its source at `at`.
    virtual void send(Packet packet, Cycle at) = 0;
};

/// Something that an NIU does at a known cycle.
struct NiuAct {
    enum class Kind : std::uint8_t {
        begin,   ///< the first request that waits gets a virtual channel
        sent,    ///< the last byte of a write's data has been read
        arrive,
        answer,
    };
    Cycle at = 0;
    Kind kind{};
    Packet packet;
};

/// The memory of an NIU beside its registers.
struct NiuMemory {
    struct Own {
        std::vector<NiuAct> acts;  ///< sorted; the next one last
        Cycle port_free = 0;       ///< when the way to the router is free
        std::uint32_t sequence = 0;
    };
    Own niu;
    InitiatorsMemory initiators;
    std::uint32_t returned_to_zero = 0;
};

class Niu {
public:
    Niu(const Layout& chip, unsigned noc, Place place, NiuWords words, Endpoint& endpoint, const Costs& costs)
        : site_{chip, noc, place, endpoint, costs}, registers_(site_, words), initiators_(site_, registers_), receiver_(site_, registers_) {}
    Niu(const Niu&) = delete;
    Niu& operator=(const Niu&) = delete;

    /// Sets the fabric that takes packets. It must outlive the NIU's use.
    void connect(Fabric& fabric) { fabric_ = &fabric; }

    /// A register's value, by its offset from NIU_BASE. Empty: there is none, or Tessera does not model it.
    std::optional<std::uint32_t> load(std::uint32_t offset) { return registers_.load(offset, initiators_.pending()); }
    /// As of NiuRegisters.
    std::uint32_t returned_to_zero() const { return registers_.returned_to_zero(); }
    /// A store that software must not do.
    enum class Misuse : std::uint8_t {
        none,
        too_early,  ///< to an initiator whose request still waits
        in_split    ///< a command while a request that is longer than a packet still waits at another initiator
    };
    struct Stored {
        bool known = true;  ///< false: as load()
        Refusal wrong{};    ///< of a request
        Misuse misuse = Misuse::none;
    };
    Stored store(std::uint32_t offset, std::uint32_t value, const Origin& by, Cycle at);
    /// Whether it is a register of a request initiator.
    bool is_of_initiator(std::uint32_t offset) const { return registers_.initiator_of(offset).has_value(); }

    /// As of Initiators.
    std::optional<Origin> open_transaction() const { return initiators_.open_transaction(); }

    /// The next act; never: none.
    Cycle due() const { return own_.acts.empty() ? never : own_.acts.back().at; }
    /// An access that is impossible, and who asked for it.
    struct Failure {
        Refusal refusal;
        Origin origin;
    };
    std::optional<Failure> act();
    /// The packet's last flit reaches the NIU at that cycle.
    void arrive(Arrival arrival);

    Place place() const { return site_.place; }
    NiuMemory save() const;
    void restore(const NiuMemory& memory);
    /// It stood still: nothing happens before that cycle.
    void go_on_at(Cycle now);

private:
    Refusal command(unsigned which, const Origin& by, Cycle at);
    void plan_begin(Cycle now);
    void insert(NiuAct act);
    Refusal begin(Cycle now);
    Refusal take(Packet& packet, Cycle now);
    Refusal answer(const Packet& packet, Cycle now);
    /// Cycles in which no flit of the packet leaves, although it has begun.
    std::uint32_t pauses(const Packet& packet) const;
    void leave(Packet packet, Cycle at);

    const NiuSite site_;
    NiuRegisters registers_;
    Initiators initiators_;
    Receiver receiver_;
    NiuMemory::Own own_;
    Fabric* fabric_ = nullptr;
};

}  // namespace tessera::noc
