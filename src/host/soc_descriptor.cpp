// SPDX-License-Identifier: Apache-2.0
#include "host/soc_descriptor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "noc/layout.hpp"

namespace tessera::host {

namespace {

using noc::Place;
using noc::TileKind;

std::string text(Place place) { return fmt::format("{}-{}", place.x, place.y); }

template <typename Places>
std::string list(const Places& places) {
    std::vector<std::string> texts;
    for (const Place place : places) texts.push_back(text(place));
    return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// The places of buffers for tt-metal: views of a channel, each with the tile that it uses on NoC 0 and on NoC 1, by
/// number in the channel. Any tile of a channel would do.
std::string dram_views(const noc::Layout& chip) {
    const unsigned halves = chip.arch == Arch::wormhole ? 2 : 1;
    std::string views = "[";
    for (unsigned channel = 0; channel < chip.dram_channels; ++channel)
        for (unsigned half = 0; half < halves; ++half) {
            const unsigned first = (channel + half) % 3, second = (first + 1) % 3;
            views += fmt::format("{}\n  {{channel: {}, eth_endpoint: [{}, {}], worker_endpoint: [{}, {}], address_offset: {}}}",
                                 channel + half ? "," : "", channel, first, second, first, second, half * (chip.dram_bytes / halves));
        }
    return views + "\n]";
}

/// tt-metal keeps some of a large view for itself.
std::uint64_t dram_view_bytes(const noc::Layout& chip) {
    constexpr std::uint64_t kept = 16 << 20;
    return chip.arch == Arch::wormhole ? chip.dram_bytes / 2 : chip.dram_bytes - kept;
}

/// Coordinates of NoC 1, by those of NoC 0.
std::string mirrored(unsigned size) {
    std::vector<unsigned> numbers;
    while (size) numbers.push_back(--size);
    return fmt::format("[{}]", fmt::join(numbers, ", "));
}

}  // namespace

std::string soc_descriptor(Arch arch) {
    const noc::Layout& chip = noc::layout(arch);
    std::string yaml = fmt::format("arch_name: {}\ngrid:\n  x_size: {}\n  y_size: {}\n", arch == Arch::blackhole ? "BLACKHOLE" : "WORMHOLE_B0",
                                   chip.width, chip.height);
    const auto add = [&](std::string_view key, const std::string& value) { yaml += fmt::format("{}: {}\n", key, value); };
    add("arc", list(chip.places_of(TileKind::arc)));
    add("pcie", list(chip.places_of(TileKind::pcie)));
    std::vector<std::string> channels;
    for (unsigned i = 0; i < chip.dram_channels; ++i) channels.push_back(list(chip.dram_tiles(i)));
    add("dram", fmt::format("[{}]", fmt::join(channels, ", ")));
    auto ethernet = chip.places_of(TileKind::ethernet);
    std::ranges::sort(ethernet, {}, [&](Place place) { return chip.ethernet_channel(place); });
    add("eth", list(ethernet));
    add("functional_workers", list(noc::tensix_tiles(arch)));
    add("router_only", list(chip.places_of(TileKind::empty)));
    if (const auto security = chip.places_of(TileKind::security); !security.empty()) add("security", list(security));
    if (const auto cpus = chip.places_of(TileKind::l2cpu); !cpus.empty()) add("l2cpu", list(cpus));
    add("noc0_x_to_noc1_x", mirrored(chip.width));
    add("noc0_y_to_noc1_y", mirrored(chip.height));
    add("worker_l1_size", fmt::format("{}", chip.l1_bytes));
    add("dram_bank_size", fmt::format("{}", chip.dram_bytes));
    add("eth_l1_size", fmt::format("{}", chip.ethernet_l1_bytes));
    add("dram_views", dram_views(chip));
    add("dram_view_size", fmt::format("{}", dram_view_bytes(chip)));
    // tt-umd does not use these, but readers of the file expect them.
    yaml +=
        "features:\n  noc:\n    translation_id_enabled: True\n  unpacker:\n    version: 2\n    inline_srca_trans_without_srca_trans_instr: True\n"
        "  math:\n    dst_size_alignment: 32768\n  packer:\n    version: 2\n  overlay:\n    version: 2\n";
    return yaml;
}

}  // namespace tessera::host
