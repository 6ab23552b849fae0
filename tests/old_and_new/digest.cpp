// SPDX-License-Identifier: Apache-2.0
#include "old_and_new/digest.hpp"

#include <algorithm>
#include <cstring>

namespace tessera::test {

std::uint64_t state_digest(const Core& core, const Core& before, bool with_riscv) {
    Digest digest;
    constexpr std::uint32_t page = 4096;
    const auto now = core.read_l1(0, core.l1_size()).value(), then = before.read_l1(0, before.l1_size()).value();
    for (std::size_t at = 0; at < now.size(); at += page) {
        const std::size_t bytes = std::min<std::size_t>(page, now.size() - at);
        if (std::memcmp(now.data() + at, then.data() + at, bytes) == 0) continue;
        digest.add(at);
        for (std::size_t i = at; i < at + bytes; ++i) digest.add(static_cast<std::uint64_t>(now[i]));
    }
    for (const Section& section : core.sections()) {
        if (section.name == "l1" || (!with_riscv && section.name.starts_with("riscv"))) continue;
        for (std::size_t i = 0; i < section.size; ++i) digest.add(core.read(section, i));
    }
    return digest.value();
}

}  // namespace tessera::test
