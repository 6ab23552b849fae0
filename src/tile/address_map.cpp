// SPDX-License-Identifier: Apache-2.0
#include "tile/address_map.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace tessera::tile {

namespace {

constexpr std::uint32_t mmio_base = 0xFFB0'0000, page_bytes = 0x1000;
constexpr std::size_t pages = (0u - mmio_base) / page_bytes;
constexpr std::size_t region_count = std::size(regions);

// Per page, the first region that ends in it or behind it. A search starts there.
struct Index {
    std::array<std::uint8_t, pages> first_of[2]{};
};
constexpr Index make_index() {
    Index index;
    for (unsigned arch = 0; arch < 2; ++arch)
        for (std::size_t page = 0; page < pages; ++page) {
            const auto begin = static_cast<std::uint32_t>(mmio_base + page * page_bytes);
            std::size_t i = 1;
            while (i < region_count && regions[i].at[arch].last < begin) ++i;  // passes absent regions, whose last is 0
            index.first_of[arch][page] = static_cast<std::uint8_t>(i);
        }
    return index;
}
constexpr Index pages_index = make_index();

// Of an address outside of the span to its begin or end. An absent span is as far as address 0: farther than L1.
std::int64_t distance(const Span& span, std::uint32_t address) {
    return std::max(std::int64_t{span.first} - address, address - std::int64_t{span.last});
}

}  // namespace

std::string_view name(User user) {
    return user == User::noc ? std::string_view("NoC") : tessera::name(RiscvCore(static_cast<std::uint8_t>(user)));
}

const Region& nearest(Arch arch, User user, std::uint32_t address) {
    return *std::ranges::min_element(regions, {}, [&](const Region& region) {
        const bool reaches = (region.loads | region.stores) & bit(user);
        return reaches ? distance(region.where(arch), address) : std::numeric_limits<std::int64_t>::max();
    });
}

Place find(Arch arch, User user, std::uint32_t address, bool store) {
    const Region* for_others = nullptr;
    const auto view = [&](const Region& region) {
        const bool may = (store ? region.stores : region.loads) & bit(user);
        // Another core's access to its own memory would not be one to this place.
        if (!may && region.device != Device::local && region.where(arch).contains(address)) for_others = &region;
        return may && region.where(arch).contains(address);
    };
    if (address < mmio_base) {
        if (view(regions[0])) return {Place::Kind::mapped, &regions[0]};
    } else {
        const auto chip = static_cast<unsigned>(arch);
        for (std::size_t i = pages_index.first_of[chip][(address - mmio_base) / page_bytes]; i < region_count; ++i) {
            if (regions[i].at[chip].first > address) break;  // never at an absent region, whose first is 1
            if (view(regions[i])) return {Place::Kind::mapped, &regions[i]};
        }
    }
    if (for_others) return {Place::Kind::no_access, for_others};
    return {};
}

}  // namespace tessera::tile
