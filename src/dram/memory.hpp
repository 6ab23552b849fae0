// SPDX-License-Identifier: Apache-2.0
// A large memory of which little is used. A byte that was never written reads as 0.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>

namespace tessera::dram {

class Memory {
public:
    static constexpr std::size_t page_bytes = 64 * 1024;

    void read(std::uint64_t address, std::span<std::uint8_t> bytes) const;
    void write(std::uint64_t address, std::span<const std::uint8_t> bytes);
    /// Pages that were written.
    std::size_t pages() const { return pages_.size(); }
    /// Calls `f(number, bytes)` for each page that is not all 0, in their order.
    template <class F>
    void each_page(F&& f) const {
        for (const auto& [number, page] : pages_)
            if (std::any_of(page->begin(), page->end(), [](std::uint8_t byte) { return byte != 0; }))
                f(number, std::span<const std::uint8_t>(*page));
    }

private:
    using Page = std::array<std::uint8_t, page_bytes>;
    /// Copies share pages until one of them writes.
    std::map<std::uint64_t, std::shared_ptr<Page>> pages_;
};

}  // namespace tessera::dram
