// SPDX-License-Identifier: Apache-2.0
// A chip behind PCI Express.
#pragma once

#include <functional>
#include <map>

#include "host/windows.hpp"
#include "tessera/hosted_chip.hpp"

namespace tessera::host {

class PciDevice {
public:
    explicit PciDevice(HostedChip chip);

    HostedChip& chip() { return chip_; }

    /// A word of configuration space; what is not there reads as 0. `offset` is a multiple of 4.
    std::uint32_t config_read(std::uint32_t offset) const;
    void config_write(std::uint32_t offset, std::uint32_t value);

    /// An access to physical addresses, within one BAR and one window. Errors "host.bar", and those of HostedChip.
    Result<void> read(std::uint64_t address, std::span<std::byte> bytes);
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes);

private:
    /// What of BAR0 an address means. Empty: it is another BAR's.
    struct InBar {
        unsigned bar = 0;
        std::uint64_t offset = 0;
    };
    Result<InBar> in_bar(std::uint64_t address, std::size_t bytes) const;
    Result<Window> window_for(const InBar& at, std::size_t bytes) const;
    /// A word beside the windows. Null: there is none.
    std::uint32_t* word(const InBar& at);
    Result<void> each_word(const InBar& at, std::size_t bytes, const std::function<void(std::uint32_t&, std::size_t)>& use);

    HostedChip chip_;
    const PciLayout& layout_;
    Windows windows_;
    std::map<std::uint32_t, std::uint32_t> config_, iatu_;
    std::map<std::uint64_t, std::uint32_t> words_;  ///< of BAR0
};

}  // namespace tessera::host
