// SPDX-License-Identifier: Apache-2.0
// TLB windows: parts of a BAR that reach tiles.
#pragma once

#include <optional>
#include <vector>

#include "host/pci_layout.hpp"

namespace tessera::host {

/// The target of an access through a window, in coordinates as software wrote them.
struct Reached {
    unsigned noc = 0;
    unsigned x = 0, y = 0;
    bool multicast = false;
    unsigned first_x = 0, first_y = 0;  ///< of a multicast; x and y are the last
    std::uint64_t address = 0;          ///< in the tile
};

class Windows {
public:
    explicit Windows(const PciLayout& layout);

    /// The window at an offset of a BAR (0 or 4). Empty: none is there.
    std::optional<Window> find(unsigned bar, std::uint64_t offset) const;
    /// Bytes from there to the window's end.
    static std::uint64_t left(const Window& window) { return (std::uint64_t{1} << window.address_bits) - window.offset; }
    Reached reached(const Window& window) const;

    /// The word of an entry at an offset behind PciLayout::configuration. Null: there is none.
    std::uint32_t* word(std::uint64_t offset);

private:
    std::uint64_t bits(unsigned window, unsigned first, unsigned count) const;

    const PciLayout& layout_;
    std::vector<std::uint32_t> words_;
};

}  // namespace tessera::host
