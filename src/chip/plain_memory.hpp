// SPDX-License-Identifier: Apache-2.0
// L1 of a tile without cores: an Ethernet tile.
#pragma once

#include "dram/memory.hpp"
#include "noc/endpoint.hpp"

namespace tessera::chip {

class PlainMemory final : public noc::Endpoint {
public:
    noc::Refusal read(const noc::Access&, std::uint64_t address, std::span<std::uint8_t> bytes) override {
        memory_.read(address, bytes);
        return {};
    }
    noc::Refusal write(const noc::Access&, std::uint64_t address, std::span<const std::uint8_t> bytes) override {
        memory_.write(address, bytes);
        return {};
    }
    noc::Refusal load_register(const noc::Access&, std::uint32_t, std::uint32_t&) override { return not_modelled(); }
    noc::Refusal store_register(const noc::Access&, std::uint32_t, std::uint32_t) override { return not_modelled(); }

    dram::Memory& memory() { return memory_; }
    const dram::Memory& memory() const { return memory_; }

private:
    static noc::Refusal not_modelled() { return noc::Refusal::not_modelled("Tessera does not model registers of Ethernet tiles"); }

    dram::Memory memory_;
};

}  // namespace tessera::chip
