// SPDX-License-Identifier: Apache-2.0
// A channel of DRAM behind the NIUs of its three tiles (WormholeB0/DRAMTile, BlackholeA0/NoC/README).
#pragma once

#include <array>

#include "dram/memory.hpp"
#include "noc/endpoint.hpp"

namespace tessera::dram {

class Channel final : public noc::Endpoint {
public:
    Channel(const noc::Layout& chip, const noc::Costs& costs) : chip_(chip), costs_(costs) {}

    Memory& memory() { return memory_; }
    const Memory& memory() const { return memory_; }

    noc::Refusal read(const noc::Access& access, std::uint64_t address, std::span<std::uint8_t> bytes) override;
    noc::Refusal write(const noc::Access& access, std::uint64_t address, std::span<const std::uint8_t> bytes) override;
    noc::Refusal load_register(const noc::Access& access, std::uint32_t address, std::uint32_t& value) override;
    noc::Refusal store_register(const noc::Access& access, std::uint32_t address, std::uint32_t value) override;
    noc::Cycle delay(const noc::Packet& packet, noc::Cycle at) override;
    noc::Cycle cycles_of(std::uint32_t bytes) const override;

    /// When each half is free.
    struct Busy {
        std::array<noc::Cycle, 2> until{};
    };
    const Busy& busy() const { return busy_; }
    void restore(const Busy& busy) { busy_ = busy; }

private:
    const noc::Layout& chip_;
    const noc::Costs& costs_;
    Memory memory_;
    Busy busy_;
};

}  // namespace tessera::dram
