// SPDX-License-Identifier: Apache-2.0
// The chips as a host sees them over PCI Express (WormholeB0/PCIExpressTile/TLBs; CHIP_FACTS 1.2 and 1.3).
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

/// One direction of the DMA engine: where its registers lie in BAR2. Pairs of words are addresses, the low word first.
struct DmaChannel {
    bool to_host;
    std::uint16_t doorbell;
    std::uint8_t rings;     ///< with this value
    std::uint16_t size, device, host;  ///< bytes; an offset in BAR0, where windows lie; an address of the host
    std::uint16_t done, done_word;     ///< the host address that gets a word at the end, and the word; 0: `size` becomes 0
};

/// A part of BAR0 that shows a range of the ARC's bus.
struct ArcRange {
    std::uint64_t offset;
    std::uint32_t bytes, address;
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
    /// The host's memory is seen through windows of 2^bits bytes, from that one on through the iATU; 0: through one, with the iATU.
    std::uint8_t host_window_bits, first_translated_window;
    std::uint32_t dma_first, dma_end;    ///< registers of the DMA engine, in BAR2
    std::span<const DmaChannel> dma;
    std::uint64_t arc_bus;               ///< where requests to the ARC's tile find its bus
    std::span<const ArcRange> arc;       ///< in BAR0
    std::span<const FixedWord> words;    ///< of tiles that are not modelled, as after start-up
};
const PciLayout& pci_layout(Arch arch);

/// A place in window `index`.
struct Window {
    unsigned index = 0;
    std::uint8_t address_bits = 0;
    std::uint64_t offset = 0;  ///< within the window
};

}  // namespace tessera::host
