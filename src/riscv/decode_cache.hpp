// SPDX-License-Identifier: Apache-2.0
// Decode cache for L1 or an instruction RAM. Each entry keeps the word it was decoded from. Users compare it with
// memory, so stores need not invalidate entries.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "riscv/decode.hpp"

namespace tessera::riscv {

class DecodeCache {
public:
    static constexpr std::uint32_t page_words = 256, page_bytes = page_words * 4;
    using Page = std::array<DecodedOp, page_words>;

    DecodeCache(Arch arch, std::uint32_t bytes) : arch_(arch), pages_(bytes / page_bytes) {}

    /// Entries of the page that holds `address`; null past the end of the memory.
    DecodedOp* page(std::uint32_t address) {
        const std::uint32_t number = address / page_bytes;
        if (number >= pages_.size()) return nullptr;
        if (!pages_[number]) {
            pages_[number] = std::make_unique<Page>();
            pages_[number]->fill(decode(arch_, 0));
        }
        return pages_[number]->data();
    }

    /// Whether an instruction of the page that holds `address` may have been decoded.
    bool has(std::uint32_t address) const { return pages_[address / page_bytes] != nullptr; }

private:
    Arch arch_;
    std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace tessera::riscv
