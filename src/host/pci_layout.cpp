// SPDX-License-Identifier: Apache-2.0
#include "host/pci_layout.hpp"

namespace tessera::host {

namespace {

constexpr std::uint64_t mib = 1 << 20, gib = 1 << 30;

constexpr WindowGroup wormhole_windows[] = {{0, 0, 156, 20}, {0, 0x9C0'0000, 10, 21}, {0, 0xB00'0000, 20, 24}};
constexpr WindowGroup blackhole_windows[] = {{0, 0, 202, 21}, {4, 0, 8, 32}};

// The ARC has started: its boot word.
constexpr FixedWord wormhole_words[] = {{0x1FF3'0060, 0xC0DE'0001}};
// NIU 0 and 1 of the PCI Express tile: NOC_NODE_ID, and NIU_CFG_0 with translation on.
constexpr FixedWord blackhole_words[] = {
    {0x1FD0'4044, 2 | 17u << 12 | 12u << 19 | 1u << 28}, {0x1FD0'4100, 1u << 14},
    {0x1FD1'4044, 14 | 11u << 6 | 17u << 12 | 12u << 19}, {0x1FD1'4100, 1u << 14}};

constexpr Bar bar0{0x1'0000'0000, 512 * mib}, bar2{0x1'2000'0000, mib};

constexpr PciLayout wormhole{Arch::wormhole, 0x401E'1E52, 0x1200'0001, bar0, bar2, {0x8'0000'0000, 32 * mib}, wormhole_windows,
                             0x1FC0'0000, 2, 36, 1, 0x1E00'0000, 0x1200, 0x3200, wormhole_words};
constexpr PciLayout blackhole{Arch::blackhole, 0xB140'1E52, 0x1200'0000, bar0, bar2, {0x8'0000'0000, 32 * gib}, blackhole_windows,
                              0x1FC0'0000, 3, 64, 2, 0, 0x1000, 0x3000, blackhole_words};

}  // namespace

const PciLayout& pci_layout(Arch arch) { return arch == Arch::blackhole ? blackhole : wormhole; }

}  // namespace tessera::host
