// SPDX-License-Identifier: Apache-2.0
// The host computer: executes the steps of Kernels::host in order, and reaches the tile for whoever drives a chip.
#pragma once

#include <optional>
#include <vector>

#include "engine/cores.hpp"
#include "tile/device.hpp"

namespace tessera::tile {

/// Devices act through the port of Devices::use(). Call that before act() and access().
class Host {
public:
    /// Both outlive it.
    Host(const std::vector<HostStep>& steps, Devices& devices) : steps_(steps), devices_(devices) {}

    /// A step is left.
    bool waits() const { return memory_.next != steps_.size(); }
    /// See engine::Cores::host_due().
    Cycle due(Cycle now) const;
    /// Takes the next step, which must be due.
    void act(Cycle now, engine::Port& port);
    /// Its wait; empty when no step is left.
    std::optional<Blocked> describe() const;

    /// See engine::Cores::host_accesses().
    engine::Cores::HostAccess access(std::uint32_t address, std::optional<std::uint32_t> stored, Cycle now);

    struct Memory {
        std::size_t next = 0;  ///< of the steps
        Cycle since = 0;       ///< when its wait for that step began
    };
    const Memory& save() const { return memory_; }
    void restore(const Memory& memory) { memory_ = memory; }

private:
    const std::vector<HostStep>& steps_;
    Devices& devices_;
    Memory memory_;
};

}  // namespace tessera::tile
