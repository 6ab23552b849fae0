// SPDX-License-Identifier: Apache-2.0
// A memory, and the order of the accesses to it.
#pragma once

#include "hazards/memory_order.hpp"
#include "noc/endpoint.hpp"
#include "tile/requests.hpp"

namespace tessera::chip {

class WatchedMemory final : public noc::Endpoint {
public:
    /// It must outlive this.
    explicit WatchedMemory(noc::Endpoint& memory) : memory_(memory) {}

    const hazards::MemoryOrder& order() const { return order_; }

    noc::Refusal read(const noc::Access& access, std::uint64_t address, std::span<std::uint8_t> bytes) override {
        note(access, address, bytes.size(), false);
        return memory_.read(access, address, bytes);
    }
    noc::Refusal write(const noc::Access& access, std::uint64_t address, std::span<const std::uint8_t> bytes) override {
        note(access, address, bytes.size(), true);
        return memory_.write(access, address, bytes);
    }
    noc::Refusal load_register(const noc::Access& access, std::uint32_t address, std::uint32_t& value) override {
        return memory_.load_register(access, address, value);
    }
    noc::Refusal store_register(const noc::Access& access, std::uint32_t address, std::uint32_t value) override {
        return memory_.store_register(access, address, value);
    }
    noc::Cycle delay(const noc::Packet& packet, noc::Cycle at) override { return memory_.delay(packet, at); }
    noc::Cycle cycles_of(std::uint32_t bytes) const override { return memory_.cycles_of(bytes); }

private:
    void note(const noc::Access& access, std::uint64_t address, std::size_t bytes, bool write) {
        if (bytes) order_.accessed({tile::origin_of(access.packet), address, address + bytes - 1, write}, tile::knowledge(access.packet).get());
    }

    noc::Endpoint& memory_;
    hazards::MemoryOrder order_;
};

}  // namespace tessera::chip
