// SPDX-License-Identifier: Apache-2.0
// A chip behind PCI Express.
#pragma once

#include <functional>
#include <map>

#include "host/arc.hpp"
#include "host/ethernet_tiles.hpp"
#include "host/system_memory.hpp"
#include "host/windows.hpp"
#include "tessera/hosted_chip.hpp"

namespace tessera::host {

class PciDevice {
public:
    /// `memory` outlives the device.
    PciDevice(HostedChip chip, SystemMemory& memory);

    HostedChip& chip() { return chip_; }

    /// A word of configuration space; what is not there reads as 0. `offset` is a multiple of 4.
    std::uint32_t config_read(std::uint32_t offset) const;
    void config_write(std::uint32_t offset, std::uint32_t value);

    /// An access to physical addresses, within one BAR and one window. Errors "host.bar", and those of
    /// read_tile(); "host.call" for a DMA transfer without the host's functions.
    Result<void> read(std::uint64_t address, std::span<std::byte> bytes);
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes);

    /// An access as through a window on that place of NoC 0. Errors: those of HostedChip; "host.bar" for an
    /// address of the ARC tile; "host.ethernet" for a released core of an Ethernet tile.
    Result<void> read_tile(NocPlace place, std::uint64_t address, std::span<std::byte> bytes);
    Result<void> write_tile(NocPlace place, std::uint64_t address, std::span<const std::byte> bytes);

private:
    /// The BAR and the offset that an address means. BAR4 may be an alias of a part of BAR0.
    struct InBar {
        unsigned bar = 0;
        std::uint64_t offset = 0;
    };
    Result<InBar> in_bar(std::uint64_t address, std::size_t bytes) const;
    Result<Window> window_for(const InBar& at, std::size_t bytes) const;
    /// A word beside the windows. Null: there is none.
    std::uint32_t* word(const InBar& at);
    Result<void> each_word(const InBar& at, std::size_t bytes, const std::function<void(std::uint32_t&, std::size_t)>& use);

    /// The address on the ARC's bus that a part of BAR0 shows. Empty: it shows something else.
    std::optional<std::uint32_t> in_arc(const InBar& at) const;
    /// The same of an address in a tile; the tile must be the ARC's.
    Result<std::uint32_t> on_arc_bus(std::uint64_t address) const;
    Result<void> read_arc(std::uint32_t address, std::span<std::byte> bytes);
    bool is(noc::TileKind kind, NocPlace place) const;
    /// As node_id_at().
    std::optional<std::uint32_t> node_id(NocPlace place, std::uint64_t address, std::size_t bytes) const;
    bool is_reset_of_ethernet(NocPlace place, std::uint64_t address, std::size_t bytes) const;
    void beat(NocPlace place, std::uint64_t address, std::span<const std::byte> word);
    /// A word of BAR2 has been written: it may be a doorbell of the DMA engine.
    Result<void> ring(std::uint64_t offset, std::uint32_t value);
    Result<void> transfer(const DmaChannel& channel);
    /// Of a transfer from the physical address `device` on, what can be refused before it begins.
    Result<void> check_transfer(std::uint64_t device, std::uint64_t bytes, bool to_host);
    /// The same of the part that lies in one window.
    Result<void> check_part(const Window& window, std::uint64_t bytes, bool to_host);
    /// Error "host.bar": no window shows the address.
    Result<Window> window_of_dma(std::uint64_t device) const;

    HostedChip chip_;
    SystemMemory& memory_;
    Arc arc_;
    EthernetTiles ethernet_;
    const PciLayout& layout_;
    Windows windows_;
    std::map<std::uint32_t, std::uint32_t> config_, dma_;
    std::map<std::uint64_t, std::uint32_t> words_;  ///< of BAR0
};

}  // namespace tessera::host
