// SPDX-License-Identifier: Apache-2.0
// Digests of cores' states and of findings.
#pragma once

#include <cstdint>
#include <string_view>

#include "tessera/core.hpp"

namespace tessera::test {

class Digest {
public:
    void add(std::uint64_t value) { sum_ = (sum_ ^ value) * 0x100000001b3; }
    void add(std::string_view text) {
        for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    std::uint64_t value() const { return sum_; }

private:
    std::uint64_t sum_ = 0xcbf29ce484222325;
};

/// Of L1, pages that are as `before` has them say nothing.
std::uint64_t state_digest(const Core& core, const Core& before, bool with_riscv = true);

}  // namespace tessera::test
