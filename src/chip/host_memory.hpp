// SPDX-License-Identifier: Apache-2.0
// The host's memory behind the PCI Express tile.
#pragma once

#include <exception>
#include <utility>

#include "noc/endpoint.hpp"
#include "tessera/hosted_chip.hpp"

namespace tessera::chip {

class HostMemory final : public noc::Endpoint {
public:
    explicit HostMemory(HostMemoryAccess access) : access_(std::move(access)) {}

    /// The chip has reached it.
    bool is_used() const { return is_used_; }

    /// Throws what a function has thrown since the last call. The request has its answer before.
    void tell_thrown() {
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    }

    noc::Refusal read(const noc::Access&, std::uint64_t address, std::span<std::uint8_t> bytes) override {
        return attempt([&] { access_.read(address, std::as_writable_bytes(bytes)); });
    }
    noc::Refusal write(const noc::Access&, std::uint64_t address, std::span<const std::uint8_t> bytes) override {
        return attempt([&] { access_.write(address, std::as_bytes(bytes)); });
    }
    noc::Refusal load_register(const noc::Access&, std::uint32_t, std::uint32_t&) override { return none; }
    noc::Refusal store_register(const noc::Access&, std::uint32_t, std::uint32_t) override { return none; }

private:
    static constexpr const char* none = "the host's memory has no registers";

    template <class Act>
    noc::Refusal attempt(Act&& act) try {
        is_used_ = true;
        act();
        return {};
    } catch (...) {
        if (!thrown_) thrown_ = std::current_exception();
        return {};
    }

    const HostMemoryAccess access_;
    bool is_used_ = false;
    std::exception_ptr thrown_;
};

}  // namespace tessera::chip
