// SPDX-License-Identifier: Apache-2.0
// Compares the complete states of two cores.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tessera/core.hpp"

namespace tessera::test {

/// The first section, or element, in which two cores differ; empty: none.
inline std::string difference(Core& a, Core& b) {
    auto same = [](auto one, auto other) { return std::equal(one.begin(), one.end(), other.begin(), other.end()); };
    // Not by l1(): raw access would mark all of L1 as written.
    if (a.read_l1(0, a.l1_size()).value() != b.read_l1(0, b.l1_size()).value()) return "l1";
    if (!same(a.dst(), b.dst())) return "dst";
    for (unsigned bank = 0; bank < 2; ++bank) {
        if (!same(a.src_a()[bank], b.src_a()[bank])) return "src_a";
        if (!same(a.src_b()[bank], b.src_b()[bank])) return "src_b";
    }
    for (const Section& section : a.sections()) {
        // Compared above, as they are kept: an element at a time takes longer than a run.
        if (section.name == "l1" || section.name == "dst" || section.name == "src_a" || section.name == "src_b")
            continue;
        for (std::size_t i = 0; i < section.size; ++i)
            if (a.read(section, i) != b.read(section, i)) return fmt::format("{} {}", section.name, i);
    }
    return {};
}

}  // namespace tessera::test
