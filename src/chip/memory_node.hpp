// SPDX-License-Identifier: Apache-2.0
// Memory behind NIUs, without cores: a channel of DRAM with its three tiles, or an Ethernet tile.
#pragma once

#include <algorithm>
#include <array>
#include <deque>

#include "chip/host_memory.hpp"
#include "chip/node.hpp"
#include "chip/watched_memory.hpp"

namespace tessera::chip {

class MemoryNode final : public Node {
public:
    /// `memory` outlives the node; all places share it. The order of accesses is checked.
    MemoryNode(const Surroundings& around, std::vector<Place> places, noc::Endpoint& memory);
    /// Nobody knows what the host does meanwhile, and its functions are called in its thread.
    MemoryNode(const Surroundings& around, Place place, HostMemory& host);

    noc::Niu& niu(Place place, unsigned noc) { return nius_[index(place) * noc::nocs + noc]; }

    std::span<const Place> places() const override { return places_; }
    Cycle next_time() const override;
    void arrive(Place at, noc::Arrival arrival) override;
    void run_until(Cycle horizon) override;
    void begin_until(Cycle horizon) override { horizon_ = horizon; }
    bool advance() override;
    std::optional<Fault> failure() const override { return failure_; }
    bool stopped() const override { return failure_.has_value(); }
    /// Goes on behind the request that failed.
    void leave_failure() { failure_.reset(); }
    bool done() const override { return next_time() == never; }
    Cycle now() const override { return now_; }
    const hazards::MemoryOrder* order() const override { return host_ ? nullptr : &memory_.order(); }
    bool needs_calling_thread() const override { return host_ != nullptr; }

private:
    MemoryNode(const Surroundings& around, std::vector<Place> places, noc::Endpoint& memory, HostMemory* host);

    void limit(Cycle horizon) override { horizon_ = std::min(horizon_, horizon); }
    noc::Niu& next_niu();
    std::size_t index(Place place) const { return static_cast<std::size_t>(std::find(places_.begin(), places_.end(), place) - places_.begin()); }

    struct Words {
        std::array<std::uint32_t, noc::initiators * noc::initiator_words> initiator{};
        std::array<std::uint32_t, noc::configuration_words> configuration{};
        std::array<std::uint32_t, noc::counters> counter{};
    };
    HostMemory* const host_ = nullptr;
    std::vector<Place> places_;
    WatchedMemory memory_;
    std::deque<Words> words_;
    std::deque<noc::Niu> nius_;  ///< two for each place
    Cycle horizon_ = never, now_ = 0;
    std::optional<Fault> failure_;
};

}  // namespace tessera::chip
