// SPDX-License-Identifier: Apache-2.0
// The host's memory as the chip reaches it: windows of the PCI Express tile, address translation (iATU), and the host's functions
// (CHIP_FACTS 1.3).
#pragma once

#include <map>
#include <vector>

#include "host/pci_layout.hpp"
#include "tessera/hosted_chip.hpp"

namespace tessera::host {

/// The functions that tt-umd gives: host address, bytes, their number.
struct DmaFunctions {
    void (*read)(std::uint64_t, void*, std::uint32_t) = nullptr;
    void (*write)(std::uint64_t, const void*, std::uint32_t) = nullptr;
};

class SystemMemory {
public:
    SystemMemory(Arch arch, DmaFunctions functions) : layout_(pci_layout(arch)), functions_(functions) {}
    SystemMemory(const SystemMemory&) = delete;
    SystemMemory& operator=(const SystemMemory&) = delete;

    /// Both functions are there.
    bool is_reachable() const { return functions_.read && functions_.write; }
    /// For HostedChipOptions: refers to this. Empty without functions.
    HostMemoryAccess access();
    /// The address in the host's memory of an address of the PCI Express tile.
    std::uint64_t translate(std::uint64_t address) const;

    /// A register of the iATU, by its offset in BAR2. Null: it has none there.
    std::uint32_t* word(std::uint64_t offset);

    void read(std::uint64_t host_address, std::span<std::byte> bytes) const;
    void write(std::uint64_t host_address, std::span<const std::byte> bytes) const;

private:
    /// Bytes of a request, from the byte `first` on, and where they lie in the host's memory.
    struct Part {
        std::uint64_t address = 0;
        std::size_t first = 0, bytes = 0;
    };
    std::vector<Part> parts(std::uint64_t address, std::size_t bytes) const;
    std::uint32_t region(unsigned number, std::uint32_t offset) const;

    const PciLayout& layout_;
    const DmaFunctions functions_;
    std::map<std::uint32_t, std::uint32_t> words_;  ///< by offset from the first register
};

}  // namespace tessera::host
