// SPDX-License-Identifier: Apache-2.0
// Alignment of two sequences: an insertion in one does not shift the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera::diff {

/// The opcode of an instruction word: instructions of one opcode are of one kind.
constexpr std::uint32_t opcode(std::uint32_t word) { return word >> 24; }

/// Keys of an element at three levels: equal, same kind, same family.
struct Key {
    std::uint64_t exact = 0;
    std::uint32_t kind = 0, family = 0;
};

/// Two aligned elements. An empty one means that only the other sequence has the element.
struct Step {
    std::optional<std::size_t> a, b;
    bool same = false;
};

/// Aligns two sequences. Few differences are found exactly (Myers' O(ND) algorithm); with many, the cost stays close to
/// one pass. Between equal elements, elements of the same kind count as changes, then those of the same family.
std::vector<Step> align(std::span<const Key> a, std::span<const Key> b);

}  // namespace tessera::diff
