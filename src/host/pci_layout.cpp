// SPDX-License-Identifier: Apache-2.0
#include "host/pci_layout.hpp"

#include "host/arc.hpp"

namespace tessera::host {

namespace {

constexpr std::uint64_t mib = 1 << 20, gib = 1 << 30;

constexpr WindowGroup wormhole_windows[] = {{0, 0, 156, 20}, {0, 0x9C0'0000, 10, 21}, {0, 0xB00'0000, 20, 24}};
constexpr WindowGroup blackhole_windows[] = {{0, 0, 202, 21}, {4, 0, 8, 32}};

constexpr ArcRange wormhole_arc[] = {{0x1FE8'0000, Arc::memory_bytes, Arc::memory}, {0x1FF0'0000, Arc::register_bytes, Arc::registers}};
constexpr DmaChannel wormhole_dma[] = {{true, 0x010, 0, 0x208, 0x20C, 0x214, 0x060, 0x070}, {false, 0x030, 0, 0x308, 0x314, 0x30C, 0x0CC, 0x0DC}};
constexpr DmaChannel blackhole_dma[] = {{false, 0x104, 1, 0x11C, 0x128, 0x120, 0, 0}};
// NIU 0 and 1 of the PCI Express tile: NOC_NODE_ID, and NIU_CFG_0 with translation on.
constexpr FixedWord blackhole_words[] = {
    {0x1FD0'4044, 2 | 17u << 12 | 12u << 19 | 1u << 28}, {0x1FD0'4100, 1u << 14},
    {0x1FD1'4044, 14 | 11u << 6 | 17u << 12 | 12u << 19}, {0x1FD1'4100, 1u << 14}};

constexpr Bar bar0{0x1'0000'0000, 512 * mib}, bar2{0x1'2000'0000, mib};

constexpr PciLayout wormhole{Arch::wormhole, 0x401E'1E52, 0x1200'0001, bar0, bar2, {0x8'0000'0000, 32 * mib}, wormhole_windows,
                             0x1FC0'0000, 2, 36, 1, 0x1E00'0000, 0x1200, 0x3200, 0, 0, 0, 0x1200, wormhole_dma, 0x8'0000'0000, wormhole_arc, {}};
constexpr PciLayout blackhole{Arch::blackhole, 0xB140'1E52, 0x1200'0000, bar0, bar2, {0x8'0000'0000, 32 * gib}, blackhole_windows,
                              0x1FC0'0000, 3, 64, 2, 0, 0x1000, 0x3000, 58, 4, 0x100, 0x1AC, blackhole_dma, 0, {}, blackhole_words};

}  // namespace

const PciLayout& pci_layout(Arch arch) { return arch == Arch::blackhole ? blackhole : wormhole; }

}  // namespace tessera::host
