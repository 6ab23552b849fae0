// SPDX-License-Identifier: Apache-2.0
#include "host/windows.hpp"

namespace tessera::host {

Windows::Windows(const PciLayout& layout) : layout_(layout) {
    unsigned count = 0;
    for (const WindowGroup& group : layout.windows) count += group.count;
    words_.resize(std::size_t{count} * layout.entry_words);
}

std::optional<Window> Windows::find(unsigned bar, std::uint64_t offset) const {
    unsigned before = 0;
    for (const WindowGroup& group : layout_.windows) {
        const std::uint64_t behind_first = offset - group.first;
        if (group.bar == bar && offset >= group.first && behind_first >> group.address_bits < group.count)
            return Window{before + static_cast<unsigned>(behind_first >> group.address_bits), group.address_bits,
                          behind_first & ((std::uint64_t{1} << group.address_bits) - 1)};
        before += group.count;
    }
    return std::nullopt;
}

std::uint64_t Windows::bits(unsigned window, unsigned first, unsigned count) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i) {
        const unsigned bit = first + i;
        value |= std::uint64_t{words_[std::size_t{window} * layout_.entry_words + bit / 32] >> bit % 32 & 1} << i;
    }
    return value;
}

// Fields follow each other: the address without the window's bits, last x and y, first x and y, NoC, multicast.
Reached Windows::reached(const Window& window) const {
    const unsigned address_bits = layout_.noc_address_bits - window.address_bits;
    unsigned at = address_bits;
    const auto next = [&](unsigned count) {
        at += count;
        return static_cast<unsigned>(bits(window.index, at - count, count));
    };
    Reached reached;
    reached.address = bits(window.index, 0, address_bits) << window.address_bits | window.offset;
    reached.x = next(6);
    reached.y = next(6);
    reached.first_x = next(6);
    reached.first_y = next(6);
    reached.noc = next(layout_.noc_select_bits);
    reached.multicast = next(1);
    return reached;
}

std::uint32_t* Windows::word(std::uint64_t offset) {
    return offset % 4 == 0 && offset / 4 < words_.size() ? &words_[offset / 4] : nullptr;
}

}  // namespace tessera::host
