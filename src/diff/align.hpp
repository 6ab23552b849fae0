// SPDX-License-Identifier: Apache-2.0
// Two sequences side by side, so that what one has inserted does not shift all that follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera::diff {

/// What an element is compared by: the same, a changed one of the same kind, or at least one of the same family.
struct Key {
    std::uint64_t exact = 0;
    std::uint32_t kind = 0, family = 0;
};

/// Elements that stand side by side; nothing: only the other sequence has it.
struct Step {
    std::optional<std::size_t> a, b;
    bool same = false;
};

/// Both sequences in their order. Few differences are found exactly (Myers' O(ND) algorithm); of many the result is one that
/// hardly costs more than reading both. Between equal elements, those of one kind are taken for changes of each other,
/// then as many of one family as there are on both sides.
std::vector<Step> align(std::span<const Key> a, std::span<const Key> b);

}  // namespace tessera::diff
