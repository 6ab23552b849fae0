// SPDX-License-Identifier: Apache-2.0
#include "dram/memory.hpp"

#include <algorithm>
#include <cstring>

namespace tessera::dram {

void Memory::read(std::uint64_t address, std::span<std::uint8_t> bytes) const {
    while (!bytes.empty()) {
        const std::size_t offset = address % page_bytes, count = std::min(bytes.size(), page_bytes - offset);
        const auto page = pages_.find(address / page_bytes);
        if (page == pages_.end())
            std::memset(bytes.data(), 0, count);
        else
            std::memcpy(bytes.data(), page->second->data() + offset, count);
        address += count;
        bytes = bytes.subspan(count);
    }
}

void Memory::write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const std::size_t offset = address % page_bytes, count = std::min(bytes.size(), page_bytes - offset);
        auto& page = pages_[address / page_bytes];
        if (!page)
            page = std::make_shared<Page>();
        else if (page.use_count() > 1)
            page = std::make_shared<Page>(*page);
        std::memcpy(page->data() + offset, bytes.data(), count);
        address += count;
        bytes = bytes.subspan(count);
    }
}

}  // namespace tessera::dram
