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

    std::string read(const noc::Access&, std::uint64_t address, std::span<std::uint8_t> bytes) override {
        is_used_ = true;
        access_.read(address, std::as_writable_bytes(bytes));
        return {};
    }
    std::string write(const noc::Access&, std::uint64_t address, std::span<const std::uint8_t> bytes) override {
        is_used_ = true;
        access_.write(address, std::as_bytes(bytes));
        return {};
    }
    std::string load_register(const noc::Access&, std::uint32_t, std::uint32_t&) override { return none; }
    std::string store_register(const noc::Access&, std::uint32_t, std::uint32_t) override { return none; }

private:
    static constexpr const char* none = "the host's memory has no registers";

    const HostMemoryAccess access_;
    bool is_used_ = false;
};

}  // namespace tessera::chip
