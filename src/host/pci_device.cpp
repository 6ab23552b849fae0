// SPDX-License-Identifier: Apache-2.0
#include "host/pci_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "host/node_ids.hpp"
#include "noc/request.hpp"

namespace tessera::host {

namespace {

enum ConfigWord : std::uint32_t { id = 0x00, command = 0x04, class_revision = 0x08, latency = 0x0C, bar0_low = 0x10, bar4_high = 0x24, interrupt = 0x3C };

constexpr std::uint32_t is_64_bits_wide = 4, bar_flags = 0xF;
/// A write to the cores' debug interface takes this long over PCI Express, at least. Debuggers count on it: they do not wait between two commands.
constexpr std::uint64_t debugger_cycles = 1000, debug_control = 0xFFB1'2080;

constexpr std::uint32_t command_bits = 0x547, latency_bits = 0xFFFF, interrupt_line = 0xFF;

tl::unexpected<Error> read_through_multicast(const Window& window) {
    return fail("host.bar", fmt::format("a read through window {}, which is set to multicast", window.index));
}

}  // namespace

PciDevice::PciDevice(HostedChip chip, SystemMemory& memory)
    : chip_(std::move(chip)), memory_(memory), arc_(chip_.arch()), ethernet_(chip_), layout_(pci_layout(chip_.arch())), windows_(layout_) {
    config_[id] = layout_.id;
    config_[class_revision] = layout_.class_revision;
    config_[command] = config_[latency] = config_[interrupt] = 0;
    std::uint32_t at = bar0_low;
    for (const Bar& bar : {layout_.bar0, layout_.bar2, layout_.bar4}) {
        config_[at] = static_cast<std::uint32_t>(bar.first) | is_64_bits_wide;
        config_[at + 4] = static_cast<std::uint32_t>(bar.first >> 32);
        at += 8;
    }
    for (const FixedWord& word : layout_.words) words_[word.offset] = word.value;
}

std::uint32_t PciDevice::config_read(std::uint32_t offset) const {
    const auto word = config_.find(offset);
    return word == config_.end() ? 0 : word->second;
}

// A BAR keeps the bits above its size, so that a host finds its size by writing ones. Addresses stay where they are.
void PciDevice::config_write(std::uint32_t offset, std::uint32_t value) {
    if (offset == command) config_[offset] = value & command_bits;
    if (offset == latency) config_[offset] = value & latency_bits;
    if (offset == interrupt) config_[offset] = value & interrupt_line;
    if (offset < bar0_low || offset > bar4_high) return;
    const Bar* const bars[] = {&layout_.bar0, &layout_.bar2, &layout_.bar4};
    const std::uint64_t mask = ~(bars[(offset - bar0_low) / 8]->bytes - 1);
    const bool is_high = (offset - bar0_low) % 8 != 0;
    config_[offset] = is_high ? value & static_cast<std::uint32_t>(mask >> 32)
                              : (value & static_cast<std::uint32_t>(mask) & ~bar_flags) | is_64_bits_wide;
}

Result<PciDevice::InBar> PciDevice::in_bar(std::uint64_t address, std::size_t bytes) const {
    const std::pair<unsigned, const Bar*> bars[] = {{0, &layout_.bar0}, {2, &layout_.bar2}, {4, &layout_.bar4}};
    for (const auto& [number, bar] : bars) {
        if (!bar->contains(address)) continue;
        const std::uint64_t offset = address - bar->first;
        if (bytes > bar->bytes - offset)
            return fail("host.bar", fmt::format("{} bytes at offset 0x{:X} of BAR{} go beyond its end at 0x{:X}", bytes, offset, number, bar->bytes));
        if (number == 4 && layout_.bar4_alias) return InBar{0, offset + layout_.bar4_alias};
        return InBar{number, offset};
    }
    return fail("host.bar", fmt::format("address 0x{:X} is in none of the device's BARs", address));
}

Result<Window> PciDevice::window_for(const InBar& at, std::size_t bytes) const {
    const auto window = windows_.find(at.bar, at.offset);
    if (!window) return fail("host.bar", fmt::format("Tessera does not model offset 0x{:X} of BAR{}", at.offset, at.bar));
    if (bytes > Windows::left(*window))
        return fail("host.bar", fmt::format("{} bytes at offset 0x{:X} of window {} go beyond its end at 0x{:X}", bytes, window->offset,
                                            window->index, std::uint64_t{1} << window->address_bits));
    return *window;
}

std::uint32_t* PciDevice::word(const InBar& at) {
    if (at.bar == 2 && at.offset >= layout_.dma_first && at.offset < layout_.dma_end) return &dma_[static_cast<std::uint32_t>(at.offset)];
    if (at.bar == 2) return memory_.word(at.offset);
    if (at.bar != 0) return nullptr;
    if (at.offset >= layout_.configuration)
        if (std::uint32_t* const word = windows_.word(at.offset - layout_.configuration)) return word;
    const auto fixed = words_.find(at.offset);
    return fixed == words_.end() ? nullptr : &fixed->second;
}

Result<void> PciDevice::each_word(const InBar& at, std::size_t bytes, const std::function<void(std::uint32_t&, std::size_t)>& use) {
    if (at.offset % 4 != 0 || bytes % 4 != 0)
        return fail("host.bar", fmt::format("{} bytes at offset 0x{:X} of BAR{}: outside of windows there are words of 4 bytes", bytes, at.offset, at.bar));
    for (std::size_t i = 0; i < bytes; i += 4)
        if (!word({at.bar, at.offset + i}))
            return fail("host.bar", fmt::format("Tessera does not model offset 0x{:X} of BAR{}", at.offset + i, at.bar));
    for (std::size_t i = 0; i < bytes; i += 4) use(*word({at.bar, at.offset + i}), i);
    return {};
}

std::optional<std::uint32_t> PciDevice::in_arc(const InBar& at) const {
    if (at.bar == 0)
        for (const ArcRange& range : layout_.arc)
            if (at.offset - range.offset < range.bytes) return range.address + static_cast<std::uint32_t>(at.offset - range.offset);
    return std::nullopt;
}

Result<std::uint32_t> PciDevice::on_arc_bus(std::uint64_t address) const {
    if (address >= layout_.arc_bus && address - layout_.arc_bus <= 0xFFFF'FFFF) return static_cast<std::uint32_t>(address - layout_.arc_bus);
    return fail("host.bar", fmt::format("0x{:X} of the ARC's tile: Tessera models what lies from 0x{:X} on", address, layout_.arc_bus));
}

bool PciDevice::is(noc::TileKind kind, NocPlace place) const {
    const noc::Layout& chip = noc::layout(layout_.arch);
    return chip.contains(place.x, place.y) && chip.kind({static_cast<std::uint8_t>(place.x), static_cast<std::uint8_t>(place.y)}) == kind;
}

std::optional<std::uint32_t> PciDevice::node_id(NocPlace place, std::uint64_t address, std::size_t bytes) const {
    const noc::Layout& chip = noc::layout(layout_.arch);
    if (bytes != 4 || !chip.contains(place.x, place.y)) return std::nullopt;
    return node_id_at(chip, {static_cast<std::uint8_t>(place.x), static_cast<std::uint8_t>(place.y)}, address);
}

bool PciDevice::is_reset_of_ethernet(NocPlace place, std::uint64_t address, std::size_t bytes) const {
    return address == EthernetTiles::soft_reset && bytes == 4 && is(noc::TileKind::ethernet, place);
}

// Base firmware counts there while it lives.
void PciDevice::beat(NocPlace place, std::uint64_t address, std::span<const std::byte> word) {
    if (address == 0 || address != ethernet_.heartbeat() || word.size() != 4 || !is(noc::TileKind::ethernet, place)) return;
    std::uint32_t count = 0;
    std::memcpy(&count, word.data(), 4);
    ++count;
    (void)chip_.write(place, address, std::as_bytes(std::span(&count, 1)));
}

Result<void> PciDevice::ring(std::uint64_t offset, std::uint32_t value) {
    for (const DmaChannel& channel : layout_.dma)
        if (offset == channel.doorbell) {
            if (value == channel.rings) return transfer(channel);
            return fail("host.bar", fmt::format("0x{:X} in the doorbell at offset 0x{:X} of BAR2 moves nothing: Tessera models the DMA channel "
                                                "of value {}", value, offset, channel.rings));
        }
    return {};
}

Result<Window> PciDevice::window_of_dma(std::uint64_t device) const {
    return in_bar(device, 1).and_then([&](const InBar& at) -> Result<Window> {
        if (const auto window = windows_.find(at.bar, at.offset)) return *window;
        return fail("host.bar", fmt::format("a DMA transfer reaches offset 0x{:X} of BAR{}, where no window is", at.offset, at.bar));
    });
}

// Through windows alone: a transfer to the engine's own registers could ring its doorbell.
Result<void> PciDevice::check_transfer(std::uint64_t device, std::uint64_t bytes, bool to_host) {
    for (std::uint64_t done = 0; done < bytes;) {
        const auto window = window_of_dma(device + done);
        if (!window) return tl::make_unexpected(window.error());
        const std::uint64_t part = std::min(bytes - done, Windows::left(*window));
        if (auto fits = check_part(*window, part, to_host); !fits) return fits;
        done += part;
    }
    return {};
}

// An access to no bytes at the end of the part is refused as one that goes beyond the memory. Registers are known by their accesses alone,
// and so are the tiles of a multicast.
Result<void> PciDevice::check_part(const Window& window, std::uint64_t bytes, bool to_host) {
    const Reached reached = windows_.reached(window);
    if (reached.multicast) return to_host ? read_through_multicast(window) : Result<void>();
    const NocPlace place = chip_.place(reached.noc, reached.x, reached.y);
    if (is(noc::TileKind::arc, place)) return on_arc_bus(reached.address).map([](std::uint32_t) {});
    if (is_reset_of_ethernet(place, reached.address, bytes)) return {};
    const bool is_tensix = is(noc::TileKind::tensix, place);
    if (is_tensix && noc::is_register(reached.address)) return {};
    // No memory reaches the last address, which stands for an end that 64 bits do not have.
    constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max(), last_memory = noc::registers_begin - 1;
    const std::uint64_t end = bytes > last - reached.address ? last : reached.address + bytes;
    return chip_.read(place, is_tensix ? std::min(end, last_memory) : end, {}).map_error([&](Error error) {
        // The chip tells of the access at the end.
        error.message = error.code == "host.range" ? fmt::format("a DMA transfer: {} bytes at 0x{:X} of the tile at ({}, {}) go beyond its memory", bytes,
                                                                 reached.address, place.x, place.y)
                                                   : "a DMA transfer: " + error.message;
        return error;
    });
}

// At once, in pieces.
Result<void> PciDevice::transfer(const DmaChannel& channel) {
    if (!memory_.is_reachable()) return fail("host.call", "a DMA transfer without the functions of libttsim_set_pci_dma_mem_callbacks");
    const auto address = [&](std::uint32_t low) { return dma_[low] | std::uint64_t{dma_[low + 4]} << 32; };
    std::array<std::byte, 4096> piece;
    std::uint32_t& size = dma_[channel.size];
    const std::uint64_t first = layout_.bar0.first + address(channel.device);
    if (auto fits = check_transfer(first, size, channel.to_host); !fits) return fits;
    for (std::uint64_t done = 0; done < size;) {
        const std::uint64_t device = first + done, host = address(channel.host) + done;
        const std::uint64_t in_window = Windows::left(*window_of_dma(device));
        const std::span bytes = std::span(piece).first(std::min<std::uint64_t>({piece.size(), size - done, in_window}));
        if (!channel.to_host) memory_.read(host, bytes);
        if (auto moved = channel.to_host ? read(device, bytes) : write(device, bytes); !moved) return moved;
        if (channel.to_host) memory_.write(host, bytes);
        done += bytes.size();
    }
    if (channel.done)
        memory_.write(address(channel.done), std::as_bytes(std::span(&dma_[channel.done_word], 1)));
    else
        size = 0;
    return {};
}

Result<void> PciDevice::read_arc(std::uint32_t address, std::span<std::byte> bytes) {
    arc_.pass_to(chip_.cycle());
    return arc_.read(address, bytes);
}

Result<void> PciDevice::read(std::uint64_t address, std::span<std::byte> bytes) {
    const auto at = in_bar(address, bytes.size());
    if (!at) return tl::make_unexpected(at.error());
    if (const auto arc = in_arc(*at)) return read_arc(*arc, bytes);
    if (!windows_.find(at->bar, at->offset))
        return each_word(*at, bytes.size(), [&](std::uint32_t& word, std::size_t i) { std::memcpy(bytes.data() + i, &word, 4); });
    const auto window = window_for(*at, bytes.size());
    if (!window) return tl::make_unexpected(window.error());
    const Reached reached = windows_.reached(*window);
    if (reached.multicast) return read_through_multicast(*window);
    return read_tile(chip_.place(reached.noc, reached.x, reached.y), reached.address, bytes);
}

Result<void> PciDevice::read_tile(NocPlace place, std::uint64_t address, std::span<std::byte> bytes) {
    if (const auto id = node_id(place, address, bytes.size())) {
        std::memcpy(bytes.data(), &*id, sizeof *id);
        return {};
    }
    if (is(noc::TileKind::arc, place))
        return on_arc_bus(address).and_then([&](std::uint32_t arc) { return read_arc(arc, bytes); });
    if (is_reset_of_ethernet(place, address, bytes.size())) {
        const std::uint32_t reset = ethernet_.reset(place);
        std::memcpy(bytes.data(), &reset, sizeof reset);
        return {};
    }
    auto got = chip_.read(place, address, bytes);
    if (got) beat(place, address, bytes);
    return got;
}

Result<void> PciDevice::write(std::uint64_t address, std::span<const std::byte> bytes) {
    const auto at = in_bar(address, bytes.size());
    if (!at) return tl::make_unexpected(at.error());
    if (const auto arc = in_arc(*at)) return arc_.write(*arc, bytes);
    if (!windows_.find(at->bar, at->offset)) {
        if (at->bar == 2 && bytes.size() > 4)
            return fail("host.bar",
                        fmt::format("{} bytes at 0x{:X} of BAR2: the DMA engine's registers are written word by word",
                                    bytes.size(), at->offset));
        auto written = each_word(*at, bytes.size(), [&](std::uint32_t& word, std::size_t i) { std::memcpy(&word, bytes.data() + i, 4); });
        if (written && at->bar == 2 && bytes.size() == 4) return ring(at->offset, *word(*at));
        return written;
    }
    const auto window = window_for(*at, bytes.size());
    if (!window) return tl::make_unexpected(window.error());
    const Reached reached = windows_.reached(*window);
    const NocPlace last = chip_.place(reached.noc, reached.x, reached.y);
    if (!reached.multicast) return write_tile(last, reached.address, bytes);
    const NocPlace first = chip_.place(reached.noc, reached.first_x, reached.first_y);
    // NoC 1 flows against the order of places.
    return reached.noc % noc::nocs == 0 ? chip_.multicast(first, last, reached.address, bytes) : chip_.multicast(last, first, reached.address, bytes);
}

Result<void> PciDevice::write_tile(NocPlace place, std::uint64_t address, std::span<const std::byte> bytes) {
    if (is(noc::TileKind::arc, place))
        return on_arc_bus(address).and_then([&](std::uint32_t arc) { return arc_.write(arc, bytes); });
    if (is_reset_of_ethernet(place, address, bytes.size())) {
        std::uint32_t reset = 0;
        std::memcpy(&reset, bytes.data(), sizeof reset);
        return ethernet_.set_reset(place, reset);
    }
    auto written = chip_.write(place, address, bytes);
    if (written && address == debug_control && is(noc::TileKind::tensix, place)) chip_.clock(debugger_cycles);
    return written;
}

}  // namespace tessera::host
