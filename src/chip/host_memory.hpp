// SPDX-License-Identifier: Apache-2.0
// The host's memory behind the PCI Express tile.
#pragma once

#include "noc/endpoint.hpp"
#include "tessera/hosted_chip.hpp"

namespace tessera::chip {

class HostMemory final : public noc::Endpoint {
public:
    explicit HostMemory(HostMemoryAccess access) : access_(std::move(access)) {}

    /// The chip has reached it.
    bool is_used() const { return is_used_; }

    noc::Refusal read(const noc::Access&, std::uint64_t address, std::span<std::uint8_t> bytes) override {
        is_used_ = true;
        access_.read(address, std::as_writable_bytes(bytes));
        return {};
    }
    noc::Refusal write(const noc::Access&, std::uint64_t address, std::span<const std::uint8_t> bytes) override {
        is_used_ = true;
        access_.write(address, std::as_bytes(bytes));
        return {};
    }
    noc::Refusal load_register(const noc::Access&, std::uint32_t, std::uint32_t&) override { return none; }
    noc::Refusal store_register(const noc::Access&, std::uint32_t, std::uint32_t) override { return none; }

private:
    static constexpr const char* none = "the host's memory has no registers";

    const HostMemoryAccess access_;
    bool is_used_ = false;
};

}  // namespace tessera::chip
