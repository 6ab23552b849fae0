// SPDX-License-Identifier: Apache-2.0
// What a host sees of the chips over PCI Express (WormholeB0/PCIExpressTile/TLBs; CHIP_FACTS 1.2 and 1.3).
#pragma once

#include <cstdint>
#include <span>

#include "noc/layout.hpp"

namespace tessera::host {

/// A range of physical addresses.
struct Bar {
    std::uint64_t first = 0, bytes = 0;
    bool contains(std::uint64_t address) const { return address - first < bytes; }
};

/// Windows of one size that follow each other in a BAR.
struct WindowGroup {
    std::uint8_t bar;           ///< 0 or 4
    std::uint64_t first;        ///< offset in the BAR
    std::uint16_t count;
    std::uint8_t address_bits;  ///< of an offset in a window
};

/// A word of BAR0 that is no window.
struct FixedWord {
    std::uint64_t offset;
    std::uint32_t value;
};

struct PciLayout {
    Arch arch;
    std::uint32_t id;              ///< device and vendor
    std::uint32_t class_revision;
    Bar bar0, bar2, bar4;
    std::span<const WindowGroup> windows;
    std::uint64_t configuration;   ///< offset of the windows' entries in BAR0
    std::uint8_t entry_words;
    std::uint8_t noc_address_bits; ///< of an address in a tile
    std::uint8_t noc_select_bits;  ///< width of an entry's field for the NoC
    std::uint64_t bar4_alias;      ///< offset in BAR0 of what BAR4 shows outside of windows; 0: nothing
    std::uint32_t iatu_first, iatu_end;  ///< address translation of requests to the host, in BAR2
    std::span<const FixedWord> words;    ///< of tiles that are not modelled, as after start-up
};
const PciLayout& pci_layout(Arch arch);

/// Where window `index` is configured, and what it shows.
struct Window {
    unsigned index = 0;
    std::uint8_t address_bits = 0;
    std::uint64_t offset = 0;  ///< within the window
};

}  // namespace tessera::host
